"""Git, as far as a source's folder needs it: taking in what others pushed, and what files were called before."""

import os
import subprocess
from typing import Literal, NamedTuple

PULL_SECONDS = 60
_PAGES = (".md", ".mdx")
_OF_ANOTHER = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE")
"""Set while git runs a hook: they would lead to that repository instead of the folder's own."""


class Pulled(NamedTuple):
    """What a pull did; `message` is git's own word on a failure."""

    status: Literal["none", "current", "updated", "failed"]
    message: str = ""


def pull(folder: str) -> Pulled:
    """`git pull --ff-only`, where the folder is in a repository whose branch has an upstream. Nothing is raised."""
    if not _in_repository(folder):
        return Pulled("none")
    try:
        # A branch without an upstream is no failure: there is nothing to take in.
        if _git(folder, "rev-parse", "--abbrev-ref", "--symbolic-full-name", "@{upstream}").returncode != 0:
            return Pulled("none")
        before = _git(folder, "rev-parse", "HEAD").stdout
        # Never a merge: conflict marks in a person's pages would become their text.
        done = _git(folder, "pull", "--ff-only", "--quiet", "--no-rebase")
        if done.returncode != 0:
            said = [line for line in (done.stderr or done.stdout).splitlines() if not line.startswith("hint:")]
            return Pulled("failed", " ".join(" ".join(said).split())[:300] or "git pull failed")
        return Pulled("current" if _git(folder, "rev-parse", "HEAD").stdout == before else "updated")
    except FileNotFoundError:
        return Pulled("failed", "git is not installed")
    except subprocess.TimeoutExpired:
        return Pulled("failed", f"git pull took longer than {PULL_SECONDS} seconds")
    except OSError as error:
        return Pulled("failed", f"git could not run: {error.strerror}")


def renames(folder: str) -> list[tuple[str, str]]:
    """(old path, new path) of every Markdown file that a commit moved within the folder, the newest first.

    Empty without a repository, and where git cannot tell in time.
    """
    if not _in_repository(folder):
        return []
    try:
        done = _git(
            folder, "log", "--format=", "--name-status", "--diff-filter=R", "--find-renames", "--relative", "-z", "--",
            ".",
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return []
    # `-z`: else git writes names that are not ASCII in quotes and octal.
    fields = done.stdout.lstrip("\n").split("\0") if done.returncode == 0 else []
    rows = zip(fields[::3], fields[1::3], fields[2::3], strict=False)
    return [(old, new) for _, old, new in rows if old.lower().endswith(_PAGES) and new.lower().endswith(_PAGES)]


def _in_repository(folder: str) -> bool:
    path = os.path.realpath(folder)
    # `.git` may be a file too: that of a worktree or a submodule. Looked for here, since starting git costs 8 ms.
    while not os.path.exists(os.path.join(path, ".git")):
        path, before = os.path.dirname(path), path
        if path == before:
            return False
    return True


def _git(folder: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name not in _OF_ANOTHER}
    # Nobody is there to answer a question.
    environment |= {
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_SSH_COMMAND": os.environ.get("GIT_SSH_COMMAND", "ssh -oBatchMode=yes"),
    }
    return subprocess.run(
        ["git", "-C", folder, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        env=environment,
        timeout=PULL_SECONDS,
        check=False,
    )
