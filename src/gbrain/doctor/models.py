"""The checks of models: does searching by meaning answer, and what works without any model."""

from gbrain.brain import Brain, open_brain
from gbrain.doctor.frame import Finding, Patient, check
from gbrain.errors import BrainError, Unavailable
from gbrain.models.embedder import EmbedFailed
from gbrain.store.vectors import KINDS
from gbrain.types import View

_NEEDS = ("store.file", "store.schema", "server", "server.schema")


@check("embedding", "A question put to the model and the stored vectors", needs=_NEEDS)
def embedding(patient: Patient) -> Finding:
    """The model in force gives a question its vector, that finds what is stored, and no text waits for one."""
    if patient.fast:
        return Finding("skipped", "not run: it loads the model")
    if patient.busy or not (patient.probe or patient.server):
        return Finding("skipped", "not run: the store could not be read while it is in use")
    try:
        with open_brain(patient.home) as brain:
            if not isinstance(brain, Brain):
                return Finding("skipped", "not run: another machine keeps the brain")
            vectors = brain.store.vectors
            try:
                embedder = brain.meaning.embedder()
                asked = embedder.queries(["what is known of the harbour?"])[0]
            except EmbedFailed as failed:
                return _without(failed)
            space = vectors.space()
            if space is not None and (space.name, space.dimension) != (embedder.name, len(asked)):
                message = f"the vectors are of {space.name[:80]}, the settings name {embedder.name[:80]}"
                return Finding("warn", f"{message}: search goes by words", "gbrain embed --stale")
            held, waiting = vectors.counts(space)
            if space is not None:
                view = View(tuple(brain.store.sources.ids()), True, brain.store.config.now())
                vectors.nearest(view, space, asked, 1, KINDS)
    except Unavailable as failed:
        return Finding("warn", f"{failed.message}: search goes by words", _command(failed.suggestion))
    except BrainError as failed:
        return Finding("fail", failed.message, _command(failed.suggestion))
    if waiting:
        told = "A running server does it by itself, for new texts."
        return Finding(
            "ok",
            f"{embedder.name} answers; {waiting:,} of {held + waiting:,} texts wait for a vector",
            "gbrain embed",
            (told,),
        )
    return Finding("ok", f"{embedder.name} answers; each of {held:,} texts has a vector")


def _without(failed: EmbedFailed) -> Finding:
    if failed.reason in ("no_provider", "off"):
        return Finding("ok", f"{failed.message}: search goes by names and words", None, (failed.suggestion,))
    message = f"search by meaning does not answer ({failed.reason}): {failed.message}"
    return Finding("warn", message, _command(failed.suggestion), (failed.suggestion,))


def _command(suggestion: str) -> str | None:
    """The command that a suggestion ends with or begins with, None for one without."""
    for mark in ("run: ", "another one: ", "at them: ", "then: ", "embedding.model: "):
        _, found, command = suggestion.partition(mark)
        if found and command.startswith("gbrain "):
            return command.partition(";")[0].partition(",")[0]
    return None


@check("keyless", "What works without a key, and what a model would add", category="meta")
def keyless(patient: Patient) -> Finding:
    """A brain without any key or model is complete; this says what one would add."""
    return Finding(
        "ok",
        "no key and no model is set up, and none is needed: nothing is missing",
        None,
        (
            "Without one: remember, recall, entity, search, context-pack and delta work, by names and words.",
            "A language model would add: synthesize (until then it answers `unavailable`).",
            "Finding text by meaning needs no key either: see the check `embedding`.",
        ),
    )
