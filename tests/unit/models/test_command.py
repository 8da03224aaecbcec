"""A command line as a model: its mark, its folder, its deadline, and that nothing of it is left."""

import json
import os
import shlex
import sys
import time
from pathlib import Path

import pytest

from gbrain.models.chat import Ask, ChatFailed
from gbrain.models.command import FOLDER, MARK, MOST_BYTES, CommandChat

ASK = Ask("compose", "You answer.", "How deep is the harbour? 港", 50)


def chat(home: Path, script: str) -> CommandChat:
    return CommandChat(f"{shlex.quote(sys.executable)} -c {shlex.quote(script)}", str(home))


def failure(home: Path, script: str, seconds: float = 20.0) -> ChatFailed:
    with pytest.raises(ChatFailed) as failed:
        chat(home, script).complete(ASK, seconds)
    assert "harbour" not in failed.value.message
    return failed.value


def test_the_question_goes_in_and_the_answer_comes_out(tmp_path: Path) -> None:
    answer = CommandChat("cat", str(tmp_path)).complete(ASK, 20)
    assert answer == (f"{ASK.system}\n\n{ASK.text}", "command:cat", None, None, None, "stop")


def test_it_is_marked_and_has_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    script = f"import os; print(os.environ.get({MARK!r}), os.environ.get('CLAUDECODE'), os.getcwd(), sep='|')"
    mark, other, folder = chat(tmp_path, script).complete(ASK, 20).text.split("|")
    assert (mark, other, folder) == ("1", "None", str(tmp_path / "run" / FOLDER))
    assert "gbrain-claude-cli-cwd-" in folder
    assert MARK not in os.environ


def test_the_json_of_an_agent_is_understood(tmp_path: Path) -> None:
    said = {"type": "result", "result": "Nine metres.", "usage": {"input_tokens": 100, "output_tokens": 20}}
    answer = chat(tmp_path, f"print({json.dumps(json.dumps(said))})").complete(ASK, 20)
    assert (answer.text, answer.input_tokens, answer.output_tokens) == ("Nine metres.", 100, 20)
    assert chat(tmp_path, "print('{\"facts\": []}')").complete(ASK, 20).text == '{"facts": []}'
    said["is_error"] = True
    assert failure(tmp_path, f"print({json.dumps(json.dumps(said))})").reason == "server_error"


def test_one_that_does_not_listen_is_heard(tmp_path: Path) -> None:
    long = ASK._replace(text="x" * 2_000_000)
    assert chat(tmp_path, "print('said')").complete(long, 20).text == "said"


def test_at_the_deadline_all_of_its_processes_end(tmp_path: Path) -> None:
    script = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "open('pids', 'w').write(str(child.pid)); time.sleep(600)"
    )
    assert failure(tmp_path, script, 1.5).reason == "timeout"
    child = int((tmp_path / "run" / FOLDER / "pids").read_text())
    assert gone(child)


def test_a_child_that_holds_the_pipe_open_ends_too(tmp_path: Path) -> None:
    script = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "open('pids', 'w').write(str(child.pid)); print('said')"
    )
    assert failure(tmp_path, script, 4.0).reason == "timeout"
    assert gone(int((tmp_path / "run" / FOLDER / "pids").read_text()))


def gone(pid: int) -> bool:
    """Whether a process ends: what was killed takes a moment to."""
    until = time.monotonic() + 20
    while _runs(pid):
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def test_an_answer_without_end_is_cut(tmp_path: Path) -> None:
    failed = failure(tmp_path, "import sys\nwhile True: sys.stdout.write('x' * 65536)")
    assert failed.reason == "malformed"
    assert f"{MOST_BYTES:,}" in failed.message


def test_what_it_says_to_nobody_is_not_kept(tmp_path: Path) -> None:
    assert failure(tmp_path, "import sys; sys.exit('secret harbour')").reason == "server_error"
    assert chat(tmp_path, "import sys; print('noise', file=sys.stderr); print('yes')").complete(ASK, 20).text == "yes"


@pytest.mark.parametrize(("line", "reason"), [("no-such-agent -p", "unreachable"), ("/", "unreachable")])
def test_one_that_cannot_be_run(tmp_path: Path, line: str, reason: str) -> None:
    with pytest.raises(ChatFailed) as failed:
        CommandChat(line, str(tmp_path)).complete(ASK, 5)
    assert failed.value.reason == reason


@pytest.mark.parametrize("line", ["", "  ", "claude 'half"])
def test_one_that_is_none(tmp_path: Path, line: str) -> None:
    with pytest.raises(ChatFailed) as failed:
        CommandChat(line, str(tmp_path))
    assert failed.value.reason == "bad_settings"
