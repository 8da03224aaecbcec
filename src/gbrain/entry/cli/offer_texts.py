"""The answer of `volunteer_context` as text. The function is named like its operation."""

from typing import Any

from gbrain.entry.cli.screen import Paint, minute, table

Given = dict[str, Any]


def volunteer_context(value: Any, given: Given, paint: Paint) -> str:
    """The offers as an agent gets them, with how sure each is; or how offers have done."""
    if "stats" in value:
        return _stats(value["stats"], paint)
    if not value["pages"]:
        return paint.dim("Nothing to offer.")
    sure = [paint.dim(f"  {page['arm']} {page['confidence']:.2f}") for page in value["pages"]]
    lines = value["text"].rstrip("\n").split("\n")
    return "\n".join(line for pair in zip(lines, sure, strict=True) for line in pair)


def _stats(stats: Any, paint: Paint) -> str:
    if not stats["offered"]:
        return paint.dim(f"Nothing was offered since {stats['since'][:10]}.")
    parts = [f"Since {stats['since'][:10]}: {stats['offered']} offered, {stats['opened']} opened within a day."]
    for name in ("arms", "channels"):
        rows = [
            (
                row["name"],
                str(row["offered"]),
                str(row["opened"]),
                f"{row['precision']:.2f}",
                minute(row["last"]),
            )
            for row in stats[name]
        ]
        parts.append(table((name[:-1], "offered", "opened", "share", "last"), rows))
    return "\n\n".join(parts)
