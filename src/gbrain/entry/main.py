"""The `gbrain` command: runs one command line and turns whatever goes wrong into two lines and an exit code."""

import gc
import os
import sys
from typing import Any, NoReturn

from gbrain.errors import BrainError, Internal, InvalidParams, Unavailable

_DOCTOR = "run: gbrain doctor"

BEFORE_COLLECTING = 20_000
"""Objects that a command makes before the interpreter looks for waste; its own number is 700."""
INTERRUPTED = 130
CLOSED_PIPE = 141
"""What a process shows that a closed pipe killed; shells keep quiet about it."""


def main() -> NoReturn:
    """Run the command line of this process and end it with its exit code."""
    if sys.getfilesystemencoding() != "utf-8" and not sys.flags.utf8_mode:
        # A path read as anything else would be another one to SQLite, and in the files that name paths.
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])
    code = outcome([decoded(word) for word in sys.argv[1:]])
    # `os._exit` below flushes nothing. A stream is None where a program without a console started this one.
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            pass
    # Everything is closed and written: taking the interpreter apart would cost every command 9 ms more.
    os._exit(code)


def decoded(word: str) -> str:
    """A word of the command line as UTF-8, else as the locale has it where its bytes are no UTF-8."""
    try:
        return word if word.isascii() else os.fsencode(word).decode("utf-8")
    except UnicodeError:
        # Few words are anything else.
        import locale

        try:
            return os.fsencode(word).decode(locale.getencoding())
        except UnicodeError:
            return word


def outcome(given: list[str]) -> int:
    """Run one command line and return its exit code. Nothing is raised."""
    try:
        code = _run(given)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except BrainError as error:
        return report(error, given)
    except KeyboardInterrupt:
        return INTERRUPTED
    # `gbrain list | head` ends so, and is no error to report.
    except BrokenPipeError:
        _let_go_of_stdout()
        return CLOSED_PIPE
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else 1
    except OSError as error:
        return report(Unavailable(f"the system refused: {error.strerror or type(error).__name__}", _DOCTOR), given)
    except Exception as error:
        # The text of an unknown error may be a person's own; where it arose is enough to find it.
        return report(Internal(f"gbrain met a defect: {type(error).__name__} at {_place(error)}", _DOCTOR), given)


def _place(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}" if trace is not None else "?"


def report(error: BrainError, given: list[str]) -> int:
    """Tell an error to stderr or, where `--json` was given, as one object to stdout; returns its exit code."""
    try:
        if wants_json(given):
            # Only a command that failed pays for this import here.
            import json

            escaped = (getattr(sys.stdout, "encoding", None) or "").lower() != "utf-8"
            print(json.dumps(error.envelope(verb=_is_verb(given)), indent=2, ensure_ascii=escaped), flush=True)
        else:
            lines = [f"Error [{error.code}]: {error.message}", *conflicts(error.detail), f"  Fix: {error.suggestion}"]
            print("\n".join(lines), file=sys.stderr, flush=True)
    except BrokenPipeError:
        _let_go_of_stdout()
    except (OSError, UnicodeError):
        pass
    return error.exit_code


def wants_json(given: list[str]) -> bool:
    """Whether a command line asks for JSON, however little of it can be understood."""
    options = given[: given.index("--")] if "--" in given else given
    return "--json" in options


def _is_verb(given: list[str]) -> bool:
    # Only a command that failed pays for this import here.
    from gbrain.catalogue import OPERATIONS

    words = [word for word in _without_brain(given)[1] if not word.startswith("-")]
    if words[:1] == ["call"]:
        found = OPERATIONS.get(words[1]) if len(words) > 1 else None
    else:
        found = next((entry for entry in OPERATIONS.values() if words and entry.cli == words[0]), None)
    return found is not None and found.surface == "verbs"


def _run(given: list[str]) -> int:
    brain, rest = named_brain(given)
    if rest[:1] == ["serve"] and (options := serve_options(rest[1:])) is not None:
        # Every agent window waits for this command, so its two options are read without click (30 ms of CPU).
        from gbrain.entry.launch import serve

        return serve(options.get("surface"), options.get("source"), brain)
    # What a command loads stays: looking through it for waste, again and again, costs each of them 5 ms.
    gc.set_threshold(BEFORE_COLLECTING)
    # click is for the command line alone: `serve` answers its first request without it.
    from gbrain.entry.cli.root import run

    return run(rest, brain)


def named_brain(given: list[str]) -> tuple[str | None, list[str]]:
    """The value of `--brain`, wherever in a command line it stands, and the line without it.

    Raises InvalidParams when it has none.
    """
    brain, rest = _without_brain(given)
    if brain is not None and (not brain or brain.startswith("-")):
        raise InvalidParams("--brain needs the name of a brain", "run: gbrain mounts list")
    return brain, rest


def _without_brain(given: list[str]) -> tuple[str | None, list[str]]:
    brain: str | None = None
    rest: list[str] = []
    words = iter(given)
    for word in words:
        if word == "--":
            return brain, [*rest, word, *words]
        if word == "--brain":
            brain = next(words, "")
        elif word.startswith("--brain="):
            brain = word.partition("=")[2]
        else:
            rest.append(word)
    return brain, rest


def serve_options(given: list[str]) -> dict[str, str] | None:
    """The options of `serve` when they have their plain form; None leaves the line to the full parser."""
    options: dict[str, str] = {}
    # `--surface=full` and `--surface full` are the same.
    words = [part for word in given for part in (word.split("=", 1) if word.startswith("--") else [word])]
    for name, value in zip(words[::2], words[1::2], strict=False):
        if name not in ("--surface", "--source") or not value or value.startswith("-"):
            return None
        options[name[2:]] = value
    return options if len(words) % 2 == 0 else None


def _let_go_of_stdout() -> None:
    """The reader is gone: what is still buffered goes nowhere, or the interpreter complains on its way out."""
    # What is still buffered is flushed once more at the end. Closing the descriptor instead would give its number to
    # the next file that is opened.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def conflicts(detail: Any) -> list[str]:
    """The places where both sides of a write changed the same thing, as a person reads them; none for other errors."""
    hunks = detail.get("hunks", ()) if isinstance(detail, dict) else ()
    if not hunks:
        return []
    from gbrain.entry.cli.screen import harmless  # few errors show stored text

    lines: list[str] = []
    for hunk in harmless(hunks):
        lines.append(f"line {hunk['line']}:" if hunk["key"] is None else f"{hunk['key']}:")
        for mark, side in (("  was   ", "base"), ("  now   ", "current"), ("  yours ", "yours")):
            said = hunk[side].rstrip("\n").split("\n") if hunk[side] else ["(nothing)"]
            lines += [f"{mark if at == 0 else ' ' * len(mark)}{text}" for at, text in enumerate(said)]
    if detail.get("hunks_left_off"):
        lines.append(f"and {detail['hunks_left_off']:,} more places")
    return lines


if __name__ == "__main__":
    main()
