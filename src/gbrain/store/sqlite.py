"""The SQLite dialect, through apsw: WAL, durable commits, bounded waiting, many processes on one file."""

import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

import apsw

from gbrain.errors import BrainError, Unavailable
from gbrain.store.engine import Frequencies, Kept, Match, Params, Reach, Row, Shape, Space, Terms, steps
from gbrain.store.lists import expand
from gbrain.store.sqlite_connection import Patience, busy, connected, damaged, full, lacks_room
from gbrain.store.sqlite_copy import copied, make, settled
from gbrain.store.sqlite_terms import TEXTS, match_expression, text_tables, unit_expression, varints, with_arrays
from gbrain.types import Hit

if TYPE_CHECKING:
    from gbrain.arrays import Vector
    from gbrain.store.sketch import Sketch

APPLICATION_ID = 0x67627261
"""The file's application_id: "gbra" in ASCII."""

MOST_COUNTED = 3_000
"""So many texts with a word are counted: 0.2 ms of CPU."""
MERGED_AT_ONCE = 100
"""So many pages of a text index are merged in one transaction."""
SQL_FOLDER = os.path.join(os.path.dirname(__file__), "sql", "sqlite")

_NO_WALL = nullcontext()


class SQLiteEngine:
    """One database file. Connections are a thread's own, so threads and processes wait on the file alone."""

    name = "sqlite"

    def __init__(self, path: str) -> None:
        self.path = path
        self._local = threading.local()
        self._all: list[apsw.Connection] = []
        self._untouched = False
        self._guard = threading.Lock()
        self._sketches: dict[str, tuple[int, Sketch]] = {}

    def rows(self, sql: str, params: Params = {}) -> list[Row]:  # noqa: B006 - never changed
        """See Engine.rows."""
        for value in params.values():
            if type(value) is list or type(value) is tuple:
                sql, params = expand(*with_arrays(sql, params))
                break
        try:
            cursor = self._connection().execute(sql, params)
            first = cursor.fetchone()
            if first is None:
                return []
            names = [column[0] for column in cursor.getdescription()]
            return [dict(zip(names, values, strict=True)) for values in (first, *cursor)]
        except (apsw.Error, UnicodeDecodeError) as error:
            raise self._translated(error) from error

    def many(self, sql: str, params: Iterable[Params]) -> None:
        """See Engine.many."""
        try:
            self._connection().executemany(sql, params)
        except apsw.Error as error:
            raise self._translated(error) from error

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """See Engine.transaction; begun IMMEDIATE, so that what is read inside cannot change before the commit."""
        # SQLite has no nested transactions. A savepoint would let an inner half be undone alone, which no caller means.
        if self.in_transaction():
            yield
            return
        self.rows("begin immediate")
        try:
            yield
            # Within the try: a commit that fails, on a full disk say, leaves the transaction open, and it is rolled
            # back below.
            self.rows("commit")
        finally:
            if self.in_transaction():
                self.rows("rollback")

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """See Engine.snapshot: its moment is the first read."""
        # Deferred: it takes no lock that a writer would wait for.
        self.rows("begin")
        try:
            yield
        finally:
            self.rows("rollback")

    def copy_to(self, path: str) -> None:
        """Copy the whole file as it is at one moment, while others write, to a new one that is whole by itself."""
        make(path)
        try:
            with self.snapshot():
                copied(self._connection(), path)
            settled(path)
        except apsw.Error as error:
            raise self._translated(error) from error

    def within(self, reach: Reach | None) -> AbstractContextManager[None]:
        """See Engine.within: SQLite has no second wall."""
        return _NO_WALL

    def unveiled(self) -> AbstractContextManager[None]:
        """See Engine.unveiled."""
        return _NO_WALL

    def keyword(
        self,
        index: str,
        match: Match,
        limit: int,
        weights: Sequence[float] = (),
        sources: Sequence[str] = ("",),
        *,
        ranked: bool = True,
    ) -> list[Hit]:
        """See Engine.keyword. The score is FTS5's bm25 with its sign turned."""
        expression = match_expression(match)
        if not expression:
            return []
        factors = "".join(f", {weight}" for weight in weights)
        hits: list[Hit] = []
        for place in self._places(sources):
            table = f"{index}_{place}"
            score, order = (f"-bm25({table}{factors})", "score desc") if ranked else ("1.0", "rowid desc")
            found = self.rows(
                f"select rowid as id, {score} as score from {table} where {table} match :query order by {order}"
                " limit :limit",
                {"query": expression, "limit": limit},
            )
            hits += [Hit(row["id"], row["score"]) for row in found]
        # Each table counts its words for itself, so scores of two sources compare only roughly: the price of keeping
        # them apart.
        if len(sources) > 1:
            hits.sort(key=lambda hit: (-hit.score, 0 if ranked else -hit.id))
        return hits[:limit]

    def frequencies(self, index: str, units: Sequence[Terms], sources: Sequence[str]) -> Frequencies:
        """See Engine.frequencies. How many rows there are and how long stands in FTS5's own first record."""
        found = Frequencies(0, 0.0, (0,) * len(units))
        for place in self._places(sources):
            table = f"{index}_{place}"
            # https://www.sqlite.org/fts5.html, "The averages record": rows, then the tokens of each column, as varints.
            kept = self.rows(f"select block from {table}_data where id = 1")
            total, *sizes = (varints(kept[0]["block"]) if kept else []) or [0]
            if total:
                # Asked for in one select, both ends would be looked for through every row.
                ids = f"{table}_docsize"
                ends = self.rows(f"select (select min(id) from {ids}) as low, (select max(id) from {ids}) as high")[0]
                held = tuple(self._held(table, unit, total, ends["low"], ends["high"]) for unit in units)
                found += Frequencies(total, sum(sizes) / total, held)
        return found

    def _held(self, table: str, unit: Terms, total: int, low: int, high: int) -> int:
        """How many rows hold a unit. Of a common one only so many are counted, and the rest as densely as these."""
        expression = unit_expression(unit)
        if not expression:
            return 0
        counted = self.rows(
            f"select count(*) as n, max(rowid) as last from (select rowid from {table} where {table} match :query"
            f" order by rowid limit {MOST_COUNTED})",
            {"query": expression},
        )[0]
        if counted["n"] < MOST_COUNTED:
            return int(counted["n"])
        passed = (counted["last"] - low + 1) / (high - low + 1)
        return min(total, max(MOST_COUNTED, int(MOST_COUNTED / passed)))

    def index(self, index: str, id: int, columns: Sequence[str] | None, source: str = "", *, new: bool = False) -> None:
        """See Engine.index."""
        places = self.rows("select place from text_places where source_id = :source", {"source": source})
        if not places and columns is None:
            return
        # A table a source: in one common index the rarity of a word would tell of sources that are hidden.
        table = f"{index}_{places[0]['place'] if places else self._make_place(source)}"
        if not new:
            self.rows(f"delete from {table} where rowid = :id", {"id": id})
        if columns is not None:
            values = {f"c{position}": text for position, text in enumerate(columns)}
            slots = ", ".join(f":{name}" for name in values)
            self.rows(f"insert into {table}(rowid, {TEXTS[index]}) values (:id, {slots})", {"id": id, **values})

    def index_rows(self, index: str, rows: Sequence[tuple[int, Sequence[str] | None, str]]) -> None:
        """See Engine.index_rows."""
        for id, columns, source in rows:
            self.index(index, id, columns, source)

    def nearest(
        self, table: str, space: Space, vector: "Vector", limit: int, sources: Sequence[str], *, private: bool
    ) -> list[Hit]:
        """See Engine.nearest."""
        # numpy takes 70 ms to load, and only a search by meaning needs it.
        from gbrain.store.sketch import Sketch

        with self._guard:
            id, sketch = self._sketches.get(table, (0, None))
            if sketch is None or id != space.id:
                sketch = Sketch(table, space)
                self._sketches[table] = space.id, sketch
        try:
            return sketch.nearest(self._connection(), space, vector, limit, sources, private)
        except apsw.Error as error:
            raise self._translated(error) from error

    def cosines(self, table: str, space: Space, vector: "Vector", ids: Sequence[int]) -> dict[int, float]:
        """See Engine.cosines."""
        from gbrain.store.sketch import cosines  # as above

        try:
            return cosines(self._connection(), table, space, vector, ids)
        except apsw.Error as error:
            raise self._translated(error) from error

    def keep_vectors(self, table: str, space: Space, kept: Sequence[Kept], changed: int) -> int:
        """See Engine.keep_vectors."""
        from gbrain.store.sketch import keep  # as above

        try:
            return keep(self._connection(), table, space, kept, changed)
        except apsw.Error as error:
            raise self._translated(error) from error

    def migrate(self) -> None:
        """See Engine.migrate. A backup of an older brain is made beside it before its first step.

        Raises Unavailable for a brain of a newer gbrain, and where there is no room for the backup.
        """
        try:
            numbered = steps(SQL_FOLDER)
            newest = numbered[-1][0]
            version, foreign = self._identity()
            # Before anything is refused: `close` must not move a log into a file that is not ours to change.
            self._untouched = foreign or version > newest
            if foreign:
                raise Unavailable(
                    f"{self.path} is a SQLite file of another program",
                    "choose another home: GBRAIN_HOME=/absolute/folder gbrain init",
                    detail={"reason": "foreign_store"},
                )
            if version > newest:
                raise Unavailable(
                    f"this brain was written by a newer gbrain (schema {version}, this one knows {newest})",
                    "upgrade: pip install --upgrade gbrain; then run: gbrain doctor",
                    detail={"reason": "newer_schema", "schema": version},
                )
            # Only now, since it rewrites the header: a file of another program or of a newer gbrain stays as it was.
            self._log_ahead()
            if version == newest:
                return
            if version > 0:
                self._backup(version)
            for number, file in numbered:
                self._step(number, file)
        except apsw.Error as error:
            raise self._translated(error) from error
        except OSError as error:
            raise self._unreachable(error) from error

    def shapes(self) -> dict[str, Shape]:
        """See Engine.shapes."""
        # Only copies, backups and trouble need it.
        from gbrain.store.layout import shapes

        return shapes(self.rows)

    def sourced(self) -> list[str]:
        """See Engine.sourced."""
        columns = "sqlite_schema s, pragma_table_info(s.name) c"
        found = self.rows(f"select s.name from {columns} where s.type = 'table' and c.name = 'source_id'")
        return [row["name"] for row in found]

    def drop_texts(self, source: str) -> None:
        """See Engine.drop_texts."""
        for place in self._places((source,)):
            for name in text_tables(place):
                self.rows(f"drop table {name}")
        self.rows("delete from text_places where source_id = :source", {"source": source})

    def merge_texts(self, source: str) -> None:
        """See Engine.merge_texts; in steps, so that no other writer waits for all of it."""
        for place in self._places((source,)):
            for name in text_tables(place):
                # https://www.sqlite.org/fts5.html#the_merge_command: below 0 it begins, then goes on until nothing is.
                pages, done = -MERGED_AT_ONCE, 2
                while done > 1:
                    before = self._connection().total_changes()
                    self.rows(f"insert into {name}({name}, rank) values ('merge', :pages)", {"pages": pages})
                    pages, done = MERGED_AT_ONCE, self._connection().total_changes() - before

    def deferred(self) -> None:
        """See Engine.deferred."""
        self.rows("pragma defer_foreign_keys = 1")

    def renumber(self) -> None:
        """See Engine.renumber: SQLite does so by itself."""

    def afresh(self) -> None:
        """See Engine.afresh."""
        self.rows("pragma shrink_memory")

    def close(self) -> None:
        """See Engine.close."""
        with self._guard:
            connections, self._all = self._all, []
        for connection in connections:
            if self._untouched:
                # Closing would move the write-ahead log into a file that is not to be changed.
                connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
            connection.close(True)
        self._local = threading.local()

    def _connection(self) -> apsw.Connection:
        # A transaction belongs to its connection: two threads on one would commit each other's halves.
        found: apsw.Connection | None = getattr(self._local, "connection", None)
        if found is None:
            try:
                found = connected(self.path)
            except apsw.Error as error:
                raise self._translated(error) from error
            self._local.connection = found
            with self._guard:
                self._all.append(found)
        return found

    def in_transaction(self) -> bool:
        """See Engine.in_transaction."""
        return self._connection().in_transaction

    def _log_ahead(self) -> None:
        """Switch a file that is ours to WAL, which it then keeps. SQLite calls no busy handler for it."""
        patience, tries = Patience(), 0
        while self.rows("pragma journal_mode")[0]["journal_mode"] != "wal":
            try:
                self._connection().execute("pragma journal_mode = wal").fetchall()
            except apsw.BusyError:
                if not patience(tries):
                    raise
                tries += 1

    def _places(self, sources: Sequence[str]) -> list[int]:
        """The numbers of the text tables of these sources, for those that have any."""
        found = self.rows("select place from text_places where source_id in (:sources)", {"sources": list(sources)})
        return [row["place"] for row in found]

    def _make_place(self, source: str) -> int:
        """Make the text tables of a source."""
        with self.transaction():
            made = self.rows(
                "insert into text_places (source_id, place) select :source, coalesce(max(place), 0) + 1"
                " from text_places returning place",
                {"source": source},
            )
            place = int(made[0]["place"])
            for name in text_tables(place):
                columns = TEXTS[name.rpartition("_")[0]]
                self.rows(
                    # The words come split and stemmed: any other tokeniser would split and fold them a second time.
                    f"create virtual table {name} using fts5 ({columns}, content = '', contentless_delete = 1,"
                    " tokenize = 'ascii')"
                )
        return place

    def _identity(self) -> tuple[int, bool]:
        """The schema step of the file, and whether it is another program's."""
        # One statement, so that a store another process is making is seen whole or not at all.
        seen = self.rows(
            "select (select count(*) from sqlite_schema) as tables, v.user_version as version, a.application_id as"
            " application from pragma_user_version v, pragma_application_id a"
        )[0]
        foreign = seen["application"] != APPLICATION_ID and (seen["tables"] > 0 or seen["application"] != 0)
        return int(seen["version"]), foreign

    def _number(self, pragma: str) -> int:
        return int(self.rows(f"pragma {pragma}")[0][pragma])

    def _step(self, number: int, file: str) -> None:
        connection = self._connection()
        with open(file, encoding="utf-8") as script:
            text = script.read()
        with self.transaction():
            if self._number("user_version") < number:
                connection.execute(text)
                # In the same transaction as the step, so that a kill leaves the whole step or none of it.
                connection.execute(f"pragma application_id = {APPLICATION_ID}; pragma user_version = {number}")

    def _backup(self, version: int) -> None:
        # Only whole copies bear this name, so one that is there is of the brain before its first step.
        target = f"{self.path}.before-{version + 1:04d}"
        if os.path.exists(target):
            return
        partial = f"{target}.{os.getpid()}"
        with self.snapshot():
            made = copied(self._connection(), partial)
        if made != version:
            # Another process upgraded the brain meanwhile, after a backup of its own.
            os.unlink(partial)
            return
        os.chmod(partial, 0o600)
        os.replace(partial, target)

    def _translated(self, error: apsw.Error | UnicodeDecodeError) -> BrainError:
        """The typed error for what SQLite said."""
        if isinstance(error, apsw.CorruptError | apsw.NotADBError | UnicodeDecodeError):
            self._untouched = True
            return damaged(self.path, str(error) if isinstance(error, apsw.Error) else "a text in it is no text")
        if isinstance(error, apsw.BusyError | apsw.LockedError):
            return busy()
        held: apsw.Connection | None = getattr(self._local, "connection", None)
        if isinstance(error, apsw.FullError):
            return full()
        if isinstance(error, apsw.IOError) and held is not None and lacks_room(held):
            return full()
        if isinstance(error, apsw.ReadOnlyError | apsw.CantOpenError | apsw.IOError | apsw.PermissionsError):
            return self._unreachable(error)
        raise error

    def _unreachable(self, error: Exception) -> Unavailable:
        return Unavailable(
            f"the store at {self.path} cannot be opened or written ({type(error).__name__})",
            "check its permissions, then run: gbrain doctor",
            detail={"reason": "io"},
        )
