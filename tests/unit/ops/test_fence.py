"""The facts fence both ways: rows that people and agents write, rows that files are given, and an index made anew."""

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import databases
from gbrain import Brain, Caller, home as homes, open_brain
from gbrain.domain.places import Selection
from gbrain.registry import context

AGENT = Caller.stdio(client="agent-example")
HEAD = """## Facts

<!--- gbrain:facts:begin -->
| # | claim | kind | confidence | visibility | notability | valid_from | valid_until | source | context |
|---|-------|------|------------|------------|------------|------------|-------------|--------|---------|
"""
END = "<!--- gbrain:facts:end -->\n"


def fence(*rows: str) -> str:
    return HEAD + "".join(f"{row}\n" for row in rows) + END


def line(number: int, claim: str, **cell: str) -> str:
    cells = {"kind": "fact", "confidence": "1.0", "visibility": "world", "notability": "medium", "valid_from": ""}
    cells |= {"valid_until": "", "source": "chat", "context": ""} | cell
    return f"| {number} | {claim} | " + " | ".join(cells.values()) + " |"


class Desk:
    """A source `work` with a folder and one person in it."""

    def __init__(self, brain: Brain, folder: Path) -> None:
        self.brain = brain
        self.folder = folder
        self.file = folder / "people" / "bob-sample.md"
        folder.mkdir(exist_ok=True)
        brain.sources_add(id="work", path=str(folder))
        brain.selection = Selection(flag="work")

    def ask(self, name: str, /, caller: Caller | None = None, **arguments: Any) -> Any:
        return self.brain.call(name, arguments, caller=caller)

    def say(self, claim: str, **more: Any) -> Any:
        return self.ask("remember", fact=claim, provenance="chat", entity="people/bob-sample", **more)

    def sweep(self) -> Any:
        return self.ask("sweep")

    def sync(self) -> Any:
        return self.ask("sync_brain", source_id="work", pull=False)["sources"][0]

    def facts(self, **more: Any) -> dict[str, Any]:
        found = self.ask("recall", entity="people/bob-sample", **more)["facts"]
        return {fact["fact"]: fact for fact in found}

    def edit(self, change: Callable[[str], str]) -> None:
        self.file.write_text(change(self.file.read_text()))


@pytest.fixture
def desk(brain: Brain, tmp_path: Path) -> Desk:
    made = Desk(brain, tmp_path / "notes")
    made.ask("put_page", slug="people/bob-sample", content="# Bob Sample\n\nRows.\n\n<!-- timeline -->\n\n- x\n")
    return made


@pytest.fixture
def another(desk: Desk, tmp_path: Path, clock: Any) -> Any:
    """Another brain, made anew from the same files."""
    home = tmp_path / "another"
    if homes.kind(desk.brain.home) == "postgres":
        home.mkdir(0o700)
        server = databases.shared()
        homes.set_database_url(str(home), server.url(server.create()))
    opened: list[Brain] = []

    def make() -> Desk:
        opened.append(open_brain(str(home), create=True, clock=clock))
        made = Desk(opened[0], desk.folder)
        made.sync()
        return made

    yield make
    for brain in opened:
        brain.close()


