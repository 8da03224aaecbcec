"""Taken away and brought back: the same bytes, the same facts, and every file that did not come in by name."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

import databases
from gbrain import Brain, Caller, home as homes, open_brain
from gbrain.errors import InvalidParams, UnknownTool

TEXTS = {
    "people/dana": "\ufeff---\r\n# mine\r\ntitle: Dana Oakes\r\ntags: [x]\r\n---\r\n\r\nRows.  \r\n",
    "josé/ñandú": "Runs.",
    "林": "---\nexpiry: 2020-01-01\n---\nPast.\n",
}
COLUMNS = (
    "fact, kind, entity_slug, visibility, valid_from, valid_until, expired_at, expired_reason, provenance, session,"
    " context, confidence, created_at, dated, metric, value, unit, period, made_by, consent"
)


@pytest.fixture
def filled(brain: Brain, local: Any, clock: Any) -> Brain:
    for slug, text in TEXTS.items():
        local("put_page", slug=slug, content=text)
    local("put_page", slug="secret", content="---\nvisibility: private\n---\nHidden.\n")
    local("put_page", slug="gone", content="Deleted.\n")
    local("delete_page", slug="gone")
    local("add_tag", slug="people/dana", tag="hand")
    brain.store.former.lead("default", ["people/oakes"], local("get_page", slug="people/dana")["id"])
    local("add_timeline_entry", slug="people/dana", date="2031-03", summary="Joined", source="chat")
    local("add_link", **{"from": "people/dana", "to": "josé/ñandú", "link_type": "knows"})
    local("remember", fact="lives in Porto", provenance="chat", entity="people/dana")
    clock.move(hours=1)
    local("remember", fact="likes tea", provenance="chat, 2031", entity="people/dana", ttl="2h")
    ended = local("remember", fact="drinks coffee", provenance="mail")
    local("forget", id=ended["id"], reason="wrong")
    old = local("remember", fact="weighs 70 kg", provenance="chat", entity="people/dana")
    clock.move(hours=1)
    local("remember", fact="weighs 71 kg", provenance="chat", entity="people/dana", replaces=old["id"])
    local("remember", fact="has a secret", provenance="chat", visibility="private")
    weight = {"metric": "weight", "value": 70.5, "unit": "kg", "period": "2031-04", "dated": "2031-04-30"}
    brain.store.engine.rows(
        "update facts set metric = :metric, value = :value, unit = :unit, period = :period, dated = :dated,"
        " made_by = 'extract-1 a:b', consent = 'all:0a1b2c3d' where id = :id",
        {**weight, "id": old["id"]},
    )
    return brain


def another(tmp_path: Path, name: str = "other") -> Brain:
    return open_brain(str(tmp_path / name), create=True)


def facts(brain: Brain) -> list[Any]:
    return brain.store.engine.rows(
        f"select {COLUMNS}, (select s.fact from facts s where s.id = f.superseded_by) as successor from facts f"
        " order by created_at, fact"
    )


def exported(brain: Brain, target: Path, *, private: bool) -> tuple[dict[str, bytes], list[Any], list[Any]]:
    """The pages of an export, what was put on them by hand, and the facts, without what each brain numbers anew."""
    brain.call("export_brain", {"dir": str(target), "include_private": private})
    pages = {str(path.relative_to(target / "pages")): path.read_bytes() for path in (target / "pages").rglob("*.md")}
    hand, versions, rows = (
        [json.loads(line) for line in (target / name).read_text().splitlines()]
        for name in ("pages.jsonl", "versions.jsonl", "facts.jsonl")
    )
    texts = {row["id"]: row["fact"] for row in rows}
    for row in rows:
        row |= {"id": 0, "superseded_by": texts.get(row["superseded_by"])}
    hand = [{**row, "versions": [one for one in versions if one["slug"] == row["slug"]]} for row in hand]
    return (
        pages,
        sorted(hand, key=lambda row: row["slug"]),
        sorted(rows, key=lambda row: (row["created_at"], row["fact"])),
    )


class TestRoundTrip:
    def test_pages_are_the_same_bytes_and_facts_the_same_facts(self, filled: Brain, tmp_path: Path) -> None:
        target = tmp_path / "out"
        out = filled.call("export_brain", {"dir": str(target), "include_private": True})
        assert (out["pages"], out["facts"]) == (4, 6)
        for slug, text in TEXTS.items():
            assert (target / "pages" / f"{slug}.md").read_bytes() == text.encode()
        with another(tmp_path) as other:
            dry = other.call("import_brain", {"dir": str(target), "dry_run": True})
            assert (dry["pages"], dry["facts"], dry["known_facts"]) == (4, 6, 0)
            came = other.call("import_brain", {"dir": str(target)})
            assert (came["status"], came["pages"], came["facts"], came["skipped"]) == ("ok", 4, 6, 0)
            for slug, text in TEXTS.items():
                version = other.call("get_versions", {"slug": slug, "include_content": True})
                held = version[0]["content"] if version else self.hidden(other, slug)
                assert held == text
            assert facts(other) == facts(filled)
            assert other.get_page(slug="people/dana")["tags"] == ["hand", "x"]
            assert other.get_page(slug="people/oakes")["moved_from"] == "people/oakes"
            [entry] = other.get_timeline(slug="people/dana")
            assert (entry["date"], entry["summary"], entry["source"]) == ("2031-03", "Joined", "chat")
            [link] = other.get_links(slug="people/dana")
            assert (link["to_slug"], link["link_type"], link["link_source"]) == ("josé/ñandú", "knows", "manual")
            again = other.call("import_brain", {"dir": str(target)})
            assert (again["pages"], again["unchanged"], again["facts"], again["known_facts"]) == (0, 4, 0, 6)
            dry = other.call("import_brain", {"dir": str(target), "dry_run": True})
            assert (dry["unchanged"], dry["facts"], dry["known_facts"]) == (4, 0, 6)
            assert facts(other) == facts(filled)
            back = tmp_path / "back"
            other.call("export_brain", {"dir": str(back), "include_private": True})
            for slug in TEXTS:
                ours, theirs = (folder / "pages" / f"{slug}.md" for folder in (target, back))
                assert ours.read_bytes() == theirs.read_bytes()

    @pytest.mark.parametrize("private", [True, False])
    def test_over_the_other_engine_and_back(self, filled: Brain, tmp_path: Path, private: bool) -> None:
        engines = ["sqlite", "postgres"] if filled.store.engine.name == "postgres" else ["postgres", "sqlite"]
        told = [exported(filled, tmp_path / "0", private=private)]
        for at, engine in enumerate(engines, 1):
            home = tmp_path / f"home-{at}"
            home.mkdir(0o700)
            if engine == "postgres":
                homes.set_database_url(str(home), databases.shared().url(databases.shared().create()))
            with open_brain(str(home), create=True) as other:
                assert other.store.engine.name == engine
                came = other.call("import_brain", {"dir": str(tmp_path / str(at - 1))})
                assert (came["status"], came["skipped"]) == ("ok", 0)
                told.append(exported(other, tmp_path / str(at), private=private))
        assert told[1] == told[0]
        assert told[2] == told[0]
        pages, hand, rows = told[0]
        assert (len(pages), len(hand), len(rows)) == ((4, 4, 6) if private else (3, 3, 5))
        assert ("secret.md" in pages) is private

    @pytest.mark.parametrize("private", [True, False])
    def test_versions_and_times_come_back_over_both_engines(
        self, brain: Brain, local: Any, clock: Any, tmp_path: Path, private: bool
    ) -> None:
        clock.move(days=-40)
        local("put_page", slug="grows", content="---\nvisibility: private\n---\nFirst.\n")
        for version, text in enumerate(("Second.\n", "Third [[other]].\n"), 1):
            clock.move(hours=1)
            local("put_page", slug="grows", content=text, expected_version=version)
        clock.move(days=20)
        local("put_page", slug="other", content="Once.\n")
        local("put_page", slug="secret", content="---\nvisibility: private\n---\nHidden.\n")
        clock.move(days=19)
        engines = ["sqlite", "postgres"] if brain.store.engine.name == "postgres" else ["postgres", "sqlite"]
        told = [exported(brain, tmp_path / "0", private=private)]
        for at, engine in enumerate(engines, 1):
            home = tmp_path / f"home-{at}"
            home.mkdir(0o700)
            if engine == "postgres":
                homes.set_database_url(str(home), databases.shared().url(databases.shared().create()))
            with open_brain(str(home), create=True) as other:
                for pages in (3, 0) if private else (2, 0):
                    assert other.call("import_brain", {"dir": str(tmp_path / str(at - 1))})["pages"] == pages
                told.append(exported(other, tmp_path / str(at), private=private))
                wanted = [3, 2, 1] if private else [3, 2]
                assert [row["version"] for row in other.get_versions(slug="grows")] == wanted
                last = other.get_page(slug="grows")
                assert last["version"] == 3
                assert [link["to_slug"] for link in other.get_links(slug="grows")] == ["other"]
                assert other.store.refs.count_unwired(["default"]) == 0
                changed = other.call("put_page", {"slug": "grows", "content": "Fourth.\n", "expected_version": 3})
                assert changed["version"] == 4
        assert told[1] == told[0]
        assert told[2] == told[0]
        rows = {row["slug"]: row for row in told[0][1]}
        assert set(rows) == ({"grows", "other", "secret"} if private else {"grows", "other"})
        texts = [(one["version"], one["content"]) for one in rows["grows"]["versions"]]
        assert texts[-2:] == [(2, "Second.\n"), (3, None)]
        assert len(texts) == (3 if private else 2)
        assert rows["grows"]["created_at"] < rows["grows"]["last_modified"] < rows["other"]["created_at"]

    def test_a_page_with_a_history_of_its_own_keeps_it(self, brain: Brain, local: Any, tmp_path: Path) -> None:
        with another(tmp_path) as other:
            other.call("put_page", {"slug": "a", "content": "One.\n"})
            other.call("put_page", {"slug": "a", "content": "Two.\n", "expected_version": 1})
            other.call("export_brain", {"dir": str(tmp_path / "out")})
        local("put_page", slug="a", content="Two.\n")
        assert local("import_brain", dir=str(tmp_path / "out"))["unchanged"] == 1
        assert local("get_page", slug="a")["version"] == 1

    def hidden(self, brain: Brain, slug: str) -> str:
        rows = brain.store.engine.rows(
            "select v.content from page_versions v join pages p on p.id = v.page_id where p.slug = :slug",
            {"slug": slug},
        )
        content: str = rows[0]["content"]
        return content

    def test_the_end_that_was_stated_before_another_comes_along(
        self, brain: Brain, local: Any, clock: Any, tmp_path: Path
    ) -> None:
        for fact, ttl in (("is in Lisbon", "9d"), ("keeps bees", None)):
            id = local("remember", fact=fact, provenance="chat", entity="people/dana", ttl=ttl)["id"]
            clock.move(hours=1)
            local("invalidate", id=id, until=clock.text)
        brain.call("export_brain", {"dir": str(tmp_path / "out")})
        with another(tmp_path) as other:
            other.call("import_brain", {"dir": str(tmp_path / "out")})
            ends = "select fact, valid_until, stated_until from facts order by fact"
            assert other.store.engine.rows(ends) == brain.store.engine.rows(ends)
            assert [row["stated_until"] for row in other.store.engine.rows(ends)] == ["2031-05-13T22:10:00.000000Z", ""]

    def test_private_text_stays_at_home_unless_it_is_asked_for(self, filled: Brain, tmp_path: Path) -> None:
        target = tmp_path / "out"
        out = filled.call("export_brain", {"dir": str(target)})
        assert (out["pages"], out["facts"], out["private"]) == (3, 5, False)
        told = "".join(path.read_text() for path in target.rglob("*") if path.is_file())
        assert "Hidden" not in told
        assert "a secret" not in told

    def test_an_export_goes_nowhere_but_to_its_own_place(self, filled: Brain, tmp_path: Path) -> None:
        target = tmp_path / "out"
        filled.call("export_brain", {"dir": str(target)})
        assert filled.call("export_brain", {"dir": str(target)})["pages"] == 3
        (tmp_path / "mine").mkdir()
        (tmp_path / "mine" / "a.md").write_text("Mine.\n")
        with another(tmp_path) as other:
            for folder in (target, tmp_path / "mine"):
                with pytest.raises(InvalidParams, match="not empty"):
                    other.call("export_brain", {"dir": str(folder)})
        assert (tmp_path / "mine" / "a.md").read_text() == "Mine.\n"


class TestMarkdown:
    def test_a_vault_is_accounted_for_file_by_file(self, brain: Brain, local: Any, tmp_path: Path) -> None:
        vault = tmp_path / "vault"
        files = {
            "Daily/2031-05-04.md": "Met [[Dana Oakes]]. ![[boat.png]]\n",
            "People/Dana Oakes.md": "---\naliases: [Dana, D. Oakes]\n---\n# Dana Oakes\n",
            "MEMORY.md": "# Memory\n\n- likes tea\n",
            "broken.md": "---\n\tx: [\n---\n",
            "boat.png": "png",
            ".obsidian/app.json": "{}",
        }
        for path, text in files.items():
            (vault / path).parent.mkdir(parents=True, exist_ok=True)
            (vault / path).write_text(text)
        before = {path: (vault / path).read_bytes() for path in files}
        dry = local("import_brain", dir=str(vault), dry_run=True)
        assert (dry["pages"], local("list_pages")) == (3, [])
        came = local("import_brain", dir=str(vault))
        assert (came["status"], came["pages"], came["skipped"]) == ("partial", 3, 2)
        assert sorted(one["path"] for one in came["skipped_files"]) == ["boat.png", "broken.md"]
        assert [page["slug"] for page in local("list_pages", sort="slug")] == [
            *("daily/2031-05-04", "memory", "people/dana-oakes")
        ]
        assert [link["from_slug"] for link in local("get_backlinks", slug="people/dana-oakes")] == ["daily/2031-05-04"]
        assert {path: (vault / path).read_bytes() for path in files} == before
        assert "write_through" not in local("put_page", slug="memory", content="x")

    def test_what_is_unclear_in_a_file_that_comes_in_is_told(self, local: Any, tmp_path: Path) -> None:
        rows = "".join(f"| {n} | likes {what} | {kind} | 1.0 | world | medium | | | chat | |\n"
                       for n, what, kind in ((1, "tea", "fact"), (2, "rain", "rumour")))  # fmt: skip
        begin, end = "<!--- gbrain:facts:begin -->", "<!--- gbrain:facts:end -->"
        (tmp_path / "in" / "people").mkdir(parents=True)
        (tmp_path / "in" / "people" / "dana.md").write_text(f"# Dana\n\n## Facts\n\n{begin}\n{rows}{end}\n")
        (tmp_path / "in" / "a.md").write_text("---\nbased_on: x\n---\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n")
        for dry in (True, False):
            told = local("import_brain", dir=str(tmp_path / "in"), dry_run=dry)
            assert (told["status"], told["pages"], told["skipped"]) == ("partial", 2, 0)
            assert [(row["path"], row["line"]) for row in told["doubts"]] == [("a.md", 4), ("people/dana.md", 7)]
        assert [fact["fact"] for fact in local("recall", entity="people/dana")["facts"]] == ["likes tea"]

    def test_pages_that_say_something_else_are_left_unless_it_is_said(self, local: Any, tmp_path: Path) -> None:
        (tmp_path / "in").mkdir()
        (tmp_path / "in" / "a.md").write_text("Theirs.\n")
        local("put_page", slug="a", content="Mine.\n")
        came = local("import_brain", dir=str(tmp_path / "in"))
        assert (came["status"], came["pages"], came["skipped"]) == ("partial", 0, 1)
        assert local("get_page", slug="a")["compiled_truth"] == "Mine."
        assert local("import_brain", dir=str(tmp_path / "in"), overwrite=True)["pages"] == 1
        assert local("get_page", slug="a")["version"] == 2

    def test_a_page_of_another_source_is_told_and_the_rest_comes_in(self, local: Any, tmp_path: Path) -> None:
        local("sources_add", id="notes", federated=True)
        local("put_page", slug="people/ines", content="Paints.\n", source_id="notes")
        (tmp_path / "in" / "people").mkdir(parents=True)
        for name in ("ines", "sam"):
            (tmp_path / "in" / "people" / f"{name}.md").write_text("Rows.\n")
        for dry in (True, False):
            came = local("import_brain", dir=str(tmp_path / "in"), dry_run=dry)
            assert (came["status"], came["pages"], came["skipped"]) == ("partial", 1, 1)
            (left,) = came["skipped_files"]
            assert (left["path"], left["hint"]) == ("people/ines.md", "to have both: --source default")
        assert local("import_brain", dir=str(tmp_path / "in"), source_id="default")["pages"] == 1

    def test_a_zip_is_read_as_its_folder_is_and_leads_nowhere_else(self, local: Any, tmp_path: Path) -> None:
        with zipfile.ZipFile(tmp_path / "export.zip", "w") as packed:
            packed.writestr("conversations.json", json.dumps(CLAUDE[:1]))
            packed.writestr("notes/a.md", "Rows.\n")
            packed.writestr("../../out.md", "Climbs.\n")
            packed.writestr("../../out.png", "x")
        before = sorted(tmp_path.parent.iterdir())
        came = local("import_brain", dir=str(tmp_path / "export.zip"))
        assert came["pages"] == 3
        assert "out.png" in [row["path"] for row in came["skipped_files"]]
        assert local("get_page", slug="notes/a")["compiled_truth"] == "Rows."
        assert sorted(tmp_path.parent.iterdir()) == before
        (tmp_path / "broken.zip").write_bytes((tmp_path / "export.zip").read_bytes()[:-60] + b"x" * 38)
        with pytest.raises(InvalidParams):
            local("import_brain", dir=str(tmp_path / "broken.zip"))

    def test_where_nothing_can_come_from_or_to(self, local: Any, remote: Any, tmp_path: Path) -> None:
        with pytest.raises(InvalidParams, match="nothing at"):
            local("import_brain", dir=str(tmp_path / "nowhere"))
        (tmp_path / "t.txt").write_text("x")
        with pytest.raises(InvalidParams, match="neither a folder nor exported conversations"):
            local("import_brain", dir=str(tmp_path / "t.txt"))
        for name in ("import_brain", "export_brain"):
            with pytest.raises(UnknownTool):
                remote(name, dir=str(tmp_path))

    def test_a_source_with_a_folder_takes_files_in_by_itself(self, brain: Brain, tmp_path: Path) -> None:
        (tmp_path / "notes").mkdir()
        brain.sources_add(id="work", path=str(tmp_path / "notes"))
        with pytest.raises(InvalidParams, match="come from a folder") as refused:
            brain.call("import_brain", {"dir": str(tmp_path), "source_id": "work"}, caller=Caller.local())
        assert "gbrain sync --source work" in refused.value.suggestion


CLAUDE = [
    {
        "uuid": "11111111-2222-3333-4444-555555555555",
        "name": "Mooring rope",
        "created_at": "2031-05-04T22:10:00.123456Z",
        "chat_messages": [
            {"sender": "human", "text": "Which rope?", "content": [{"type": "text", "text": "Which rope?"}]},
            {"sender": "assistant", "text": "Green.", "content": [{"type": "text", "text": "Green."}]},
        ],
    },
    {"uuid": "2", "name": "", "created_at": "2031-05-05T00:00:00Z", "chat_messages": []},
    {"uuid": "3"},
]
CHATGPT = [
    {
        "title": "倉庫の鍵",
        "create_time": 1935694200.5,
        "conversation_id": "abcd-1234",
        "current_node": "c",
        "mapping": {
            "r": {"id": "r", "message": None, "parent": None, "children": ["a"]},
            "a": {"message": {"author": {"role": "user"}, "content": {"parts": ["Where?"]}}, "parent": "r"},
            "b": {"message": {"author": {"role": "assistant"}, "content": {"parts": ["Not seen."]}}, "parent": "a"},
            "c": {
                "message": {"author": {"role": "assistant"}, "content": {"parts": ["Here."]}},
                "parent": "a",
            },
        },
    }
]
CODEX = [
    {
        "timestamp": "2031-05-04T22:10:00Z",
        "type": "session_meta",
        "payload": {"id": "0196-77", "timestamp": "2031-05-04T22:10:00Z"},
    },
    {
        "type": "response_item",
        "payload": {"type": "message", "role": "user", "content": [{"text": "<environment_context>x"}]},
    },
    {
        "type": "response_item",
        "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Fix it"}]},
    },
    {"type": "event_msg", "payload": {"type": "token_count"}},
    {
        "type": "response_item",
        "payload": {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]},
    },
]


class TestConversations:
    def test_claude(self, local: Any, tmp_path: Path) -> None:
        place = tmp_path / "export"
        place.mkdir()
        (place / "conversations.json").write_text(json.dumps(CLAUDE))
        came = local("import_brain", dir=str(place))
        assert (came["status"], came["pages"], came["skipped"]) == ("partial", 1, 2)
        page = local("get_page", slug="conversations/claude/2031-05-04-mooring-rope-55555555")
        assert (page["type"], page["title"], page["effective_date"]) == ("conversation", "Mooring rope", "2031-05-04")
        assert page["compiled_truth"] == "**You:**\n\nWhich rope?\n\n**Assistant:**\n\nGreen."
        assert local("import_brain", dir=str(place))["unchanged"] == 1

    def test_chatgpt_as_it_was_seen(self, local: Any, tmp_path: Path) -> None:
        (tmp_path / "conversations.json").write_text(json.dumps(CHATGPT))
        assert local("import_brain", dir=str(tmp_path / "conversations.json"))["pages"] == 1
        [found] = local("list_pages")
        page = local("get_page", slug=found["slug"])
        assert page["title"] == "倉庫の鍵"
        assert page["compiled_truth"] == "**You:**\n\nWhere?\n\n**Assistant:**\n\nHere."

    def test_codex_sessions(self, local: Any, tmp_path: Path) -> None:
        day = tmp_path / "sessions" / "2031" / "05" / "04"
        day.mkdir(parents=True)
        (day / "rollout-a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in CODEX))
        (day / "rollout-b.jsonl").write_text("no session\n")
        came = local("import_brain", dir=str(tmp_path / "sessions"))
        assert (came["pages"], came["skipped"]) == (1, 1)
        page = local("get_page", slug="conversations/codex/2031-05-04-fix-it-019677")
        assert page["compiled_truth"] == "**You:**\n\nFix it\n\n**Assistant:**\n\nDone."


def test_a_page_deleted_since_an_earlier_export_into_the_folder_stays_away(
    filled: Brain, local: Any, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    filled.call("export_brain", {"dir": str(out)}, caller=Caller.local())
    local("delete_page", slug="林")
    filled.call("export_brain", {"dir": str(out)}, caller=Caller.local())
    with another(tmp_path) as other:
        told = other.call("import_brain", {"dir": str(out)}, caller=Caller.local())
        assert [(row["path"], row["message"]) for row in told["skipped_files"]] == [
            ("林.md", "it is no page of this export")
        ]
        assert {page["slug"] for page in other.call("list_pages")} == {"people/dana", "josé/ñandú"}


def test_private_texts_do_not_stay_in_a_folder_for_others(filled: Brain, tmp_path: Path) -> None:
    out = tmp_path / "out"
    filled.call("export_brain", {"dir": str(out), "include_private": True}, caller=Caller.local())
    with pytest.raises(InvalidParams, match="holds private pages"):
        filled.call("export_brain", {"dir": str(out)}, caller=Caller.local())
    assert (
        filled.call("export_brain", {"dir": str(out), "include_private": True}, caller=Caller.local())["private"]
        is True
    )


def test_a_whole_machine_is_not_taken_in(brain: Brain) -> None:
    with pytest.raises(InvalidParams, match="everything on this machine"):
        brain.call("import_brain", {"dir": "/"}, caller=Caller.local())
