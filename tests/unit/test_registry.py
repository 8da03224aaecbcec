"""The one door: what it refuses and in which order, how arguments are normalised, what it notes and what it hides."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, TypedDict

import pytest

from gbrain import Brain, BrainError, catalogue, open_brain, registry
from gbrain.catalogue import Entry
from gbrain.errors import Internal, InvalidParams, NotFound, ScopeDenied, UnknownTool
from gbrain.journal import USAGE
from gbrain.registry import Context, Param, call, load_all, operation, visible
from gbrain.types import ALL_SCOPES, SURFACES, Caller

LOCAL = Caller.local()
REMOTE = Caller.stdio()
ERRORS = "integrations/errors.jsonl"
MARKER = "MARKER-7731"


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    with open_brain(str(tmp_path / "home"), create=True) as made:
        yield made


@pytest.fixture
def strict(brain: Brain) -> Brain:
    """MCP refuses unknown arguments."""
    brain.store.config.set("mcp.strict_params", "reject")
    return brain


def refusal(brain: Brain, name: str, arguments: dict[str, Any] | None = None, caller: Caller = REMOTE) -> BrainError:
    with pytest.raises(BrainError) as refused:
        call(brain, caller, name, arguments)
    assert refused.value.suggestion
    return refused.value


def saved(brain: Brain) -> list[str]:
    return [row["fact"] for row in brain.store.engine.rows("select fact from facts order by id")]


def fact(**more: Any) -> dict[str, Any]:
    return {"fact": "rows at dawn", "provenance": "test", **more}


class EchoReply(TypedDict):
    """What was given, and the source it goes to."""

    given: dict[str, Any]
    source: str


@pytest.fixture
def declared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three more operations: one that echoes, one that breaks, one for the person at this machine alone."""
    load_all()
    operations = dict(registry.OPERATIONS)
    monkeypatch.setattr("gbrain.registry.declared.OPERATIONS", operations)
    monkeypatch.setattr(catalogue, "OPERATIONS", dict(catalogue.OPERATIONS))

    @operation(scope="write", surface="full", title="Echo", positional=("text",))
    def echo(
        ctx: Context,
        text: Annotated[str, Param("A text.")],
        note: Annotated[str | None, Param("A note.")] = None,
        number: Annotated[float | None, Param("A number.")] = None,
        names: Annotated[list[str] | None, Param("Names.")] = None,
        flag: Annotated[bool, Param("A flag.")] = False,
        source_id: Annotated[str | None, Param("A source.")] = None,
    ) -> EchoReply:
        """Say what was given."""
        given = {"text": text, "note": note, "number": number, "names": names, "flag": flag, "source_id": source_id}
        return {"given": {key: value for key, value in given.items() if value is not None}, "source": ctx.source}

    @operation(scope="read", surface="full", title="Break")
    def explode(ctx: Context, text: Annotated[str, Param("A text.")]) -> EchoReply:
        """Break with the caller's text in the message."""
        raise ValueError(f"cannot read {text}")

    @operation(scope="admin", surface="full", title="Only here", local_only=True)
    def only_here(ctx: Context) -> EchoReply:
        """For the person at this machine."""
        return {"given": {}, "source": ctx.source}

    for function in (echo, explode, only_here):
        made = operations[function.__name__]
        catalogue.OPERATIONS[made.name] = Entry(
            __name__, made.surface, made.scope, made.local_only, made.cli, made.positional, made.summary
        )


class TestOrderOfRefusals:
    """Surface, scope, source, arguments: the first that fails is told, and nothing of the later ones."""

    NARROW = REMOTE._replace(surface="verbs", scopes=frozenset({"read"}), sources=("default",))

    @pytest.mark.parametrize(
        ("name", "arguments", "kind"),
        [
            ("get_page", {"slug": 5, "source_id": "nowhere"}, UnknownTool),
            ("no_such_tool", {}, UnknownTool),
            ("", {}, UnknownTool),
            ("remember", {"fact": 5, "source_id": "nowhere"}, ScopeDenied),
            ("recall", {"source_id": "nowhere", "limit": "ten"}, ScopeDenied),
            ("recall", {"limit": "ten"}, InvalidParams),
        ],
    )
    def test_the_first_refusal_is_told(
        self, strict: Brain, name: str, arguments: dict[str, Any], kind: type[BrainError]
    ) -> None:
        assert type(refusal(strict, name, arguments, self.NARROW)) is kind

    @pytest.mark.usefixtures("declared")
    def test_what_is_for_this_machine_is_not_there_for_others(self, brain: Brain) -> None:
        assert "only_here" not in [found.name for found in visible(REMOTE)]
        assert type(refusal(brain, "only_here")) is UnknownTool
        assert call(brain, LOCAL, "only_here").value["source"] == "default"

    @pytest.mark.parametrize("scopes", [frozenset[str](), frozenset({"read"}), frozenset({"admin"})])
    def test_a_missing_scope_names_those_one_has(self, brain: Brain, scopes: frozenset[str]) -> None:
        error = refusal(brain, "remember", fact(), REMOTE._replace(scopes=scopes))
        assert type(error) is ScopeDenied
        assert error.detail == {"your_scopes": sorted(scopes)}
        assert saved(brain) == []

    def test_a_caller_is_remote_and_may_nothing_unless_said_otherwise(self, brain: Brain) -> None:
        assert Caller().remote
        for name in ("recall", "remember"):
            assert type(refusal(brain, name, fact(), Caller())) is ScopeDenied
        assert visible(Caller()) == []


