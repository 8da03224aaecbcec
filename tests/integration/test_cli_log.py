"""`gbrain log --follow`: what another process saves appears, and an interrupt ends it quietly."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path


def gbrain(home: Path, *words: str) -> list[str]:
    return [sys.executable, "-m", "gbrain", *words]


def environment(home: Path) -> dict[str, str]:
    return {**os.environ, "GBRAIN_HOME": str(home), "PYTHONUNBUFFERED": "1"}


def test_what_another_process_saves_appears_once(tmp_path: Path) -> None:
    env = environment(tmp_path)
    subprocess.run(gbrain(tmp_path, "init"), env=env, check=True, capture_output=True)
    words = gbrain(tmp_path, "log", "--follow", "--json")
    with subprocess.Popen(words, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as following:
        assert following.stdout is not None
        for number in range(3):
            fact = f"likes tea number {'abc'[number]}"
            save = gbrain(tmp_path, "remember", fact, "--provenance", "chat")
            subprocess.run(save, env=env, check=True, capture_output=True)
            line = json.loads(following.stdout.readline())
            assert (line["what"], line["text"], line["who"]) == ("saved", fact, "cli")
        following.send_signal(signal.SIGINT)
        rest, errors = following.communicate(timeout=30)
    assert (rest, errors, following.returncode) == ("", "", 0)
