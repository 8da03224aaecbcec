"""gbrain: a memory that lasts, for AI agents.

    from gbrain import BrainError, open_brain

    with open_brain(create=True) as brain:
        brain.remember(fact="prefers green tea", provenance="notebook", entity="Dana Oakes", kind="preference")
        for fact in brain.recall(entity="Dana Oakes")["facts"]:
            print(fact["fact"], fact["provenance"])

`open_brain` gives a Brain, whose methods are the operations: `help(brain.remember)` says what one takes. Whatever is
refused is a BrainError with a `code`, a `message` and a `suggestion`; its kinds, such as NotFound, are here too.
MemoryWriter is the typed way to write what agents learn.

Public names load when first used, so that a hook or a command pays only for what it needs.
"""

# Not from typing, which takes as long to load as the rest of a hook.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from gbrain.brain import Brain as Brain, RemoteBrain as RemoteBrain, open_brain as open_brain
    from gbrain.errors import (
        BrainError as BrainError,
        Internal as Internal,
        InvalidParams as InvalidParams,
        InvalidToken as InvalidToken,
        NotFound as NotFound,
        ProvenanceRequired as ProvenanceRequired,
        ScopeDenied as ScopeDenied,
        Unavailable as Unavailable,
        UnknownTool as UnknownTool,
        VersionConflict as VersionConflict,
    )
    from gbrain.types import Caller as Caller, Fact as Fact, Link as Link, Page as Page
    from gbrain.writer import MemoryWriter as MemoryWriter

__version__ = "0.1.0"

_PUBLIC = {
    "Brain": "brain",
    "BrainError": "errors",
    "Caller": "types",
    "Fact": "types",
    "Internal": "errors",
    "InvalidParams": "errors",
    "InvalidToken": "errors",
    "Link": "types",
    "MemoryWriter": "writer",
    "NotFound": "errors",
    "Page": "types",
    "ProvenanceRequired": "errors",
    "RemoteBrain": "brain",
    "ScopeDenied": "errors",
    "Unavailable": "errors",
    "UnknownTool": "errors",
    "VersionConflict": "errors",
    "open_brain": "brain",
}

__all__ = ["__version__", *sorted(_PUBLIC)]


def __getattr__(name: str) -> "Any":
    if name not in _PUBLIC:
        raise AttributeError(f"module 'gbrain' has no attribute {name!r}")
    from importlib import import_module  # lazy by design: `import gbrain` alone loads nothing

    return getattr(import_module(f"gbrain.{_PUBLIC[name]}"), name)


def __dir__() -> "list[str]":
    return __all__
