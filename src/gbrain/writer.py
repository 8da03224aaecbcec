"""MemoryWriter: the typed way to write what agents learn, for programs."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gbrain import registry
from gbrain.types import Caller

if TYPE_CHECKING:
    from gbrain.brain import Brain
    from gbrain.ops.memory_pages import MemoryReply


class MemoryWriter:
    """Writes to the memory pages of a brain, safe beside any number of other writers.

        with open_brain() as brain:
            writer = MemoryWriter(brain, provenance="chat, 2031-05-04")
            writer.save_user_profile("tea", "black, no sugar")

    Every method writes one entry, as a version with its origin, and what it wrote can be searched when it returns.
    With the `expected_version` that was read, an entry that somebody changed since raises VersionConflict; others join.
    An `automatic` writer writes what nobody asked for: its entries start below confidence 1.
    """

    def __init__(
        self,
        brain: "Brain",
        *,
        provenance: str | None = None,
        automatic: bool = False,
        session: str | None = None,
        caller: Caller | None = None,
    ) -> None:
        self._brain = brain
        self._common = {"provenance": provenance}
        self._automatic = automatic
        self._session = session
        self._caller = caller or Caller.local("python")

    def save_user_profile(
        self, key: str, value: str, confidence: float | None = None, expected_version: int | None = None
    ) -> "MemoryReply":
        """Save one thing about the user; a later value of a key replaces the earlier."""
        return self._sure("save_user_profile", confidence, key=key, value=value, expected_version=expected_version)

    def record_feedback(
        self,
        action: str,
        approved: bool,
        reason: str = "",
        about: str | None = None,
        expected_version: int | None = None,
    ) -> "MemoryReply":
        """Record what the user approved or rejected; a rejection halves the confidence of the page it is `about`."""
        return self._call(
            "record_feedback",
            action=action,
            approved=approved,
            reason=reason,
            about=about,
            expected_version=expected_version,
        )

    def update_project_context(
        self,
        updates: Mapping[str, Any],
        project: str | None = None,
        confidence: float | None = None,
        expected_version: int | None = None,
    ) -> "MemoryReply":
        """Merge keys into what is known about a project; None takes a key out."""
        return self._sure(
            "update_project_context",
            confidence,
            updates=dict(updates),
            project=project,
            expected_version=expected_version,
        )

    def add_reference(
        self,
        category: str,
        content: str,
        tags: Sequence[str] = (),
        confidence: float | None = None,
        expected_version: int | None = None,
    ) -> "MemoryReply":
        """Add a link or a short text to a collection."""
        return self._sure(
            "add_reference",
            confidence,
            category=category,
            content=content,
            tags=list(tags),
            expected_version=expected_version,
        )

    def record_lesson(
        self, lesson: str, confidence: float | None = None, expected_version: int | None = None
    ) -> "MemoryReply":
        """Record what was learnt."""
        return self._sure("record_lesson", confidence, lesson=lesson, expected_version=expected_version)

    def _sure(self, name: str, confidence: float | None, **given: Any) -> "MemoryReply":
        return self._call(name, confidence=confidence, automatic=self._automatic, **given)

    def _call(self, name: str, **given: Any) -> "MemoryReply":
        arguments = {**self._common, **given}
        reply: MemoryReply = registry.call(self._brain, self._caller, name, arguments, session=self._session).value
        return reply
