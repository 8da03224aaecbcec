"""The check of the text indexes: every source's words stand in them as its language has them."""

from gbrain.doctor.frame import Finding, Patient, check
from gbrain.store.probe import Trouble


@check(
    "languages",
    "The text indexes of every source: in its own language alone",
    needs=("store.file", "store.schema", "server", "server.schema"),
)
def languages(patient: Patient) -> Finding:
    """No change of a source's language was broken off; until it is finished, a question asks for each word twice."""
    probe = patient.probe or patient.server
    if probe is None:
        return Finding("skipped", "not run: the store could not be read while it is in use")
    try:
        spoken = probe.languages()
    except Trouble as trouble:
        return Finding("fail", f"the sources could not be read ({trouble.words})")
    broken = [(source, language) for source, (language, indexed) in spoken.items() if indexed != language]
    if not broken:
        return Finding("ok", ", ".join(sorted({language for language, _ in spoken.values()})))
    details = tuple(f"{source}: {language}" for source, language in broken)
    message = f"{len(broken)} of {len(spoken)} sources are indexed in another language than theirs"
    return Finding("warn", message, f"gbrain sources language {broken[0][0]} {broken[0][1]}", details)
