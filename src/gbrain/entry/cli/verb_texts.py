"""The seven verbs' answers as text. Each function is named like its operation and takes (answer, arguments, paint)."""

from typing import Any

from gbrain.domain.ranking.reasons import words_alone
from gbrain.entry.cli.answer_texts import plainly
from gbrain.entry.cli.screen import Paint, minute

ICONS = {"fact": "📌", "event": "📅", "preference": "🎯", "commitment": "🤝", "belief": "💭"}

FOUND_BY = {
    "alias_hit": "name",
    "typed_edge": "link",
    "high_vector_match": "meaning",
    "exact_title_match": "name",
    "keyword_exact": "all words",
    "date_match": "date",
    "weak_semantic": "some words",
}
"""How a page was found, for people."""

UNWRITTEN = "unwritten"
"""The type of an entity that facts are about and no page is of."""

Given = dict[str, Any]


def remember(value: Any, given: Given, paint: Paint) -> str:
    """What happened to the fact, whom it is about, until when it holds and whether agents see it."""
    status, fact = value["status"], paint.name(f"#{value['id']}")
    first = {
        "inserted": f"remembered as fact {fact}",
        "duplicate": f"already known as fact {fact}",
        "superseded": f"remembered as fact {fact}",
    }.get(status, f"{status}: fact {fact}")
    lines = [first]
    if value["entity_slug"]:
        lines.append(f"  entity: {value['entity_slug']}")
    if value["valid_until"]:
        lines.append(f"  expires: {value['valid_until']}")
    if given.get("visibility") == "private" or "saved_private" in given.get("warned", ()):
        lines.append("  private: agents do not see it")
    if status == "superseded":
        lines.append(f"  note: {value['status_text']}")
    return "\n".join(lines)


def forget(value: Any, given: Given, paint: Paint) -> str:
    """Whether this call ended the fact, or an earlier one."""
    if value["expired"]:
        return f"Forgot fact id={value['id']}\n  to take it back: gbrain restore '#{value['id']}'"
    return f"Fact id={value['id']} had ended already"


def recall(value: Any, given: Given, paint: Paint) -> str:
    """One line a fact; with a query or a budget also pages and what the budget left out."""
    if given.get("supersessions"):
        return _supersessions(value["facts"], given.get("texts", {}), paint)
    if given.get("query") is not None or given.get("budget_tokens") is not None:
        return _ranked(value, given, given["now"], paint)
    return "\n".join(_fact_line(fact, given["now"], paint) for fact in value["facts"]) or "No matching facts."


def _fact_line(fact: Any, now: str, paint: Paint) -> str:
    entity = f"[{paint.name(fact['entity_slug'])}] " if fact["entity_slug"] else ""
    sure = fact.get("effective_confidence", fact["confidence"])
    detail = paint.dim(f"({fact['kind']}, conf {sure:.2f})")
    ended = _ended(fact, now)
    beside = [" ".join(fact["provenance"].split())]
    beside += [f"until {minute(fact['valid_until'])}"] if fact["valid_until"] else []
    beside += ["private"] if fact["visibility"] == "private" else []
    line = f"{ICONS.get(fact['kind'], '📌')} id={fact['fact_id']} {entity}{fact['fact']} {detail}"
    line += f" {paint.warning(f'({ended})')}" if ended else ""
    return f"{line} {paint.dim('— ' + '; '.join(beside))}"


def _ended(fact: Any, now: str) -> str:
    """How a fact ended, as far as its row tells; empty for one that holds."""
    if fact["superseded_by"] is not None:
        return f"replaced by #{fact['superseded_by']}"
    if fact["expired_at"] is not None:
        return "forgotten"
    return "lapsed" if fact["valid_until"] is not None and fact["valid_until"] <= now else ""


def _supersessions(facts: list[Any], texts: dict[int, str], paint: Paint) -> str:
    if not facts:
        return "No supersessions."
    lines = [paint.bold("# Supersession audit log")]
    for fact in facts:
        number = paint.name(f"id={fact['fact_id']}")
        lines.append(f"- {number} expired={fact['expired_at']} superseded_by={fact['superseded_by']}")
        lines.append(f"  was: {fact['fact']}")
        if fact["superseded_by"] in texts:
            lines.append(f"  became: {texts[fact['superseded_by']]}")
    return "\n".join(lines)


