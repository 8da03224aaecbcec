"""What a model composed, checked against what was gathered: a citation that is not evidence goes, and so does a
sentence that stands on nothing."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from gbrain.domain.answers.evidence import Evidence, labels
from gbrain.domain.answers.temporal import stems
from gbrain.domain.extraction.answer import MOST_READ, objects
from gbrain.domain.similarity.hanzi import is_surname
from gbrain.domain.text import collapse, fold, has_cjk, raw_terms

NOT_JSON, EMPTY, REGEX = "LLM_OUTPUT_NOT_JSON", "SYNTHESIS_EMPTY_ANSWER", "CITATIONS_REGEX_FALLBACK"
DROPPED, UNSUPPORTED = "CITATION_NOT_GATHERED", "UNSUPPORTED_SENTENCE_DROPPED"
LONGEST = 12_000
"""Characters of an answer that are kept."""
SUPPORT = 0.5
"""The share of the words of a sentence without a citation that the evidence has to hold."""


class Composed(NamedTuple):
    """An answer that stands on evidence. `text` is empty where nothing was left; then `warnings` says why."""

    text: str
    cited: list[Evidence]
    gaps: list[str]
    warnings: list[str]


def composed(answer: str, evidence: Sequence[Evidence], question: str) -> Composed:
    """Read a model's answer and hold it to the evidence.

    Every sentence loses the citations that were not gathered. One that had no other goes with them, and so does one
    with a name, a slug or a figure that neither the evidence nor the question has, and one that cites nothing and is
    mostly in words that the evidence does not use. That something is not known may be said in any words.
    """
    document = _document(answer)
    if document is None:
        return Composed("", [], [], [NOT_JSON])
    text = document["answer"][:LONGEST].strip() if isinstance(document.get("answer"), str) else ""
    if not text:
        return Composed("", [], _lines(document.get("gaps")), [EMPTY])
    check = _Check(evidence, question)
    kept = "".join(check.sentence(part) for part in _parts(text))
    listed = document.get("citations")
    check.add(_listed(listed))
    if check.cited and not isinstance(listed, list):
        check.warnings[REGEX] = None
    kept = re.sub(r"[ \t]+(?=[.,;:!?\n]|$)", "", re.sub(r"[ \t]{2,}", " ", kept)).strip()
    if not any(char.isalnum() for char in kept):
        return Composed("", [], _lines(document.get("gaps")), [*check.warnings, EMPTY])
    return Composed(kept, list(check.cited.values()), _lines(document.get("gaps")), list(check.warnings))


def _document(answer: str) -> dict[str, Any] | None:
    if len(answer) > MOST_READ:
        return None
    return next((found for found in objects(answer) if "answer" in found), None)


def _lines(value: Any) -> list[str]:
    given = value if isinstance(value, list) else []
    return [collapse(line)[:300] for line in given if isinstance(line, str) and line.strip()][:10]


def _listed(value: Any) -> Iterator[str]:
    for one in value if isinstance(value, list) else []:
        given = one.get("page_slug") or one.get("slug") or one.get("id") if isinstance(one, dict) else one
        if isinstance(given, str):
            yield given


def _parts(text: str) -> Iterator[str]:
    """Sentences with their citations behind them, and what lies between, so that joined they are the text."""
    at = 0
    for end in _pattern("end").finditer(text):
        yield text[at : end.end()]
        at = end.end()
    if at < len(text):
        yield text[at:]


class _Check:
    """Holds sentences to evidence, and notes what they cite."""

    def __init__(self, evidence: Sequence[Evidence], question: str) -> None:
        self.cited: dict[str, Evidence] = {}
        self.warnings: dict[str, None] = {}
        self._labels = labels(evidence)
        self._known: dict[str, Evidence] = {}
        for one in evidence:
            names = [one.id, f"{one.slug}#{one.row}", f"fact #{one.row}", f"fact:{one.row}", f"#{one.row}"]
            names += [f"{one.source_id}:{one.slug}", one.slug] if one.slug else []
            for name in names:
                self._known.setdefault(name.casefold(), one)
        said = " ".join([question, *(f"{one.title} {one.text} {one.slug} {one.date} {one.origin}" for one in evidence)])
        self._said = fold(said)
        self._words = set(raw_terms(said))
        self._asked = set(stems(question))
        self._told = set(stems(" ".join(f"{one.title} {one.text}" for one in evidence)))
        self._chinese = any(has_cjk(one.text) for one in evidence)
        self._figures = {figure.replace(",", "") for figure in _pattern("figure").findall(said)}

    def add(self, given: Iterable[str]) -> None:
        """Take citations that a model listed beside its answer."""
        for name in given:
            self._cite(name)

    def sentence(self, part: str) -> str:
        """The sentence with what it may cite; no more than its line break where it may not stand."""
        good, lost = list[Evidence](), list[str]()

        def replaced(found: re.Match[str]) -> str:
            names = [name for name in re.split(r"[,;]\s*", found["in"] or found["target"]) if name.strip()]
            held = [one for name in names if (one := self._cite(name)) is not None]
            good.extend(held)
            if not held and not any(_pattern("slug").fullmatch(_bare(name)) for name in names):
                return found[0]
            lost.extend(names if not held else [])
            cited = "".join(f"[{self._labels[one.id]}]" for one in dict.fromkeys(held))
            return f"{found['words']} {cited}".rstrip() if found["words"] else cited

        text = _pattern("citation").sub(replaced, part)
        if not lost or good:
            if self._stands(text, cited=bool(good)):
                return text
            self.warnings[UNSUPPORTED] = None
        return "\n" if part.endswith("\n") else ""

    def _cite(self, name: str) -> Evidence | None:
        bare = _bare(name).casefold()
        found = self._known.get(bare) or self._known.get(re.sub(r"^sources?:\s*", "", bare))
        if found is not None:
            self.cited[found.id] = found
        elif _pattern("slug").fullmatch(_bare(name)):
            self.warnings[DROPPED] = None
        return found

    def _stands(self, text: str, *, cited: bool) -> bool:
        """Whether the names, slugs and figures of a sentence are in the evidence or the question."""
        plain = _pattern("cited").sub(" ", text)
        for slug in _pattern("path").findall(plain):
            if fold(slug) not in self._said:
                return False
        for figure in _pattern("figure").findall(plain):
            short = len(figure) < 3 and cited
            if not short and figure.replace(",", "") not in self._figures:
                return False
        if not cited and not self._supported(plain):
            return False
        if has_cjk(plain):
            names = _pattern("latin").findall(plain)
            return all(self._is_said(name) for name in names) and all(map(self._is_known, _chinese_names(plain)))
        if _pattern("english").search(f" {plain.casefold()} ") is None:
            return True
        return all(self._is_said(name) for name in _names(plain))

    def _supported(self, plain: str) -> bool:
        """Whether the evidence uses most of the words of a sentence; those of the question neither tell for nor
        against it, and neither do those that only say that something is not known."""
        words = stems(_pattern("unknown").sub(" ", plain.casefold()))
        own = [word for word in words if word not in self._asked or word in self._told]
        return not own or sum(word in self._told for word in own) >= SUPPORT * len(own)

    def _is_known(self, name: str) -> bool:
        """Whether a Chinese name is in the evidence or the question; one cannot tell where all of it is translated."""
        return not self._chinese or any(name[:length] in self._said for length in range(2, len(name) + 1))

    def _is_said(self, name: str) -> bool:
        return all(term in self._words or term.removesuffix("s") in self._words for term in raw_terms(name))


def _chinese_names(sentence: str) -> list[str]:
    """What looks like the name of a person: a family name and one or two characters, where a name can stand."""
    return [name for name in _pattern("chinese").findall(sentence) if is_surname(name[0])]


def _names(sentence: str) -> list[str]:
    """Words with a capital that does not come from opening a sentence."""
    words = [word.strip("\"'“”‘’`*_(){}<>.,;:!?-–—") for word in sentence.split()]
    words = [re.sub(r"['’]s$", "", word) for word in words if word]
    return [word for word in words[1:] if word[:1].isupper() and word not in _PLAIN]


_PLAIN = frozenset(
    """
    I I'm It The A An In On At As But And Or So However There This That These Those No Not Yes According Also From For
    She He They We You Its His Her Their If When Since After Before Both Only One Two Three January February March April
    May June July August September October November December Monday Tuesday Wednesday Thursday Friday Saturday Sunday
    """.split()  # noqa: SIM905
)


def _bare(name: str) -> str:
    """A citation without what models put around one: brackets, quotes, `Source: `."""
    return re.sub(r"(?i)^(?:sources?|page):\s+", "", name.strip(" []`'\"")).strip(" []`'\"")


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(
        {
            "end": r"(?:[.!?](?=\s|$|\[)|[。！？])(?:\s*\[[^\[\]\n]{1,300}\])*\s*|\n+",
            "citation": r"\[(?P<words>[^\[\]\n]{1,120})\]\((?P<target>[^()\s]{1,300})\)"
            r"|\[{1,2}(?P<in>[^\[\]\n]{1,300})\]{1,2}",
            "cited": r"\[[^\[\]\n]{1,300}\]",
            "slug": r"(?:[\w.-]+:)?[^\s:,;]+(?:/[^\s:,;]+)*(?:#[0-9]+)?|fact #[0-9]+",
            "path": r"(?<![\w/:.])[a-z][\w-]+(?:/[\w-]+)+(?![\w/])",
            "figure": r"[0-9]+(?:[,.][0-9]+)*",
            "latin": r"\b[A-Z][A-Za-z]{2,}\b",
            "chinese": r"(?:^|(?<=[\s，。、；：“（和与跟及由给对向是让问见叫说]))([\u4e00-\u9fff][\u4e00-\u9fff]{1,2}?)"
            r"(?=住|是|在|和|与|跟|说|曾|将|已|也|还|一起|共同|一同|加入|担任|负责|来|去|有|先生|女士|喜|毕业|创|离|的|、|，|。|$)",
            "unknown": r"\b(?:(?:is|are|was|were|do|does|did|has|have|can|could)(?: not|n't)|cannot"
            r"|nothing|not|no|never)\b"
            r"(?: (?:yet|any|anything|be|been|directly|further))*"
            r"(?: (?:known?|says?|said|tells?|told|mention(?:s|ed)?|states?|stated|shows?|shown|found|recorded"
            r"|answer(?:s|ed)?|evidence|information|record|details?|contain|include))+\b"
            r"(?: (?:about|of|to|on|in|who|what|when|where|whether))*"
            r"|\b(?:unknown|unclear)\b|\b(?:the|this|that|provided|available|given) evidence\b"
            r"|(?:证据|资料|笔记|记录)?(?:中|里)?(?:没有|未|并未|不)(?:提到|提及|说明|说|知道|记录|显示|找到)|不清楚|未知",
            "english": r" (?:the|is|of|and|to|are|has|had|have|by|for|at|not|she|he|they|you|it|with|from|this|that"
            r"|been|does) ",
        }[name]
    )
