"""What a serving process does beside answering its clients: followers of a brain, each with threads of its own."""

from typing import TYPE_CHECKING, Protocol

from gbrain.entry.at_once import AtOnce
from gbrain.entry.embedding import Embedding
from gbrain.entry.listening import Listening, Verb
from gbrain.entry.recalling import Recalling
from gbrain.entry.sweeping import Sweeping
from gbrain.entry.watch import Watch

if TYPE_CHECKING:
    from gbrain.brain import Brain


class _Follower(Protocol):
    def start(self) -> None: ...
    def stop(self) -> None: ...


class Beside:
    """Every follower of a server; `sweeps` says whether it sweeps as well."""

    def __init__(self, brain: "Brain", *, sweeps: bool) -> None:
        self._at_once = AtOnce(brain)
        self._recalling = Recalling(brain)
        embedding = Embedding(brain)
        verbs: dict[str, Verb] = {
            "harvest": self._at_once.answer,
            "recall": self._recalling.answer,
            "meaning": embedding.answer,
        }
        self._followers: list[_Follower] = [Listening(brain, verbs), Watch(brain), embedding]
        if sweeps:
            self._followers.append(Sweeping(brain))

    def start(self) -> None:
        """Begin what follows the brain; what waits on the socket begins with its first request."""
        for follower in self._followers:
            follower.start()

    def stop(self) -> None:
        """End, before the store is closed."""
        self._at_once.stop()
        self._recalling.stop()
        for follower in self._followers:
            follower.stop()
