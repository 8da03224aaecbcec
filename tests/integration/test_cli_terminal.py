"""What a person at a terminal sees: text from every command, colour and tables, and nothing that steers the screen."""

import re
import sys
from pathlib import Path

import pytest

from commandline import Gbrain
from gbrain.settings import SETTINGS

DANA, HARBOUR = "people/dana-oakes", "companies/harbour-tea"

# (command line, what it must show), in order, on one brain.
STORY: tuple[tuple[tuple[str, ...], str], ...] = (
    (("init",), r"^The brain is ready: .*/brain\.db\n"),
    (("put", DANA, "--content", "---\ntitle: Dana Oakes\n---\nLeads.\n"), rf"^{DANA} is at version 1\n"),
    (("put", DANA, "--content", "---\ntitle: Dana Oakes\n---\nLeads.\n"), r"says this already \(version 1\)"),
    (("put", HARBOUR, "Tea."), rf"^{HARBOUR} is at version 1\n"),
    (("get", DANA), r"^---\n(.*\n)*title: Dana Oakes\n"),
    (
        ("list", "--sort", "slug"),
        rf"^slug +type +changed +title *\n.*\n{HARBOUR} +company +\d{{4}}-\d\d-\d\d +Harbour Tea *\n",
    ),
    (("link", DANA, HARBOUR, "--link-type", "works_at"), rf"^Linked {DANA} --works_at-> {HARBOUR}\n$"),
    (("links", DANA), rf"^--works_at-> {HARBOUR}\n$"),
    (("links", HARBOUR), r"^No links\.\n$"),
    (("backlinks", HARBOUR), rf"^{DANA} --works_at->\n$"),
    (("backlinks", DANA), r"^No backlinks\.\n$"),
    (("link-sources",), r"^manual\t1\n$"),
    (("graph", DANA), rf"^\[depth 0\] {DANA}\n  --works_at-> {HARBOUR}\n"),
    (("graph", HARBOUR, "--direction", "in"), rf"^{DANA} --works_at-> {HARBOUR} \(depth 1\)\n$"),
    (("graph", HARBOUR, "--type", "nothing"), rf"^No edges found from {HARBOUR}\.\n$"),
    (("unlink", DANA, HARBOUR), rf"^Unlinked {DANA} from {HARBOUR}\n$"),
    (("unlink", DANA, HARBOUR), rf"^There was no such link from {DANA} to {HARBOUR}\n$"),
    (("unlink", DANA, HARBOUR, "--dry-run"), rf"^Nothing was changed; the call is fine: unlink {DANA} {HARBOUR}\n$"),
    (("tag", DANA, "sailor"), rf"^Tagged {DANA}: sailor\n$"),
    (("tags", DANA), r"^sailor\n$"),
    (("untag", DANA, "sailor"), rf"^Untagged {DANA}: sailor\n$"),
    (("timeline-add", DANA, "2031-03", "Joined", "--detail", "one\ntwo"), r"^Added: 2031-03  Joined\n$"),
    (("timeline-add", DANA, "2031-03", "Joined"), r"^Is on the timeline already: 2031-03  Joined\n$"),
    (("timeline", DANA), r"^2031-03  Joined\n  one\n  two\n$"),
    (
        ("remember", "likes tea", "--provenance", "chat", "--entity", DANA),
        rf"^remembered as fact #1\n  entity: {DANA}\n",
    ),
    (("context-pack", DANA, "--budget-tokens", "90"), r"## Standing entities\n(.*\n)+budget: \d+/90 tokens used"),
    (("context-pack", "nobody-at-all", "--budget-tokens", "1"), r"^Nothing is known about these\.\n"),
    (("delta", "--since", "1h"), r"Dana Oakes"),
    (("delta", "--since", "1h", "--budget-tokens", "1"), r"More: gbrain delta --since \S+ --since-slug '"),
    (("delta", "--since", "2999-01-01"), r"^Nothing changed since 2999-01-01T00:00:00\.000Z\.\n$"),
    (("history", DANA), r"^#1  \S+ \S+ UTC, by local  Leads\.\n$"),
    (("history", "notes/none"), r"^No versions\.\n$"),
    (("put", DANA, "--content", "Led.", "--expected-version", "1"), r"is at version 2"),
    (("revert", DANA, "1"), rf"^{DANA} is at version 3, which reads as version 1\n"),
    (("delete", HARBOUR), rf"^Deleted: {HARBOUR}\n  it comes back, .* with: gbrain restore {HARBOUR}\n$"),
    (("delete", HARBOUR), rf"^Was deleted before: {HARBOUR}\n"),
    (("restore", HARBOUR), rf"^Restored: {HARBOUR}\n$"),
    (("restore", HARBOUR), rf"^Was not deleted: {HARBOUR}\n$"),
    (("stats",), r"^Pages: 2\nLinks: 0\n"),
    (
        ("config", "list"),
        r"^mcp_surface = full\n  Which tools (.*\n)+  default: full; allowed: verbs, starter, full\n\nmcp\.s",
    ),
    (("sources", "list"), r"^source +unnamed reads +pages .*\n.*\ndefault +federated +\d"),
    (("config", "set", "memory.auto_writeback", "salient"), r"^Set memory"),
    (("consents",), r"^consent +mode +since +by *\n.*\n\w+ +salient +\d{4}-"),
    (("config", "unset", "memory.auto_writeback"), r"^Unset memory"),
    (("doctor",), r"^healthy: "),
    (("call", "whoami"), r'"remote": false'),
)


