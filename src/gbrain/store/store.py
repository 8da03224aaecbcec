"""Store: every area of persistence over one engine."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING

from gbrain.domain.places import SEED
from gbrain.store.chunks import Chunks
from gbrain.store.config import Config
from gbrain.store.consents import Consents
from gbrain.store.engine import Engine
from gbrain.store.facts import Facts
from gbrain.store.former_slugs import FormerSlugs
from gbrain.store.languages import Languages
from gbrain.store.leases import Leases
from gbrain.store.links import Links
from gbrain.store.names import Names
from gbrain.store.pages import Pages
from gbrain.store.refs import Refs
from gbrain.store.sessions import Sessions
from gbrain.store.sources import Sources
from gbrain.store.tags import Tags
from gbrain.store.timeline import Timeline
from gbrain.store.usage import UsageLog
from gbrain.store.vectors import Vectors

if TYPE_CHECKING:
    from gbrain.errors import Unavailable
    from gbrain.store.calls import ModelCalls
    from gbrain.store.clients import Clients
    from gbrain.store.erasing import Erasing
    from gbrain.store.fact_rows import FactRows
    from gbrain.store.files import Files
    from gbrain.store.harvests import Harvests
    from gbrain.store.oauth import OAuth
    from gbrain.store.past import Past
    from gbrain.store.portable import Portable
    from gbrain.store.stories import Stories
    from gbrain.store.trajectories import Trajectories
    from gbrain.store.turns import Turns
    from gbrain.store.upkeep import Upkeep


class Store:
    """The areas of one brain, joined on one engine."""

    def __init__(self, engine: Engine, clock: Callable[[], datetime]) -> None:
        self.engine = engine
        self.config = Config(engine, clock)
        self.consents = Consents(engine)
        self.sources = Sources(engine)
        self.languages = Languages(engine)
        self.names = Names(engine)
        self.links = Links(engine)
        self.refs = Refs(engine)
        self.tags = Tags(engine)
        self.leases = Leases(engine)
        self.vectors = Vectors(engine)
        self.chunks = Chunks(engine, self.vectors)
        self.pages = Pages(engine, self.names, self.links, self.tags, self.chunks)
        self.former = FormerSlugs(engine)
        self.timeline = Timeline(engine)
        self.facts = Facts(engine, self.vectors)
        self.sessions = Sessions(engine)
        self.usage = UsageLog(engine)

    @property
    def clients(self) -> "Clients":
        """Who may ask over the network."""
        # Only what has to do with identities needs it: an agent's own pipe does not.
        from gbrain.store.clients import Clients

        return Clients(self.engine)

    @property
    def calls(self) -> "ModelCalls":
        """What was asked of models, and what it took."""
        # As above.
        from gbrain.store.calls import ModelCalls

        return ModelCalls(self.engine)

    @property
    def oauth(self) -> "OAuth":
        """Applications, codes and tokens of OAuth."""
        # As above.
        from gbrain.store.oauth import OAuth

        return OAuth(self.engine, self.clients)

    @property
    def files(self) -> "Files":
        """What lies in the folders of the sources."""
        # Only a source with a folder needs it.
        from gbrain.store.files import Files

        return Files(self.engine)

    @property
    def fact_rows(self) -> "FactRows":
        """Facts as the rows of the fences in pages."""
        # Only a page with a fence needs it.
        from gbrain.store.fact_rows import FactRows

        return FactRows(self.engine)

    @property
    def portable(self) -> "Portable":
        """Whole rows, for an export and from one."""
        # As above.
        from gbrain.store.portable import Portable

        return Portable(self.engine, self.facts)

    @property
    def upkeep(self) -> "Upkeep":
        """What passes over the pages ask."""
        # As above.
        from gbrain.store.upkeep import Upkeep

        return Upkeep(self.engine)

    @property
    def harvests(self) -> "Harvests":
        """Which turns were taken up at once."""
        # Only a server that was told of a turn needs it.
        from gbrain.store.harvests import Harvests

        return Harvests(self.engine)

    @property
    def turns(self) -> "Turns":
        """Which turns were read for facts."""
        # Only extraction needs it.
        from gbrain.store.turns import Turns

        return Turns(self.engine)

    @property
    def past(self) -> "Past":
        """Texts of pages at an earlier moment."""
        # Few reads are of another time.
        from gbrain.store.past import Past

        return Past(self.engine)

    @property
    def stories(self) -> "Stories":
        """What became of facts."""
        # Only a person who asks why, or takes something back, needs it.
        from gbrain.store.stories import Stories

        return Stories(self.engine)

    @property
    def erasing(self) -> "Erasing":
        """Where the words of a fact stand."""
        # As above.
        from gbrain.store.erasing import Erasing

        return Erasing(self.engine)

    @property
    def trajectories(self) -> "Trajectories":
        """What was so at other times."""
        # Only questions about time need it.
        from gbrain.store.trajectories import Trajectories

        return Trajectories(self.engine)

    def prepare(self, version: str) -> None:
        """Migrate, make the default source, and note which version opened the brain."""
        self.engine.migrate()
        # Asked by a read first: of thousands of processes one has to write anything.
        if self.config.opened_by() != version:
            self.config.refuse_partial()
            with self.engine.transaction():
                self.sources.ensure(SEED, self.config.now(), federated=True)
                self.config.note_opened(version)

    def misfit(self) -> "Unavailable | None":
        """The error for a brain whose tables are another build's; None for any other."""
        # Only what has just failed asks.
        from gbrain.store.layout import misfit

        return misfit(self.engine)

    def transaction(self) -> AbstractContextManager[None]:
        """One short write transaction over every area."""
        return self.engine.transaction()

    def close(self) -> None:
        """Close the engine and its connections; the store is of no use afterwards."""
        self.engine.close()