class TestRowsOfFiles:
    def test_world_facts_are_mirrored_and_private_ones_never(self, desk: Desk) -> None:
        desk.say("plays chess", kind="preference")
        desk.say("hides the MARKER", visibility="private")
        assert desk.sweep()["factsReconciled"] == 1
        text = desk.file.read_text()
        assert "| 1 | plays chess | preference | 1.0 | world | medium | 2031-05-04 |  | chat |" in text
        assert "MARKER" not in text
        assert text.index(END) < text.index("<!-- timeline -->")
        assert (desk.sweep()["factsReconciled"], desk.file.read_text()) == (0, text)
        assert desk.sync()["status"] == "up_to_date"
        assert set(desk.facts()) == {"plays chess", "hides the MARKER"}

    def test_a_private_page_and_a_source_without_a_folder_are_left(self, desk: Desk) -> None:
        desk.ask("put_page", slug="people/eve", content="---\nvisibility: private\n---\n\n# Eve\n")
        desk.ask("remember", fact="sings", provenance="chat", entity="people/eve")
        desk.brain.selection = Selection(flag="default")
        desk.ask("put_page", slug="people/ann", content="# Ann\n")
        desk.ask("remember", fact="swims", provenance="chat", entity="people/ann")
        assert desk.sweep()["factsReconciled"] == 0
        assert desk.ask("get_page", slug="people/ann")["version"] == 1

    def test_what_was_forgotten_or_replaced_is_struck(self, desk: Desk) -> None:
        chess = desk.say("plays chess")["id"]
        old = desk.say("lives in Lisbon")["id"]
        desk.sweep()
        desk.ask("forget", id=chess, reason="by mistake")
        assert desk.say("lives in Faro", replaces=old)["status"] == "superseded"
        desk.sweep()
        text = desk.file.read_text()
        assert "| 1 | ~~plays chess~~ |" in text
        assert "forgotten: by mistake" in text
        assert "| 2 | ~~lives in Lisbon~~ |" in text
        assert "superseded by #3" in text
        assert "| 3 | lives in Faro |" in text

    def test_an_entity_in_a_folder_that_only_facts_tell_of_gets_a_page(self, desk: Desk, another: Any) -> None:
        for entity in ("people/zed-example", "zed", "topics/tea", "people/李雷"):
            desk.ask("remember", fact=f"rows with {entity}", provenance="chat", entity=entity)
        desk.ask("remember", fact="hides the MARKER", provenance="chat", entity="people/eve", visibility="private")
        gone = desk.ask("remember", fact="plays chess", provenance="chat", entity="people/gus")["id"]
        desk.ask("forget", id=gone)
        assert desk.sweep()["factsReconciled"] == 2
        text = (desk.folder / "people" / "zed-example.md").read_text()
        assert text.startswith(
            "---\ntype: person\ntitle: Zed Example\nslug: people/zed-example\n---\n\n# Zed Example\n\n## Facts\n"
        )
        assert "| 1 | rows with people/zed-example | fact |" in text
        files = sorted(str(path.relative_to(desk.folder)) for path in desk.folder.rglob("*.md"))
        assert files == ["people/bob-sample.md", "people/zed-example.md", "people/李雷.md"]
        assert desk.sweep()["factsReconciled"] == 0
        assert desk.sync()["status"] == "up_to_date"
        found = another().ask("recall", entity="people/zed-example")["facts"]
        assert [fact["fact"] for fact in found] == ["rows with people/zed-example"]

    def test_a_page_that_was_deleted_is_not_made_again(self, desk: Desk) -> None:
        desk.ask("put_page", slug="people/zed", content="# Zed\n")
        desk.ask("remember", fact="rows", provenance="chat", entity="people/zed")
        desk.ask("delete_page", slug="people/zed")
        assert desk.sweep()["factsReconciled"] == 0
        assert not (desk.folder / "people" / "zed.md").exists()

    def test_what_never_had_a_row_and_is_forgotten_gets_none(self, desk: Desk) -> None:
        desk.ask("forget", id=desk.say("plays chess")["id"])
        desk.sweep()
        assert "chess" not in desk.file.read_text()

    def test_a_private_row_in_a_file_of_ones_own_stays(self, desk: Desk) -> None:
        desk.file.write_text("# Bob\n\n" + fence(line(1, "keeps a diary", visibility="private")))
        desk.sync()
        desk.say("plays chess")
        assert desk.sweep()["factsReconciled"] == 1
        assert "| 1 | keeps a diary | fact | 1.0 | private |" in desk.file.read_text()
        assert {fact["visibility"] for fact in desk.facts().values()} == {"private", "world"}
        assert len(desk.facts()) == 2
        assert desk.sync()["status"] == "up_to_date"

    def test_line_ends_stay(self, desk: Desk) -> None:
        desk.file.write_bytes(b"# Bob\r\n\r\nRows.\r\n")
        desk.sync()
        desk.say("plays chess")
        desk.sweep()
        assert not re.search(rb"(?<!\r)\n", desk.file.read_bytes())


