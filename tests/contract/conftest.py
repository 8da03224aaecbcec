"""A store on each engine, and short ways to fill it.

The tests of this folder say what a store does, never how, so every engine runs all of them: a further engine is
one more entry of `ENGINES`.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import databases
from clocks import Clock
from gbrain.domain.similarity import fingerprint
from gbrain.domain.slugs import alias_key, slugify
from gbrain.store.engine import Engine
from gbrain.store.facts import NewFact
from gbrain.store.postgres import PostgresEngine
from gbrain.store.sqlite import SQLiteEngine
from gbrain.store.store import Store
from gbrain.types import Draft, View, Written


def _sqlite(folder: Path) -> Callable[[], Engine]:
    return lambda: SQLiteEngine(str(folder / "brain.db"))


def _postgres(folder: Path) -> Callable[[], Engine]:
    url = databases.emptied()
    return lambda: PostgresEngine(url)


ENGINES: dict[str, Callable[[Path], Callable[[], Engine]]] = {"sqlite": _sqlite, "postgres": _postgres}
"""By name: from a fresh folder to a function that opens one and the same empty store, each time as another client."""


@pytest.fixture(params=list(ENGINES))
def another_engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Engine]]:
    """Opens the store of this test once more, as another process would."""
    opened: list[Engine] = []
    open_one = ENGINES[request.param](tmp_path)

    def another() -> Engine:
        opened.append(open_one())
        return opened[-1]

    yield another
    for engine in opened:
        engine.close()


@pytest.fixture
def engine(another_engine: Callable[[], Engine]) -> Engine:
    """An engine whose schema is the newest."""
    made = another_engine()
    made.migrate()
    return made


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(engine: Engine, clock: Clock) -> Store:
    """An empty brain's store, with the sources `default` and `other`."""
    made = Store(engine, clock)
    made.prepare("1.0")
    made.sources.ensure("other", clock.text)
    return made


@pytest.fixture
def another_store(another_engine: Callable[[], Engine], store: Store, clock: Clock) -> Store:
    """The same store as another process sees it."""
    made = Store(another_engine(), clock)
    made.prepare("1.0")
    return made


@pytest.fixture
def view(clock: Clock) -> Callable[..., View]:
    """A reader's view at the moment of the clock: local, of the default source, unless said otherwise."""

    def made(*sources: str, private: bool = True, as_of: str | None = None) -> View:
        return View(sources or ("default",), private, clock.text, as_of)

    return made


@pytest.fixture
def local(view: Callable[..., View]) -> View:
    """The operator at the start of the test."""
    return view()


@pytest.fixture
def remote(view: Callable[..., View]) -> View:
    """An agent at the start of the test: no private text."""
    return view(private=False)


@pytest.fixture
def draft() -> Callable[..., Draft]:
    """A page as it was read from a text."""

    def made(
        slug: str,
        body: str = "Nothing yet.",
        *,
        title: str | None = None,
        aliases: Sequence[str] = (),
        tags: Sequence[str] = (),
        type: str = "note",
        private: bool = False,
        expiry: str | None = None,
        **more: Any,
    ) -> Draft:
        title = slug if title is None else title
        head = f"---\ntitle: {title}\n---\n"
        seen = f"{head}{body}{aliases}{tags}{private}{expiry}{type}"
        made = Draft(
            slug=slug,
            type=type,
            title=title,
            frontmatter={"title": title},
            content=head + body,
            body_start=len(head),
            summary=body[:40],
            private=private,
            confidence=None,
            expiry=expiry,
            effective_date=None,
            effective_date_source="fallback",
            tags=tuple(tags),
            aliases=tuple(aliases),
            content_hash=hashlib.sha256(seen.encode()).hexdigest(),
            based_on=None,
        )
        return made._replace(**more)

    return made


@pytest.fixture
def put(store: Store, draft: Callable[..., Draft], view: Callable[..., View]) -> Callable[..., Written]:
    """Write a page as the operator, whatever was there before."""

    def write(slug: str, body: str = "Nothing yet.", *, source: str = "default", **fields: Any) -> Written:
        return store.pages.write(
            view(source), source, draft(slug, body, **fields), by="tester", reason=None, expected=None, blind=True
        )

    return write


@pytest.fixture
def claim(clock: Clock) -> Callable[..., NewFact]:
    """A fact about to be saved, about nothing unless an entity is named."""

    def made(fact: str, entity: str | None = None, **fields: Any) -> NewFact:
        slug = slugify(entity) if entity else None
        made = NewFact(
            source_id="default",
            fact=fact,
            fingerprint=fingerprint(fact),
            kind="fact",
            entity_slug=slug,
            entity_name=entity,
            entity_key=slug or alias_key(entity or ""),
            visibility="world",
            valid_from=clock.text,
            valid_until=None,
            provenance="a test",
        )
        return made._replace(**fields)

    return made


@pytest.fixture
def say(store: Store, clock: Clock, claim: Callable[..., NewFact]) -> Callable[..., int]:
    """Save a fact now; its id."""

    def insert(fact: str, entity: str | None = None, *, replaces: Sequence[int] = (), **fields: Any) -> int:
        with store.transaction():
            return store.facts.insert(claim(fact, entity, **fields), clock.text, replaces=replaces)

    return insert