class TestSources:
    @pytest.fixture
    def brain(self, brain: Brain) -> Brain:
        brain.store.sources.ensure("payroll", brain.store.config.now())
        return brain

    @pytest.mark.usefixtures("declared")
    @pytest.mark.parametrize(
        ("grant", "asked", "source"),
        [
            (None, None, "default"),
            (None, "payroll", "payroll"),
            (None, "", "default"),
            (("payroll",), None, "payroll"),
            (("default",), None, "default"),
        ],
    )
    def test_a_call_writes_to_one(
        self, brain: Brain, grant: tuple[str, ...] | None, asked: str | None, source: str
    ) -> None:
        caller = REMOTE._replace(sources=grant)
        assert call(brain, caller, "echo", {"text": "x", "source_id": asked}).value["source"] == source

    @pytest.mark.usefixtures("declared")
    @pytest.mark.parametrize("all", ["__all__", "*"])
    def test_a_write_to_all_sources_is_refused(self, brain: Brain, all: str) -> None:
        error = refusal(brain, "echo", {"text": "x", "source_id": all}, REMOTE._replace(sources=None))
        assert type(error) is InvalidParams

    @pytest.mark.usefixtures("declared")
    @pytest.mark.parametrize("asked", ["payroll", "nowhere", "**", "default ", "DEFAULT", "__ALL__", "x" * 9_999])
    def test_one_that_is_not_granted_reads_like_one_that_is_not_there(self, brain: Brain, asked: str) -> None:
        error = refusal(brain, "echo", {"text": "x", "source_id": asked}, REMOTE._replace(sources=("default",)))
        assert type(error) is ScopeDenied
        assert len(error.message) < 200

    @pytest.mark.usefixtures("declared")
    def test_the_operator_is_told_that_it_is_not_there(self, brain: Brain) -> None:
        assert type(refusal(brain, "echo", {"text": "x", "source_id": "nowhere"}, LOCAL)) is NotFound

    def test_all_is_all_one_may_read(self, brain: Brain) -> None:
        ctx = registry.context(brain, REMOTE._replace(sources=("default", "gone")), source="__all__")
        assert ctx.view.sources == ("default",)
        assert registry.context(brain, LOCAL, source="__all__").view.sources == ("default", "payroll")

    def test_every_operation_takes_a_source(self, brain: Brain) -> None:
        reply = call(brain, REMOTE, "remember", fact(source_id="payroll"))
        assert reply.warnings == []
        assert reply.meta["sources"] == ["payroll"]
        rows = brain.store.engine.rows("select source_id from facts")
        assert [row["source_id"] for row in rows] == ["payroll"]

    @pytest.mark.parametrize("name", ["remember", "put_page"])
    def test_one_who_may_use_no_source_writes_nowhere(self, brain: Brain, name: str) -> None:
        arguments = fact() if name == "remember" else {"slug": "a", "content": "x"}
        assert type(refusal(brain, name, arguments, REMOTE._replace(sources=()))) is ScopeDenied

    def test_one_who_may_use_no_source_reads_nothing(self, brain: Brain) -> None:
        brain.remember(**fact(entity="Dana"))
        nobody = REMOTE._replace(sources=())
        assert call(brain, nobody, "recall", {"query": "rows"}).value["facts"] == []
        assert call(brain, nobody, "entity", {"name": "Dana"}).value["found"] is False

    def test_a_view_is_private_for_the_operator_alone(self, brain: Brain) -> None:
        assert registry.context(brain, LOCAL).view.private
        assert not registry.context(brain, REMOTE).view.private