class TestRowsThatAreWritten:
    @pytest.mark.parametrize("how", ["file", "page", "agent"])
    def test_they_become_facts_in_the_same_pass(self, desk: Desk, how: str) -> None:
        body = "# Bob Sample\n\n" + fence(line(1, "plays chess", kind="preference", valid_until="2031-06-01"))
        if how == "file":
            desk.file.write_text(body)
            assert desk.sync()["changed"] == 1
        else:
            who = AGENT if how == "agent" else None
            version = desk.ask("get_page", slug="people/bob-sample")["version"]
            desk.ask("put_page", who, slug="people/bob-sample", content=body, expected_version=version)
        fact = desk.facts()["plays chess"]
        assert (fact["kind"], fact["valid_until"], fact["provenance"]) == (
            "preference",
            "2031-06-01T00:00:00.000Z",
            "chat",
        )
        desk.sweep()
        assert list(desk.facts()) == ["plays chess"]
        assert re.search(r"plays chess .* <!-- [0-9a-f]{10}", desk.file.read_text())

    def test_a_row_that_cannot_be_read_is_named_and_the_rest_counts(self, desk: Desk) -> None:
        bad = line(2, "swims", kind="rumour")
        desk.file.write_text("---\ntags: [x]\n---\n\n# Bob\n\n" + fence(line(1, "plays chess"), bad, line(3, "runs")))
        told = desk.sync()
        assert [(one["line"], "kind" in one["message"]) for one in told["troubles"]] == [(13, True)]
        assert set(desk.facts()) == {"plays chess", "runs"}
        desk.sweep()
        assert bad in desk.file.read_text()

    def test_striking_forgets_and_a_lost_row_does_not(self, desk: Desk) -> None:
        desk.say("plays chess")
        desk.say("swims")
        desk.sweep()
        desk.edit(lambda text: re.sub(r"\| 2 \|.*\n", "", text.replace("plays chess", "~~plays chess~~")))
        desk.sync()
        assert list(desk.facts()) == ["swims"]
        desk.sweep()
        assert "| swims |" in desk.file.read_text()
        assert "| ~~plays chess~~ |" in desk.file.read_text()
        assert "forgotten" in desk.file.read_text()

    def test_a_row_in_other_words_replaces_its_fact(self, desk: Desk) -> None:
        desk.say("plays chess")
        desk.sweep()
        desk.edit(lambda text: text.replace("plays chess", "plays the organ"))
        desk.sync()
        assert list(desk.facts()) == ["plays the organ"]
        desk.sweep()
        assert "plays chess" not in desk.file.read_text()
        assert desk.sync()["status"] == "up_to_date"

    def test_a_row_edited_before_it_had_a_key_is_still_one_fact(self, desk: Desk) -> None:
        desk.file.write_text("# Bob\n\n" + fence(line(1, "plays chess")))
        desk.sync()
        desk.edit(lambda text: text.replace("plays chess", "plays the organ"))
        desk.sync()
        assert list(desk.facts()) == ["plays the organ"]

    def test_a_row_typed_twice_is_one_fact(self, desk: Desk) -> None:
        desk.say("plays chess")
        desk.sweep()
        desk.edit(lambda text: text.replace(END, line(2, "plays chess") + "\n" + END))
        desk.sync()
        assert list(desk.facts()) == ["plays chess"]
        desk.sweep()
        assert "| 2 | ~~plays chess~~ |" in desk.file.read_text()
        assert "superseded by #1" in desk.file.read_text()
        assert desk.sweep()["factsReconciled"] == 0

    def test_a_copied_page_brings_its_own_facts(self, desk: Desk) -> None:
        desk.say("plays chess")
        desk.sweep()
        (desk.folder / "people" / "ann.md").write_text(desk.file.read_text().replace("Bob", "Ann"))
        desk.sync()
        assert list(desk.facts()) == ["plays chess"]
        assert [fact["fact"] for fact in desk.ask("recall", entity="people/ann")["facts"]] == ["plays chess"]

    def test_an_agent_changes_no_private_fact(self, desk: Desk) -> None:
        desk.brain.selection = Selection(flag="default")
        desk.ask("put_page", slug="people/bob-sample", content="# Bob\n")
        desk.say("keeps a MARKER", visibility="private")
        body = "# Bob\n\n" + fence(
            line(1, "keeps a MARKER", visibility="private", kind="belief"), line(2, "keeps a MARKER")
        )
        desk.ask("put_page", AGENT, slug="people/bob-sample", content=body, expected_version=1)
        found = desk.ask("recall", entity="people/bob-sample")["facts"]
        assert sorted((fact["visibility"], fact["kind"]) for fact in found) == [
            ("private", "belief"), ("private", "fact"), ("world", "fact"),
        ]  # fmt: skip


