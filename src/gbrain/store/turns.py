"""Turns: which texts were read for facts, so that one is read once, whoever comes with it and how often."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal, NamedTuple

from gbrain.domain.times import store_time
from gbrain.store.engine import Engine

State = Literal["taken", "held", "done"]


class Claim(NamedTuple):
    """What came of claiming a turn. `taken`: it is the caller's to read; `held`: another process is reading it;
    `done`: it was read, and made these facts."""

    state: State
    facts: tuple[int, ...] = ()


class Read(NamedTuple):
    """A turn as the store remembers it: its state, what read it, and when it was said."""

    state: str
    made_by: str | None
    said_at: str


class Turns:
    """The `turns` table, keyed by source and turn. Claims go by the real time, whatever clock the brain was given."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def claim(self, source: str, key: str, holder: str, seconds: float, said_at: str, *, again: bool = False) -> Claim:
        """Claim a turn for so many seconds. A claim that ran out is taken over; with `again` one that is done too."""
        now = datetime.now(UTC)
        with self._engine.transaction():
            taken = self._engine.rows(
                "insert into turns (source_id, key, state, holder, held_until, facts, said_at)"
                " values (:source, :key, 'held', :holder, :until, '[]', :said)"
                " on conflict (source_id, key) do update set state = 'held', holder = excluded.holder,"
                # A reader that was killed gives nothing back: its claim runs out.
                " held_until = excluded.held_until where turns.state = 'failed' or"
                " (turns.state = 'held' and turns.held_until < :now) or (turns.state = 'done' and :again = 1)"
                " returning key",
                {
                    "source": source,
                    "key": key,
                    "holder": holder,
                    "until": store_time(now + timedelta(seconds=seconds)),
                    "said": said_at,
                    "now": store_time(now),
                    "again": int(again),
                },
            )
            if taken:
                return Claim("taken")
            row = self._engine.rows(
                "select state, facts from turns where source_id = :source and key = :key",
                {"source": source, "key": key},
            )[0]
        return Claim("done", tuple(json.loads(row["facts"]))) if row["state"] == "done" else Claim("held")

    def finish(self, source: str, key: str, holder: str, facts: Sequence[int], made_by: str, now: str) -> None:
        """Note that a turn was read, by what, and the facts that are now known from it."""
        with self._engine.transaction():
            self._engine.rows(
                "update turns set state = 'done', facts = :facts, made_by = :made_by, done_at = :now"
                " where source_id = :source and key = :key and holder = :holder",
                {
                    "source": source,
                    "key": key,
                    "holder": holder,
                    "facts": json.dumps(list(facts)),
                    "made_by": made_by,
                    "now": now,
                },
            )

    def fail(self, source: str, key: str, holder: str) -> None:
        """Give a claim back: the turn was not read, and the next one who comes with it may."""
        with self._engine.transaction():
            self._engine.rows(
                "update turns set state = 'failed' where source_id = :source and key = :key and holder = :holder"
                " and state = 'held'",
                {"source": source, "key": key, "holder": holder},
            )

    def of_fact(self, source: str, fact: int) -> "Read | None":
        """The turn that a fact was made of, the latest where several said the same."""
        rows = self._engine.rows(
            "select state, made_by, said_at, facts from turns where source_id = :source and facts like :id"
            " order by said_at desc",
            # A rough look first; which of these rows really names the fact is read from the JSON.
            {"source": source, "id": f"%{fact}%"},
        )
        return next(
            (Read(row["state"], row["made_by"], row["said_at"]) for row in rows if fact in json.loads(row["facts"])),
            None,
        )
