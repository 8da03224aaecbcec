"""The check of the stored settings: every key known, every value allowed."""

from gbrain.doctor.frame import Finding, Patient, check
from gbrain.settings import SETTINGS, nearest
from gbrain.store.probe import Trouble

_KNOWN = {setting.key: setting for setting in SETTINGS}


@check(
    "settings",
    "The stored settings: keys this version knows, values it allows",
    needs=("store.file", "store.schema", "server", "server.schema"),
)
def settings(patient: Patient) -> Finding:
    """No stored setting is silently without effect."""
    probe = patient.probe or patient.server
    if probe is None:
        return Finding("skipped", "not run: the store could not be read while it is in use")
    try:
        stored = probe.settings()
    except Trouble as trouble:
        return Finding("fail", f"the settings could not be read ({trouble.words})")
    problems = [(key, problem) for key, value in stored.items() if (problem := wrong(key, value)) is not None]
    if not problems:
        count = f"{len(stored)} stored, each known and allowed" if stored else "all at their defaults"
        return Finding("ok", count)
    # Only a setting that this version knows can be unset by its command.
    fixes = [f"gbrain config unset {key}" for key, _ in problems if key in _KNOWN]
    lines = [f"{key}: {problem}" for key, problem in problems]
    return Finding("warn", f"{lines[0]}; it has no effect", fixes[0] if fixes else None, tuple(lines[1:]))


def wrong(key: str, value: str) -> str | None:
    """What is wrong with a stored row, None when nothing is."""
    known = _KNOWN.get(key)
    if known is None:
        near = nearest(key, list(_KNOWN))
        return "this version knows no such setting" + (f" (did you mean {near}?)" if near else "")
    if not known.allows(value):
        allowed = f"one of {', '.join(known.choices)}" if known.choices else known.form
        return f"the stored value is not {allowed}"
    return None
