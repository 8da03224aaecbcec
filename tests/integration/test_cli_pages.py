"""Pages, links, tags, timeline, search and counts as commands."""

import re
from pathlib import Path

import pytest

from commandline import Gbrain

DANA, HARBOUR = "people/dana-oakes", "companies/harbour-tea"
PAGE = "---\ntype: person\ntitle: Dana Oakes\ntags: [founder]\n---\n\nLeads the river survey.\n"


@pytest.fixture
def gbrain(tmp_path: Path) -> Gbrain:
    made = Gbrain(tmp_path)
    made("init")
    made("put", DANA, stdin=PAGE)
    made("put", HARBOUR, "--content", "---\ntitle: Harbour Tea\n---\nA tea importer.\n")
    return made


# put and get


def test_put_answers_json_where_it_is_asked(gbrain: Gbrain) -> None:
    reply = gbrain("put", "notes/walk", "--content", "Along the river.", "--json").json
    assert (reply["slug"], reply["status"], reply["version"]) == ("notes/walk", "created_or_updated", 1)
    again = gbrain("put", "notes/walk", "Along the river.", "--json").json
    assert again["status"] == "skipped"


def test_get_prints_what_put_takes(gbrain: Gbrain) -> None:
    text = gbrain("get", DANA).out
    assert text.startswith("---\n")
    assert "title: Dana Oakes\n" in text
    assert "version: 1\n" in text
    assert text.endswith("Leads the river survey.\n")
    changed = gbrain("put", DANA, "--json", stdin=text.replace("river", "coast")).json
    assert changed["version"] == 2
    stale = gbrain.run("put", DANA, stdin=text.replace("river", "harbour"))
    assert stale.code == 5
    assert stale.err.startswith("Error [version_conflict]: ")
    *sides, fix = stale.err.splitlines()[-4:]
    surveys = ("was   Leads the river", "now   Leads the coast", "yours Leads the harbour")
    assert sides == [f"  {survey} survey." for survey in surveys]
    assert fix.startswith("  Fix: ")


def test_get_json_is_the_operations_reply(gbrain: Gbrain) -> None:
    reply = gbrain("get", DANA, "--json").json
    assert reply["compiled_truth"].strip() == "Leads the river survey."
    assert gbrain("get", "Dana Oakes", "--fuzzy", "--json").json["resolved_slug"] == DANA
    assert "compiled_truth" not in gbrain("get", DANA, "--no-include-content").json


@pytest.mark.parametrize(
    "text", ["\ufeff# Title\n", "one\r\ntwo\r\n", "no newline", "---\r\ntitle: X\r\n---\r\nbody\r\n"]
)
def test_content_is_kept_byte_for_byte(gbrain: Gbrain, text: str, tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_bytes(text.encode())
    gbrain("put", "notes/stdin", stdin=text.encode())
    gbrain("put", "notes/file", "--file", str(path))
    gbrain("put", "notes/argument", "--content", text)
    kept = {
        gbrain("history", f"notes/{name}", "--include-content", "--json").json[0]["content"]
        for name in ("stdin", "file", "argument")
    }
    assert kept == {text}


def test_content_that_is_not_utf8_is_refused(gbrain: Gbrain, tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_bytes(b"caf\xe9 au lait")
    for ran in (gbrain.run("put", "notes/x", stdin=b"caf\xe9"), gbrain.run("put", "notes/x", "--file", str(path))):
        assert ran.code == 2
        assert "not UTF-8: byte 4" in ran.err
    assert gbrain.run("get", "notes/x").code == 3


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("put",), "SLUG"),
        (("put", "notes/x"), "given no text"),
        (("put", "notes/x", "--file", "/nowhere/x.md"), "cannot be read"),
        (("put", "notes/x", "--file", "/"), "cannot be read"),
        (("put", "notes/x", "--file", "a.md", "--content", "x"), "given twice"),
        (("put", "notes/x", "y", "--content", "x"), "given twice"),
        (("put", "../x", "--content", "x"), ".."),
        (("put", "notes/x", "--content", "---\nslug: other/y\n---\n"), "slug"),
        (("put", "notes/x", "--content", "---\n\tx: [\n---\nX.\n"), "line 2"),
        (("put", DANA, "--content", ""), "--allow-empty"),
    ],
)
def test_put_refuses(gbrain: Gbrain, arguments: tuple[str, ...], told: str) -> None:
    ran = gbrain.run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert told.replace("--allow-empty", "allow_empty") in ran.err or told in ran.err


