"""Clients of the network on every engine: what is kept of them, and what ends them."""

import pytest

from gbrain.errors import InvalidParams
from gbrain.store.clients import BY_CONSENT, BY_TOKEN, Client, Grant, mint
from gbrain.store.store import Store

LITTLE = Grant(("read",), ("default",))
ALL = Grant(
    ("read", "write", "admin"), None, "verbs", ("people/dana-oakes", "项目/灯塔"), "2031-06-01T00:00:00.000000Z"
)
NOW, LATER, LATEST = (f"2031-05-0{day}T00:00:00.000000Z" for day in (5, 6, 7))


def add(store: Store, name: str, grant: Grant = LITTLE, token: str | None = None, now: str = NOW) -> Client:
    return store.clients.add(name, BY_TOKEN, grant, now, token=token)


@pytest.mark.parametrize("grant", [LITTLE, ALL, Grant((), ())])
def test_a_client_is_kept_as_it_was_granted(store: Store, grant: Grant) -> None:
    made = add(store, "laptop", grant, "secret")
    assert made.grant == grant
    assert (made.name, made.kind, made.app_id, made.created_at) == ("laptop", BY_TOKEN, None, NOW)
    assert store.clients.get(made.id) == made
    assert store.clients.named("laptop") == made
    assert store.clients.by_token("secret") == made
    assert store.clients.all() == [made]


def test_a_token_is_kept_as_a_hash_alone(store: Store) -> None:
    token = mint("gbrain_")
    assert len(token) == 7 + 64
    add(store, "laptop", token=token)
    rows = store.engine.rows("select * from clients")
    assert token[7:] not in str(rows)
    for other in (
        token[:-1],
        token[7:],
        token.upper(),
        token + " ",
        "",
        "%",
        "' or 1=1 --",
        str(rows[0]["token_hash"]),
    ):
        assert store.clients.by_token(other) is None


def test_a_name_is_one_live_clients_alone(store: Store) -> None:
    first = add(store, "laptop")
    with pytest.raises(InvalidParams):
        add(store, "laptop")
    assert store.clients.free_name("laptop") == "laptop 2"
    assert store.clients.free_name("tablet") == "tablet"
    assert store.clients.revoke(first.id, LATER)
    second = add(store, "laptop", now=LATER)
    assert store.clients.named("laptop") == second
    store.clients.revoke(second.id, LATEST)
    assert store.clients.named("laptop") == store.clients.get(second.id)
    assert store.clients.named("nobody") is None


def test_two_clients_cannot_be_known_by_one_token(store: Store) -> None:
    add(store, "laptop", token="secret")
    with pytest.raises(InvalidParams):
        add(store, "tablet", token="secret")


def test_a_revoked_client_stays_to_be_seen_and_nothing_else(store: Store) -> None:
    made = add(store, "laptop", token="secret")
    assert store.clients.revoke(made.id, LATER)
    assert not store.clients.revoke(made.id, LATEST)
    held = store.clients.by_token("secret")
    assert held is not None
    assert held.revoked_at == LATER
    assert not held.live(LATEST)
    assert store.clients.rescope(made.id, ALL) is None
    assert not store.clients.revoke("nobody", LATER)


def test_a_client_ends_with_its_last_moment(store: Store) -> None:
    made = add(store, "laptop", LITTLE._replace(expires_at=LATER))
    assert made.live(NOW)
    assert not made.live(LATER)
    assert add(store, "tablet").live("9999-01-01T00:00:00.000000Z")


def test_what_a_client_may_do_can_change(store: Store) -> None:
    made, other = add(store, "laptop"), add(store, "tablet")
    changed = store.clients.rescope(made.id, ALL)
    assert changed == made._replace(grant=ALL)
    assert store.clients.get(made.id) == changed
    assert store.clients.get(other.id) == other


def test_use_is_noted_no_oftener_than_asked(store: Store) -> None:
    made = add(store, "laptop")

    def used() -> str | None:
        held = store.clients.get(made.id)
        return held.last_used_at if held else None

    store.clients.touch(made.id, NOW, NOW)
    assert used() == NOW
    store.clients.touch(made.id, LATER, NOW)
    assert used() == NOW
    store.clients.touch(made.id, LATER, LATER)
    assert used() == LATER


def test_clients_revoked_long_ago_are_forgotten(store: Store) -> None:
    old, new, live = add(store, "old"), add(store, "new"), add(store, "live")
    store.clients.revoke(old.id, NOW)
    store.clients.revoke(new.id, LATEST)
    store.clients.forget_revoked(LATER)
    assert {client.id for client in store.clients.all()} == {new.id, live.id}


def test_what_one_process_takes_away_is_gone_for_all(store: Store, another_store: Store) -> None:
    made = add(store, "laptop", token="secret")
    seen = another_store.clients.by_token("secret")
    assert seen is not None
    assert seen.live(NOW)
    store.clients.revoke(made.id, NOW)
    seen = another_store.clients.by_token("secret")
    assert seen is not None
    assert not seen.live(NOW)


def test_kinds_are_told_apart(store: Store) -> None:
    made = store.clients.add("editor", BY_CONSENT, LITTLE, NOW, app_id="app")
    assert (made.kind, made.app_id) == (BY_CONSENT, "app")
