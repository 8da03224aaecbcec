"""The one way to a model: nothing before one is set, tries and pauses, chains, the meter, limits and the breaker."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from clocks import Clock
from gbrain import Brain, open_brain
from gbrain.brain import open_home
from gbrain.errors import BrainError, Internal, InvalidParams
from gbrain.models import calls
from gbrain.models.chat import Ask, ChatFailed
from gbrain.store.calls import FAILURES
from model_server import ModelServer, Told, completion, model_server, status

ASK = Ask("compose", "You answer.", "How deep is the harbour?", 100, seconds=5.0)
START = datetime(2031, 5, 4, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "PAUSE", 0.01)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


@pytest.fixture
def clock() -> Clock:
    return Clock(START)


@pytest.fixture
def home(tmp_path: Path) -> str:
    return str(tmp_path / "home")


@pytest.fixture
def brain(home: str, clock: Clock) -> Iterator[Brain]:
    with open_home(home, create=True, clock=clock) as made:
        yield made


@pytest.fixture
def ready(brain: Brain, server: ModelServer) -> Brain:
    """A brain with the server as its model."""
    brain.config_set(key="models.default", value=f"endpoint:m url={server.url}")
    return brain


def failure(brain: Brain, ask: Ask = ASK) -> ChatFailed:
    with pytest.raises(ChatFailed) as failed:
        brain.models.ask(ask)
    assert "gbrain " in failed.value.suggestion
    return failed.value


def outcomes(brain: Brain) -> list[tuple[str, int]]:
    return [(row.outcome, row.calls) for row in brain.store.calls.by_day("2000-01-01")]


class TestNothingIsSet:
    def test_a_key_that_happens_to_be_there_is_no_configuration(
        self, brain: Brain, server: ModelServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GBRAIN_MODEL_KEY"):
            monkeypatch.setenv(name, "sk-here")
        for name in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "OPENAI_API_BASE"):
            monkeypatch.setenv(name, server.url)
        lacking = brain.models.lacking("extract")
        assert lacking is not None
        assert lacking.reason == failure(brain).reason == "no_model"
        brain.models_list()
        assert brain.models_test() == {"probes": []}
        with pytest.raises(BrainError):
            brain.synthesize(question="How deep is the harbour?")
        assert server.asked == []
        assert outcomes(brain) == []

    def test_serving_verbs_loads_nothing_of_it(self, home: str) -> None:
        script = (
            "import sys; from gbrain import open_brain\n"
            f"with open_brain({home!r}, create=True) as brain:\n"
            "    brain.remember(fact='likes tea', provenance='a test', entity='Dana Oakes')\n"
            "    brain.recall(entity='Dana Oakes'); brain.entity(name='Dana Oakes'); brain.search(query='tea')\n"
            "loaded = [name for name in sys.modules if name.startswith('gbrain.models')]\n"
            "print(*sorted(loaded), 'http.client' in sys.modules)"
        )
        ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        assert not {"chat", "calls", "completions", "named", "wire", "llm", "command", "prices"} & {
            name.rpartition(".")[2] for name in ran.stdout.split()
        }
        assert ran.stdout.split()[-1] == "False"


class TestAsking:
    def test_an_answer_and_its_row(self, ready: Brain, server: ModelServer) -> None:
        server.script = lambda body: completion("Nine metres.")
        assert ready.models.lacking("compose") is None
        assert ready.models.name("compose") == "endpoint:m"
        assert ready.models.ask(ASK).text == "Nine metres."
        [row] = ready.store.calls.by_day("2031-05-04")
        assert row[:8] == ("2031-05-04", "compose", "endpoint:m", "stop", 1, 100, 20, 120)
        assert row.unpriced == 1

    def test_a_known_price_makes_money_of_tokens(self, ready: Brain) -> None:
        ready.models_price(model="endpoint:m", input="0.25", output="2")
        assert ready.models.ask(ASK).usd == 0.000065
        assert ready.store.calls.held("day", START) == (120, 65)

    def test_tokens_that_nobody_counts_count_as_reserved(self, ready: Brain, server: ModelServer) -> None:
        server.script = lambda body: completion("yes", tokens=None)
        assert ready.models.ask(ASK).input_tokens is None
        assert ready.store.calls.held("day", START).tokens > ASK.max_output_tokens

    def test_each_purpose_may_have_its_own(self, ready: Brain, server: ModelServer) -> None:
        for key, model in (("facts.extraction_model", "small"), ("models.judge", "large")):
            ready.config_set(key=key, value=f"endpoint:{model} url={server.url}")
        for purpose in ("extract", "judge", "compose", "expand"):
            ready.models.ask(ASK._replace(purpose=purpose))  # type: ignore[arg-type]
        assert [asked.body["model"] for asked in server.asked] == ["small", "large", "m", "m"]
        ready.config_set(key="facts.extraction_enabled", value="off")
        assert failure(ready, ASK._replace(purpose="extract")).reason == "disabled"
        assert len(server.asked) == 4

    def test_the_store_is_free_while_a_model_thinks(self, ready: Brain, server: ModelServer, home: str) -> None:
        def script(body: dict[str, Any]) -> Told:
            with open_brain(home) as another:
                another.remember(fact="written meanwhile", provenance="a test")
            return completion("yes")

        server.script = script
        assert ready.models.ask(ASK._replace(seconds=30)).text == "yes"
        assert ready.recall(grep="meanwhile")["total"] == 1

    def test_inside_a_transaction_no_model_is_called(self, ready: Brain, server: ModelServer) -> None:
        with pytest.raises(Internal), ready.store.transaction():
            ready.models.ask(ASK)
        assert server.asked == []

    def test_it_runs_on_a_thread_of_its_own(self, ready: Brain, server: ModelServer) -> None:
        server.go.clear()
        found: list[ChatFailed] = []
        asking = threading.Thread(target=lambda: found.append(failure(ready, ASK._replace(seconds=0.3))))
        asking.start()
        asking.join(10)
        assert [failed.reason for failed in found] == ["timeout"]


class TestAgain:
    def failing(self, server: ModelServer, times: int, told: Told) -> None:
        server.script = lambda body: told if len(server.asked) <= times else completion("at last")

    @pytest.mark.parametrize("told", [status(500), status(503), status(429), status(429, Retry_After="0")])
    def test_a_moment_later_it_may_answer(self, ready: Brain, server: ModelServer, told: Told) -> None:
        self.failing(server, calls.TRIES - 1, told)
        assert ready.models.ask(ASK).text == "at last"
        assert len(server.asked) == calls.TRIES
        assert outcomes(ready) == [("stop", 1)]

    def test_tries_end(self, ready: Brain, server: ModelServer) -> None:
        server.script = lambda body: status(500)
        assert failure(ready).reason == "server_error"
        assert len(server.asked) == calls.TRIES
        assert ready.store.calls.held("day", START) == (0, 0)

    def test_a_pause_longer_than_the_deadline_is_not_begun(self, ready: Brain, server: ModelServer) -> None:
        server.script = lambda body: status(429, Retry_After="3600")
        failed = failure(ready)
        assert (failed.reason, failed.retry_after, len(server.asked)) == ("rate_limited", 3600.0, 1)
        assert failure(ready).reason == "circuit_open"
        assert len(server.asked) == 1

    @pytest.mark.parametrize(
        ("told", "reason"), [(status(401), "auth"), (status(400), "rejected"), (Told(200, [b"{}"]), "malformed")]
    )
    def test_what_cannot_get_better_is_asked_once(
        self, ready: Brain, server: ModelServer, told: Told, reason: str
    ) -> None:
        server.script = lambda body: told
        assert failure(ready).reason == reason
        assert len(server.asked) == 1

    def test_what_may_have_been_charged_counts(self, ready: Brain, server: ModelServer) -> None:
        server.script = lambda body: Told(200, [b"{}"])
        failure(ready)
        assert ready.store.calls.held("day", START).tokens > ASK.max_output_tokens


class TestChains:
    def test_another_stands_in(self, brain: Brain, server: ModelServer) -> None:
        with model_server() as busy:
            busy.script = lambda body: status(503)
            value = f"openai:gpt-5 then endpoint:a url={busy.url} then endpoint:b url={server.url}"
            brain.config_set(key="models.default", value=value)
            assert brain.models.ask(ASK).model == "endpoint:scripted-1"
            assert len(busy.asked) == calls.TRIES
        assert [asked.body["model"] for asked in server.asked] == ["b"]
        assert outcomes(brain) == [("server_error", 1), ("stop", 1)]

    def test_not_for_what_it_could_not_do_better(self, brain: Brain, server: ModelServer) -> None:
        server.script = lambda body: status(400)
        value = f"endpoint:a url={server.url} then endpoint:b url={server.url}"
        brain.config_set(key="models.default", value=value)
        assert failure(brain).reason == "rejected"
        assert len(server.asked) == 1


class TestLimits:
    @pytest.mark.parametrize("span", ["turn", "session", "day", "month"])
    @pytest.mark.parametrize("unit", ["tokens", "usd"])
    def test_nothing_is_allowed(self, ready: Brain, server: ModelServer, span: str, unit: str) -> None:
        ready.config_set(key=f"spend.{span}_{unit}", value="0")
        failed = failure(ready)
        assert failed.reason == f"cap_{span}"
        assert failed.detail == {"reason": f"cap_{span}"}
        assert f"gbrain config set spend.{span}_{unit} " in failed.suggestion
        assert server.asked == []

    def test_a_turn_and_a_session_have_their_share(self, ready: Brain, server: ModelServer) -> None:
        ready.config_set(key="spend.turn_tokens", value="330")
        ready.config_set(key="spend.session_tokens", value="450")
        for turn, reason in (("t-1", None), ("t-1", None), ("t-1", "cap_turn"), ("t-2", None), ("t-3", "cap_session")):
            ask = ASK._replace(session="s", turn=turn)
            if reason is None:
                ready.models.ask(ask)
            else:
                assert failure(ready, ask).reason == reason
        assert len(server.asked) == 3

    def test_they_hold_after_a_restart_and_for_a_clock_that_goes_back(
        self, ready: Brain, server: ModelServer, home: str, clock: Clock
    ) -> None:
        ready.config_set(key="spend.day_tokens", value="300")
        ready.models.ask(ASK)
        for hours in (0, -30):
            with open_home(home, clock=lambda hours=hours: START + timedelta(hours=hours)) as again:  # type: ignore[misc]
                assert failure(again, ASK._replace(max_output_tokens=200)).reason == "cap_day"
        clock.now += timedelta(days=1)
        ready.models.ask(ASK)
        assert len(server.asked) == 2

    def test_two_processes_at_the_limit_at_once(self, ready: Brain, server: ModelServer, home: str) -> None:
        ready.config_set(key="spend.day_tokens", value="1000")
        server.script = lambda body: completion("yes", tokens=(100, 100))
        script = (
            "import sys; from gbrain import open_brain; from gbrain.models.chat import Ask, ChatFailed\n"
            f"with open_brain({home!r}) as brain:\n"
            "    print('ready', flush=True); sys.stdin.readline()\n"
            "    for _ in range(8):\n"
            "        try: brain.models.ask(Ask('compose', '', '', 168))\n"
            "        except ChatFailed as failed: print(failed.reason)\n"
            "        else: print('answered')\n"
        )
        environment = {**os.environ, "GBRAIN_CLOCK": "2031-05-04T12:00:00Z"}
        runs = [
            subprocess.Popen(
                [sys.executable, "-c", script], env=environment, text=True,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            )
            for _ in range(2)
        ]  # fmt: skip
        for run in runs:
            assert run.stdout is not None
            assert run.stdout.readline() == "ready\n"
        said = [run.communicate("go\n", timeout=60)[0].split() for run in runs]
        assert sorted([*said[0], *said[1]]) == ["answered"] * 5 + ["cap_day"] * 11
        assert len(server.asked) == 5


class TestBreaker:
    def test_a_dead_provider_is_not_asked_for_each_turn(self, ready: Brain, server: ModelServer, clock: Clock) -> None:
        server.script = lambda body: status(500)
        for _ in range(FAILURES):
            failure(ready)
        asked = len(server.asked)
        assert failure(ready).reason == "circuit_open"
        assert len(server.asked) == asked
        clock.now += timedelta(minutes=2)
        server.script = lambda body: completion("back")
        assert ready.models.ask(ASK).text == "back"
        assert ready.models.ask(ASK).text == "back"

    def test_a_person_may_try_it_any_time(self, ready: Brain, server: ModelServer) -> None:
        server.script = lambda body: status(500)
        for _ in range(FAILURES):
            failure(ready)
        server.script = lambda body: completion('{"ok": true}')
        [probe] = ready.models_test()["probes"]
        assert probe["works"]
        assert ready.models.ask(ASK).finish == "stop"


class TestSetting:
    def test_it_is_tried_once_and_kept(self, brain: Brain, server: ModelServer) -> None:
        said = brain.models_set(model="endpoint:m", url=server.url)
        [probe] = said["probes"]
        assert (probe["works"], probe["json"], probe["counts"]) == (True, True, True)
        assert len(server.asked) == 1
        assert brain.config_get(key="models.default")["value"] == said["value"] == f"endpoint:m url={server.url}"
        assert brain.models_unset()["removed"]
        assert failure(brain).reason == "no_model"

    @pytest.mark.parametrize(
        ("told", "json", "counts"),
        [(completion("Certainly! Here you are."), False, True), (completion("{}", tokens=None), True, False)],
    )
    def test_what_it_cannot_do_is_said(
        self, brain: Brain, server: ModelServer, told: Told, json: bool, counts: bool
    ) -> None:
        server.script = lambda body: told
        [probe] = brain.models_set(model="endpoint:m", url=server.url)["probes"]
        assert (probe["works"], probe["json"], probe["counts"]) == (True, json, counts)

    def test_one_that_does_not_answer_is_not_kept(self, brain: Brain, server: ModelServer) -> None:
        server.script = lambda body: status(404)
        with pytest.raises(InvalidParams, match="nothing was set") as refused:
            brain.models_set(model="endpoint:m", url=server.url)
        assert refused.value.detail["reason"] == "rejected"
        assert failure(brain).reason == "no_model"

    @pytest.mark.parametrize(
        "given",
        [
            {"model": "sk-this-is-a-key"},
            {"model": "openai:gpt-5", "key": "sk-this-is-a-key"},
            {"model": "openai:"},
            {"model": "nobody:m"},
            {"model": "endpoint:m"},
            {"model": "endpoint:m", "url": "http://user:sk-this-is-a-key@127.0.0.1/v1"},
            {"model": "endpoint:m", "url": "http://127.0.0.1/v1?key=sk-this-is-a-key"},
            {"model": "endpoint:m", "url": "file:///etc/passwd"},
            {"model": "openai:m password=sk-this-is-a-key"},
            {"model": "openai:a then "},
        ],
    )
    def test_what_names_no_model_is_refused_and_not_echoed(self, brain: Brain, given: dict[str, str]) -> None:
        with pytest.raises(InvalidParams) as refused:
            brain.models_set(**given)
        assert "sk-this-is-a-key" not in repr(refused.value.envelope())
        assert brain.config_get(key="models.default")["value"] == ""

    def test_a_key_goes_to_its_own_provider_alone(
        self, brain: Brain, server: ModelServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-for-openai")
        monkeypatch.setenv("WORK_KEY", "sk-for-work")
        brain.models_set(model="openai:m", url=server.url)
        brain.models_set(model="openai:m", url=server.url, key="WORK_KEY")
        assert [asked.headers.get("Authorization") for asked in server.asked] == [None, "Bearer sk-for-work"]
        stored = "".join(str(row) for row in brain.store.engine.rows("select * from config"))
        assert "sk-for" not in stored

    def test_a_key_may_lie_in_a_file_of_its_owner(self, brain: Brain, server: ModelServer, home: str) -> None:
        os.mkdir(os.path.join(home, "keys"))
        path = os.path.join(home, "keys", "GBRAIN_MODEL_KEY")
        Path(path).write_text("sk-in-a-file\n")
        os.chmod(path, 0o644)
        with pytest.raises(InvalidParams, match="may be read by others"):
            brain.models_set(model="endpoint:m", url=server.url)
        os.chmod(path, 0o600)
        brain.models_set(model="endpoint:m", url=server.url)
        assert [asked.headers.get("Authorization") for asked in server.asked] == ["Bearer sk-in-a-file"]


class TestSpend:
    def test_days_models_and_limits(self, ready: Brain, server: ModelServer, clock: Clock) -> None:
        ready.models_price(model="endpoint:m", input="100", output="1000")
        ready.models.ask(ASK)
        clock.now += timedelta(days=1)
        server.script = lambda body: status(400)
        failure(ready)
        said = ready.spend(days=3)
        assert [(day["day"], day["calls"], day["failed"], day["tokens"], day["usd"]) for day in said["days"]] == [
            ("2031-05-03", 0, 0, 0, 0.0),
            ("2031-05-04", 1, 0, 120, 0.03),
            ("2031-05-05", 1, 1, 0, 0.0),
        ]
        [row] = said["models"]
        assert (row["model"], row["calls"], row["failed"], row["usd"]) == ("endpoint:m", 2, 1, 0.03)
        limits = {row["setting"]: (row["taken"], row["near"]) for row in said["limits"]}
        assert limits["spend.month_tokens"] == (120, False)
        ready.config_set(key="spend.month_usd", value="0.035")
        assert [row["setting"] for row in ready.spend()["limits"] if row["near"]] == ["spend.month_usd"]

    @pytest.mark.parametrize("days", [0, -1, 401])
    def test_no_such_window(self, brain: Brain, days: int) -> None:
        with pytest.raises(InvalidParams):
            brain.spend(days=days)

    def test_prices_that_are_none_are_refused(self, brain: Brain) -> None:
        for given in ({"input": "1"}, {"input": "1", "output": "two"}, {"input": "none", "output": "0"}):
            with pytest.raises(InvalidParams):
                brain.models_price(model="endpoint:m", **given)
        with pytest.raises(InvalidParams):
            brain.models_price(model="no colon", input="1", output="2")
        brain.models_price(model="endpoint:m", input="1", output="2")
        assert brain.models_price(model="endpoint:m") == {"model": "endpoint:m", "input": None, "output": None}
        assert brain.config_get(key="models.prices")["value"] == ""