def test_a_miss_is_exit_code_three(gbrain: Gbrain) -> None:
    for command in (("get", "people/dana-oaks"), ("delete", "notes/none"), ("tag", "notes/none", "x")):
        ran = gbrain.run(*command)
        assert ran.code == 3
        assert ran.err.startswith("Error [not_found]: ")
    assert DANA in gbrain.run("get", "people/dana-oaks").err


# capture


def test_capture_from_argument_file_and_stdin(gbrain: Gbrain, tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    path.write_text("Ask about the mooring.")
    lines = gbrain("capture", "Ask about the mooring.").out.splitlines()
    assert lines[0] == "captured:"
    slug = re.fullmatch(r"  slug: (inbox/\S+)", lines[1])
    assert slug
    assert re.fullmatch(r"  content_hash: [0-9a-f]{16}", lines[3])
    for again in (
        gbrain("capture", "--file", str(path), "--json"),
        gbrain("capture", "--stdin", stdin=path.read_bytes()),
    ):
        assert slug[1] in again.out
        assert "skipped" in again.out
    assert gbrain("capture", "-", "--json", stdin="another").json["status"] == "created_or_updated"
    assert gbrain.run("capture", " ").code == 2
    assert gbrain("capture", "Ask about the mooring.", "--quiet").out == f"{slug[1]}\n"


# lists, search, counts


def test_list(gbrain: Gbrain) -> None:
    lines = gbrain("list", "--sort", "slug").out.splitlines()
    assert [line.split("\t")[0] for line in lines] == [HARBOUR, DANA]
    assert re.fullmatch(rf"{DANA}\tperson\t\d{{4}}-\d\d-\d\d\tDana Oakes", lines[1])
    assert [page["slug"] for page in gbrain("list", "--type", "person", "--json").json] == [DANA]
    assert gbrain("list", "--tag", "nothing").out == "No pages found.\n"
    assert gbrain.run("list", "--limit", "abc").code == 2


def test_search(gbrain: Gbrain) -> None:
    assert re.match(rf"\[\d\.\d{{4}}\] {DANA} -- .*river survey", gbrain("search", "river survey").out)
    assert gbrain("search", "Harbour Tea", "--json").json[0]["slug"] == HARBOUR
    nothing = gbrain("search", "zzzqqq")
    assert nothing == (0, "No results.\n", "note: no page matched; found by words alone: embedding is off\n")
    assert gbrain("search", "zzzqqq", "--json").json == []
    assert [
        row["slug"] for row in gbrain("search", "tea", "--types", "person", "--types", "company", "--json").json
    ] == [HARBOUR]


def test_stats(gbrain: Gbrain) -> None:
    lines = gbrain("stats").out.splitlines()
    assert lines[0] == "Pages: 2"
    assert lines[4:] == ["Facts: 0 live, 0 replaced, 0 lapsed", "By type:", "  company: 1", "  person: 1"]
    assert gbrain("stats", "--json").json["page_count"] == 2
    lines = gbrain("health").out.splitlines()
    assert lines == [
        "Pages: 2, 2 without a link to or from another",
        "  with links: 0%",
        "  with a timeline: 0%",
        "  with a summary: 100%",
        "Facts: 0 live",
    ]
    assert gbrain("health", "--json").json["orphan_pages"] == 2


# tags, links, timeline


def test_tags(gbrain: Gbrain) -> None:
    assert gbrain("tag", DANA, "sailor").out == f"Tagged {DANA}: sailor\n"
    assert gbrain("tags", DANA).out == "founder, sailor\n"
    assert gbrain("untag", DANA, "sailor", "--json").json["status"] == "ok"
    assert gbrain("tags", DANA, "--json").json == ["founder"]
    assert gbrain("tags", HARBOUR).out == "No tags.\n"


def test_links(gbrain: Gbrain) -> None:
    assert gbrain("link", DANA, HARBOUR, "--link-type", "works_at").out == f"Linked {DANA} --works_at-> {HARBOUR}\n"
    assert gbrain("backlinks", HARBOUR).out == f"{DANA} --works_at->\n"
    assert gbrain("links", DANA, "--json").json[0]["link_type"] == "works_at"
    assert gbrain("link-sources", "--json").json == [{"link_source": "manual", "count": 1}]
    text = gbrain("graph", DANA).out
    assert text.startswith(f"[depth 0] {DANA}\n  --works_at-> {HARBOUR}")
    assert gbrain("graph", DANA, "--json").json[0]["slug"] == DANA
    assert gbrain("graph", HARBOUR, "--direction", "in", "--json").json[0]["from_slug"] == DANA
    assert gbrain.run("graph", DANA, "--direction", "sideways").code == 2
    assert gbrain("unlink", DANA, HARBOUR, "--type", "works_at").out == f"Unlinked {DANA} from {HARBOUR}\n"
    assert gbrain("backlinks", HARBOUR, "--json").json == []


def test_timeline(gbrain: Gbrain) -> None:
    assert gbrain("timeline", DANA).out == "No timeline entries.\n"
    added = gbrain("timeline-add", DANA, "2031-03-30", "Joined the survey", "--source", "chat")
    assert added.out == "Added: 2031-03-30  Joined the survey\n"
    gbrain("timeline-add", DANA, "2030", "Moved here", "--json")
    assert gbrain("timeline", DANA).out == "2031-03-30  Joined the survey [chat]\n2030  Moved here\n"
    assert len(gbrain("timeline", DANA, "--json").json) == 2
    assert gbrain.run("timeline-add", DANA, "2031-02-30", "x").code == 2


# versions


def test_history_and_revert(gbrain: Gbrain) -> None:
    gbrain("put", DANA, "--content", PAGE.replace("river", "coast"), "--expected-version", "1")
    lines = gbrain("history", DANA).out.splitlines()
    moment = r"\d{4}-\d\d-\d\d \d\d:\d\d UTC"
    assert re.fullmatch(rf"#2  {moment}, by local  Leads the coast survey\.", lines[0])
    assert lines[1].startswith("#1  ")
    assert gbrain("revert", DANA, "1", "--json").json["version"] == 3
    newest = gbrain("history", DANA).out.splitlines()[0]
    assert re.fullmatch(rf"#3  {moment}, by local \(revert to version 1\)  Leads the river survey\.", newest)
    assert "river" in gbrain("get", DANA).out
    assert [row["version"] for row in gbrain("history", DANA, "--json").json] == [3, 2, 1]
    assert gbrain.run("revert", DANA, "9").code == 3
    assert gbrain.run("revert", DANA, "first").code == 2


def test_delete_and_restore(gbrain: Gbrain) -> None:
    assert gbrain("delete", DANA).out.startswith(f"Deleted: {DANA}\n")
    assert gbrain.run("get", DANA).code == 3
    assert gbrain("delete", DANA, "--json").json["status"] == "already_soft_deleted"
    assert gbrain("restore", DANA).out == f"Restored: {DANA}\n"
    assert gbrain("restore", DANA, "--json").json["status"] == "already_active"
    assert "river" in gbrain("get", DANA).out


def test_a_fact_is_restored_by_each_form_of_its_id(gbrain: Gbrain) -> None:
    id = gbrain("remember", "rows on Sundays", "--provenance", "chat", "--ttl", "3d", "--json").json["id"]
    for form in ("{}", "#{}", "id={}"):
        assert gbrain("forget", form.format(id)).out.startswith(f"Forgot fact id={id}\n")
        told = gbrain("restore", form.format(id), "--reason", "no jest").out
        assert "rows on Sundays\n  until 20" in told
        id = told.partition("#")[2].partition(":")[0]
        assert "rows on Sundays" in gbrain("why", form.format(id)).out


def test_a_page_that_is_called_by_a_number_comes_before_a_fact(gbrain: Gbrain) -> None:
    id = gbrain("remember", "rows on Sundays", "--provenance", "chat", "--json").json["id"]
    gbrain("forget", id)
    gbrain("put", id, stdin="# A number\n")
    gbrain("delete", id)
    assert gbrain("restore", id).out == f"Restored: {id}\n"


# the source, and a source that does not exist


def test_an_unknown_source_is_refused(gbrain: Gbrain) -> None:
    for command in (("recall", "--source", "red"), ("timeline-add", DANA, "2031", "x", "--source-id", "red")):
        ran = gbrain.run(*command)
        assert ran.code == 2
        assert "'red'" in ran.err
    assert gbrain.run("get", DANA, "--source", "red").code == 3
    assert "river" in gbrain("get", DANA, "--source", "default").out
