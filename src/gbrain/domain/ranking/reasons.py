"""Why a search did not look at what texts mean, for people."""

WORDS_ALONE = {
    "no_provider": "no embedding model is set up",
    "off": "embedding is off",
    "no_vectors": "no text has a vector yet, run: gbrain embed",
    "model_changed": "the vectors are of another model, run: gbrain embed --stale",
    "no_vector_index": "the database cannot compare vectors, run: gbrain doctor",
    "language_not_covered": "the bundled model knows English alone",
}
"""Why meaning was not looked at, for people."""


def words_alone(reason: str | None) -> str:
    """What is said where a search went by words alone."""
    return f"found by words alone: {WORDS_ALONE.get(reason or '', f'the embedding model failed ({reason})')}"
