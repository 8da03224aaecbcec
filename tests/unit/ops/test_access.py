"""The owner's operations on access: what they grant, refuse and show; and that nobody else may call them."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from gbrain import Brain, catalogue, open_brain
from gbrain.errors import BrainError, InvalidParams, NotFound, UnknownTool
from gbrain.registry import call, visible
from gbrain.store.clients import BY_CONSENT, Grant
from gbrain.types import Caller

OWN = sorted(name for name, entry in catalogue.OPERATIONS.items() if entry.module == "gbrain.ops.access")


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    with open_brain(
        str(tmp_path / "home"), create=True, clock=lambda: datetime(2031, 5, 4, 22, 10, tzinfo=UTC)
    ) as made:
        for source in ("harbour", "lab"):
            made.store.sources.ensure(source, made.store.config.now())
        yield made


def ask(brain: Brain, operation: str, **arguments: Any) -> Any:
    return call(brain, Caller.local(), f"auth_{operation}", arguments).value


def refusal(brain: Brain, operation: str, **arguments: Any) -> BrainError:
    with pytest.raises(BrainError) as refused:
        ask(brain, operation, **arguments)
    assert refused.value.suggestion
    return refused.value


@pytest.mark.parametrize("caller", [Caller.stdio(), Caller.http("x", frozenset({"read", "write", "admin"}), None)])
def test_nobody_over_mcp_may_even_know_of_them(brain: Brain, caller: Caller) -> None:
    assert len(OWN) == 6
    assert not {operation.name for operation in visible(caller)} & set(OWN)
    for name in OWN:
        with pytest.raises(UnknownTool):
            call(brain, caller, name, {"name": "x"})


class TestCreate:
    def test_without_options(self, brain: Brain) -> None:
        made = ask(brain, "create", name="laptop")
        token = made.pop("token")
        assert token.startswith("gbrain_")
        assert len(token) == 71
        assert int(token[7:], 16) >= 0
        assert made == {
            "id": made["id"],
            "name": "laptop",
            "kind": "token",
            "state": "active",
            "scopes": ["read", "write"],
            "sources": ["default"],
            "surface": "full",
            "slugs": None,
            "created_at": "2031-05-04T22:10:00.000Z",
            "expires_at": None,
            "revoked_at": None,
            "last_used_at": None,
        }

    def test_with_all_of_them(self, brain: Brain) -> None:
        made = ask(
            brain, "create", name="  my\tlaptop ", scopes=["admin,read"], sources=["lab", "harbour", "lab"],
            surface="verbs", slugs=["People/Dana Oakes", "projects/harbour.md"], expires="90d",
        )  # fmt: skip
        assert made["name"] == "my laptop"
        assert made["scopes"] == ["read", "admin"]
        assert made["sources"] == ["lab", "harbour"]
        assert made["surface"] == "verbs"
        assert made["slugs"] == ["people/dana-oakes", "projects/harbour"]
        assert made["expires_at"] == "2031-08-02T22:10:00.000Z"

    def test_every_source_has_to_be_asked_for(self, brain: Brain) -> None:
        assert ask(brain, "create", name="wide", all_sources=True)["sources"] is None

    @pytest.mark.parametrize("never", ["never", " Never ", None])
    def test_it_need_not_end(self, brain: Brain, never: str | None) -> None:
        assert ask(brain, "create", name="x", expires=never)["expires_at"] is None

    @pytest.mark.parametrize(
        "wrong",
        [
            {"scopes": ["all"]},
            {"scopes": ["admin", "steer"]},
            {"scopes": ["steer"], "sources": ["lab"]},
            {"scopes": ["steer"], "all_sources": True, "slugs": ["people/dana-oakes"]},
            {"scopes": ["read", "READ ALL"]},
            {"sources": ["nowhere"]},
            {"sources": ["__all__"]},
            {"sources": ["*"]},
            {"sources": ["../x"]},
            {"sources": [""]},
            {"sources": ["lab"], "all_sources": True},
            {"surface": "everything"},
            {"slugs": ["../x"]},
            {"slugs": [f"p/{number}" for number in range(201)]},
            {"expires": "2w"},
            {"expires": "yesterday"},
            {"expires": "2031-05-04"},
            {"expires": "P1D"},
            {"name": " "},
            {"name": "x" * 101},
            {"name": "a\x07b"},
        ],
    )
    def test_what_cannot_be_granted(self, brain: Brain, wrong: dict[str, Any]) -> None:
        assert isinstance(refusal(brain, "create", **{"name": "laptop", **wrong}), InvalidParams)
        assert ask(brain, "list")["clients"] == []

    def test_an_error_about_the_end_speaks_of_expires(self, brain: Brain) -> None:
        error = refusal(brain, "create", name="x", expires="2w")
        assert "ttl" not in error.message + error.suggestion
        assert "expires" in error.message

    def test_a_name_is_given_once(self, brain: Brain) -> None:
        ask(brain, "create", name="laptop")
        assert "auth revoke" in refusal(brain, "create", name=" laptop ").suggestion


class TestList:
    def test_it_never_shows_a_secret(self, brain: Brain) -> None:
        token = ask(brain, "create", name="laptop")["token"]
        secret = ask(brain, "register", name="web", redirect_uris=["https://x.example/y"], confidential=True)
        shown = json.dumps(ask(brain, "list"))
        assert token[7:] not in shown
        assert secret["client_secret"][10:] not in shown
        assert "hash" not in shown

    def test_states(self, brain: Brain) -> None:
        for name, expires in (("a", None), ("b", "1d"), ("c", None)):
            ask(brain, "create", name=name, expires=expires)
        ask(brain, "revoke", name="c")
        brain.clock = lambda: datetime(2031, 5, 6, tzinfo=UTC)
        states = {row["name"]: row["state"] for row in ask(brain, "list")["clients"]}
        assert states == {"a": "active", "b": "expired", "c": "revoked"}


class TestRevoke:
    def test_by_name_or_id(self, brain: Brain) -> None:
        first, second = ask(brain, "create", name="first"), ask(brain, "create", name="second")
        assert ask(brain, "revoke", name="first") == {"id": first["id"], "name": "first", "revoked": True}
        assert ask(brain, "revoke", id=second["id"])["revoked"]
        assert not ask(brain, "revoke", id=second["id"])["revoked"]
        assert not ask(brain, "revoke", name="first")["revoked"]

    def test_the_name_is_free_then(self, brain: Brain) -> None:
        first = ask(brain, "create", name="laptop")
        ask(brain, "revoke", name="laptop")
        second = ask(brain, "create", name="laptop")
        assert ask(brain, "revoke", name="laptop")["id"] == second["id"] != first["id"]

    def test_an_application(self, brain: Brain) -> None:
        made = ask(brain, "register", name="web", redirect_uris=["https://x.example/y"])
        assert ask(brain, "revoke", name="web")["id"] == made["client_id"]
        assert ask(brain, "list")["applications"] == []
        assert isinstance(refusal(brain, "revoke", name="web"), NotFound)

    def test_applications_of_one_name_are_told_apart_by_id(self, brain: Brain) -> None:
        for _ in range(2):
            made = ask(brain, "register", name="web", redirect_uris=["https://x.example/y"])
        assert "--id" in refusal(brain, "revoke", name="web").suggestion
        assert ask(brain, "revoke", id=made["client_id"])["revoked"]
        assert len(ask(brain, "list")["applications"]) == 1

    @pytest.mark.parametrize("which", [{}, {"name": "a", "id": "b"}])
    def test_one_has_to_be_meant(self, brain: Brain, which: dict[str, str]) -> None:
        assert isinstance(refusal(brain, "revoke", **which), InvalidParams)

    def test_a_near_name_is_suggested(self, brain: Brain) -> None:
        ask(brain, "create", name="laptop")
        assert "laptop" in refusal(brain, "revoke", name="labtop").suggestion


class TestRescope:
    def test_what_is_not_given_stays(self, brain: Brain) -> None:
        made = ask(brain, "create", name="laptop", slugs=["a", "b"], expires="1d", sources=["lab"])
        after = ask(brain, "rescope", name="laptop", scopes=["read"])
        del made["token"]
        assert after == {**made, "scopes": ["read"]}

    def test_bounds_can_be_lifted(self, brain: Brain) -> None:
        ask(brain, "create", name="laptop", slugs=["a"], expires="1d", sources=["lab"])
        after = ask(brain, "rescope", name="laptop", any_slug=True, expires="never", all_sources=True)
        assert (after["slugs"], after["expires_at"], after["sources"]) == (None, None, None)

    def test_bounds_can_be_set(self, brain: Brain) -> None:
        made = ask(brain, "create", name="laptop")
        after = ask(brain, "rescope", id=made["id"], slugs=["A/B"], expires="1d", surface="verbs", sources=["lab"])
        assert (after["slugs"], after["surface"], after["sources"]) == (["a/b"], "verbs", ["lab"])
        assert after["expires_at"] == "2031-05-05T22:10:00.000Z"

    def test_slugs_are_given_or_lifted(self, brain: Brain) -> None:
        ask(brain, "create", name="laptop")
        assert isinstance(refusal(brain, "rescope", name="laptop", slugs=["a"], any_slug=True), InvalidParams)

    def test_what_is_gone_stays_gone(self, brain: Brain) -> None:
        ask(brain, "create", name="laptop")
        ask(brain, "revoke", name="laptop")
        assert isinstance(refusal(brain, "rescope", name="laptop", scopes=["read"]), NotFound)

    def test_what_stands_for_a_person_sees_everything(self, brain: Brain) -> None:
        ask(brain, "create", name="dana", scopes=["admin", "steer"], all_sources=True)
        assert isinstance(refusal(brain, "rescope", name="dana", sources=["lab"]), InvalidParams)
        assert ask(brain, "rescope", name="dana", scopes=["read"], sources=["lab"])["sources"] == ["lab"]
        assert "--all-sources" in refusal(brain, "rescope", name="dana", scopes=["steer"]).suggestion

    def test_a_program_never_stands_for_one(self, brain: Brain) -> None:
        held = Grant(("read",), None)
        with brain.store.transaction():
            brain.store.clients.add("web", BY_CONSENT, held, brain.store.config.now())
        assert "program" in refusal(brain, "rescope", name="web", scopes=["admin", "steer"]).message


class TestRegister:
    def test_a_public_program_has_no_secret(self, brain: Brain) -> None:
        made = ask(brain, "register", name="web", redirect_uris=["http://127.0.0.1/x", "http://127.0.0.1/x"])
        assert made["client_secret"] is None
        assert made["redirect_uris"] == ["http://127.0.0.1/x"]
        assert (made["confidential"], made["self_registered"], made["approved_at"]) == (False, False, None)

    def test_a_confidential_one_has(self, brain: Brain) -> None:
        made = ask(brain, "register", name="web", redirect_uris=["https://x.example/y"], confidential=True)
        assert made["client_secret"].startswith("gbrain_cs_")

    @pytest.mark.parametrize("uris", [[], ["http://x.example/y"], ["https://x.example/y", "javascript:x"]])
    def test_where_it_must_not_lead(self, brain: Brain, uris: list[str]) -> None:
        assert isinstance(refusal(brain, "register", name="web", redirect_uris=uris), InvalidParams)
        assert ask(brain, "list")["applications"] == []


def test_approval_codes_differ_and_end(brain: Brain) -> None:
    made = [ask(brain, "approve") for _ in range(20)]
    assert len({row["code"] for row in made}) == 20
    assert made[0]["expires_at"] == "2031-05-04T22:20:00.000Z"
    assert made[0]["code"].replace("-", "").isalnum()
    assert made[0]["code"].replace("-", "") not in str(brain.store.engine.rows("select * from approvals"))
