"""A brain copied from one engine to another: compared row by row, so that a copy that was broken off goes on."""

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, NamedTuple

from gbrain.domain.places import SEED
from gbrain.errors import InvalidParams, Unavailable
from gbrain.store.config import COPYING
from gbrain.store.engine import Engine, Row, Shape
from gbrain.store.store import Store

PASSES = 3
"""How often a brain that is written to meanwhile is gone through again before the copy gives up."""
BATCH, LARGE_BATCH, SHOWN = 400, 50, 10_000

_FIRST = ("sources", "pages", "clients")
"""Tables that others refer to."""
_LARGE = ("page_versions",)
_TEXTS = {"pages": ("pages", "page_versions", "aliases"), "facts": ("facts",)}
"""What the text index of a table is made from."""
_OURS = (COPYING, "copied_pages", "copied_facts")

Say = Callable[[str], None]
Key = tuple[Any, ...]


class Digest(NamedTuple):
    """How many rows a table has, and the sum of their hashes, whatever their order."""

    rows: int
    hash: str


def brain_of(engine: Engine) -> str | None:
    """The id of the brain in a database, None where there is none. Nothing is made."""
    return Store(engine, _clock).config.brain_id() or None if "meta" in engine.shapes() else None


def bare(engine: Engine) -> bool:
    """Whether the brain in a database keeps nothing yet: no page and no fact, no client, and no source but
    the one that every brain begins with."""
    if "meta" not in engine.shapes():
        return True
    store = Store(engine, _clock)
    sources = store.sources.ids()
    return sources == [SEED] and not any(store.sources.held(SEED)) and not store.clients.all()


def copy(origin: Engine, target: Engine, say: Say) -> dict[str, Any]:
    """Copy the brain of `origin`, which is only read, to `target`; how many rows each table has there.

    The copy is compared with the brain by counts and hashes. Raises InvalidParams when the target holds another
    brain, Unavailable when the brain was written to all the time.
    """
    brain = brain_of(origin) or ""
    _claim(target, brain)
    shapes, there = origin.shapes(), target.shapes()
    for name, shape in shapes.items():
        if name not in there or set(there[name].columns) != set(shape.columns):
            raise Unavailable(
                f"the two stores do not have the same table {name!r}", "run: gbrain doctor, in both homes"
            )
    order = [*_FIRST, *sorted(name for name in shapes if name not in (*_FIRST, "meta"))]
    for _ in range(PASSES):
        changed = {name for name in order if _align(origin, target, name, shapes[name], say)}
        _texts(target, changed, say)
        say("comparing")
        held = {name: (digest(origin, name, shapes[name]), digest(target, name, shapes[name])) for name in order}
        wrong = [name for name, (ours, theirs) in held.items() if ours != theirs]
        if not wrong:
            _finish(origin, target)
            return {name: ours.rows for name, (ours, _) in held.items()}
        say(f"written to meanwhile: {', '.join(wrong)}")
        # What refers to others goes before them.
        for name in reversed(order):
            _prune(origin, target, name, shapes[name])
    raise Unavailable(
        "the brain was written to while it was copied, each time anew",
        "stop the servers and agents that write to it, then run the same command again: gbrain migrate --to URL",
        detail={"reason": "written_to"},
    )


def digest(engine: Engine, table: str, shape: Shape) -> Digest:
    """The digest of a table, the same on every engine."""
    columns, count, total = sorted(shape.columns), 0, 0
    for _, rows in _batches(engine, table, shape):
        for row in rows:
            said = json.dumps([row[column] for column in columns], ensure_ascii=False, separators=(",", ":"))
            # A sum, since the two engines need not give rows in one order.
            total += int.from_bytes(sha256(said.encode("utf-8", "surrogatepass")).digest())
            count += 1
    return Digest(count, f"{total % 2**256:064x}")


def _claim(target: Engine, brain: str) -> None:
    """Mark the target as the place of this copy; raises InvalidParams when it is another brain's."""
    held = target.shapes()
    meta = _meta(target) if "meta" in held else {}
    if meta.get(COPYING, brain) != brain or (COPYING not in meta and meta):
        raise InvalidParams(
            "the target holds a brain already",
            "name an empty database or a file that does not exist: gbrain migrate --to URL",
            detail={"reason": "target_not_empty"},
        )
    target.migrate()
    with target.transaction():
        target.rows(
            "insert into meta (key, value) values (:key, :value) on conflict (key) do nothing",
            {"key": COPYING, "value": brain},
        )