class TestVeryManyRows:
    @pytest.mark.parametrize("how", ["page", "file", "sweep", "sync"])
    def test_all_become_facts_a_few_at_once(self, desk: Desk, how: str) -> None:
        things = [f"{thing} of {place}" for thing in ("lamp", "boat", "mill", "field") for place in ("Oslo", "Lima")]
        claims = [f"{word} the {thing}" for word in ("owns", "knew", "drew", "sold", "left") for thing in things]
        struck = line(len(claims) + 1, "~~was here~~", context="superseded by #1")
        rows = [line(number, claim) for number, claim in enumerate(claims, 1)]
        text = f"# Bob Sample\n\n{fence(*rows, struck)}"
        if how == "file":
            desk.file.write_text(text)
            desk.sync()
        elif how == "page":
            desk.ask("put_page", slug="people/bob-sample", content=text)
        else:
            # What a process leaves that is killed behind the transaction that stores the page.
            with context(desk.brain, Caller.local()).store.transaction():
                desk.ask("put_page", slug="people/bob-sample", content=text)
            assert 0 < len(desk.facts(limit=100)) < len(claims)
            desk.sweep() if how == "sweep" else desk.sync()
        assert set(desk.facts(limit=100)) == set(claims)
        ended = desk.ask("recall", entity="people/bob-sample", supersessions=True)["facts"]
        assert [fact["fact"] for fact in ended] == ["was here"]