@pytest.mark.usefixtures("declared")
class TestArguments:
    @pytest.mark.parametrize(
        "blank", [{"note": None}, {"note": ""}, {"number": None}, {"names": None}, {"flag": None}, {"source_id": ""}]
    )
    def test_an_optional_one_left_blank_counts_as_absent(self, brain: Brain, blank: dict[str, Any]) -> None:
        assert call(brain, REMOTE, "echo", {"text": "x", **blank}).value["given"] == {"text": "x", "flag": False}

    @pytest.mark.parametrize("given", [{"note": " "}, {"number": 0}, {"names": []}, {"flag": False}, {"note": "null"}])
    def test_nothing_else_does(self, brain: Brain, given: dict[str, Any]) -> None:
        assert call(brain, REMOTE, "echo", {"text": "x", **given}).value["given"] == {
            "text": "x",
            "flag": False,
            **given,
        }

    @pytest.mark.parametrize("given", [{}, {"text": None}])
    def test_a_required_one_is_named(self, brain: Brain, given: dict[str, Any]) -> None:
        error = refusal(brain, "echo", given)
        assert type(error) is InvalidParams
        assert error.message == "Missing required parameter: text"
        assert "gbrain echo --help" in error.suggestion

    def test_a_required_text_may_be_empty_at_the_door(self, brain: Brain) -> None:
        assert call(brain, REMOTE, "echo", {"text": ""}).value["given"]["text"] == ""

    @pytest.mark.parametrize(
        ("given", "kind"),
        [
            ({"text": 5}, "string"),
            ({"text": ["x"]}, "string"),
            ({"number": "10"}, "number"),
            ({"number": ""}, "number"),
            ({"number": True}, "number"),
            ({"number": 2**64}, "number"),
            ({"number": float("nan")}, "number"),
            ({"names": "a"}, "array"),
            ({"names": ""}, "array"),
            ({"flag": "true"}, "boolean"),
            ({"flag": ""}, "boolean"),
            ({"flag": 1}, "boolean"),
            ({"source_id": 5}, "string"),
        ],
        ids=str,
    )
    def test_nothing_is_coerced(self, brain: Brain, given: dict[str, Any], kind: str) -> None:
        error = refusal(brain, "echo", {"text": "x", **given})
        assert type(error) is InvalidParams
        assert kind in error.message

    @pytest.mark.parametrize("code", [0, 0xD800, 0xDFFF], ids=hex)
    @pytest.mark.parametrize("param", ["text", "note", "names"])
    def test_text_that_no_store_holds_is_refused(self, brain: Brain, param: str, code: int) -> None:
        bad = f"a{chr(code)}b"
        error = refusal(brain, "echo", {"text": "x", param: [bad] if param == "names" else bad})
        assert type(error) is InvalidParams
        json.dumps(error.envelope(), ensure_ascii=False).encode()

    def test_the_given_mapping_is_left_as_it_was(self, brain: Brain) -> None:
        given = {"text": "x", "note": None, "odd": 1}
        call(brain, REMOTE, "echo", given)
        assert given == {"text": "x", "note": None, "odd": 1}


class TestUnknownArguments:
    def test_a_remote_call_runs_and_names_each(self, brain: Brain) -> None:
        reply = call(brain, REMOTE, "remember", fact(entitty="Dana", unlike_any=1))
        assert reply.value["status"] == "inserted"
        assert [(w["code"], w["param"], w.get("suggestion")) for w in reply.warnings] == [
            ("unknown_param", "entitty", "entity"),
            ("unknown_param", "unlike_any", None),
        ]
        assert saved(brain) == ["rows at dawn"]

    def test_unless_the_setting_says_reject(self, strict: Brain) -> None:
        error = refusal(strict, "remember", fact(entitty="Dana", unlike_any=1))
        assert type(error) is InvalidParams
        assert "2 unknown parameters" in error.message
        assert "entitty" not in error.message
        assert "'entitty' (did you mean entity?)" in error.suggestion
        assert saved(strict) == []

    def test_here_they_are_always_refused(self, brain: Brain) -> None:
        error = refusal(brain, "remember", fact(entitty="Dana"), LOCAL)
        assert "1 unknown parameter" in error.message
        assert saved(brain) == []

    @pytest.mark.parametrize("caller", [LOCAL, REMOTE], ids=["local", "remote"])
    def test_two_names_pass(self, strict: Brain, caller: Caller) -> None:
        assert call(strict, caller, "recall", {"_meta": {"x": 1}, "dry_run": False}).warnings == []

    @pytest.mark.parametrize("name", ["x" * 100_000, "\ud800", "\x00", "\n", "", "__class__", "ctx", "self"], ids=ascii)
    def test_any_name_can_be_told(self, strict: Brain, name: str) -> None:
        for caller in (LOCAL, REMOTE):
            body = refusal(strict, "recall", {name: 1}, caller).envelope()
            assert len(json.dumps(body)) < 2_000

    @pytest.mark.parametrize("name", ["x" * 100_000, "\ud800", "\x00"], ids=ascii)
    def test_in_a_warning_too(self, brain: Brain, name: str) -> None:
        reply = call(brain, REMOTE, "recall", {name: 1})
        assert len(json.dumps(reply.warnings)) < 1_000

    def test_very_many_are_counted_and_a_few_named(self, strict: Brain) -> None:
        error = refusal(strict, "recall", {f"x{number}": 1 for number in range(5_000)})
        assert "5000" in error.message
        assert len(error.suggestion) < 1_000


