"""How a passage is shown where only a part of it fits."""


def clip_passage(text: str, limit: int, slug: str) -> str:
    """At most `limit` characters of a passage, with a mark that says how to read the rest."""
    if len(text) <= limit:
        return text
    kept = text[:limit]
    at_word = kept.rfind(" ")
    return f"{(kept[:at_word] if at_word > limit * 0.6 else kept).rstrip()}… [cut; get_page {slug}]"
