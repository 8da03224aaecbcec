"""Secrets are not kept: what a write that brings one is told."""

from gbrain.errors import InvalidParams
from gbrain.registry import Context


def refuse_secret(what: str, text: str) -> None:
    """Raise InvalidParams, which names the rule and nothing of the text, for what holds a secret."""
    rule = _rule(text)
    if rule is not None:
        raise InvalidParams(
            f"the {what} holds a secret ({rule}), and secrets are not kept; nothing was saved",
            "save where it is kept instead of what it is, such as: the wifi password is in the safe",
            detail={"reason": "secret_found", "rule": rule},
        )


def refuse_new_secret(ctx: Context, slug: str, content: str) -> None:
    """Refuse the text of a page in which an agent brings a secret; the person at this machine is warned of theirs.

    What the page holds already stays writable: it was for somebody else to decide.
    """
    rule = _rule(content)
    if rule is None:
        return
    held = ctx.store.pages.get(ctx.view._replace(sources=(ctx.source,)), slug)
    if held is not None:
        before = set(held.content.splitlines())
        rule = _rule("\n".join(line for line in content.splitlines() if line not in before))
    if rule is None:
        return
    if not ctx.caller.remote:
        ctx.warn("secret_found", f"the text holds what looks like a secret ({rule}), and agents may read the page")
        return
    raise InvalidParams(
        f"the text holds a secret ({rule}), and secrets are not kept; nothing was saved",
        "take it out, or write down where it is kept instead of what it is",
        detail={"reason": "secret_found", "rule": rule},
    )


def _rule(text: str) -> str | None:
    # The shapes of keys take a while to compile, which a server must not spend before its first answer.
    from gbrain.domain.secrets import secret

    return secret(text)
