"""The capture hook as agents run it: a process without site packages, in a home of its own, with nobody else about."""

import ctypes
import json
import os
import resource
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import gbrain
from gbrain import neighbour
from gbrain.ambient import marks
from gbrain.domain.fences import fenced, prints

HOOK = str(Path(gbrain.__file__).parent / "ambient" / "hook.py")
PYTHON = os.path.realpath(sys.executable)
SAID = "I prefer dark mode in every editor."
NAME = "s1.wb-5cb11b7d8b240810e3b1d38f.txt"
SECONDS = 2.0
ALLOWED = {
    *("gbrain", "gbrain.ambient", "gbrain.ambient.bank", "gbrain.ambient.capture", "gbrain.ambient.marks"),
    *("gbrain.ambient.given", "gbrain.digests"),
    *("gbrain.mirror", "gbrain.plain", "gbrain.domain.fences"),
    *("gbrain.domain", "gbrain.domain.packs", "gbrain.domain.secrets", "gbrain.domain.turn_words"),
    *("gbrain.domain.turns", "gbrain.harnesses", "gbrain.harnesses.transcripts", "gbrain.journal"),
    "gbrain.neighbour",
    *("gbrain.harnesses.transcripts.claude_code", "gbrain.harnesses.transcripts.tail"),
}
HEAVY = {"sqlite3", "apsw", "mcp", "numpy", "pydantic", "click", "asyncio", "socket", "subprocess", "logging",
         "threading", "dataclasses", "inspect", "pathlib", "urllib", "importlib.metadata"}  # fmt: skip


