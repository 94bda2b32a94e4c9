"""Snippets as Python takes them, and what came of them as a reader takes it: no frames of ours, nothing without end."""

import textwrap
import traceback

OWN_FILE = "<harness>"
ERROR_CHARS_MAX = 8_000


def plain_source(code):
    """The code without what stands around it when it was copied out of a listing, a reply or a function."""
    code = code[1:] if code.startswith("\ufeff") else code
    lines = code.strip().splitlines()
    if len(lines) > 1 and lines[0].startswith("```") and lines[-1].strip() == "```":
        code = "\n".join(lines[1:-1])
    first = next((line for line in code.splitlines() if line.strip()), "")
    # It would be an error as it stands.
    return textwrap.dedent(code) if first[:1] in (" ", "\t") else code


def traceback_of(error, number):
    """As Python shows it, without our own frames."""
    try:
        told = traceback.TracebackException.from_exception(error)
        tidy(told, number, set())
        is_bare = not told.stack and told.__cause__ is None and told.__context__ is None
        text = "".join(told.format_exception_only() if is_bare else told.format()).rstrip("\n")
    except BaseException:
        text = type(error).__name__
    return clipped(text, ERROR_CHARS_MAX)


def tidy(told, number, done):
    if told is None or id(told) in done:
        return
    done.add(id(told))
    told.stack[:] = [frame for frame in told.stack if frame.filename != OWN_FILE]
    for frame in told.stack:
        frame.filename = shown_name(frame.filename, number)
    if isinstance(getattr(told, "filename", None), str):
        told.filename = shown_name(told.filename, number)
    for other in (told.__cause__, told.__context__, *(getattr(told, "exceptions", None) or ())):
        tidy(other, number, done)


def shown_name(name, number):
    """Each snippet has a name of its own, so that a function of an earlier one is shown with its own source."""
    if name == "<vm %d>" % number:
        return "<vm>"
    return name.replace("<vm ", "<vm, call ", 1) if name.startswith("<vm ") else name


def clipped(text, chars_max):
    if len(text) <= chars_max:
        return text
    tail = chars_max // 3
    left = len(text) - chars_max
    return "%s\n[%d characters left out]\n%s" % (text[: chars_max - tail], left, text[-tail:])
