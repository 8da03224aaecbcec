"""What an operation is given beside its arguments, and what it gives back."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from gbrain.domain.places import Extent, Selection, extent
from gbrain.domain.times import store_time
from gbrain.mounts import Choice
from gbrain.settings import Settings
from gbrain.store.engine import Reach
from gbrain.types import Caller, View

if TYPE_CHECKING:
    from gbrain.brain import Brain
    from gbrain.models.calls import Models
    from gbrain.models.meaning import Meaning
    from gbrain.store.store import Store

Progress = Callable[[str, int, int], None]


def unseen(what: str, done: int, of: int) -> None:
    """The progress that nobody watches."""


class Context(NamedTuple):
    """What an operation is given beside its arguments. `now` is one moment for the whole request."""

    store: "Store"
    settings: Settings
    caller: Caller
    view: View
    source: str
    now: datetime
    session: str | None
    home: str
    brain_id: str
    meta: dict[str, Any]
    warnings: list[dict[str, Any]]
    chosen: Choice
    """The brain this is, and what chose it."""
    meaning: "Meaning"
    """Finding by meaning, with the model in force."""
    extent: Extent
    selection: Selection
    made_models: Callable[[], "Models"]
    progress: Progress = unseen
    """Told how far long work is: of what, how much is done, how much there is."""
    beside: tuple[str, ...] = ()
    """The sources that a read would be of, had its page not been named with the one that `view` shows."""

    @property
    def models(self) -> "Models":
        """The language models in force; nothing of them is loaded before an operation asks."""
        return self.made_models()

    @property
    def now_text(self) -> str:
        """The moment of the request as the store writes it."""
        return self.view.now

    @property
    def who(self) -> str:
        """Who asks, in a word: the client's name, or the way in where it has none."""
        client = self.caller.client
        return self.caller.transport if client in ("local", "remote") else client

    def warn(self, code: str, message: str, **extra: Any) -> None:
        """Add a named warning to the reply."""
        self.warnings.append({"code": code, "message": message, **extra})


class Reply(NamedTuple):
    """An operation's answer: its value, what rides beside it, and named warnings."""

    value: Any
    meta: dict[str, Any]
    warnings: list[dict[str, Any]]


def context(
    brain: "Brain",
    caller: Caller,
    *,
    source: str | None = None,
    session: str | None = None,
    progress: Progress = unseen,
) -> Context:
    """The context of one request. Raises ScopeDenied or NotFound when `source` may not be used."""
    now = brain.clock()
    about = extent(brain.selection, brain.store.sources.all(), caller.sources, source, remote=caller.remote)
    view = View(about.reads, not caller.remote, store_time(now), slugs=caller.slugs)
    given = (brain.store, brain.settings, caller, view, about.source, now, session, brain.home, brain.id)
    return Context(*given, {}, [], brain.chosen, brain.meaning, about, brain.selection, lambda: brain.models, progress)


def within_reach(brain: "Brain", caller: Caller) -> AbstractContextManager[None]:
    """Let no statement of this thread see more than the caller may, where the database holds a second wall."""
    return brain.store.engine.within(Reach(caller.sources, not caller.remote, caller.slugs))
