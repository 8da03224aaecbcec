"""Forgetting with proof: every place where the words of a fact may live, looked at again after it was forgotten."""

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from typing import Annotated, Literal, NamedTuple, TypedDict

from gbrain import backups, home as homes, plain
from gbrain.ambient import bank
from gbrain.ambient.why import readers
from gbrain.domain.markdown import strip_facts_fence
from gbrain.domain.text import collapse
from gbrain.errors import BrainError, InvalidParams, NotFound
from gbrain.harnesses import receipt
from gbrain.journal import EXPORTS, Journal
from gbrain.ops.memory import fact_id, strike_ended
from gbrain.registry import Context, Param, operation
from gbrain.store.erasing import ERASED, Stands
from gbrain.store.raw import PIECE, pieces

_BREAKS = re.compile(r"\\[nrt]")
"""White space as JSON writes it."""
State = Literal["gone", "remains", "out_of_reach"]
GIT_SECONDS = 20
_Read = Callable[[str, int], Iterator[bytes]]
"""Reads a file in parts that overlap by so many bytes."""


class PlaceRow(TypedDict):
    """One place: whether the words are there, where exactly, and how they are removed from it."""

    place: str
    state: State
    where: list[str]
    how: str | None


class ProofReply(TypedDict):
    """Where the words of a forgotten fact are. `gone` says that they are in no place that gbrain can reach."""

    id: str
    forgotten: bool
    erased: bool
    gone: bool
    places: list[PlaceRow]


@operation(
    scope="admin",
    surface="full",
    title="Prove that a fact is forgotten",
    cli=None,
    local_only=True,
    destructive=True,
    idempotent=True,
    examples=("gbrain forget 12 --prove", "gbrain forget 12 --erase --yes"),
)
def prove_forgotten(
    ctx: Context,
    id: Annotated[str, Param("The id of a fact that was forgotten.")],
    erase: Annotated[bool, Param("Take its words out of the store and of the banked turns, for good.")] = False,
) -> ProofReply:
    """Look in every place where the words of a fact may live, and say for each: gone, remains, or out of reach.

    A forgotten fact stays in the history, so that what was known at an earlier time can be told. `erase` takes its
    words out of there too; nothing brings them back.
    """
    everywhere = ctx._replace(view=ctx.view._replace(sources=tuple(ctx.store.sources.ids())))
    number = fact_id(id)
    held = ctx.store.stories.get(everywhere.view, number) if number else None
    if held is None:
        raise NotFound("there is no such fact", "run: gbrain recall --include-expired, which shows every fact's id")
    if held.expired_at is None:
        raise InvalidParams(f"fact {held.id} is not forgotten", f"run: gbrain forget {held.id} --prove")
    if held.fact == ERASED:
        raise InvalidParams(
            f"the words of fact {held.id} are erased, so nothing knows any more what to look for",
            "nothing is left to do; gbrain why shows when it ended",
        )
    words = _Words(held.id, held.fact, held.source_id)
    if erase:
        _erase(everywhere, words)
    places: list[PlaceRow] = []
    for place in _places(everywhere, words):
        places.append(place)
        ctx.progress(place["place"], len(places), 0)
    return {
        "id": str(held.id),
        "forgotten": True,
        "erased": erase,
        "gone": all(place["state"] != "remains" for place in places),
        "places": places,
    }


class _Words(NamedTuple):
    id: int
    text: str
    source: str

    def within(self, data: bytes) -> bool:
        """Whether a part of a file holds the words: as they are, as JSON writes them, or broken over lines."""
        forms = (self.text, json.dumps(self.text)[1:-1], json.dumps(self.text, ensure_ascii=False)[1:-1])
        plain = collapse(_BREAKS.sub(" ", data.decode("utf-8", "replace"))).encode()
        return any(form in data or form in plain for form in (form.encode("utf-8", "surrogatepass") for form in forms))

    def reach(self) -> int:
        """How many bytes before the end of a part the words may begin, with room for breaks and escapes."""
        return 16 * len(self.text.encode("utf-8", "surrogatepass")) + 1024


