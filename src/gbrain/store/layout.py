"""The tables a brain has beside those that this gbrain makes: a brain of another build may lack some of them."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import apsw

from gbrain.errors import BrainError, Unavailable
from gbrain.store import sqlite
from gbrain.store.engine import DERIVED, Row, Shape, steps
from gbrain.store.lists import expand

if TYPE_CHECKING:
    from gbrain.store.engine import Engine

SHOWN = 4


def shapes(rows: Callable[..., list[Row]]) -> dict[str, Shape]:
    """Every table of a SQLite file that holds rows of the brain, asked of it through `rows`."""
    found = rows(
        "select s.name, c.name as column_name, c.pk from sqlite_schema s, pragma_table_info(s.name) c"
        " where s.type = 'table' and s.sql not like 'create virtual%' and s.name not like 'sqlite%'"
        " and s.name not like '%\\_text%' escape '\\' and s.name <> 'text_places' and s.name not in (:derived)"
        " order by s.name, c.cid",
        {"derived": list(DERIVED)},
    )
    tables: dict[str, list[Row]] = {}
    for row in found:
        tables.setdefault(row["name"], []).append(row)
    return {
        name: Shape(
            tuple(row["column_name"] for row in held),
            tuple(row["column_name"] for row in sorted(held, key=lambda row: int(row["pk"])) if row["pk"]),
        )
        for name, held in tables.items()
    }


def differences(there: dict[str, Shape], step: int | None = None) -> list[str]:
    """What the tables of a brain lack (`facts.dated`), then what they have besides (`+pages.mood`).

    They are compared with those of a schema step, the newest unless another is said. Both engines have the same ones.
    """
    wanted = _made(step)
    lacks = [
        f"{name}.{column}" if name in there else name
        for name, shape in wanted.items()
        for column in (shape.columns if name in there else ("",))
        if name not in there or column not in there[name].columns
    ]
    besides = [
        f"+{name}.{column}"
        for name, shape in there.items()
        for column in (shape.columns if name in wanted else ())
        if column not in wanted[name].columns
    ]
    return lacks + besides


def misfit(engine: "Engine") -> Unavailable | None:
    """The error that tells why this gbrain cannot work on a brain: its tables are another build's. None where they are
    as they should be, or cannot be looked at."""
    try:
        found = differences(engine.shapes())
    except BrainError:
        return None
    if not found:
        return None
    rest = f" and {len(found) - SHOWN:,} more" if len(found) > SHOWN else ""
    return Unavailable(
        f"this brain was laid out by another build of gbrain; its tables lack, or have besides (+):"
        f" {', '.join(found[:SHOWN])}{rest}",
        "with the gbrain that made it: gbrain export --dir FOLDER --include-private; then with this one, in another"
        " home: gbrain init, and: gbrain import FOLDER",
        detail={"reason": "other_layout", "differs": found},
    )


def _made(step: int | None) -> dict[str, Shape]:
    """The tables that the steps up to this one leave, made in memory."""
    connection = apsw.Connection(":memory:")

    def rows(sql: str, params: dict[str, object]) -> list[Row]:
        cursor = connection.execute(*expand(sql, params))
        return [dict(zip(("name", "column_name", "pk"), values, strict=True)) for values in cursor]

    try:
        for number, file in steps(sqlite.SQL_FOLDER):
            if step is None or number <= step:
                with open(file, encoding="utf-8") as script:
                    connection.execute(script.read())
        return shapes(rows)
    finally:
        connection.close()
