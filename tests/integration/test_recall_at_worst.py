"""The recall hook where things are as bad as they get: transcripts, prompts, names, a stopped writer, a hung server."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gbrain import neighbour
from gbrain.brain import Brain
from recalling import PYTHON, Home, listened
from stdio_server import HANDSHAKE, Server

ASKED = "What should I bring for Dana Oakes?"
POINTING = "What does she drink?"
USER = {"type": "user", "message": {"role": "user", "content": "I met Dana Oakes this morning."}}
ANSWER = {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": "How was it?"}]}}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path).make()


@pytest.fixture
def transcript(home: Home) -> Path:
    folder = home.path / ".claude" / "projects" / "p"
    folder.mkdir(parents=True)
    return folder / "s1.jsonl"


def rows(*held: dict[str, Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in held)


def plain(path: Path) -> Path:
    path.write_text(rows(USER, ANSWER))
    return path


def long(path: Path) -> Path:
    noise = {"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "content": "x" * 90_000}]}}
    with path.open("w") as file:
        for _ in range(560):
            file.write(rows(noise))
        file.write(rows(USER, ANSWER))
    assert path.stat().st_size > 50_000_000
    return path


def wide(path: Path) -> Path:
    path.write_bytes(b"\xff\xfe" + rows(USER, ANSWER).encode("utf-16-le"))
    return path


def torn(path: Path) -> Path:
    path.write_bytes(b'ent": "Dana Oakes"}}\n' + rows(USER, ANSWER).encode() + b'{"type": "user", "mess')
    return path


def binary(path: Path) -> Path:
    path.write_bytes(os.urandom(200_000) + b"\n" + rows(USER, ANSWER).encode())
    return path


def odd(path: Path) -> Path:
    strange = [
        {"type": "user"},
        {"type": "user", "message": 3},
        {"type": "assistant", "message": {"content": [None, 7]}},
    ]
    path.write_text(rows(USER, ANSWER, *strange) + '[1]\n"user"\n{"user":' + "[" * 5000 + "\n")
    return path


@pytest.mark.parametrize("kind", [plain, long, wide, torn, binary, odd])
def test_what_was_said_before_is_found_in_a_transcript(
    home: Home, transcript: Path, kind: Callable[[Path], Path]
) -> None:
    given = home.asks(POINTING, transcript_path=str(kind(transcript)))
    assert "green tea" in home.hook("prompt", given).context
    assert home.reasons() == ["told"]


def missing(path: Path) -> Any:
    return path


def linked(path: Path) -> Any:
    path.symlink_to(plain(path.with_name("other.jsonl")))
    return path


def outside(path: Path) -> Any:
    elsewhere = path.parents[3] / "elsewhere"
    elsewhere.mkdir()
    return plain(elsewhere / "s1.jsonl")


def folder(path: Path) -> Any:
    path.mkdir()
    return path


def pipe(path: Path) -> Any:
    os.mkfifo(path)
    return path


def other_kind(path: Path) -> Any:
    return plain(path.with_suffix(".txt"))


def no_text(path: Path) -> Any:
    return [1]


@pytest.mark.parametrize("kind", [missing, linked, outside, folder, pipe, other_kind, no_text])
def test_a_transcript_that_is_not_one_is_not_read(home: Home, transcript: Path, kind: Callable[[Path], Any]) -> None:
    path = kind(transcript)
    path = str(path) if isinstance(path, Path) else path
    assert home.hook("prompt", home.asks(POINTING, transcript_path=path)).out == ""
    assert "green tea" in home.hook("prompt", home.asks(ASKED, transcript_path=path)).context
    assert home.reasons() == ["nothing", "told"]


@pytest.mark.parametrize("harness", ["claude-code", "codex", "gemini", "opencode", "openclaw"])
def test_a_prompt_of_100_kb_is_answered_by_its_beginning_and_its_end(home: Home, harness: str) -> None:
    pasted = "Traceback (most recent call last):\n  File x.py, line 1\n" * 2_000
    assert len(pasted) > 100_000
    for session, said in (("s1", f"{ASKED}\n\n```\n{pasted}\n```"), ("s2", f"```\n{pasted}\n```\n\n{ASKED}")):
        given = home.asks(said, session)
        del given["hook_event_name"]
        assert "green tea" in home.hook("prompt", given, harness=harness).out


def test_names_that_are_common_words_call_nobody(home: Home) -> None:
    with home.open() as brain:
        for name in (
            "Will Power",
            "Mark",
            "May",
            "Grace Hope",
            "Bill",
            "Rose",
            "Art",
            "Summer",
            "Test",
            "Main",
            "Order",
        ):
            slug = f"people/{name.lower().replace(' ', '-')}"
            brain.put_page(slug=slug, content=f"---\ntitle: {name}\ntype: person\n---\nSomebody.\n")
    for text in (
        "It will mark the order in may, and the main test may grace the art of summer.",
        "Mark this bill as paid and order a rose.",
        "Will it work? May I test the main branch? Order matters.",
    ):
        assert home.prompt(text) == "", text
    assert "[default:people/grace-hope]" in home.prompt("Send it to Grace Hope today.")


def test_five_hundred_people_called_dana(home: Home) -> None:
    def one(brain: Brain, number: int) -> None:
        name = f"Dana {chr(65 + number % 26)}{'aeiou'[number % 5]}{number}son"
        brain.put_page(slug=f"people/dana-{number}", content=f"---\ntitle: {name}\ntype: person\n---\nA Dana.\n")

    with home.open() as brain:
        for number in range(500):
            one(brain, number)
    assert home.prompt("Ask Dana what she thinks of it.") == ""
    assert "[default:people/dana-oakes]" in home.prompt(ASKED)
    told = home.hook("start", {"session_id": "s2"}).context
    assert told.count("\n- ") < 20


@pytest.fixture
def stopped(home: Home) -> Iterator[Home]:
    """A home whose store is locked by a writer that was stopped in the middle of its transaction."""
    program = (
        "import apsw, sys; c = apsw.Connection(sys.argv[1]); c.execute('begin immediate');"
        "c.execute(\"update config set value = value\"); print('locked', flush=True); sys.stdin.read()"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", program, str(home.brain / "brain.db")], **pipes) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"locked\n"
        process.send_signal(signal.SIGSTOP)
        try:
            yield home
        finally:
            process.send_signal(signal.SIGCONT)
            process.kill()


def test_a_store_locked_by_a_stopped_process_is_read_all_the_same(stopped: Home) -> None:
    assert "green tea" in stopped.start()
    assert "green tea" in stopped.prompt(ASKED)


@pytest.fixture
def hung(home: Home) -> Iterator[Home]:
    """A home where somebody listens, and says nothing."""
    path = neighbour.socket_path(str(home.brain))
    assert path is not None
    os.makedirs(os.path.dirname(path), mode=0o700)
    with socket.socket(socket.AF_UNIX) as listening:
        place = neighbour.address(path)
        listening.bind(place)
        neighbour.release(place)
        listening.listen(16)
        yield home


def test_a_server_that_hangs_is_passed_by(hung: Home) -> None:
    assert "green tea" in hung.start()
    assert "green tea" in hung.prompt(ASKED)
    assert hung.hook("before-compact", {"session_id": "s1"}).out == ""


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"nonsense\n",
        b"[1]\n",
        b'{"protocol": 9}\n',
        b'{"protocol": 1, "ok": true, "text": 3}\n',
        b'{"protocol": 1, "ok": false, "error": "unknown_verb"}\n',
        b"x" * 300_000,
    ],
)
def test_a_server_that_talks_nonsense_is_passed_by(hung: Home, said: bytes) -> None:
    path = neighbour.socket_path(str(hung.brain))
    assert path is not None
    program = (
        "import socket, sys, os; os.chdir(os.path.dirname(sys.argv[1])); name = os.path.basename(sys.argv[1]);"
        "os.unlink(name); s = socket.socket(socket.AF_UNIX); s.bind(name); s.listen(4); print('here', flush=True);"
        "c, _ = s.accept(); c.recv(65536); c.sendall(open(sys.argv[2], 'rb').read())"
    )
    (hung.path / "said").write_bytes(said)
    command = [sys.executable, "-c", program, path, str(hung.path / "said")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"here\n"
        assert "green tea" in hung.prompt(ASKED)
        process.kill()


def test_it_leaves_in_time_beside_eight_busy_processes(home: Home) -> None:
    busy = [subprocess.Popen([PYTHON, "-I", "-S", "-c", "while True: pass"]) for _ in range(8)]
    try:
        for number in range(3):
            # What the machine needs to start any program at all is not the hook's.
            starting = max(bare_wall() for _ in range(2))
            home.once("start", {"session_id": f"s{number}"}, spare=starting)
            home.once("prompt", home.asks(ASKED, f"s{number}"), spare=starting)
    finally:
        for process in busy:
            process.kill()
            process.wait()
    assert set(home.reasons()) <= {"told", "deadline"}
    assert len(home.reasons()) == 6


@pytest.fixture
def served(home: Home) -> Iterator[Home]:
    """A home whose brain a server serves, which listens."""
    with Server(home.path) as server:
        server.result("initialize", HANDSHAKE)
        # Whether somebody listens, and not only a file lies there, is for the server to say.
        assert listened(home)
        yield home


def test_a_server_answers_as_the_hook_itself_would(served: Home) -> None:
    told = (served.start(), served.prompt(ASKED), served.prompt(ASKED), served.prompt("Fix the parser."))
    assert "green tea" in told[0]
    assert "[default:people/dana-oakes]" in told[1]
    assert told[2:] == ("", "")
    # Where the socket is gone, the hook looks for itself.
    path = neighbour.socket_path(str(served.brain))
    assert path is not None
    os.unlink(path)
    alone = (served.start("s2"), served.prompt(ASKED, "s2"))
    assert alone == told[:2]
    assert set(served.reasons()) == {"told", "nothing"}


def bare_wall() -> float:
    """Seconds of the clock that the interpreter takes to start and end."""
    began = time.monotonic()
    subprocess.run([PYTHON, "-I", "-S", "-c", "pass"], check=True)
    return time.monotonic() - began
