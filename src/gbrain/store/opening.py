"""A brain's database, by its URL: the one place that loads the driver."""

from typing import TYPE_CHECKING

from gbrain import home as homes
from gbrain.errors import Unavailable

if TYPE_CHECKING:
    from gbrain.store.postgres import PostgresEngine


def database(url: str) -> "PostgresEngine":
    """The engine of a PostgreSQL database; nothing is connected yet. Raises Unavailable without the driver."""
    try:
        # psycopg takes 140 ms to load, and only a brain on PostgreSQL needs it.
        from gbrain.store.postgres import PostgresEngine
    except ImportError:
        raise Unavailable(
            "this brain lies on PostgreSQL, and the driver for it is not installed",
            f"run, in the clone that gbrain was installed from: {homes.driver_install()}; then run: gbrain doctor",
            detail={"reason": "no_driver"},
        ) from None
    return PostgresEngine(url)
