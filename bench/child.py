"""Runs one program and prints what it took, as one line of JSON.

child.py run COMMAND...          wall time, peak memory of the program itself, exit code
child.py prompt MARK COMMAND...  the same in a pseudo-terminal, until MARK is on the screen; then /exit is typed
"""

import json
import os
import pty
import resource
import select
import sys
import time

WAIT_S = 30


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


def main():
    mode, rest = sys.argv[1], sys.argv[2:]
    mark = rest.pop(0).encode() if mode == "prompt" else None
    start = time.monotonic()
    deadline = start + WAIT_S
    pid, fd = spawn(rest, in_terminal=mark is not None)
    if mark is not None:
        screen = read_until(fd, mark, deadline)
        if mark not in screen:
            raise SystemExit(f"Ended before {mark!r}; on the screen: {screen!r}")
        ready = time.monotonic()
        os.write(fd, b"/exit\r")
        read_until(fd, None, deadline)
    _, status = os.waitpid(pid, 0)
    end = ready if mark is not None else time.monotonic()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    bytes_per_unit = 1 if sys.platform == "darwin" else 1024
    code = os.waitstatus_to_exitcode(status)
    took = {
        "ms": (end - start) * 1000,
        "cpuMs": (used.ru_utime + used.ru_stime) * 1000,
        "peakMB": used.ru_maxrss * bytes_per_unit / 1e6,
        "code": code,
    }
    print(json.dumps(took))


main()
