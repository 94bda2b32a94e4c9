"""Runs one program and prints what it took, as one line of JSON.

child.py run COMMAND...          wall time, peak memory of the program itself, exit code
child.py prompt MARK COMMAND...  the same in a pseudo-terminal, until MARK is on the screen; then /exit is typed
child.py typed COMMAND...        the same, until a letter that was typed is on the screen
child.py drawn COMMAND...        the same of a program that may drop what comes too early: a letter is typed every 50 ms until one
                                 is drawn, what it asks of its terminal is answered, and it is ended by force
child.py reply MARK COMMAND...   as typed, then two questions, whose answers end with MARK and 1 or 2: CPU time of the
                                 program from the second question to its mark (Linux)
"""

import fcntl
import json
import os
import pty
import resource
import select
import signal
import struct
import sys
import termios
import time

WAIT_S = 30
SETTLED_S = 0.5  # What a first turn loads after its answer is not part of the second.
TYPED = "ж".encode()  # A letter that nothing else on the screen has.
AGAIN_S = 0.05
SIZE = struct.pack("HHHH", 30, 100, 0, 0)  # Rows and columns: some draw nothing in a terminal without a size.

# What programs ask of a terminal, and what one with a dark background says.
ANSWERS = {
    b"\x1b[6n": b"\x1b[1;1R",
    b"\x1b[c": b"\x1b[?62;22c",
    b"\x1b[>0q": b"\x1bP>|bench\x1b\\",
    b"\x1b]10;?": b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
    b"\x1b]11;?": b"\x1b]11;rgb:0000/0000/0000\x1b\\",
}


def spawn(command, in_terminal):
    pid, fd = pty.fork() if in_terminal else (os.fork(), -1)
    if pid == 0:
        if not in_terminal:
            null = os.open(os.devnull, os.O_RDWR)
            for target in (0, 1, 2):
                os.dup2(null, target)
        os.execvp(command[0], command)
    return pid, fd


def read_until(fd, mark, deadline):
    """What the terminal shows, up to the mark or the end of the program."""
    seen = b""
    while mark is None or mark not in seen:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([fd], [], [], left)[0]:
            raise SystemExit(f"Waited {WAIT_S} s for {mark!r}; on the screen: {seen!r}")
        try:
            chunk = os.read(fd, 65536)
        except OSError:  # Linux reports the end of a pseudo-terminal as an error.
            chunk = b""
        if not chunk:
            break
        seen += chunk
    return seen


def show(fd, mark, deadline):
    screen = read_until(fd, mark, deadline)
    if mark not in screen:
        raise SystemExit(f"Ended before {mark!r}; on the screen: {screen!r}")


def type_a_letter(fd, deadline):
    """Returns once the program itself has drawn what was typed: the terminal echoes nothing any more."""
    while termios.tcgetattr(fd)[3] & termios.ECHO:
        if select.select([fd], [], [], 0.001)[0]:
            os.read(fd, 65536)
        if time.monotonic() > deadline:
            raise SystemExit(f"Waited {WAIT_S} s for the program to take the keyboard")
    os.write(fd, TYPED)
    show(fd, TYPED, deadline)


def type_until_drawn(fd, deadline):
    """Returns once a letter is drawn by the program itself; those that it drops are typed again."""
    fcntl.ioctl(fd, termios.TIOCSWINSZ, SIZE)
    seen = b""
    typed_at = -1.0
    while TYPED not in seen:
        now = time.monotonic()
        if now > deadline:
            raise SystemExit(f"Waited {WAIT_S} s for a typed letter; on the screen: {seen[-2000:]!r}")
        takes = not termios.tcgetattr(fd)[3] & termios.ECHO
        if takes and now - typed_at > AGAIN_S:
            os.write(fd, TYPED)
            typed_at = now
        if not select.select([fd], [], [], 0.001)[0]:
            continue
        chunk = os.read(fd, 65536)
        for asked, answer in ANSWERS.items():
            for _ in range(chunk.count(asked)):
                os.write(fd, answer)
        # Before it has taken the keyboard the terminal itself would have echoed.
        seen += chunk


def cpu_ms(pid):
    """CPU time of all threads of a process so far."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def main():
    mode, rest = sys.argv[1], sys.argv[2:]
    mark = rest.pop(0).encode() if mode in ("prompt", "reply") else None
    start = time.monotonic()
    deadline = start + WAIT_S
    pid, fd = spawn(rest, in_terminal=mode != "run")
    reply_ms = None
    if mode == "prompt":
        show(fd, mark, deadline)
    elif mode == "drawn":
        type_until_drawn(fd, deadline)
    elif mode != "run":
        type_a_letter(fd, deadline)
    ready = time.monotonic()
    if mode == "reply":
        os.write(fd, b"\x15first\r")  # Ctrl+U takes the letter away.
        show(fd, mark + b"1", deadline)
        time.sleep(SETTLED_S)
        before = cpu_ms(pid)
        os.write(fd, b"second\r")
        show(fd, mark + b"2", deadline)
        reply_ms = cpu_ms(pid) - before
    if mode == "drawn":
        os.killpg(pid, signal.SIGKILL)
    elif mode != "run":
        os.write(fd, b"\x15/exit\r" if mode == "typed" else b"/exit\r")
        read_until(fd, None, deadline)
    _, status = os.waitpid(pid, 0)
    end = time.monotonic() if mode == "run" else ready
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    bytes_per_unit = 1 if sys.platform == "darwin" else 1024
    code = 0 if mode == "drawn" else os.waitstatus_to_exitcode(status)
    took = {
        "ms": (end - start) * 1000,
        "cpuMs": (used.ru_utime + used.ru_stime) * 1000,
        "peakMB": used.ru_maxrss * bytes_per_unit / 1e6,
        "code": code,
        "replyCpuMs": reply_ms,
    }
    print(json.dumps(took))


main()