def _erase(ctx: Context, words: _Words) -> None:
    strike_ended(ctx, (words.id,))
    with ctx.store.transaction():
        for one in ctx.store.erasing.facts(words.text):
            if one.live:
                continue
            ctx.store.facts.remove_words(one.id)
            if one.whole:
                ctx.store.erasing.blank(one.id)
            else:
                # What else it says is another claim's history, which nobody asked to lose.
                ctx.store.erasing.strike(one.id, words.text)
                ctx.store.facts.index_again([one.id])
    for path in _banked(ctx.home, words):
        for file in (path, path + bank.INGESTED):
            try:
                os.unlink(file)
            except OSError:
                continue
    try:
        ctx.store.erasing.compact()
    except BrainError as error:
        ctx.warn(
            "not_compacted", f"the database could not be written anew: {error.message}", suggestion=error.suggestion
        )


def _places(ctx: Context, words: _Words) -> Iterator[PlaceRow]:
    facts = ctx.store.erasing.facts(words.text)
    ended = [f"fact {one.id}" for one in facts if not one.live]
    erase = f"gbrain forget {words.id} --erase --yes"
    yield _place("history of facts", ended, erase)
    yield _place(
        "live facts that say the same", [f"fact {one.id}" for one in facts if one.live], "gbrain forget ID for each"
    )
    indexed = [f"fact {words.id}"] if ctx.store.facts.indexed(words.source, words.id, words.text) else []
    yield _place("text index", indexed, erase)
    yield _place("vector", [f"fact {words.id}"] if ctx.store.erasing.vector(words.id) else [], erase)
    pages = ctx.store.erasing.pages(words.text)
    now = [(one, _fenced(ctx, one, words)) for one in pages if one.now]
    yield _place(
        "pages",
        [f"{one.source_id}:{one.slug}" for one, fenced in now if not fenced],
        "gbrain get SLUG, then gbrain put SLUG without it",
    )
    yield _place(
        "facts fences of pages", [f"{one.source_id}:{one.slug}" for one, fenced in now if fenced], f"{erase}, as a row"
    )
    old = [f"{one.source_id}:{one.slug} ({one.versions - one.now} versions)" for one in pages if one.versions > one.now]
    yield _place("earlier versions of pages", old, "gbrain delete SLUG; the sweep removes it with its versions later")
    yield _place(
        "other tables", ctx.store.erasing.elsewhere(words.text), "gbrain put SLUG without it, for the page that says it"
    )
    yield from _folders(ctx, words)
    yield _place("banked turns", _banked(ctx.home, words), erase)
    yield from _home(ctx, words)
    yield _place("exports that were made here", _exported(ctx, words), "delete them, then: gbrain export --dir FOLDER")
    yield _place("backups", _backed_up(ctx, words), "gbrain backup create, then delete the folders that are named")
    yield _place("blocks in the files of agents", _blocks(ctx, words), "take it out of them with an editor")
    yield from _beyond(ctx, words)


def _fenced(ctx: Context, page: Stands, words: _Words) -> bool:
    """Whether a page says the words nowhere but in the rows of its facts fence."""
    held = ctx.store.pages.get(ctx.view._replace(sources=(page.source_id,)), page.slug, deleted=True)
    return held is not None and words.text not in strip_facts_fence(held.content)


def _exported(ctx: Context, words: _Words) -> list[str]:
    folders = dict.fromkeys(str(line.get("dir")) for line in Journal(ctx.home).read(EXPORTS))
    return [path for folder in folders if os.path.isdir(folder) for path in _holding(_walk(folder), words)]


def _backed_up(ctx: Context, words: _Words) -> list[str]:
    """The files of backups, wherever they were put, by the list that the home keeps of them."""
    try:
        made = [one.path for one in backups.made(ctx.home) if one.there]
    except BrainError as error:
        return [f"nobody knows: {error.message}"]
    return [path for folder in made for path in _holding(_walk(folder), words)]


def _blocks(ctx: Context, words: _Words) -> list[str]:
    """The files into which gbrain has put what agents are told, by the receipt that the home keeps of them."""
    try:
        told = receipt.read(ctx.home).get("harnesses", {}).values()
    except BrainError as error:
        return [f"nobody knows: {error.message}"]
    paths = {path for one in told if isinstance(one, dict) for path in (one.get("files") or ())}
    return _holding(sorted(path for path in paths if os.path.isfile(path)), words)


def _place(place: str, where: list[str], how: str | None) -> PlaceRow:
    return {"place": place, "state": "remains" if where else "gone", "where": where[:20], "how": how if where else None}