def _align(origin: Engine, target: Engine, table: str, shape: Shape, say: Say) -> int:
    """Bring the rows of a table over that are missing or differ; how many."""
    changed = done = 0
    say(table)
    for after, rows in _batches(origin, table, shape):
        there = {_key(row, shape): row for row in _between(target, table, shape, after, rows)}
        missing = [row for row in rows if _key(row, shape) not in there]
        other = [row for row in rows if there.get(_key(row, shape), row) != row]
        if missing or other:
            with target.transaction():
                slots = ", ".join(f":{name}" for name in shape.columns)
                target.many(f"insert into {table} ({', '.join(shape.columns)}) values ({slots})", missing)
                sets = ", ".join(f"{name} = :{name}" for name in shape.columns if name not in shape.key)
                target.many(f"update {table} set {sets} where {_is(shape)}", other)
        changed += len(missing) + len(other)
        done += len(rows)
        if done % SHOWN < len(rows):
            say(f"{table}: {done:,} rows")
    return changed


def _prune(origin: Engine, target: Engine, table: str, shape: Shape) -> None:
    """Take rows out of the copy that the brain has no longer."""
    for after, rows in _batches(target, table, shape):
        there = {_key(row, shape) for row in _between(origin, table, shape, after, rows)}
        gone = [row for row in rows if _key(row, shape) not in there]
        if gone:
            target.many(f"delete from {table} where {_is(shape)}", gone)


def _texts(target: Engine, changed: set[str], say: Say) -> None:
    """Make the text indexes of the copy, going on where an earlier run stopped unless what they are of has changed."""
    store = Store(target, _clock)
    for table, made_from in _TEXTS.items():
        mark = f"copied_{table}"
        done = 0 if changed.intersection(made_from) else int(_meta(target).get(mark, "0"))
        say(f"{table}: text index")
        while ids := [
            row["id"]
            for row in target.rows(
                f"select id from {table} where id > :done order by id limit :most", {"done": done, "most": BATCH}
            )
        ]:
            done = ids[-1]
            with target.transaction():
                (store.pages if table == "pages" else store.facts).index_again(ids)
                target.rows(
                    "insert into meta (key, value) values (:key, :value)"
                    " on conflict (key) do update set value = excluded.value",
                    {"key": mark, "value": str(done)},
                )


def _finish(origin: Engine, target: Engine) -> None:
    """Make the copy a brain: what it knows of itself comes last."""
    # The rows came with their ids; a new one must not be given one of these.
    target.renumber()
    with target.transaction():
        target.rows("delete from meta where key in (:keys)", {"keys": list(_OURS)})
        # Last, and in one transaction: until then the target is a copy that is not complete, and no brain.
        for key, value in _meta(origin).items():
            target.rows("insert into meta (key, value) values (:key, :value)", {"key": key, "value": value})


def _meta(engine: Engine) -> dict[str, str]:
    return {row["key"]: row["value"] for row in engine.rows("select key, value from meta order by key")}


def _batches(engine: Engine, table: str, shape: Shape) -> Iterator[tuple[Key | None, list[Row]]]:
    """The rows of a table in the order of its key, each batch with the key it comes after."""
    most = LARGE_BATCH if table in _LARGE else BATCH
    columns, key = ", ".join(shape.columns), ", ".join(shape.key)
    after: Key | None = None
    while True:
        where = f" where {_compared(shape, '>', 'a')}" if after else ""
        rows = engine.rows(
            f"select {columns} from {table}{where} order by {key} limit :most",
            {"most": most, **_named("a", after or ())},
        )
        if rows:
            yield after, rows
        if len(rows) < most:
            return
        after = _key(rows[-1], shape)


def _between(engine: Engine, table: str, shape: Shape, after: Key | None, rows: Sequence[Row]) -> list[Row]:
    """The rows of a table with keys after `after` and up to that of the last of these."""
    where = f"{_compared(shape, '<=', 'z')}" + (f" and {_compared(shape, '>', 'a')}" if after else "")
    params = {**_named("a", after or ()), **_named("z", _key(rows[-1], shape))}
    return engine.rows(f"select {', '.join(shape.columns)} from {table} where {where}", params)


def _compared(shape: Shape, sign: str, prefix: str) -> str:
    slots = ", ".join(f":{prefix}{place}" for place in range(len(shape.key)))
    return f"({', '.join(shape.key)}) {sign} ({slots})"


def _named(prefix: str, key: Key) -> dict[str, Any]:
    return {f"{prefix}{place}": value for place, value in enumerate(key)}


def _is(shape: Shape) -> str:
    return " and ".join(f"{name} = :{name}" for name in shape.key)


def _key(row: Row, shape: Shape) -> Key:
    return tuple(row[name] for name in shape.key)


def _clock() -> datetime:
    return datetime.now(UTC)