def test_every_command_speaks_to_a_person(tmp_path_factory: pytest.TempPathFactory) -> None:
    gbrain = Gbrain(tmp_path_factory.mktemp("terminal"))
    wrong = []
    for command, pattern in STORY:
        # Where nothing can be drawn over, no bar comes between on a busy machine.
        code, seen = gbrain.at_terminal(*command, env={"NO_COLOR": "1", "TERM": "dumb"})
        if code or not re.search(pattern, seen) or "\x1b" in seen:
            wrong.append((command, code, pattern, seen))
    assert wrong == []


# These read the same in a pipe: what a person sees is what a script gets.
PIPED = ("put", "delete", "restore", "tag", "untag", "link", "unlink", "links", "backlinks", "timeline-add", "revert")


def test_a_pipe_gets_the_text_of_the_terminal(tmp_path_factory: pytest.TempPathFactory) -> None:
    gbrain = Gbrain(tmp_path_factory.mktemp("piped"))
    wrong = []
    for command, pattern in STORY:
        ran = gbrain.run(*command)
        checked = command[0] in (*PIPED, "context-pack", "delta", "history", "stats")
        if ran.code or (checked and not re.search(pattern, ran.out)):
            wrong.append((command, pattern, ran))
    assert wrong == []
    assert {command[0] for command, _ in STORY} >= set(PIPED)


def test_the_settings_fit_a_narrow_terminal(tmp_path_factory: pytest.TempPathFactory) -> None:
    gbrain = Gbrain(tmp_path_factory.mktemp("narrow"))
    gbrain("init")
    _, seen = gbrain.at_terminal("config", "list", env={"NO_COLOR": "1", "COLUMNS": "80"})
    assert [line for line in seen.splitlines() if len(line) > 80] == []
    assert [setting.key for setting in SETTINGS if f"{setting.key} = " not in seen] == []


@pytest.fixture(scope="module")
def gbrain(tmp_path_factory: pytest.TempPathFactory) -> Gbrain:
    made = Gbrain(tmp_path_factory.mktemp("colours"))
    made("init")
    made("remember", "red \x1b[31m and \x9b31m text", "--provenance", "test", "--entity", "kim-lee")
    return made


def test_colour_is_for_terminals_that_want_it(gbrain: Gbrain) -> None:
    assert "\x1b[36mkim-lee\x1b[0m" in gbrain.at_terminal("recall")[1]
    for plain in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert "\x1b" not in gbrain.at_terminal("recall", env=plain)[1]
        assert "\x1b" not in gbrain.at_terminal("config", "list", env=plain)[1]


def test_stored_text_never_steers_a_terminal(gbrain: Gbrain) -> None:
    for command in (("recall",), ("recall", "--json"), ("recall", "--query", "red text"), ("call", "recall", "{}")):
        _, seen = gbrain.at_terminal(*command, env={"NO_COLOR": "1"})
        assert "31m" in seen
        assert "\x1b" not in seen
        assert "\x9b" not in seen


@pytest.mark.skipif(sys.platform == "win32", reason="its paths are read as UTF-8 everywhere")
def test_a_home_is_the_same_in_every_locale(tmp_path: Path) -> None:
    there = Gbrain(tmp_path / "灯塔")
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    assert there.run("init", env=plain).code == 0
    assert there.run("remember", "Dana rows on 火曜日.", "--provenance", "chat", env=plain).code == 0
    assert "火曜日" in there.run("recall").out
    assert [path.name for path in tmp_path.iterdir()] == ["灯塔"]