class TestAnIndexMadeAnew:
    def test_every_world_fact_comes_back_and_the_forgotten_stay_so(self, desk: Desk, another: Any) -> None:
        chess = desk.say("plays chess")["id"]
        desk.say("prefers rye | bread", kind="preference", ttl="2h")
        desk.say("hides the MARKER", visibility="private")
        desk.sweep()
        desk.ask("forget", id=chess)
        desk.sweep()
        again = another()
        kept = ("kind", "valid_from", "valid_until", "provenance", "visibility", "confidence", "entity_slug")
        before, after = desk.facts(), again.facts()
        assert list(after) == ["prefers rye | bread"]
        assert {key: after["prefers rye | bread"].get(key) for key in kept} == {
            key: before["prefers rye | bread"].get(key) for key in kept
        }
        assert "plays chess" in again.facts(include_expired=True)
        text = again.file.read_text()
        again.sweep()
        again.sweep()
        assert (again.file.read_text(), again.sync()["status"]) == (text, "up_to_date")

    def test_what_ended_since_the_last_sweep_stays_so(self, desk: Desk, another: Any) -> None:
        chess, old = desk.say("plays chess")["id"], desk.say("lives in Lisbon")["id"]
        desk.say("cares for tea")
        desk.sweep()
        desk.ask("forget", id=chess, caller=AGENT, reason="by mistake")
        desk.say("lives in Faro", replaces=old)
        text = desk.file.read_text()
        assert "| 1 | ~~plays chess~~ |" in text
        assert "| 2 | ~~lives in Lisbon~~ |" in text
        assert sorted(another().facts()) == ["cares for tea", "lives in Faro"]

    @pytest.mark.parametrize("head", ["", "---\nvisibility: private\n---\n\n"])
    def test_private_facts_that_were_rows_stay_forgotten(self, desk: Desk, another: Any, head: str) -> None:
        desk.file.write_text(
            f"{head}# Bob\n\n"
            + fence(*(line(n, claim, visibility="private") for n, claim in enumerate(("opera", "sings"), 1)))
        )
        desk.sync()
        desk.ask("forget", id=desk.facts()["opera"]["fact_id"], reason="over")
        text = desk.file.read_text()
        assert "| 1 | ~~opera~~ | fact | 1.0 | private |" in text
        assert "forgotten: over" in text
        again = another()
        assert list(again.facts()) == ["sings"]
        again.sweep()
        assert (again.file.read_text(), again.sync()["status"]) == (text, "up_to_date")

    def test_a_private_row_left_unstruck_is_struck_by_the_sweep(self, desk: Desk) -> None:
        desk.file.write_text("# Bob\n\n" + fence(line(1, "sings", visibility="private")))
        desk.sync()
        id, text = desk.facts()["sings"]["fact_id"], desk.file.read_text()
        desk.file.write_bytes(b"\xff\xfe\x00\xd8 no text")
        desk.ask("forget", id=id)
        desk.file.write_text(text)
        desk.sweep()
        assert "~~sings~~" in desk.file.read_text()
        assert desk.sweep()["factsReconciled"] == 0

    def test_a_page_without_a_file_bears_the_struck_row(self, desk: Desk) -> None:
        desk.brain.selection = Selection(flag="default")
        desk.ask("put_page", slug="people/bob-sample", content="# Bob\n\n" + fence(line(1, "sings"), line(2, "runs")))
        desk.say("plays chess")
        desk.ask("forget", id=desk.facts()["sings"]["fact_id"], caller=AGENT)
        text = desk.ask("get_page", slug="people/bob-sample")["compiled_truth"]
        assert "~~sings~~" in text
        assert "chess" not in text
        desk.ask("put_page", slug="people/ann", content=text)
        assert [fact["fact"] for fact in desk.ask("recall", entity="people/ann")["facts"]] == ["runs"]

    def test_a_file_that_cannot_be_written_is_struck_by_the_sweep(self, desk: Desk) -> None:
        chess = desk.say("plays chess")["id"]
        desk.sweep()
        text = desk.file.read_text()
        desk.file.write_bytes(b"\xff\xfe\x00\xd8 no text")
        reply = desk.brain.ask(Caller.local("test"), "forget", {"id": chess})
        assert reply.value["expired"] is True
        assert [one["code"] for one in reply.warnings] == ["row_not_struck"]
        desk.file.write_text(text)
        desk.sweep()
        assert "~~plays chess~~" in desk.file.read_text()

    def test_a_whole_brain_of_facts(self, desk: Desk, another: Any) -> None:
        names = ("people/bob-sample", "people/zed-example", "companies/甲公司")
        said = {}
        for name in names:
            for number, word in enumerate(("tea", "opera", "granite", "sailing", "violins", "cycling")):
                visibility = "private" if word == "opera" else "world"
                claim = f"{name[-3:]} MARKER{visibility} cares for {word}"
                given = {"fact": claim, "provenance": f"talk {number}", "entity": name, "visibility": visibility}
                said[name, word] = desk.ask("remember", **given)["id"]
            desk.ask("forget", id=said[name, "tea"])
        desk.sweep()
        for name in names:
            desk.ask("forget", id=said[name, "granite"], reason="not so")
        desk.sweep()
        again = another()
        for name in names:
            held = [[one.ask("recall", entity=name)["facts"]] for one in (desk, again)]
            before, after = ({fact["fact"]: fact for fact in facts[0]} for facts in held)
            world = {claim for claim, fact in before.items() if fact["visibility"] == "world"}
            assert len(world) == 3
            assert set(after) == world
            for claim in world:
                for key in ("kind", "valid_from", "valid_until", "provenance", "entity_slug", "confidence"):
                    assert after[claim].get(key) == before[claim].get(key)
        assert not any(b"MARKERprivate" in path.read_bytes() for path in desk.folder.rglob("*") if path.is_file())

    def test_g8_a_ttl_of_hours_with_the_file(self, desk: Desk, another: Any, clock: Any) -> None:
        told = desk.say("bob-sample is on the night train", ttl="2h")
        assert told["valid_until"] == "2031-05-05T00:10:00.000Z"
        desk.sweep()
        clock.now += timedelta(hours=1, minutes=59, seconds=59)
        assert list(desk.facts()) == ["bob-sample is on the night train"]
        again = another()
        assert again.facts()["bob-sample is on the night train"]["valid_until"] == "2031-05-05T00:10:00.000Z"
        clock.now += timedelta(seconds=2)
        for one in (desk, again):
            assert one.facts() == {}
            assert list(one.facts(include_expired=True)) == ["bob-sample is on the night train"]
            assert one.say("bob-sample is on the night train", ttl="2h")["status"] == "inserted"
            one.sweep()
        assert len(desk.facts(include_expired=True)) == 1
        assert desk.file.read_text().count("night train") >= 2
