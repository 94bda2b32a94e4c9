"""The process behind run_python: runs snippets one after the other and keeps what they define.

One request a line comes on what was standard input, one answer a line goes to what was standard output. Snippets see
other descriptors: 0 has the answers they were given, 1 and 2 both go to the output pipe, where a mark that nobody can
print by chance stands after the output of each snippet.
"""

import ast
import builtins
import errno
import faulthandler
import importlib
import io
import json
import linecache
import os
import queue
import signal
import sys
import threading
import time
import types
import warnings

from driver_text import clipped, plain_source, traceback_of

try:
    import resource
except ImportError:  # Windows
    resource = None

VALUE_CHARS_MAX = 2_000
NAMES_MAX = 50
SOURCES_MAX = 200
MB = 1024 * 1024
AWAIT = getattr(ast, "PyCF_ALLOW_TOP_LEVEL_AWAIT", 0)
CO_COROUTINE = 0x80


class Channel:
    """The descriptors that only we know; what a snippet does to 0, 1 and 2 does not reach them."""

    def __init__(self):
        self.requests = os.dup(0)
        self.answers = os.dup(1)
        self.output = os.dup(2)
        self.mark = b""
        self.rest = b""

    def read(self):
        """The next request, or None when nobody is left to ask."""
        while b"\n" not in self.rest:
            chunk = os.read(self.requests, 1 << 16)
            if not chunk:
                return None
            self.rest += chunk
        line, self.rest = self.rest.split(b"\n", 1)
        return json.loads(line)

    def answer(self, answer):
        write_all(self.answers, json.dumps(answer).encode("ascii") + b"\n")

    def end_of_output(self, number):
        # Shorter than PIPE_BUF: what children print at the same time does not get in between.
        write_all(self.output, b"\x1e%s:%d\x1e" % (self.mark, number))


def write_all(descriptor, data):
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view):]


class Running:
    """What is being run, for whoever wants to interrupt it."""

    def __init__(self):
        self.number = 0
        self.unwanted = 0
        self.is_interruptible = False

    def on_interrupt(self, _signal, _frame):
        # Once, and only inside a snippet: our own work between two snippets is never cut short.
        if self.is_interruptible:
            self.is_interruptible = False
            raise KeyboardInterrupt

    def attempt(self, act):
        """What `act` returns, and what it raised."""
        try:
            try:
                self.is_interruptible = True
                if self.unwanted == self.number:
                    raise KeyboardInterrupt
                result = act()
                self.is_interruptible = False
                return result, None
            except BaseException as error:
                self.is_interruptible = False
                return None, error
        except KeyboardInterrupt as error:  # It came between the end of the snippet and the line after it.
            return None, error

    def interrupt(self, number):
        self.unwanted = number  # It may not have begun.
        if number != self.number or not self.is_interruptible:
            return
        if os.name != "posix":
            signal.raise_signal(signal.SIGINT)
        elif os.getpgrp() == os.getpid():
            os.killpg(os.getpid(), signal.SIGINT)  # As a terminal does it: children included.
        else:
            os.kill(os.getpid(), signal.SIGINT)


def listen(channel, requests, running):
    """In a thread of its own, so that an interrupt is heard while a snippet runs."""
    if hasattr(signal, "pthread_sigmask"):
        # The signal goes to the main thread, where it ends a sleep or a read.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    while True:
        request = channel.read()
        if request is None:
            os._exit(0)
        if "interrupt" in request:
            running.interrupt(request["interrupt"])
        else:
            requests.put(request)


class Project:
    """The modules of the project: importable, and read again once their files have changed."""

    def __init__(self, roots):
        self.roots = tuple(os.path.join(root, "") for root in roots)
        self.seen = {}

    def modules(self):
        own = os.path.join(sys.prefix, "")
        for name, module in list(sys.modules.items()):
            path = getattr(module, "__file__", None)
            if not isinstance(path, str) or not path.endswith(".py"):
                continue
            if path.startswith(self.roots) and not path.startswith(own) and "site-packages" not in path:
                yield name, path

    def note(self):
        for _, path in self.modules():
            self.seen.setdefault(path, fingerprint(path))

    def forget_changed(self):
        """Names of modules whose files have changed. They and what may have been made of them are imported anew."""
        importlib.invalidate_caches()
        changed = [name for name, path in self.modules() if self.seen.get(path) != fingerprint(path)]
        if changed:
            self.forget()
        return sorted(changed)

    def forget(self):
        for name, _ in self.modules():
            del sys.modules[name]
        self.seen.clear()


