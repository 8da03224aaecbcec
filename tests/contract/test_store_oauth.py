"""Applications, codes, tokens and proofs on every engine: each is worth something once, to one, until its end."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from gbrain.store.clients import digest
from gbrain.store.oauth import Application, Issued
from gbrain.store.store import Store

NOW, SOON, LATER, LATEST = (f"2031-05-05T0{hour}:00:00.000000Z" for hour in (0, 1, 2, 3))
BACK = "http://127.0.0.1:1/callback"
DETAILS: dict[str, Any] = {
    "name": "editor",
    "scopes": ["read", "write"],
    "sources": ["default"],
    "surface": "starter",
    "until": None,
    "resource": "http://127.0.0.1:3131/mcp",
    "challenge": "c",
    "redirect_uri": BACK,
    "explicit": True,
}


@pytest.fixture
def app(store: Store) -> Application:
    return store.oauth.add_app("editor", [BACK], NOW)


@pytest.fixture
def issued(store: Store, app: Application) -> Issued:
    made = store.oauth.exchange(store.oauth.add_code(app.id, DETAILS, SOON, NOW), NOW, SOON, LATEST)
    assert made is not None
    return made


class TestApplications:
    def test_one_is_kept_as_it_was_registered(self, store: Store) -> None:
        made = store.oauth.add_app(
            "web", [BACK, "https://x/y"], NOW, id="own", secret="s", auth_method="client_secret_post",
            grant_types=["authorization_code"], dynamic=True,
        )  # fmt: skip
        assert made == Application(
            "own",
            "web",
            digest("s"),
            "client_secret_post",
            (BACK, "https://x/y"),
            ("authorization_code",),
            True,
            NOW,
            None,
        )
        assert store.oauth.app("own") == made
        assert store.oauth.apps() == [made]
        assert store.oauth.app("other") is None

    def test_only_its_secret_is_its_secret(self, store: Store, app: Application) -> None:
        other = store.oauth.add_app("web", [BACK], NOW, secret="s")
        assert store.oauth.knows(other.id, "s")
        for id, secret in ((other.id, ""), (other.id, digest("s")), (app.id, ""), (app.id, "s"), ("nobody", "s")):
            assert not store.oauth.knows(id, secret)

    def test_strangers_make_room_and_others_stay(self, store: Store, app: Application) -> None:
        old, new = (store.oauth.add_app(name, [BACK], at, dynamic=True) for name, at in (("o", NOW), ("n", LATER)))
        let_in = store.oauth.add_app("let in", [BACK], NOW, dynamic=True)
        store.oauth.note_approved(let_in.id, SOON)
        assert store.oauth.strangers(NOW) == 2
        assert store.oauth.strangers(SOON) == 1
        assert {row.id for row in store.oauth.apps()} == {app.id, new.id, let_in.id}
        assert store.oauth.app(old.id) is None

    def test_removing_one_ends_all_it_has(self, store: Store, app: Application, issued: Issued) -> None:
        code = store.oauth.add_code(app.id, DETAILS, SOON, NOW)
        assert store.oauth.remove_app(app.id, LATER)
        assert not store.oauth.remove_app(app.id, LATER)
        assert store.oauth.access_token(issued.access) is None
        assert store.oauth.code(code) is None
        assert [client.revoked_at for client in store.clients.all()] == [LATER]


class TestCodes:
    def test_a_code_makes_the_client_that_was_granted(self, store: Store, app: Application, issued: Issued) -> None:
        (client,) = store.clients.all()
        assert (client.name, client.app_id, client.kind) == ("editor", app.id, "oauth")
        assert client.grant == (("read", "write"), ("default",), "starter", None, None)
        held = store.oauth.access_token(issued.access)
        assert held is not None
        assert held == (app.id, client, ("read", "write"), DETAILS["resource"], SOON, None)

    def test_it_does_so_once(self, store: Store, app: Application) -> None:
        code = store.oauth.add_code(app.id, DETAILS, SOON, NOW)
        assert store.oauth.exchange(code, NOW, SOON, LATER)
        assert store.oauth.exchange(code, NOW, SOON, LATER) is None
        held = store.oauth.code(code)
        assert held is not None
        assert held.client_id == store.clients.all()[0].id
        assert len(store.clients.all()) == 1
        assert store.oauth.exchange("made up", NOW, SOON, LATER) is None

    def test_also_when_two_come_at_once(self, store: Store, another_store: Store, app: Application) -> None:
        code = store.oauth.add_code(app.id, DETAILS, SOON, NOW)
        got: list[Issued | None] = []
        stores = [store, another_store] * 3
        threads = [
            threading.Thread(target=lambda one=one: got.append(one.oauth.exchange(code, NOW, SOON, LATER)))
            for one in stores
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(got) == 6
        assert sum(issued is not None for issued in got) == 1
        assert len(store.clients.all()) == 1

    def test_a_second_client_of_a_name_gets_a_number(self, store: Store, app: Application, issued: Issued) -> None:
        store.oauth.exchange(store.oauth.add_code(app.id, DETAILS, SOON, NOW), NOW, SOON, LATER)
        assert sorted(client.name for client in store.clients.all()) == ["editor", "editor 2"]

    def test_one_that_may_not_refresh_gets_nothing_to_refresh(self, store: Store, app: Application) -> None:
        made = store.oauth.exchange(store.oauth.add_code(app.id, DETAILS, SOON, NOW), NOW, SOON, None)
        assert made is not None
        assert made.refresh is None

    def test_no_token_outlives_its_client(self, store: Store, app: Application) -> None:
        code = store.oauth.add_code(app.id, {**DETAILS, "until": SOON}, SOON, NOW)
        made = store.oauth.exchange(code, NOW, LATER, LATEST)
        assert made is not None
        assert made.refresh is not None
        assert made.access_until == SOON
        for held in (store.oauth.access_token(made.access), store.oauth.refresh_token(made.refresh)):
            assert held is not None
            assert held.expires_at == SOON

    def test_old_codes_are_dropped(self, store: Store, app: Application) -> None:
        old = store.oauth.add_code(app.id, DETAILS, NOW, NOW)
        new = store.oauth.add_code(app.id, DETAILS, LATER, SOON)
        assert store.oauth.code(old) is None
        assert store.oauth.code(new) is not None


class TestTokens:
    def test_each_is_of_one_kind(self, store: Store, issued: Issued) -> None:
        assert issued.refresh is not None
        assert store.oauth.access_token(issued.refresh) is None
        assert store.oauth.refresh_token(issued.access) is None
        assert store.clients.by_token(issued.access) is None

    def test_secrets_are_kept_as_hashes(self, store: Store, issued: Issued) -> None:
        kept = "".join(str(store.engine.rows(f"select * from {table}")) for table in ("oauth_tokens", "oauth_codes"))
        assert issued.access[10:] not in kept
        assert str(issued.refresh)[10:] not in kept

    def test_rotation_ends_the_token_that_came(self, store: Store, issued: Issued) -> None:
        first = str(issued.refresh)
        second = store.oauth.rotate(first, ["read"], SOON, LATER, LATEST)
        assert second is not None
        assert second.scopes == ("read",)
        held = store.oauth.refresh_token(first)
        assert held is not None
        assert held.used_at == SOON
        assert store.oauth.rotate(first, ["read"], SOON, LATER, LATEST) is None
        assert store.oauth.rotate("made up", ["read"], SOON, LATER, LATEST) is None
        fresh = store.oauth.access_token(second.access)
        assert fresh is not None
        assert fresh.client.id == held.client.id

    def test_what_has_ended_is_dropped(self, store: Store, issued: Issued) -> None:
        assert store.oauth.rotate(str(issued.refresh), ["read"], LATER, LATEST, LATEST)
        assert store.oauth.access_token(issued.access) is None
        assert store.oauth.refresh_token(str(issued.refresh)) is not None

    def test_revoking_the_client_ends_them(self, store: Store, issued: Issued) -> None:
        store.clients.revoke(store.clients.all()[0].id, NOW)
        assert store.oauth.access_token(issued.access) is None
        assert store.oauth.refresh_token(str(issued.refresh)) is None
        store.clients.forget_revoked(LATEST)
        assert store.clients.all() == []


class TestProofs:
    def test_a_code_proves_once_for_one_request(self, store: Store) -> None:
        store.oauth.approve("CODE", SOON)
        assert store.oauth.prove("OTHER", "request", NOW, LATER) is None
        proof = store.oauth.prove("CODE", "request", NOW, LATER)
        assert proof is not None
        assert store.oauth.prove("CODE", "request", NOW, LATER) is None
        assert not store.oauth.proven(proof, "another request", NOW)
        assert not store.oauth.proven("made up", "request", NOW)
        assert not store.oauth.spend_proof(proof, "another request", NOW)
        assert store.oauth.proven(proof, "request", NOW)
        assert store.oauth.spend_proof(proof, "request", NOW)
        assert not store.oauth.proven(proof, "request", NOW)
        assert not store.oauth.spend_proof(proof, "request", NOW)

    def test_both_end(self, store: Store) -> None:
        store.oauth.approve("CODE", SOON)
        assert store.oauth.prove("CODE", "request", SOON, LATER) is None
        store.oauth.approve("CODE", LATEST)
        proof = store.oauth.prove("CODE", "request", SOON, LATER)
        assert proof is not None
        assert not store.oauth.proven(proof, "request", LATER)
        assert not store.oauth.spend_proof(proof, "request", LATER)

    def test_a_new_code_ends_the_last_but_no_proof(self, store: Store) -> None:
        store.oauth.approve("FIRST", SOON)
        proof = store.oauth.prove("FIRST", "request", NOW, LATER)
        store.oauth.approve("SECOND", SOON)
        store.oauth.approve("THIRD", SOON)
        assert store.oauth.prove("SECOND", "request", NOW, LATER) is None
        assert store.oauth.spend_proof(str(proof), "request", NOW)
        assert store.oauth.prove("THIRD", "request", NOW, LATER) is not None


def test_every_server_of_a_brain_signs_with_one_key(store: Store, another_engine: Callable[[], Any]) -> None:
    key = store.oauth.key()
    assert len(key) == 32
    assert store.oauth.key() == key
    other = Store(another_engine(), lambda: None)  # type: ignore[arg-type,return-value]
    assert other.oauth.key() == key
