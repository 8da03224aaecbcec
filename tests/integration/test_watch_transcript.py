"""`gbrain watch`: a transcript streams in, offers stream out."""

import json
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from commandline import Gbrain

SECONDS = 30


@pytest.fixture
def gbrain(tmp_path: Path) -> Gbrain:
    made = Gbrain(tmp_path)
    made("init")
    for slug, title in (("people/dana-oakes", "Dana Oakes"), ("people/ivor", "Ivor Quelm")):
        made("put", slug, stdin=f"---\ntitle: {title}\ntype: person\n---\nSomebody.\n")
    return made


@pytest.fixture
def watched(gbrain: Gbrain) -> Iterator["Watched"]:
    made = Watched(gbrain)
    yield made
    made.end()


class Watched:
    """A watch under way."""

    def __init__(self, gbrain: Gbrain) -> None:
        self._gbrain = gbrain
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "gbrain", "watch", *arguments]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, env=self._gbrain.environment(), bufsize=0
        )
        return self._process

    def waits(self, seconds: float) -> bool:
        """Whether it writes something within so long."""
        assert self._process is not None
        assert self._process.stdout is not None
        return bool(select.select([self._process.stdout], [], [], seconds)[0])

    def line(self) -> str:
        """The next line it writes."""
        assert self.waits(SECONDS), "nothing was offered"
        assert self._process is not None
        assert self._process.stdout is not None
        return self._process.stdout.readline().decode()

    def end(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.communicate()


def test_a_transcript_is_offered_each_page_once(gbrain: Gbrain) -> None:
    text = "User: ask Dana Oakes\nAssistant: Dana Oakes or Ivor Quelm?\nUser: Dana Oakes.\n"
    lines = gbrain("watch", stdin=text).out.splitlines()
    assert [line[:17] for line in lines] == ["- **Dana Oakes** ", "- **Ivor Quelm** "]
    rows = [json.loads(line) for line in gbrain("watch", "--json", stdin=text).out.splitlines()]
    assert [row["slug"] for row in rows] == ["people/dana-oakes", "people/ivor"]
    stats = gbrain("volunteer-context", "--stats", "--json").json["stats"]
    assert [(row["name"], row["offered"]) for row in stats["channels"]] == [("watch", 4)]


def test_utf_16_and_a_turn_of_a_megabyte_are_read(gbrain: Gbrain, tmp_path: Path, watched: Watched) -> None:
    text = "User: " + "x " * 500_000 + "\nAssistant: yes\nUser: ask Dana Oakes\n\n"
    assert gbrain("watch", stdin=text).out.startswith("- **Dana Oakes** ")
    assert gbrain("watch", stdin=text.encode("utf-16")).out.startswith("- **Dana Oakes** ")
    file = tmp_path / "talk.txt"
    file.write_bytes(("User: hello\n\n" * 9_001).encode("utf-16"))
    watched.start("--follow", str(file))
    # What was added before it began to follow is no news, so it is said until it is.
    for _ in range(SECONDS):
        with file.open("ab") as more:
            more.write("User: and Ivor Quelm?\n\n".encode("utf-16-le"))
        if watched.waits(1):
            break
    assert watched.line().startswith("- **Ivor Quelm** ")


@pytest.mark.parametrize("text", [b"", b"\n\n", b"\xff\xfe\x00", b"{" * 5000, bytes(range(256)) * 1000])
def test_what_is_no_transcript_is_offered_nothing(gbrain: Gbrain, text: bytes) -> None:
    ran = gbrain.run("watch", stdin=text)
    assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_an_offer_comes_while_the_transcript_goes_on(watched: Watched) -> None:
    process = watched.start()
    assert process.stdin is not None
    process.stdin.write(b"User: ask Dana Oakes\n")
    assert "Dana Oakes" in watched.line()
    process.stdin.write(b"Assistant: ok\nUser: and Ivor Quelm\n")
    assert "Ivor Quelm" in watched.line()
    process.stdin.close()
    process.stdin = None
    assert process.wait(SECONDS) == 0


def test_a_file_is_followed_from_its_end(watched: Watched, tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    row = '{"type": "user", "message": {"role": "user", "content": "%s"}}\n'
    path.write_text(row % "ask Dana Oakes", encoding="utf-8")
    watched.start("--follow", str(path), "--whole")
    assert "Dana Oakes" in watched.line()
    with path.open("a", encoding="utf-8") as file:
        file.write(row % "and Ivor Quelm")
    assert "Ivor Quelm" in watched.line()
    watched.end()
    watched.start("--follow", str(path), "--json")
    # What was added before it began to follow is no news, so it is said until it is.
    for _ in range(SECONDS):
        with path.open("a", encoding="utf-8") as file:
            file.write(row % "what about Dana Oakes and Ivor Quelm")
        if watched.waits(1):
            break
    assert {json.loads(watched.line())["slug"] for _ in range(2)} == {"people/dana-oakes", "people/ivor"}


def test_a_file_that_is_not_there(gbrain: Gbrain) -> None:
    ran = gbrain.run("watch", "--follow", "/nowhere/at/all")
    assert ran.code == 2
    assert "gbrain watch --follow FILE" in ran.err
