"""From the header of a request to a caller: what holds, and that everything else is refused alike."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from clocks import START, Clock
from gbrain import Brain, open_brain
from gbrain.entry.identity import Unauthorized, authenticate, required
from gbrain.errors import Unavailable
from gbrain.registry import call
from gbrain.types import Caller


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def brain(tmp_path: Path, clock: Clock) -> Iterator[Brain]:
    with open_brain(str(tmp_path / "home"), create=True, clock=clock) as made:
        made.store.sources.ensure("harbour", made.store.config.now())
        yield made


@pytest.fixture
def created(brain: Brain) -> Callable[..., dict[str, Any]]:
    """Make a client as the owner does."""

    def made(name: str = "laptop", **grants: Any) -> dict[str, Any]:
        value = call(brain, Caller.local(), "auth_create", {"name": name, **grants}).value
        assert isinstance(value, dict)
        return value

    return made


def owner(brain: Brain, operation: str, **arguments: Any) -> Any:
    return call(brain, Caller.local(), operation, arguments).value


def last_use(brain: Brain) -> str | None:
    used = owner(brain, "auth_list")["clients"][0]["last_used_at"]
    assert used is None or isinstance(used, str)
    return used


class TestWhatHolds:
    def test_the_caller_is_what_was_granted(self, brain: Brain, created: Callable[..., dict[str, Any]]) -> None:
        made = created(scopes=["read"], sources=["harbour"], surface="starter", slugs=["people/dana-oakes"])
        caller = authenticate(brain, f"Bearer {made['token']}")
        assert caller == Caller(
            True, "http", made["id"], frozenset({"read"}), ("harbour",), "starter", ("people/dana-oakes",)
        )

    def test_without_options_it_is_little(self, brain: Brain, created: Callable[..., dict[str, Any]]) -> None:
        caller = authenticate(brain, f"Bearer {created()['token']}")
        assert caller.scopes == {"read", "write"}
        assert caller.sources == ("default",)
        assert caller.remote

    @pytest.mark.parametrize("header", ["Bearer {}", "bearer {}", "BEARER {}", "Bearer  {}", " Bearer {} "])
    def test_how_the_header_may_be_written(
        self, brain: Brain, created: Callable[..., dict[str, Any]], header: str
    ) -> None:
        assert authenticate(brain, header.format(created()["token"])).client

    def test_a_change_holds_from_the_next_call_on(self, brain: Brain, created: Callable[..., dict[str, Any]]) -> None:
        token = created()["token"]
        owner(brain, "auth_rescope", name="laptop", scopes=["read"], all_sources=True, surface="verbs")
        caller = authenticate(brain, f"Bearer {token}")
        assert (caller.scopes, caller.sources, caller.surface) == ({"read"}, None, "verbs")


class TestWhatDoesNot:
    def refusals(self, brain: Brain, *headers: str | None) -> set[tuple[Any, ...]]:
        told = set()
        for header in headers:
            with pytest.raises(Unauthorized) as refused:
                authenticate(brain, header)
            error = refused.value
            told.add((error.http_status, tuple(error.body().items()), error.challenge("https://x/m"), str(error)))
        return told

    def test_whatever_is_wrong_the_refusal_is_the_same(
        self, brain: Brain, clock: Clock, created: Callable[..., dict[str, Any]], tmp_path: Path
    ) -> None:
        good, revoked, expired = (
            created("good")["token"],
            created("gone")["token"],
            created("old", expires="1d")["token"],
        )
        owner(brain, "auth_revoke", name="gone")
        with open_brain(str(tmp_path / "another"), create=True) as other:
            foreign = call(other, Caller.local(), "auth_create", {"name": "good"}).value["token"]
        clock.now += timedelta(days=2)
        wrong = (good[:-1], good + "0", good.upper(), good[:20], "gbrain_" + "0" * 64, "gbrain_", "x", "x" * 100_000)
        tokens = (*wrong, revoked, expired, foreign, "ü", f"{good}\x00", "gbrain_at_" + "0" * 64, "gbrain_rt_x")
        bare = (None, "", "Bearer", "Bearer ", f"Basic {good}", good, f"Bearer{good}", f"Token {good}", "Bearer a b")
        told = self.refusals(brain, *bare, *(f"Bearer {token}" for token in tokens))
        assert len(told) == 1
        status, body, challenge, text = told.pop()
        assert status == 401
        assert dict(body)["error"] == "invalid_token"
        assert challenge.startswith('Bearer error="invalid_token", error_description="')
        assert challenge.endswith('resource_metadata="https://x/m"')
        for said in (str(body), challenge, text):
            assert "good" not in said
            assert good[7:20] not in said
        assert authenticate(brain, f"Bearer {good}")

    def test_the_refusal_says_what_the_owner_can_do(self, brain: Brain) -> None:
        with pytest.raises(Unauthorized) as refused:
            authenticate(brain, None)
        assert "gbrain auth create" in refused.value.suggestion

    def test_a_token_ends_with_its_last_moment(
        self, brain: Brain, clock: Clock, created: Callable[..., dict[str, Any]]
    ) -> None:
        token = created(expires="90d")["token"]
        clock.now = START + timedelta(days=90) - timedelta(microseconds=1)
        assert authenticate(brain, f"Bearer {token}")
        clock.now += timedelta(microseconds=1)
        assert self.refusals(brain, f"Bearer {token}")


class TestLastUse:
    def test_it_is_noted_once_a_minute(
        self, brain: Brain, clock: Clock, created: Callable[..., dict[str, Any]]
    ) -> None:
        header = f"Bearer {created()['token']}"
        assert last_use(brain) is None
        authenticate(brain, header)
        first = last_use(brain)
        assert first == "2031-05-04T22:10:00.000Z"
        clock.now += timedelta(seconds=59)
        authenticate(brain, header)
        assert last_use(brain) == first
        clock.now += timedelta(seconds=2)
        authenticate(brain, header)
        assert last_use(brain) == "2031-05-04T22:11:01.000Z"

    def test_a_refused_token_leaves_no_trace(self, brain: Brain, created: Callable[..., dict[str, Any]]) -> None:
        token = created()["token"]
        owner(brain, "auth_revoke", name="laptop")
        with pytest.raises(Unauthorized):
            authenticate(brain, f"Bearer {token}")
        assert last_use(brain) is None

    def test_a_store_that_takes_no_writes_still_lets_in(
        self, brain: Brain, created: Callable[..., dict[str, Any]]
    ) -> None:
        header = f"Bearer {created()['token']}"
        brain.store.engine.rows("pragma query_only = on")
        with pytest.raises(Unavailable):
            brain.store.clients.touch("anybody", "9", "8")
        assert authenticate(brain, header)


class TestRequired:
    def test_a_token_is_needed_unless_the_owner_says_otherwise(self, brain: Brain) -> None:
        assert required(brain)
        owner(brain, "config_set", key="auth.required", value="off")
        assert not required(brain)