class TestUnknownTools:
    @pytest.mark.parametrize(
        ("name", "near"), [("recal", "recall"), ("remembr", "remember"), ("get_pge", "get_page"), ("Recall", "recall")]
    )
    def test_a_misspelt_one_names_the_nearest(self, brain: Brain, name: str, near: str) -> None:
        error = refusal(brain, name)
        assert error.message == f"Unknown tool: {name}"
        assert near in error.suggestion

    def test_one_that_is_hidden_is_never_suggested(self, brain: Brain) -> None:
        verbs = REMOTE._replace(surface="verbs")
        for name in ("get_page", "get_pge", "put_page", "config_set", "add_tag"):
            error = refusal(brain, name, {}, verbs)
            assert error.message == f"Unknown tool: {name}"
            assert not any(hidden in error.suggestion for hidden in ("page", "config", "tag"))

    @pytest.mark.parametrize("name", ["", "x" * 100_000, "\ud800", "\x00", "../x", "call", "__init__"], ids=ascii)
    def test_any_name_can_be_told(self, brain: Brain, name: str) -> None:
        body = refusal(brain, name).envelope()
        assert len(json.dumps(body)) < 1_000


class TestDryRun:
    @pytest.mark.parametrize(
        ("name", "arguments", "value"),
        [
            ("remember", fact(), {"action": "remember", "fact": "rows at dawn", "protocol_version": 1}),
            ("forget", {"id": "1"}, {"action": "forget", "id": "1", "protocol_version": 1}),
        ],
    )
    def test_a_write_is_checked_and_not_made(
        self, brain: Brain, name: str, arguments: dict[str, Any], value: dict[str, Any]
    ) -> None:
        assert call(brain, REMOTE, name, {**arguments, "dry_run": True}).value == {"dry_run": True, **value}
        assert saved(brain) == []

    def test_no_write_of_any_operation_is_made(self, brain: Brain) -> None:
        before = brain.store.engine.rows("select name from sqlite_schema where type = 'table'")
        tables = [row["name"] for row in before if "_text" not in row["name"]]

        def rows() -> dict[str, list[dict[str, Any]]]:
            return {name: brain.store.engine.rows(f"select * from {name}") for name in tables}

        samples = {"string": "1", "number": 1, "integer": 1, "boolean": True, "array": ["a"], "object": {}}
        held = rows()
        for found in load_all():
            if not found.mutates or any(param.name == "dry_run" for param in found.params):
                continue
            given = {p.name: p.choices[0] if p.choices else samples[p.kind] for p in found.params if p.required}
            reply = call(brain, LOCAL, found.name, {**given, "dry_run": True})
            assert reply.value["dry_run"] is True, found.name
            assert reply.value["action"] == found.name
        assert rows() == held

    @pytest.mark.parametrize("bad", [{"fact": 5}, {"provenance": None}, {"kind": "idea"}])
    def test_it_refuses_what_the_call_would(self, brain: Brain, bad: dict[str, Any]) -> None:
        assert type(refusal(brain, "remember", fact(**bad, dry_run=True))) is InvalidParams

    @pytest.mark.parametrize("value", ["true", 1, "yes", [True], {}, "false", 0])
    def test_a_value_that_is_no_boolean_never_writes(self, brain: Brain, value: object) -> None:
        assert type(refusal(brain, "remember", fact(dry_run=value))) is InvalidParams
        assert saved(brain) == []

    def test_null_is_absent(self, brain: Brain) -> None:
        assert call(brain, REMOTE, "remember", fact(dry_run=None)).value["status"] == "inserted"


