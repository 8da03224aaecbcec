"""Why a search did not look at what texts mean, for people."""

WORDS_ALONE = {
    "no_provider": "no embedding model is set up",
    "off": "embedding is off",
    "no_vectors": "no text has a vector yet, run: gbrain embed",
    "model_changed": "the vectors are of another model, run: gbrain embed --stale",
    "reading_changed": "the vectors are of texts as another version read them, run: gbrain embed --stale",
    "no_vector_index": "the database cannot compare vectors, run: gbrain doctor",
    "replayed": "vectors are of the texts of now",
    "vectors_pending": "some texts have no vector yet, run: gbrain embed",
    "language_not_covered": "the bundled model knows English alone",
}
"""Why meaning was not looked at, for people."""


def words_alone(reason: str | None) -> str:
    """What is said where a search went by words alone; all of it, or for those texts that have no vector yet."""
    if reason == "vectors_pending":
        return f"new texts are found by their words alone: {WORDS_ALONE[reason]}"
    return f"found by words alone: {WORDS_ALONE.get(reason or '', f'the embedding model failed ({reason})')}"


def found_because(arm: str, parts: dict[str, float], ranks: dict[str, int]) -> str:
    """Why a page was found, in a sentence, by how it was found, what its score is made of and the rank of each arm."""
    if arm in _BY_NAME:
        return _BY_NAME[arm]
    words = sum(parts.get(part, 0.0) for part in ("unit", "window", "page"))
    kinds = {"words": words, "meaning": parts.get("vector", 0.0), "time": parts.get("time", 0.0)}
    whole = sum(kinds.values()) or 1.0
    said = [f"{kind} {share / whole:.0%}" for kind, share in kinds.items() if share > 0]
    places = [f"{name} rank {rank}" for name, rank in ranks.items()]
    return f"{_BY_SCORE[arm]}; {', '.join([*places, *said])}"


_BY_NAME = {
    "alias": "the question is an alias of the page",
    "slug": "the question is the slug of the page",
    "title": "the question is the title of the page",
    "tail": "the question is the end of the slug of this page alone",
    "part": "the question is a part of the name of the page, and of few others",
    "edge": "a link of the kind that the question asks for leads to the page",
}
_BY_SCORE = {
    "all_words": "the page holds every word of the question",
    "date": "the page, or an entry of its timeline, is of the time that the question states",
    "some_words": "the page holds words of the question",
    "meaning": "the page means the like; it holds no word of the question",
}