def _ranked(value: Any, given: Given, now: str, paint: Paint) -> str:
    lines: list[str] = []
    if value["facts"]:
        lines.append(paint.bold("Facts:"))
    lines += [f"  {_fact_line(fact, now, paint)}" for fact in value["facts"]]
    if value.get("results"):
        lines.append(paint.bold("Pages:"))
    for page in value.get("results", ()):
        lines.append(
            f"  {paint.name(page['slug'])} [{FOUND_BY.get(page['evidence'], page['evidence'])}] {page['title']}"
        )
        lines += [f"    {line}" for line in page["chunk"].splitlines()]
    if not lines:
        lines.append("No matching facts or pages." if "results" in value else "No matching facts.")
    for lacking in given.get("retrieval", {}).get("degraded", ()):
        lines.append(paint.dim(f"note: {words_alone(lacking['reason'])}"))
    if "budget_tokens" in value:
        used, most, dropped = value["budget_used"], value["budget_tokens"], value["dropped_count"]
        lines.append(paint.dim(f"budget: {used}/{most} tokens used, {dropped} dropped"))
    return "\n".join(lines)


def entity(value: Any, given: Given, paint: Paint) -> str:
    """The card, or the names it could have been."""
    if not value["found"]:
        return "\n".join(["No entity found.", *_suggestions("Did you mean:", value, paint)])
    card = value["card"]
    named = card["entity"]
    kind = "(no page yet)" if named["type"] == UNWRITTEN else f"[{named['type']}]"
    lines = [f"{paint.bold(named['title'])} ({paint.name(named['slug'])}) {kind}"]
    lines += [f"  {line}" for line in card["summary"].splitlines()]
    if card["aka"]:
        lines.append(f"  aka: {', '.join(card['aka'])}")
    lines.append(f"  last touched: {card['last_touched']['updated_at'][:10]}")
    if card["open_threads"]:
        lines.append("  open threads:")
        lines += [f"    [{item['kind']}] {item['text']} ({item['date'][:10]})" for item in card["open_threads"]]
    if card["edges"]:
        lines.append("  edges:")
        lines += [_edge(edge, paint) for edge in card["edges"]]
    lines.append(f"  backlinks: {card['backlink_count']} | active facts: {card['active_fact_count']}")
    return "\n".join([*lines, *_suggestions("Also of this name:", value, paint)])


def _edge(edge: Any, paint: Paint) -> str:
    arrow = "→" if edge["direction"] == "out" else "←"
    kind = f"{edge['type']} " if edge["type"] else ""
    return f"    {arrow} {kind}{paint.name(edge['slug'])}"


def _suggestions(head: str, value: Any, paint: Paint) -> list[str]:
    found = value.get("suggestions") or []
    lines = [f"  {paint.name(item['slug'])} — {item['title']}" for item in found]
    return [head, *lines] if lines else []


def context_pack(value: Any, given: Given, paint: Paint) -> str:
    """The pack as an agent reads it."""
    return _budgeted(value["text"] or "Nothing is known about these.", value, paint)


def delta(value: Any, given: Given, paint: Paint) -> str:
    """What changed, and whether there is more."""
    lines = [value["text"] or f"Nothing changed since {value['since']}."]
    if value["has_more"]:
        cursor = value["next_cursor"]
        lines.append(f"More: gbrain delta --since {cursor['since']} --since-slug '{cursor['slug']}'")
    return _budgeted("\n".join(lines), value, paint)


def _budgeted(text: str, value: Any, paint: Paint) -> str:
    if "budget_tokens" not in value:
        return text
    used, most, dropped = value["budget_used"], value["budget_tokens"], value["dropped_count"]
    return f"{text.rstrip()}\n{paint.dim(f'budget: {used}/{most} tokens used, {dropped} dropped')}"


def synthesize(value: Any, given: Given, paint: Paint) -> str:
    """The answer, what it stands on and what is missing."""
    lines = [value["answer"]]
    if value["sources"]:
        lines += ["", paint.bold("Sources:"), *(f"  {paint.name(slug)}" for slug in value["sources"])]
    if value["gaps"]:
        lines += ["", paint.bold("Gaps:"), *(f"  {gap}" for gap in value["gaps"])]
    lines += [paint.warning(f"note: {plainly(warning)}") for warning in value["warnings"]]
    return "\n".join(lines)