@pytest.mark.usefixtures("declared")
class TestDefects:
    def test_no_text_of_the_caller_leaves(self, brain: Brain, tmp_path: Path) -> None:
        error = refusal(brain, "explode", {"text": MARKER})
        assert type(error) is Internal
        assert "ValueError" in error.message
        assert error.suggestion == "run: gbrain doctor"
        assert MARKER not in json.dumps(error.envelope())
        noted = brain.journal.read(ERRORS)
        assert [(line["operation"], line["type"]) for line in noted] == [("explode", "ValueError")]
        assert "test_registry.py" in noted[0]["at"]
        for path in (tmp_path / "home").rglob("*"):
            assert not path.is_file() or MARKER.encode() not in path.read_bytes()

    def test_the_door_stays_open(self, brain: Brain) -> None:
        refusal(brain, "explode", {"text": "x"})
        assert call(brain, REMOTE, "remember", fact()).value["status"] == "inserted"


class TestUsage:
    def test_every_verb_call_is_counted_whoever_asks(self, brain: Brain) -> None:
        call(brain, LOCAL, "remember", fact(entity="Dana"))
        call(brain, REMOTE._replace(surface="verbs"), "remember", fact(entity="Dana"))
        call(brain, REMOTE, "recall", {"budget_tokens": 1})
        brain.entity(name="Dana")
        brain.entity(name="Nobody at all")
        lines = brain.journal.read(USAGE)
        assert [line["verb"] for line in lines] == ["remember", "remember", "recall", "entity", "entity"]
        assert [line["remote"] for line in lines] == [False, True, True, False, False]
        assert [line["surface"] for line in lines] == ["full", "verbs", "full", "full", "full"]
        assert [line.get("remember_status") for line in lines[:2]] == ["inserted", "duplicate"]
        assert lines[2]["budget_dropped"] == 1
        assert [line["entity_found"] for line in lines[3:]] == [True, False]
        for line in lines:
            assert line["ok"] is True
            assert line["brain_id"] == brain.id
            assert line["source_id"] == "default"
            assert 0 <= line["latency_ms"] < 60_000
            assert "error" not in line

    @pytest.mark.parametrize(
        ("name", "arguments", "caller", "code"),
        [
            ("remember", {}, REMOTE, "invalid_params"),
            ("remember", {"fact": "x", "provenance": " "}, REMOTE, "provenance_required"),
            ("forget", {"id": "99"}, LOCAL, "not_found"),
            ("remember", {}, REMOTE._replace(scopes=frozenset()), "scope_denied"),
            ("synthesize", {"question": "why?"}, REMOTE, "unavailable"),
        ],
    )
    def test_so_is_a_refusal(
        self, brain: Brain, name: str, arguments: dict[str, Any], caller: Caller, code: str
    ) -> None:
        refusal(brain, name, arguments, caller)
        line = brain.journal.read(USAGE)[-1]
        assert (line["verb"], line["ok"], line["error"]) == (name, False, code)

    def test_other_operations_and_unknown_ones_are_not(self, brain: Brain) -> None:
        call(brain, REMOTE, "list_pages")
        refusal(brain, "recal")
        assert brain.journal.read(USAGE) == []

    def test_no_text_is_written(self, brain: Brain, tmp_path: Path) -> None:
        call(brain, REMOTE, "recall", {"query": MARKER, MARKER: MARKER})
        refusal(brain, "recall", {"entity": [MARKER]})
        assert MARKER not in (tmp_path / "home" / USAGE).read_text()


class TestSurfaces:
    def test_they_are_a_ladder(self) -> None:
        names = {surface: {found.name for found in visible(REMOTE._replace(surface=surface))} for surface in SURFACES}
        assert len(names["verbs"]) == 7
        assert names["verbs"] < names["starter"] < names["full"]

    def test_a_scope_hides_what_it_does_not_allow(self) -> None:
        readers = visible(REMOTE._replace(scopes=frozenset({"read"})))
        assert {found.scope for found in readers} == {"read"}

    @pytest.mark.guard
    def test_every_operation_is_declared_whole(self) -> None:
        for found in load_all():
            entry = catalogue.OPERATIONS[found.name]
            assert (entry.surface, entry.scope, entry.local_only, entry.cli, entry.positional) == (
                found.surface,
                found.scope,
                found.local_only,
                found.cli,
                found.positional,
            )
            assert found.title
            assert found.doc.endswith(".")
            assert found.scope in ALL_SCOPES
            assert set(found.positional) <= {param.name for param in found.params}
            assert all(param.doc for param in found.params), found.name
            assert found.input_schema()["type"] == found.output_schema()["type"] == "object"
            assert set(found.annotations()) == {
                "title",
                "readOnlyHint",
                "destructiveHint",
                "idempotentHint",
                "openWorldHint",
            }
            assert not (found.scope == "read" and found.destructive)