def as_anybody() -> None:
    """Give up root's right to pass over what a file's mode says."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None)
        for capability in (1, 2):
            libc.prctl(24, capability, 0, 0, 0)


class Home(NamedTuple):
    """A person's home with a brain's settings and a transcript of Claude Code."""

    path: Path

    @property
    def brain(self) -> Path:
        return self.path / ".gbrain"

    @property
    def corpus(self) -> Path:
        return self.brain / "transcripts" / "corpus"

    def says(self, *texts: Any, rest: tuple[Any, ...] = ()) -> dict[str, Any]:
        folder = self.path / ".claude" / "projects" / "p"
        folder.mkdir(parents=True, exist_ok=True)
        rows = [{"type": "user", "message": {"role": "user", "content": text}} for text in texts]
        (folder / "s1.jsonl").write_text("".join(json.dumps(row) + "\n" for row in [*rows, *rest]), encoding="utf-8")
        return {"session_id": "s1", "transcript_path": str(folder / "s1.jsonl"), "cwd": str(self.path),
                "hook_event_name": "Stop", "stop_hook_active": False}  # fmt: skip

    def mode(self, mode: str | None) -> None:
        self.brain.mkdir(mode=0o700, exist_ok=True)
        memory = {} if mode is None else {"auto_writeback": mode}
        (self.brain / "config.json").write_text(json.dumps({"memory": memory}), encoding="utf-8")

    def hook(self, given: Any, *more: str, lane: str = "stop", **extra: Any) -> float:
        """Run the hook, which must end with 0, print nothing and leave in time; how long it took."""
        data = given if isinstance(given, bytes) else json.dumps(given, ensure_ascii=False).encode()
        env = {"HOME": str(self.path), "PATH": os.environ["PATH"], **extra.pop("env", {})}
        command = [PYTHON, "-I", "-S", extra.pop("script", HOOK), lane, extra.pop("harness", "claude-code"), *more]
        began = time.monotonic()
        done = subprocess.run(command, input=data, env=env, capture_output=True, timeout=30, **extra)
        took = time.monotonic() - began
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
        assert took < SECONDS
        return took

    def files(self) -> list[str]:
        return sorted(path.name for path in self.corpus.iterdir()) if self.corpus.exists() else []

    def reasons(self) -> list[str]:
        log = self.brain / "integrations" / "hooks" / "heartbeat.jsonl"
        return [json.loads(line)["reason"] for line in log.read_text().splitlines()] if log.exists() else []


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path)
    made.mode("salient")
    return made


@pytest.mark.parametrize(("mode", "more"), [(None, ()), ("off", ()), ("off", ("--capture",)), ("always", ())])
def test_nothing_is_banked_or_told_without_consent(home: Home, mode: str | None, more: tuple[str, ...]) -> None:
    home.mode(mode)
    home.hook(home.says(SAID), *more)
    assert (home.files(), home.reasons()) == ([], [])
    assert sorted(path.name for path in home.brain.iterdir()) == ["config.json"]


def test_a_turn_is_banked_once_however_often_the_hook_runs(home: Home) -> None:
    payload = home.says("thanks", SAID)
    for _ in range(50):
        home.hook(payload)
    assert home.files() == [NAME]
    assert (home.corpus / NAME).read_text() == SAID + "\n"
    assert (home.corpus / NAME).stat().st_mode & 0o777 == 0o600
    assert home.reasons() == ["no_serve"] + ["wb_dup"] * 49
    (home.corpus / NAME).rename(home.corpus / (NAME + ".ingested"))
    home.hook(payload)
    assert home.reasons()[-1] == "wb_dup"


def test_the_source_stands_in_the_name(home: Home) -> None:
    home.hook(home.says(SAID), env={"GBRAIN_SOURCE": "wiki"})
    home.hook(home.says(SAID), "--source", "docs")
    home.hook(home.says(SAID), "--source", "default")
    assert home.files() == [NAME[:-4] + ".src-docs.txt", NAME[:-4] + ".src-wiki.txt", NAME]


RESULT = {"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "content": "x" * 140_000}]}}
ANSWER = {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": "y" * 140_000}]}}


@pytest.mark.parametrize("rest", [(RESULT,), (ANSWER,), (RESULT,) * 9])
def test_what_came_after_the_turn_does_not_hide_it(home: Home, rest: tuple[Any, ...]) -> None:
    home.hook(home.says(SAID, rest=rest))
    assert home.files() == [NAME]


def test_the_other_lanes_bank_what_was_missed(home: Home) -> None:
    payload = home.says("My dentist is called Rosa Lindqvist.", "thanks", SAID)
    home.hook(payload)
    home.hook(payload, lane="compact")
    home.hook(payload, lane="session-end")
    assert len(home.files()) == 2
    assert home.reasons() == ["no_serve", "no_serve", "wb_dup"]


CASES: list[tuple[str, Any, str]] = [
    ("no session", {"transcript_path": "/x.jsonl"}, "no_session"),
    ("no transcript", {"session_id": "s"}, "no_transcript"),
    ("no such file", {"session_id": "s", "transcript_path": "/nowhere/x.jsonl"}, "transcript_unreadable"),
    ("torn", b"{", "no_session"), ("nothing", b"", "no_session"), ("a list", b"[1]", "no_session"),
    ("20 MB", b'{"session_id":"s","x":"' + b"x" * 20_000_000 + b'"}', "input_too_large"),
    ("subagent", {"session_id": "s", "agent_id": "a1", "transcript_path": "/x.jsonl"}, "subagent"),
    ("own process", {"session_id": "s", "transcript_path": "/p/gbrain-claude-cli-cwd-9/x.jsonl"}, "self_capture"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "reason"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_whatever_comes_in_leaves_a_typed_reason(home: Home, given: Any, reason: str) -> None:
    home.hook(given)
    assert (home.files(), home.reasons()) == ([], [reason])


def test_turns_of_no_worth_leave_their_reason_alone(home: Home) -> None:
    home.hook(home.says("Thanks"))
    home.hook(home.says())
    home.hook({**home.says(SAID), "stop_hook_active": True})
    assert home.reasons() == ["too_short", "no_user_turn", "no_serve"]
    log = home.brain / "integrations" / "hooks" / "heartbeat.jsonl"
    assert "Thanks" not in log.read_text()
    assert "dark" not in log.read_text()
    home.hook(home.says(SAID), env={"GBRAIN_HOOKS": "0"})
    assert len(home.reasons()) == 3


SECRETS = [
    "AKIA" + "EXAMPLE000000000",
    "Authorization: Bearer " + "mxEXAMPLE0123456789EXAMPLE0123456789",
    "postgres://app:" + "EXAMPLE-pw@db.invalid:5432/x",
    "-----BEGIN RSA PRIVATE" + " KEY-----\n" + "QUFBQUFBQUFB\n" * 4 + "-----END RSA PRIVATE KEY-----",
    "gbrain_at_" + "EXAMPLE0" * 8,
    "my password is " + "hunter2EXAMPLE",
]


def test_a_turn_with_a_secret_leaves_no_trace_of_it(home: Home) -> None:
    for secret in SECRETS:
        home.hook(home.says(f"My dentist is called Rosa Lindqvist. {secret}"))
    assert home.reasons() == ["secret_found"] * len(SECRETS)
    assert home.files() == []
    kept = b"".join(path.read_bytes() for path in home.brain.rglob("*") if path.is_file())
    for secret in SECRETS:
        value = secret.split()[-1].encode()
        assert not [value[at : at + 9] for at in range(len(value) - 8) if value[at : at + 9] in kept]
    home.hook(home.says("our token budget is 4000 and my password rule is no reuse"))
    assert len(home.files()) == 1


def test_nothing_is_banked_when_secrets_cannot_be_looked_for(home: Home, tmp_path: Path) -> None:
    # A copy of the package in which the rules for secrets do not load.
    source, copy = Path(gbrain.__file__).parent, tmp_path / "lib" / "gbrain"
    for room in ("ambient", "domain", "harnesses"):
        for path in (source / room).rglob("*.py"):
            (copy / path.relative_to(source)).parent.mkdir(parents=True, exist_ok=True)
            (copy / path.relative_to(source)).write_bytes(path.read_bytes())
    for name in ("__init__.py", "digests.py", "journal.py", "mirror.py", "plain.py"):
        (copy / name).write_bytes((source / name).read_bytes())
    (copy / "domain" / "secrets.py").write_text("raise ImportError\n")
    home.hook(home.says(SAID), script=str(copy / "ambient" / "hook.py"))
    assert (home.files(), home.reasons()) == ([], ["wb_scan_unavailable"])


def test_a_full_disk_is_told_and_the_turn_banked_when_there_is_room(home: Home) -> None:
    payload = home.says(SAID)
    home.corpus.mkdir(parents=True)
    log = home.brain / "integrations" / "hooks"
    log.mkdir(parents=True)

    def no_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))

    # The journal's line does not fit either; the turn must then simply not be there, not even in part.
    home.hook(payload, preexec_fn=no_room)
    assert home.files() == []
    home.hook(payload)
    assert home.files() == [NAME]


def test_a_folder_nobody_may_write_to(home: Home) -> None:
    payload = home.says(SAID)
    home.brain.chmod(0o500)
    try:
        home.hook(payload, preexec_fn=as_anybody)
        assert home.files() == []
    finally:
        home.brain.chmod(0o700)


def test_a_file_in_the_way_of_the_folder_is_told(home: Home) -> None:
    (home.brain / "transcripts").write_text("")
    home.hook(home.says(SAID))
    assert home.reasons() == ["wb_enotdir"] or home.reasons() == ["wb_eexist"]


def test_an_input_that_never_ends_is_not_waited_for(home: Home) -> None:
    payload = home.says(SAID)
    env = {"HOME": str(home.path), "PATH": os.environ["PATH"]}
    with subprocess.Popen([PYTHON, "-I", "-S", HOOK, "stop", "claude-code"], stdin=subprocess.PIPE, env=env) as process:
        assert process.stdin is not None
        process.stdin.write(json.dumps(payload).encode())
        process.stdin.flush()
        assert process.wait(SECONDS) == 0
    assert home.files() == [NAME]


def test_g11_it_leaves_in_time_beside_eight_busy_processes(home: Home) -> None:
    """All of the case, each within two seconds, and a server that never answers on top."""
    busy = [subprocess.Popen([PYTHON, "-I", "-S", "-c", "while True: pass"]) for _ in range(8)]
    place = neighbour.socket_path(str(home.brain))
    assert place is not None
    os.mkdir(os.path.dirname(place), 0o700)
    try:
        payload = home.says(SAID)
        for _ in range(5):
            home.hook(payload)
        home.hook({**payload, "stop_hook_active": True})
        home.hook({**payload, "transcript_path": payload["transcript_path"].replace("s1", "none")})
        home.hook(b"{")
        home.hook(b'{"session_id":"s","x":"' + b"x" * 20_000_000 + b'"}')
        home.corpus.chmod(0o500)
        home.hook(home.says("My dentist is called Rosa Lindqvist."), preexec_fn=as_anybody)
        home.corpus.chmod(0o700)
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as silent:
            silent.bind(neighbour.address(place))
            silent.listen(1)
            home.hook(home.says("My brother lives in a house by the harbour."))
    finally:
        for process in busy:
            process.kill()
            process.wait()
    assert len(home.files()) == 2
    assert home.reasons() == [
        *("no_serve", *["wb_dup"] * 5, "transcript_unreadable", "no_session", "input_too_large"),
        *("wb_eacces", "ipc_unavailable"),
    ]


def test_only_allowed_modules_are_loaded(home: Home) -> None:
    payload = json.dumps(home.says(SAID))
    program = (
        f"import sys,os; sys.argv=[{HOOK!r},'stop','claude-code']; real=os._exit\n"
        "def leave(code): print(*sorted(sys.modules)); sys.stdout.flush(); real(code)\n"
        f"os._exit=leave; import runpy; runpy.run_path({HOOK!r}, run_name='__main__')"
    )
    done = subprocess.run(
        [PYTHON, "-I", "-S", "-c", program], input=payload, capture_output=True, text=True, env={"HOME": str(home.path)}
    )
    loaded = set(done.stdout.split())
    assert {name for name in loaded if name.split(".")[0] == "gbrain"} == ALLOWED
    assert not loaded & HEAVY
    assert home.files() == [NAME]


OFFER = "- **Dana Oakes** [default:people/dana-oakes] — runs Harbour Tea — open: send the samples (2031-05-04)"
HELD = fenced(OFFER)
ESCAPED = HELD.replace("<", "&lt;").replace(">", "&gt;")
QUOTED = "\n".join(f"> {line}" for line in HELD.split("\n"))
ALONE = f"  {OFFER[2:]}  "


def claude(text: str, home: Home) -> dict[str, Any]:
    return home.says(text)


def codex(text: str, home: Home) -> dict[str, Any]:
    folder = home.path / ".codex" / "sessions"
    folder.mkdir(parents=True, exist_ok=True)
    item = {"type": "UserMessage", "content": [{"type": "text", "text": text}]}
    row = {"type": "event_msg", "payload": {"type": "item_completed", "item": item}}
    (folder / "rollout-1.jsonl").write_text(json.dumps(row) + "\n")
    return {"session_id": "s1", "transcript_path": str(folder / "rollout-1.jsonl")}


def notify(text: str, home: Home) -> dict[str, Any]:
    return {"thread-id": "s1", "type": "agent-turn-complete", "input-messages": [text]}


def gemini(text: str, home: Home) -> dict[str, Any]:
    return {"session_id": "s1", "prompt": f"<hook_context>{ESCAPED}</hook_context>\n\n{text}", "prompt_response": "x"}


def opencode(text: str, home: Home) -> dict[str, Any]:
    parts = [{"type": "text", "text": f'"{text}"'}, {"type": "text", "text": HELD, "synthetic": True}]
    return {"input": {"sessionID": "s1"}, "output": {"message": {"role": "user"}, "parts": parts}}


def openclaw(text: str, home: Home) -> dict[str, Any]:
    return {"sessionId": "s1", "event": {"messages": [{"role": "user", "content": f"{HELD}\n\n[Mon 12:30] {text}"}]}}


READERS = {"claude-code": claude, "codex": codex, "codex-notify": notify, "gemini": gemini, "opencode": opencode,
           "openclaw": openclaw}  # fmt: skip
FORMS = {
    "before": f"{HELD}\n\n{SAID}",
    "behind": f"{SAID}\n{HELD}",
    "in a reminder": f"<system-reminder>\nUserPromptSubmit hook additional context: {HELD}\n</system-reminder>\n{SAID}",
    "escaped": f"{ESCAPED}\n{SAID}",
    "quoted": f"{QUOTED}\n\n{SAID}",
    "in JSON": f"{json.dumps(HELD)[1:-1]}\n{SAID}",
    "with the fence gone": f"{ALONE}\n{SAID}",
    "cut off": f"{SAID}\n{HELD[: len(HELD) // 2]}",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("harness", READERS)
def test_what_gbrain_put_there_is_never_banked(home: Home, harness: str, form: str) -> None:
    marks.note(str(home.brain), "s1", [f"line {found}" for found in prints(HELD)])
    home.hook(READERS[harness](FORMS[form], home), harness=harness.partition("-notify")[0])
    assert [path.read_text().strip() for path in home.corpus.iterdir()] == [SAID]
    home.hook(READERS[harness](HELD, home), harness=harness.partition("-notify")[0])
    assert len(home.files()) == 1


def test_a_turn_that_speaks_of_the_fence_is_banked(home: Home) -> None:
    said = "The tag <gbrain-context> should have a better name, I prefer memory"
    home.hook(home.says(said))
    assert [path.read_text().strip() for path in home.corpus.iterdir()] == [said]