def _folders(ctx: Context, words: _Words) -> Iterator[PlaceRow]:
    files, commits = [], []
    for source in ctx.store.sources.all():
        if not source.local_path or not os.path.isdir(source.local_path):
            continue
        files += _holding(_walk(source.local_path), words)
        commits += _history(source.local_path, words)
    yield _place("files of the folders", files, "take it out with an editor, then: gbrain sync")
    yield _place("git history of the folders", commits, "git filter-repo --replace-text, then push with force")


def _history(folder: str, words: _Words) -> list[str]:
    """The commits of a folder that added or removed the words."""
    command = ["git", "-C", folder, "log", "--all", "--format=%h", f"-S{words.text}", "--", "."]
    try:
        told = subprocess.run(command, capture_output=True, timeout=GIT_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return [f"{folder}: git did not answer"]
    return [f"{folder} commit {line}" for line in told.stdout.decode("utf-8", "replace").split()]


def _home(ctx: Context, words: _Words) -> Iterator[PlaceRow]:
    """Every file of the brain's home but the bank and the backups; the database's own files by their bytes."""
    elsewhere = [bank.folder(ctx.home), os.path.join(ctx.home, backups.FOLDER)]
    names = [path for path in _walk(ctx.home) if not _within(path, elsewhere)]
    database = homes.database_path(ctx.home)
    own = [path for path in names if path in (database, f"{database}-wal")]
    # It holds numbers alone, and whoever opens it drops the locks of this process.
    names = [path for path in names if path != f"{database}-shm"]
    copies = [path for path in names if path.startswith(database) and path not in own]
    others = [path for path in names if path not in own and path not in copies]
    yield _place(
        "bytes of the database",
        _holding(own, words, pieces),
        f"gbrain forget {words.id} --erase --yes, while nothing else is in it",
    )
    yield _place("copies of the database", _holding(copies, words), "delete them when they are not needed")
    drop = "delete the lines or files that are named"
    logs, spools = os.path.join(ctx.home, "integrations"), os.path.join(ctx.home, "transcripts")
    yield _place("spools of turns", _holding([path for path in others if _within(path, [spools])], words), drop)
    yield _place("usage and journals", _holding([path for path in others if _within(path, [logs])], words), drop)
    rest = [path for path in others if not _within(path, [logs, spools])]
    yield _place("other files of the home", _holding(rest, words), drop)


def _within(path: str, folders: list[str]) -> bool:
    return any(path.startswith(folder + os.sep) for folder in folders)


def _beyond(ctx: Context, words: _Words) -> Iterator[PlaceRow]:
    """What left the house."""
    told = [f"{one['client']}: {one['operation']}, {one['times']} times" for one in readers(ctx, words.id)]
    yield {
        "place": "what clients were sent",
        "state": "out_of_reach" if told else "gone",
        "where": told,
        "how": "their own transcripts hold it; delete those sessions in the client" if told else None,
    }
    yield {
        "place": "copies taken elsewhere",
        "state": "out_of_reach",
        "where": ["what was copied by other programs, or from an export or a backup, is not known here"],
        "how": "make them anew after erasing",
    }
    if ctx.store.engine.name != "sqlite":
        yield {
            "place": "the database server's own files",
            "state": "out_of_reach",
            "where": ["dead rows until vacuum, its log until it is recycled, its backups"],
            "how": "let its administrator clean the table facts up, and its backups expire",
        }


def _banked(home: str, words: _Words) -> list[str]:
    return _holding(_walk(bank.folder(home)), words)


def _walk(folder: str) -> list[str]:
    found: list[str] = []
    for at, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != ".git")
        found += [os.path.join(at, name) for name in sorted(names)]
    return found


def _holding(paths: list[str], words: _Words, read: _Read | None = None) -> list[str]:
    """The files among these that hold the words; a file that cannot be read is named with the reason."""
    found = []
    for path in paths:
        try:
            if any(words.within(part) for part in (read or _parts)(path, words.reach())):
                found.append(path)
        except OSError as error:
            if os.path.isfile(path) and not os.path.islink(path):
                found.append(f"{path} (cannot be read: {error.strerror})")
    return found


def _parts(path: str, overlap: int) -> Iterator[bytes]:
    """A file in parts, each with the end of the one before it. Raises OSError."""
    handle = os.open(path, plain.READ_ITSELF)
    with open(handle, "rb") as file:
        last = b""
        while part := file.read(PIECE):
            last = last[-overlap:] + part
            yield last
