"""`docs/README.md`: every page of the documentation by its title, with the first sentence of it."""

import os
import re
from collections.abc import Iterator

FILE = "docs/README.md"
FIRST = ("quickstart.md", "spend-controls.md", "glossary.md", "benchmarks.md")
"""The pages that stand in no folder, in the order in which they are shown; others follow by name."""
FOLDERS = (
    ("", "First"),
    ("how-to", "How to"),
    ("reference", "Reference"),
    ("protocol", "The verbs on the wire"),
    ("explanation", "Explanation"),
)


def text(root: str) -> str:
    """The text of the page; `root` is the folder of the project."""
    folder = os.path.join(root, "docs")
    lines = ["# Documentation", "", "Made of the pages themselves by `make docs`; edits here are lost."]
    for name, heading in FOLDERS:
        lines += ["", f"## {heading}", ""]
        for path in _pages(folder, name):
            with open(os.path.join(folder, path), encoding="utf-8") as file:
                title, said = _of(file.read())
            lines.append(f"- [{title}]({path})" + (f": {said}" if said else ""))
    return "\n".join(lines) + "\n"


def _pages(folder: str, name: str) -> Iterator[str]:
    """The pages of one folder, as paths below `docs`."""
    there = sorted(file for file in os.listdir(os.path.join(folder, name)) if file.endswith(".md"))
    first = [file for file in FIRST if not name and file in there]
    for file in (*first, *(file for file in there if file not in first)):
        if file != os.path.basename(FILE):
            yield f"{name}/{file}" if name else file


def _of(page: str) -> tuple[str, str]:
    """The title of a page, and the first sentence of its first paragraph that is prose and its own."""
    heading, _, rest = page.partition("\n")
    prose = re.sub(r"^```.*?^```$", "", rest, flags=re.M | re.S)
    for paragraph in re.split(r"\n{2,}", prose.strip("\n")):
        words = " ".join(paragraph.split())
        if re.match(r"\w|`|\*\*", paragraph) and not words.startswith("Generated"):
            words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", words).replace("**", "")
            return heading.lstrip("# "), re.split(r"(?<=[.:?])\s(?=[A-Z`]|gbrain )", words)[0].rstrip(":.") + "."
    return heading.lstrip("# "), ""