def fingerprint(path):
    try:
        info = os.stat(path)
    except OSError:
        return None
    return info.st_mtime_ns, info.st_size


class Snippets:
    """Runs them, and is what they remember."""

    def __init__(self, setup, channel, running):
        self.channel = channel
        self.running = running
        self.scratch = setup["scratch"]
        self.memory_mb = setup["memory_mb"]
        self.file_mb = setup["file_mb"]
        self.roots = setup["roots"]
        self.project = Project(self.roots)
        self.main = types.ModuleType("__main__")
        self.main.__builtins__ = builtins
        self.base = dict(vars(self.main))
        self.builtins = vars(builtins)
        self.own_builtins = dict(self.builtins)
        self.names = vars(self.main)
        self.loop = None

    def run(self, request):
        number, code = request["number"], request["code"]
        if request["reset"]:
            self.reset()
        changed = self.project.forget_changed()
        self.prepare(request["stdin"])
        before = dict(self.names)
        started = time.monotonic()
        self.running.number = number
        value, error = self.running.attempt(lambda: self.execute(code, "<vm %d>" % number))
        self.running.number = 0
        self.builtins.update(self.own_builtins)  # A snippet may have put its own in their place; we live by them.
        seconds = time.monotonic() - started
        self.project.note()
        names = sorted(name for name in self.names if isinstance(name, str) and not name.startswith("_"))
        kept = [name for name in names if before.get(name, before) is not self.names[name]]
        answer = {
            "number": number,
            "seconds": round(seconds, 3),
            "kept": kept[:NAMES_MAX],
            "kept_count": len(kept),
            "names": names[:NAMES_MAX],
            "reloaded": changed,
        }
        if error is not None:
            answer.update(self.told(error, number))
        elif value is not None:
            answer["value"] = value
        flush()
        return answer

    def reset(self):
        self.names.clear()
        self.names.update(self.base)
        self.project.forget()
        os.chdir(self.scratch)

    def execute(self, code, name):
        """Runs it; what its last expression came to, as text, or None."""
        code = plain_source(code)
        linecache.cache[name] = (len(code), None, code.splitlines(True), name)
        self.forget_sources()
        tree = compile(code, name, "exec", ast.PyCF_ONLY_AST | AWAIT, dont_inherit=True)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        if tree.body:
            self.evaluate(compile(tree, name, "exec", AWAIT, dont_inherit=True))
        if last is None:
            return None
        value = self.evaluate(compile(ast.Expression(last.value), name, "eval", AWAIT, dont_inherit=True))
        if value is None:
            return None
        self.names["_"] = value
        return clipped(repr(value), VALUE_CHARS_MAX)

    def evaluate(self, code):
        result = eval(code, self.names)
        if not code.co_flags & CO_COROUTINE:
            return result
        if self.loop is None or self.loop.is_closed():
            import asyncio

            self.loop = asyncio.new_event_loop()
        return self.loop.run_until_complete(result)

    def forget_sources(self):
        own = [name for name in linecache.cache if name.startswith("<vm ")]
        for name in own[:-SOURCES_MAX]:
            del linecache.cache[name]

    def prepare(self, answers):
        """Descriptors and streams as new, whatever the snippet before did to them."""
        for descriptor in (0, 1, 2):
            os.dup2(self.channel.output, descriptor)
        self.give(answers)
        sys.stdin = io.TextIOWrapper(
            io.BufferedReader(io.FileIO(0, "r", closefd=False)), encoding="utf-8", errors="replace"
        )
        # Unbuffered: what was printed before a crash is seen, and stands in order with what children print.
        sys.stdout = sys.__stdout__ = writer(1)
        sys.stderr = sys.__stderr__ = writer(2)
        sys.modules["__main__"] = self.main
        sys.argv = [""]
        signal.signal(signal.SIGINT, self.running.on_interrupt)

    def give(self, answers):
        with open(os.devnull, "rb") if answers == "" else unnamed_file(answers) as source:
            os.dup2(source.fileno(), 0)

    def told(self, error, number):
        """An exception as the answer says it."""
        if isinstance(error, KeyboardInterrupt):
            return {"interrupted": True}
        if isinstance(error, SystemExit):
            code = error.code if isinstance(error.code, (int, str)) else 0 if error.code is None else 1
            return {"exit": code}
        told = {"error": traceback_of(error, number), "raised": type(error).__name__}
        hint = self.hint(error)
        return told if hint is None else {**told, "hint": hint}

    def hint(self, error):
        if isinstance(error, EOFError):
            return "There is no answer left for input(): give the answers in stdin, one a line"
        if isinstance(error, MemoryError) and self.memory_mb:
            return "The process may take %d MB (VM_MEMORY_MB); the variables are still there" % self.memory_mb
        if isinstance(error, ModuleNotFoundError):
            return "It is not there for this Python, %s" % sys.executable
        if not isinstance(error, OSError):
            return None
        if error.errno == errno.EFBIG and self.file_mb:
            return "No file may grow over %d MB (VM_FILE_MB)" % self.file_mb
        path = os.path.abspath(error.filename) if isinstance(error.filename, str) else ""
        if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM) and path.startswith(self.project.roots):
            return "The project is only read here; files can be written to %s" % self.scratch
        return None


