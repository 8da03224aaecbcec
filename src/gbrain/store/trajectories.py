"""What was so at other times: facts that hold and facts that were replaced or ran out, but none that was forgotten."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from gbrain.store import visibility
from gbrain.store.engine import Engine
from gbrain.types import View

MOST = 500


class Once(NamedTuple):
    """A fact as it stands in the history of an entity. `dated` and `period` are as precise as they were told."""

    id: int
    source_id: str
    fact: str
    kind: str
    entity_slug: str | None
    entity_key: str
    valid_from: str
    valid_until: str | None
    expired_at: str | None
    superseded_by: int | None
    provenance: str
    confidence: float
    created_at: str
    dated: str | None
    metric: str | None
    value: float | None
    unit: str | None
    period: str | None


class Trajectories:
    """Reads of the `facts` table that go back in time."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def of(self, view: View, entity_keys: Sequence[str]) -> list[Once]:
        """The history of one entity, oldest first: what replaced a fact is told only to who may see it."""
        columns = ", ".join(f"f.{name}" if name != "superseded_by" else _SUCCESSOR for name in Once._fields)
        rows: list[dict[str, Any]] = self._engine.rows(
            f"select {columns} from facts f where f.entity_key in (:keys) and {visibility.facts(view, live=False)}"
            " and (f.expired_at is null or f.superseded_by is not null)"
            " order by f.valid_from desc, f.id desc limit :most",
            {**visibility.params(view), "keys": list(entity_keys), "most": MOST},
        )
        return [Once(**row) for row in reversed(rows)]


_SUCCESSOR = (
    "(select s.id from facts s where s.id = f.superseded_by and (:v_private = 1 or s.visibility = 'world')"
    " and (:v_bound = 0 or s.entity_slug in (:v_slugs))) as superseded_by"
)
