"""Where each client session stands in the stream of changes, for `delta`."""

from typing import NamedTuple

from gbrain.store.engine import Engine

IDLE_DAYS = 7


class Cursor(NamedTuple):
    """What a session has been given: pages up to the change number `page_changed`, facts up to `fact_id`.

    Both numbers grow in the order of commits, so nothing is given twice and nothing is missed. `since` is the
    moment of the last thing given, for people to read.
    """

    since: str
    page_changed: int
    fact_id: int


class Sessions:
    """The `sessions` table, keyed by source, client and session."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def get(self, source: str, client: str, session: str) -> Cursor | None:
        """The cursor of a session, None when it is new."""
        found = self._engine.rows(
            "select since, page_changed, fact_id from sessions"
            " where source_id = :source and client = :client and session = :session",
            {"source": source, "client": client, "session": session},
        )
        return Cursor(**found[0]) if found else None

    def put(self, source: str, client: str, session: str, cursor: Cursor, now: str, idle_before: str) -> None:
        """Move a session's cursor, and drop sessions not used since `idle_before`."""
        with self._engine.transaction():
            self._engine.rows("delete from sessions where used_at < :idle", {"idle": idle_before})
            self._engine.rows(
                "insert into sessions (source_id, client, session, since, page_changed, fact_id, used_at)"
                " values (:source, :client, :session, :since, :page_changed, :fact_id, :now)"
                " on conflict (source_id, client, session) do update set since = excluded.since,"
                " page_changed = excluded.page_changed, fact_id = excluded.fact_id, used_at = excluded.used_at",
                {"source": source, "client": client, "session": session, "now": now, **cursor._asdict()},
            )