def writer(descriptor):
    raw = io.FileIO(descriptor, "w", closefd=False)
    return io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", write_through=True)


def flush():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            pass  # Closed or replaced by the snippet; the next one gets a new one.


def unnamed_file(text):
    import tempfile

    file = tempfile.TemporaryFile()
    file.write(text.encode("utf-8", "replace") + (b"" if text.endswith("\n") else b"\n"))
    file.seek(0)
    return file


def limit(memory_mb, file_mb):
    if resource is None:
        return
    lower(resource.RLIMIT_CORE, 0)
    if file_mb:
        lower(resource.RLIMIT_FSIZE, file_mb * MB)
    if memory_mb:
        lower(resource.RLIMIT_AS, memory_mb * MB)


def lower(kind, value):
    """Soft and hard, so that the code cannot raise it again."""
    _, hard = resource.getrlimit(kind)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    try:
        resource.setrlimit(kind, (value, value))
    except (OSError, ValueError):
        pass  # macOS takes some of them for nothing; the wall clock holds everywhere.


def search_project(roots, scratch):
    """The project first, then what the person had on PYTHONPATH, then Python's own, then the scratch directory."""
    theirs = [entry for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if os.path.isabs(entry)]
    sys.path[:] = [*roots, *theirs, *sys.path, scratch]
    os.environ["PYTHONPATH"] = os.pathsep.join([*roots, *theirs])
    sys.dont_write_bytecode = True
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"


def main():
    channel = Channel()
    setup = channel.read()
    channel.mark = setup["mark"].encode("ascii")
    if hasattr(os, "setpgid") and os.getpgrp() != os.getpid():
        try:
            os.setpgid(0, 0)
        except OSError:
            pass  # Interrupts then reach this process alone.
    faulthandler.enable(channel.output, all_threads=False)
    warnings.filterwarnings("ignore", message=".*multi-threaded, use of fork", category=DeprecationWarning)
    requests, running = queue.SimpleQueue(), Running()
    signal.signal(signal.SIGINT, running.on_interrupt)
    threading.stack_size(1 << 18)  # The default would take 8 MB of the address space.
    threading.Thread(target=listen, args=(channel, requests, running), daemon=True).start()
    threading.stack_size(0)
    snippets = Snippets(setup, channel, running)
    search_project(snippets.roots, snippets.scratch)
    limit(snippets.memory_mb, snippets.file_mb)
    own = os.getpid()
    channel.answer({"version": sys.version.split()[0], "executable": sys.executable, "prefix": sys.prefix})
    while True:
        answer = snippets.run(requests.get())
        if os.getpid() != own:
            os._exit(1 if "error" in answer else 0)  # A child that the snippet forked and let run on.
        channel.end_of_output(answer["number"])
        channel.answer(answer)


main()
