"""Opening a brain, calling it, and the time it goes by: ends of facts, the past, and names that are unclear."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any, ClassVar

import pytest

import gbrain
from clocks import START, Clock
from gbrain import Brain, BrainError, Caller, open_brain
from gbrain.brain import environment_clock
from gbrain.domain.times import store_time
from gbrain.errors import Internal, InvalidParams, NotFound, ScopeDenied, Unavailable, VersionConflict
from gbrain.registry import call, visible

REMOTE = Caller.stdio()


@pytest.fixture
def home(tmp_path: Path) -> str:
    return str(tmp_path / "home")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def brain(home: str, clock: Clock) -> Iterator[Brain]:
    with open_brain(home, create=True, clock=clock) as made:
        yield made


def claims(brain: Brain, caller: Caller | None = None, **arguments: Any) -> list[str]:
    return [fact["fact"] for fact in brain.call("recall", arguments, caller=caller)["facts"]]


class TestOpening:
    def test_a_missing_brain_names_init_and_nothing_is_made(self, home: str) -> None:
        with pytest.raises(NotFound) as refused:
            open_brain(home)
        assert refused.value.suggestion == "run: gbrain init"
        assert not os.path.exists(home)

    def test_what_was_acknowledged_is_there_without_a_close(self, home: str) -> None:
        brain = open_brain(home, create=True)
        brain.remember(fact="rows at dawn", provenance="test")
        assert claims(open_brain(home)) == ["rows at dawn"]

    def test_the_home_of_the_environment(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("GBRAIN_HOME", str(tmp_path))
        with open_brain(create=True) as brain:
            assert brain.home == str(tmp_path / ".gbrain")
        assert (tmp_path / ".gbrain" / "brain.db").exists()

    def test_it_keeps_its_id(self, home: str) -> None:
        with open_brain(home, create=True) as brain:
            id = brain.id
        with open_brain(home, create=True) as brain:
            assert brain.id == id
            assert len(id) == 32

    @pytest.mark.parametrize("how", ["argument", "environment"])
    def test_a_source_must_be_there(self, home: str, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
        with open_brain(home, create=True) as brain:
            brain.store.sources.ensure("payroll", brain.store.config.now())
        if how == "environment":
            monkeypatch.setenv("GBRAIN_SOURCE", "nowhere")
        with pytest.raises(InvalidParams) as refused:
            open_brain(home, source="nowhere" if how == "argument" else None)
        assert "default" in refused.value.suggestion
        if how == "environment":
            monkeypatch.setenv("GBRAIN_SOURCE", "payroll")
        with open_brain(home, source="payroll" if how == "argument" else None) as brain:
            assert brain.source == "payroll"

    def test_an_argument_goes_before_the_environment(self, home: str, monkeypatch: pytest.MonkeyPatch) -> None:
        open_brain(home, create=True).close()
        monkeypatch.setenv("GBRAIN_SOURCE", "nowhere")
        assert open_brain(home, source="default").source == "default"

    def test_a_refused_opening_leaves_nothing_open(self, home: str) -> None:
        open_brain(home, create=True).close()
        with pytest.raises(InvalidParams):
            open_brain(home, source="nowhere")
        assert os.listdir(home) == ["brain.db"]


class TestCalling:
    def test_every_operation_is_a_method(self, brain: Brain) -> None:
        saved = brain.remember(fact="rows at dawn", provenance="test", entity="Dana Oakes")
        assert saved["status"] == "inserted"
        assert brain.remember.__name__ == "remember"
        assert brain.entity(name="Dana Oakes")["found"] is True
        assert brain.list_pages() is not None

    @pytest.mark.parametrize("name", ["no_such_operation", "recal", "__wrapped__", "_private"])
    def test_nothing_else_is(self, brain: Brain, name: str) -> None:
        with pytest.raises(AttributeError):
            getattr(brain, name)
        assert not hasattr(brain, name)

    def test_a_caller_may_be_named(self, brain: Brain) -> None:
        brain.remember(fact="sleeps badly", provenance="test", visibility="private")
        assert claims(brain) == ["sleeps badly"]
        assert claims(brain, REMOTE) == []
        with pytest.raises(ScopeDenied):
            brain.call("remember", {"fact": "x", "provenance": "y"}, caller=Caller())

    def test_an_unknown_argument_is_refused(self, brain: Brain) -> None:
        with pytest.raises(InvalidParams):
            brain.remember(fact="x", provenance="y", entitty="z")

    def test_importing_gbrain_alone_loads_nothing(self) -> None:
        script = "import sys, gbrain; print([m for m in sys.modules if m.startswith('gbrain.')], 'apsw' in sys.modules)"
        ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        assert ran.stdout.strip() == "[] False"

    def test_public_names_are_all_there(self) -> None:
        for name in gbrain.__all__:
            assert getattr(gbrain, name) is not None
        with pytest.raises(AttributeError):
            gbrain.nothing  # noqa: B018 - the look-up is what is tested


class TestClock:
    @pytest.mark.parametrize("text", ["2031-05-04T22:10:00Z", "2031-05-04 22:10", "2031-05-05T00:10:00+02:00"])
    def test_it_may_stand_still(self, monkeypatch: pytest.MonkeyPatch, home: str, text: str) -> None:
        monkeypatch.setenv("GBRAIN_CLOCK", text)
        with open_brain(home, create=True) as brain:
            assert brain.clock() == brain.clock() == START
            saved = brain.remember(fact="rows at dawn", provenance="test", ttl="1d")
        assert saved["valid_until"] == "2031-05-05T22:10:00.000Z"

    @pytest.mark.parametrize(("text", "days"), [("+3d", 3), ("-36h", -1.5)])
    def test_or_be_moved(self, monkeypatch: pytest.MonkeyPatch, text: str, days: float) -> None:
        monkeypatch.setenv("GBRAIN_CLOCK", text)
        away = environment_clock()() - datetime.now(UTC) - timedelta(days=days)
        assert abs(away) < timedelta(minutes=1)

    @pytest.mark.parametrize("text", ["tomorrow", "3d", "+3 fortnights", "2031-13-45", " "])
    def test_another_text_is_refused(self, monkeypatch: pytest.MonkeyPatch, home: str, text: str) -> None:
        monkeypatch.setenv("GBRAIN_CLOCK", text)
        with pytest.raises(InvalidParams) as refused:
            open_brain(home, create=True)
        assert "GBRAIN_CLOCK" in refused.value.suggestion

    def test_without_it_the_clock_is_the_wall(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("GBRAIN_CLOCK", raising=False)
        now = environment_clock()()
        assert now.tzinfo is UTC
        assert abs(now - datetime.now(UTC)) < timedelta(minutes=1)

    def test_a_clock_of_another_zone_says_the_same_moment(self, home: str) -> None:
        there = timezone(timedelta(hours=9))
        with open_brain(home, create=True, clock=lambda: START.astimezone(there)) as brain:
            saved = brain.remember(fact="rows at dawn", provenance="test", ttl="2h")
            assert saved["valid_until"] == "2031-05-05T00:10:00.000Z"
            assert brain.recall()["facts"][0]["created_at"] == "2031-05-04T22:10:00.000Z"


class TestTimeToLive:
    TRAIN = "bob-sample is on the night train"

    @pytest.fixture
    def on_the_train(self, brain: Brain) -> dict[str, Any]:
        return dict(brain.remember(fact=self.TRAIN, provenance="test", entity="people/bob-sample", ttl="2h"))

    def stored(self, brain: Brain) -> list[str | None]:
        rows = brain.store.engine.rows("select valid_until from facts order by id")
        return [row["valid_until"] for row in rows]

    def test_hours_are_hours(self, brain: Brain, clock: Clock, on_the_train: dict[str, Any]) -> None:
        assert on_the_train["valid_until"] == "2031-05-05T00:10:00.000Z"
        assert self.stored(brain) == ["2031-05-05T00:10:00.000000Z"]
        clock.set("2031-05-05T00:09:59Z")
        assert (
            claims(brain)
            == claims(brain, entity="people/bob-sample")
            == claims(brain, query="night train")
            == [self.TRAIN]
        )
        assert brain.entity(name="people/bob-sample")["card"]["active_fact_count"] == 1
        clock.set("2031-05-05T00:10:01Z")
        assert claims(brain) == claims(brain, entity="people/bob-sample") == claims(brain, query="night train") == []
        assert brain.entity(name="people/bob-sample")["found"] is False
        assert brain.context_pack(entities="people/bob-sample")["facts"] == []
        assert brain.delta(since="2031-05-04")["facts"] == []
        for wanted in ({}, {"entity": "people/bob-sample"}, {"query": "night train"}):
            assert claims(brain, include_expired=True, **wanted) == [self.TRAIN]
        assert self.stored(brain) == ["2031-05-05T00:10:00.000000Z"]

    def test_the_very_instant_is_past(self, brain: Brain, clock: Clock, on_the_train: dict[str, Any]) -> None:
        clock.set("2031-05-05T00:09:59.999999Z")
        assert claims(brain) == [self.TRAIN]
        clock.set("2031-05-05T00:10:00Z")
        assert claims(brain) == []

    def test_an_iso_duration_is_refused_with_the_shorthand(self, brain: Brain) -> None:
        with pytest.raises(InvalidParams) as refused:
            brain.remember(fact=self.TRAIN, provenance="test", ttl="P1D")
        assert refused.value.detail == "iso_duration"
        assert '"1d"' in refused.value.suggestion
        assert claims(brain) == []

    def test_said_again_after_its_end_it_is_a_new_fact(
        self, brain: Brain, clock: Clock, on_the_train: dict[str, Any]
    ) -> None:
        clock.set("2031-05-05T00:10:01Z")
        again = brain.remember(fact=self.TRAIN, provenance="test", entity="people/bob-sample", ttl="2h")
        assert again["status"] == "inserted"
        assert again["id"] != on_the_train["id"]
        assert again["valid_until"] == "2031-05-05T02:10:01.000Z"
        assert claims(brain) == [self.TRAIN]
        assert len(claims(brain, include_expired=True)) == 2

    @pytest.mark.parametrize(
        ("ttl", "until"),
        [
            ("2h", "2031-05-05T01:10:00.000Z"),
            ("10m", "2031-05-05T00:10:00.000Z"),
            ("2031-06-01", "2031-06-01T00:00:00.000Z"),
            (None, "2031-05-05T00:10:00.000Z"),
        ],
    )
    def test_said_again_before_its_end_it_runs_on(
        self, brain: Brain, clock: Clock, on_the_train: dict[str, Any], ttl: str | None, until: str | None
    ) -> None:
        """The later of the two ends holds; a repeat that names none leaves the end as it is."""
        clock.set("2031-05-04T23:10:00Z")
        again = brain.remember(fact=self.TRAIN + ".", provenance="test", entity="people/bob-sample", ttl=ttl)
        assert (again["id"], again["status"], again["valid_until"]) == (on_the_train["id"], "duplicate", until)
        assert brain.recall()["facts"][0]["valid_until"] == until

    def test_a_lasting_fact_is_never_shortened_by_saying_it_again(self, brain: Brain) -> None:
        first = brain.remember(fact="rows at dawn", provenance="test")
        again = brain.remember(fact="rows at dawn", provenance="test", ttl="1h")
        assert (again["id"], again["status"], again["valid_until"]) == (first["id"], "duplicate", None)
        assert self.stored(brain) == [None]

    def test_a_remote_claim_meets_no_private_one(self, brain: Brain) -> None:
        hidden = brain.remember(fact="rows at dawn", provenance="test", visibility="private", ttl="1h")
        said = call(brain, REMOTE, "remember", {"fact": "rows at dawn", "provenance": "agent"}).value
        assert (said["status"], said["valid_until"]) == ("inserted", None)
        assert said["id"] != hidden["id"]
        assert len(claims(brain)) == 2
        assert self.stored(brain)[0] is not None


class TestPast:
    @pytest.fixture
    def moved(self, brain: Brain, clock: Clock) -> Callable[[str], list[str]]:
        """Lisbon, then Porto, then forgotten; and a train that left. What was known at a moment."""
        brain.remember(fact="lives in Lisbon", provenance="test", entity="Dana")
        brain.remember(fact="is on the night train", provenance="test", entity="Dana", ttl="2h")
        clock.set("2031-06-01T00:00:00Z")
        brain.remember(fact="lives in Porto", provenance="test", entity="Dana")
        clock.set("2031-07-01T00:00:00Z")
        brain.forget(id="3", reason="moved on")
        clock.set("2031-08-01T00:00:00Z")
        return lambda moment: sorted(claims(brain, entity="Dana", as_of=moment))

    def test_it_is_shown_as_it_was(self, moved: Callable[[str], list[str]]) -> None:
        assert moved("2031-05-04T22:09:59Z") == []
        assert moved("2031-05-04T22:10:00Z") == ["is on the night train", "lives in Lisbon"]
        assert moved("2031-05-05T00:09:59Z") == ["is on the night train", "lives in Lisbon"]
        assert moved("2031-05-05T00:10:00Z") == ["lives in Lisbon"]
        assert moved("2031-05-31") == ["lives in Lisbon"]
        assert moved("2031-06-01") == ["lives in Porto"]
        assert moved("2031-06-30T23:59:59.999Z") == ["lives in Porto"]
        assert moved("2031-07-01") == moved("2031-08-01") == moved("now") == []

    @pytest.mark.usefixtures("moved")
    def test_so_it_is_for_an_agent_and_for_a_question(self, brain: Brain) -> None:
        for wanted in ({"entity": "Dana"}, {"query": "where Dana lives"}, {}):
            assert "lives in Lisbon" in claims(brain, REMOTE, as_of="2031-05-20", **wanted)
            assert "lives in Porto" not in claims(brain, REMOTE, as_of="2031-05-20", **wanted)

    @pytest.mark.usefixtures("moved")
    def test_history_up_to_then_can_be_asked_for(self, brain: Brain) -> None:
        then = claims(brain, entity="Dana", as_of="2031-05-20", include_expired=True)
        assert sorted(then) == ["is on the night train", "lives in Lisbon"]

    @pytest.mark.usefixtures("moved")
    def test_what_was_replaced_later_was_not_replaced_then(self, brain: Brain) -> None:
        assert claims(brain, supersessions=True) == ["lives in Lisbon"]
        assert claims(brain, supersessions=True, as_of="2031-06-15") == ["lives in Lisbon"]
        assert claims(brain, supersessions=True, as_of="2031-05-20") == []

    def test_a_private_past_stays_private(self, brain: Brain, clock: Clock) -> None:
        brain.remember(fact="sleeps badly", provenance="test", visibility="private")
        then = store_time(clock.now)
        clock.set("2031-06-01T00:00:00Z")
        brain.forget(id="1")
        assert claims(brain, as_of=then) == ["sleeps badly"]
        assert claims(brain, REMOTE, as_of=then) == []


class TestUnclearNames:
    """Two people share a first name and two companies a word: a write ties to neither and says who it could be."""

    @pytest.fixture
    def brain(self, brain: Brain) -> Brain:
        for slug, title in (
            ("people/dana-oakes-example", "Dana Oakes"),
            ("people/dana-reed-sample", "Dana Reed"),
            ("companies/harbor-capital-example", "Harbor Capital"),
            ("companies/delta-capital-example", "Delta Capital"),
        ):
            brain.put_page(slug=slug, content=f"# {title}\n\nSomebody.")
        return brain

    def say(self, brain: Brain, fact: str, entity: str) -> tuple[str | None, set[str]]:
        reply = call(brain, REMOTE, "remember", {"fact": fact, "provenance": "test", "entity": entity})
        return reply.value["entity_slug"], {slug for w in reply.warnings for slug in w.get("candidates", ())}

    def test_a_first_name(self, brain: Brain) -> None:
        slug, named = self.say(brain, "moved the review to Thursday", "Dana")
        assert slug is None
        assert named == {"people/dana-oakes-example", "people/dana-reed-sample"}
        for page in named:
            assert claims(brain, entity=page) == []
        found = brain.entity(name="Dana")
        assert found["found"] is False
        assert {suggestion["slug"] for suggestion in found["suggestions"]} == named

    def test_a_word_in_common(self, brain: Brain) -> None:
        slug, named = self.say(brain, "raised a seed round", "Quartz Capital")
        assert slug not in named
        assert named == {"companies/harbor-capital-example", "companies/delta-capital-example"}
        for page in named:
            assert claims(brain, entity=page) == []

    def test_an_alias_settles_it(self, brain: Brain) -> None:
        content = "---\ntitle: Dana Reed\naliases: [D. Reed]\n---\nSomebody."
        brain.put_page(slug="people/dana-reed-sample", content=content)
        assert self.say(brain, "prefers tea", "D. Reed") == ("people/dana-reed-sample", set())
        assert claims(brain, entity="people/dana-reed-sample") == ["prefers tea"]

    @pytest.mark.parametrize(
        "name", ["people/harbor-capital-example", "archive/dana-reed-sample", "x/dana-oakes-example"]
    )
    def test_a_whole_slug_is_tied_to_no_page_of_another_folder(self, brain: Brain, name: str) -> None:
        slug, _ = self.say(brain, "signed the lease", name)
        assert slug in (name, None)


class TestStaleWrites:
    def test_the_second_of_two_that_read_one_version_is_told(self, brain: Brain) -> None:
        slug = "projects/lantern-example"
        call(brain, REMOTE, "put_page", {"slug": slug, "content": "v1"})
        read = call(brain, REMOTE, "get_page", {"slug": slug}).value
        first = {"slug": slug, "content": "v1\n\nA: ship Friday", "expected_version": read["version"]}
        second = {"slug": slug, "content": "v1\n\nB: budget 40k", "expected_version": read["version"]}
        call(brain, REMOTE, "put_page", first)
        with pytest.raises(VersionConflict) as refused:
            call(brain, REMOTE, "put_page", second)
        assert refused.value.detail["current_version"] == 2
        assert "A: ship Friday" in call(brain, REMOTE, "get_page", {"slug": slug}).value["compiled_truth"]

    def test_a_damaged_brain_is_no_empty_one(self, home: str, brain: Brain) -> None:
        brain.close()
        with open(os.path.join(home, "brain.db"), "r+b") as file:
            file.write(b"\0" * 100)
        with pytest.raises(Unavailable):
            open_brain(home, create=True)


class TestAnyValue:
    """No value of any argument makes an operation fail inside: it is answered, or refused by name."""

    NUMBERS: ClassVar[list[float]] = [
        0,
        -1,
        0.5,
        -0.5,
        1e15,
        2**53 + 1,
        2**63 - 1,
        -(2**63),
        9.3e18,
        1e300,
        -1e300,
        5e-324,
    ]
    TEXTS: ClassVar[list[str]] = [
        "",
        " ",
        "'",
        '"',
        "%",
        "*",
        "NEAR(",
        "a:b",
        "../..",
        "a//b",
        "/",
        "-1",
        "1.5",
        "99999999999999999999",
        "١٢٣",
        "2031-13-45",
        "9999999999d",
        "\x01\x1f\x7f",
        "\u202eabc",
        "\ufeff",
        "灯塔",
        "🏮",
        "e\u0301" * 300,
        "a" * 10_000,
        "a b " * 3_000,
        "---\ntitle: [\n---\n",
        "__all__",
        "default",
        "people/dana-oakes",
    ]

    @pytest.fixture
    def brain(self, brain: Brain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Brain:
        # Any text is also the path of a folder, which some operations make.
        (tmp_path / "here").mkdir()
        monkeypatch.chdir(tmp_path / "here")
        brain.put_page(slug="people/dana-oakes", content="# Dana Oakes\n\nRows.")
        brain.remember(fact="rows at dawn", provenance="test", entity="people/dana-oakes")
        return brain

    @pytest.mark.parametrize("caller", [Caller.local(), REMOTE], ids=["local", "remote"])
    def test_each_parameter_of_each_operation(self, brain: Brain, caller: Caller) -> None:
        usual = {
            "string": "people/dana-oakes",
            "number": 1,
            "integer": 1,
            "boolean": True,
            "array": ["a"],
            "object": {},
        }
        for operation in visible(caller):
            if operation.name == "run_doctor":
                continue
            for param in operation.params:
                values: list[Any] = self.NUMBERS if param.kind in ("number", "integer") else self.TEXTS
                if param.kind == "array":
                    values = [[], *([text] for text in self.TEXTS), ["a"] * 5_000]
                required = {p.name: usual[p.kind] for p in operation.params if p.required and not p.choices}
                for value in values if not param.choices else [5, "", "no such choice"]:
                    failure = self.failure(brain, caller, operation.name, {**required, param.name: value})
                    assert failure is None, (operation.name, param.name, ascii(value)[:40], failure)

    def failure(self, brain: Brain, caller: Caller, name: str, arguments: dict[str, Any]) -> str | None:
        try:
            call(brain, caller, name, arguments)
        except Internal as error:
            return repr(error.__cause__)
        except BrainError as error:
            return None if error.suggestion else f"{error.message}: no suggestion"
        return None
