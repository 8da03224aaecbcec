"""The checks of models: does searching by meaning answer, and what works without any model."""

from gbrain.brain import Brain, open_brain
from gbrain.doctor.frame import Finding, Patient, check
from gbrain.domain.spending import NEAR
from gbrain.errors import BrainError, Unavailable
from gbrain.models.chat import Purpose
from gbrain.models.embedder import EmbedFailed
from gbrain.models.meaning import changed
from gbrain.ops.spending import limit_rows
from gbrain.store.vectors import KINDS
from gbrain.types import View

_PURPOSES: tuple[Purpose, ...] = ("extract", "compose", "expand", "judge")
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
            if space is not None and (other := changed(embedder, space, len(asked))) is not None:
                return Finding("warn", f"{other.message}: search goes by words", "gbrain embed --stale")
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


@check(
    "spending", "The language models that are set, their keys, and how near the limits of spending are", needs=_NEEDS
)
def spending(patient: Patient) -> Finding:
    """Each model that is set could be called, and the day and the month have room for it. None is called."""
    if patient.busy or not (patient.probe or patient.server):
        return Finding("skipped", "not run: the store could not be read while it is in use")
    try:
        with open_brain(patient.home) as brain:
            if not isinstance(brain, Brain):
                return Finding("skipped", "not run: another machine keeps the brain")
            set_for = [purpose for purpose in _PURPOSES if brain.models.name(purpose) is not None]
            if not set_for:
                return Finding(
                    "ok", "no language model is set, and none is called", None, ("See docs/spend-controls.md.",)
                )
            lacking = [(purpose, failed) for purpose in set_for if (failed := brain.models.lacking(purpose))]
            rows = limit_rows(brain.models.limits(), brain.store, brain.clock())
            resting = brain.store.calls.resting(brain.clock())
    except BrainError as failed:
        return Finding("warn", failed.message, "gbrain models list")
    if lacking and lacking[0][1].reason != "disabled":
        return Finding("warn", f"no model for {lacking[0][0]}: {lacking[0][1].message}", "gbrain models list")
    near = [row for row in rows if row["near"]]
    if near:
        told = tuple(f"{row['setting']}: {row['taken']:,.10g} of {row['allowed']:,.10g}" for row in near)
        percent = round(100 * NEAR)
        return Finding(
            "warn", f"{percent} % or more of a limit of spending is used: {told[0]}", "gbrain spend", told[1:]
        )
    if resting:
        place, until = next(iter(resting.items()))
        return Finding("warn", f"{place} failed too often and is left alone until {until}", "gbrain models test")
    models = ", ".join(dict.fromkeys(str(brain.models.name(purpose)) for purpose in set_for))
    return Finding("ok", f"{models} may be called, and the limits of spending have room")


@check("keyless", "What works without a key, and what a model would add", category="meta")
def keyless(patient: Patient) -> Finding:
    """A brain without any key or model is complete; this says what one would add."""
    return Finding(
        "ok",
        "no key and no model is needed: nothing is missing",
        None,
        (
            "Without one: remember, recall, entity, search, context-pack and delta work, by names and words.",
            "A language model would add: synthesize (until then it answers `unavailable`). See `gbrain models`.",
            "Finding text by meaning needs no key either: see the check `embedding`.",
        ),
    )
