"""Harvests: which turns of a session were taken up at once, so that all servers together keep to a session's cap."""

import json

from gbrain.store.engine import Engine


class Harvests:
    """The `harvests` table: a row for each source and session, with the names of its turns."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def admit(self, source: str, session: str, name: str, most: int, now: str, forget_before: str) -> bool:
        """Whether a turn may be taken up: one that was before, or one of the first `most` of its session.

        Sessions are forgotten whose last turn came before `forget_before`.
        """
        row = {"source": source, "session": session, "now": now}
        with self._engine.transaction():
            # The row is held from here on, so that two servers do not both give the last place away.
            (held,) = self._engine.rows(
                "insert into harvests (source_id, session, names, taken_at) values (:source, :session, '[]', :now)"
                " on conflict (source_id, session) do update set taken_at = excluded.taken_at returning names",
                row,
            )
            names = json.loads(held["names"])
            if name in names or len(names) >= most:
                return name in names
            self._engine.rows(
                "update harvests set names = :names where source_id = :source and session = :session",
                {"source": source, "session": session, "names": json.dumps([*names, name])},
            )
            self._engine.rows("delete from harvests where taken_at < :before", {"before": forget_before})
        return True
