"""The answers of the memory pages' operations as text. Each function is named like its operation."""

from typing import Any

from gbrain.entry.cli.screen import Paint

Given = dict[str, Any]


def save_user_profile(value: Any, given: Given, paint: Paint) -> str:
    """Where it stands now, and how sure it is."""
    return _written(value, paint)


def record_feedback(value: Any, given: Given, paint: Paint) -> str:
    """Where it stands now."""
    return _written(value, paint)


def update_project_context(value: Any, given: Given, paint: Paint) -> str:
    """Where it stands now, and how sure it is."""
    return _written(value, paint)


def add_reference(value: Any, given: Given, paint: Paint) -> str:
    """Where it stands now."""
    return _written(value, paint)


def record_lesson(value: Any, given: Given, paint: Paint) -> str:
    """Where it stands now, and how sure it is."""
    return _written(value, paint)


def _written(value: Any, paint: Paint) -> str:
    slug, version = paint.name(value["slug"]), value["version"]
    if value["status"] == "skipped":
        return f"{slug} says this already (version {version})"
    sure = f", confidence {value['confidence']:g}" if value["confidence"] < 1 else ""
    if value["status"] == "kept":
        return f"{slug} keeps what it says, less sure of it (version {version}{sure})"
    return f"{slug} is at version {version}{sure}"
