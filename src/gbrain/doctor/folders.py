"""The check of the folders: every file of theirs was read by the last sync."""

from gbrain.doctor.frame import Finding, Patient, check
from gbrain.store.probe import Trouble


@check(
    "folders.unread",
    "The folders of the sources: whatever the last sync could not read",
    needs=("store.file", "store.schema", "server", "server.schema"),
)
def unread(patient: Patient) -> Finding:
    """Every file was read by the last sync of its folder; what was not is in no answer."""
    probe = patient.probe or patient.server
    if probe is None:
        return Finding("skipped", "not run: the store could not be read while it is in use")
    try:
        found = probe.unread()
    except Trouble as trouble:
        return Finding("fail", f"what was not read could not be looked up ({trouble.words})")
    files = [(source, one) for source, held in found.items() for one in held]
    if not files:
        return Finding("ok", "the last sync read every file")
    # A file's name may hold line ends.
    details = tuple(" ".join(f"{source}: {one.path}: {one.message}; {one.hint}".split()) for source, one in files)
    message = f"{len(files):,} file{'s' * (len(files) != 1)} could not be read, and no answer knows of what they say"
    only = next(iter(found))
    return Finding(
        "warn", message, "gbrain sync --all" if found.keys() - {only} else f"gbrain sync --source {only}", details
    )
