"""Session cursors: one a source, client and session; the idle ones go."""

from collections.abc import Callable

import pytest

from gbrain.store.sessions import Cursor
from gbrain.store.store import Store

MONDAY, TUESDAY, NEXT_WEEK = "2031-05-05T00:00:00.000000Z", "2031-05-06T00:00:00.000000Z", "2031-05-13T00:00:00.000000Z"
LONG_AGO = "2000-01-01T00:00:00.000000Z"


@pytest.fixture
def put(store: Store) -> Callable[..., None]:
    def move(
        cursor: Cursor, source: str = "default", client: str = "local", session: str = "s1", now: str = MONDAY
    ) -> None:
        store.sessions.put(source, client, session, cursor, now, LONG_AGO)

    return move


def test_a_new_session_has_no_cursor(store: Store) -> None:
    assert store.sessions.get("default", "local", "s1") is None


def test_a_cursor_moves(store: Store, put: Callable[..., None]) -> None:
    put(Cursor(MONDAY, 1, 2))
    assert store.sessions.get("default", "local", "s1") == Cursor(MONDAY, 1, 2)
    put(Cursor(TUESDAY, 3, 2**62))
    assert store.sessions.get("default", "local", "s1") == Cursor(TUESDAY, 3, 2**62)


@pytest.mark.parametrize(
    "other",
    [{"source": "other"}, {"client": "remote"}, {"session": "s2"}, {"session": "S1"}, {"session": "灯塔" * 128}],
)
def test_sessions_are_told_apart(store: Store, put: Callable[..., None], other: dict[str, str]) -> None:
    put(Cursor(MONDAY, 1, 1))
    put(Cursor(MONDAY, 2, 2), **other)
    key = {"source": "default", "client": "local", "session": "s1"}
    assert store.sessions.get(**key) == Cursor(MONDAY, 1, 1)
    assert store.sessions.get(**{**key, **other}) == Cursor(MONDAY, 2, 2)


def test_another_process_sees_it(store: Store, another_store: Store, put: Callable[..., None]) -> None:
    put(Cursor(MONDAY, 1, 1))
    assert another_store.sessions.get("default", "local", "s1") == Cursor(MONDAY, 1, 1)


def test_idle_sessions_go_when_another_moves(store: Store, put: Callable[..., None]) -> None:
    put(Cursor(MONDAY, 1, 1), session="idle", now=MONDAY)
    put(Cursor(MONDAY, 1, 1), session="used", now=TUESDAY)
    store.sessions.put("default", "local", "s1", Cursor(MONDAY, 1, 1), NEXT_WEEK, TUESDAY)
    assert store.sessions.get("default", "local", "idle") is None
    assert store.sessions.get("default", "local", "used") is not None
    assert store.sessions.get("default", "local", "s1") is not None
