"""The answers of `think` and `extract_facts` as text. Each function is named like its operation."""

from typing import Any

from gbrain.entry.cli.screen import Paint

Given = dict[str, Any]

WARNINGS = {
    "UNSUPPORTED_SENTENCE_DROPPED": "a sentence of the model was left out, since nothing that was found says it",
    "CITATION_NOT_GATHERED": "a citation was left out, since the model was not shown what it names",
    "CITATIONS_REGEX_FALLBACK": "the citations were read from the text, since the model did not list them",
    "LLM_OUTPUT_NOT_JSON": "the model did not answer in the form that was asked for",
    "SYNTHESIS_EMPTY_ANSWER": "there was nothing to answer from, or the model gave no answer",
    "LLM_CALL_FAILED": "the model could not be asked",
    "LLM_REFUSED": "the model refused to answer",
    "LLM_FILTERED": "the model's provider withheld the answer",
    "CONFLICT": "they disagree",
}
"""What a warning of an answer means, by its code."""


def plainly(warning: str) -> str:
    """A warning of an answer as a sentence, with its code to look up."""
    code, _, more = warning.partition(": ")
    said = WARNINGS.get(code)
    return f"{said}{f': {more}' if more else ''} ({code})" if said else warning


def think(value: Any, given: Given, paint: Paint) -> str:
    """The question, the answer, what disagrees, what is missing, and how it came about."""
    lines = [paint.bold(f"# {value['question']}"), "", value["answer"]]
    if value["conflicts"]:
        lines += ["", paint.bold("## They disagree")]
        for conflict in value["conflicts"]:
            first, *others = conflict["sides"]
            lines.append(f"- {conflict['attribute']}: {_side(first, paint)}")
            lines += [f"  not: {_side(other, paint)}" for other in others]
    if value["gaps"]:
        lines += ["", paint.bold("## Gaps"), *(f"- {gap}" for gap in value["gaps"])]
    lines += [paint.warning(f"note: {plainly(warning)}") for warning in value["warnings"]]
    return "\n".join([*lines, "", paint.dim(_footer(value))])


def _side(side: Any, paint: Paint) -> str:
    where = side["page_slug"] or f"fact #{side['row_num']}"
    dated = f", {side['date']}" if side["date"] else ""
    return f"{side['text']} ({paint.name(where)}{dated})"


def _footer(value: Any) -> str:
    by = value["diagnostics"]["answered_by"]
    how = {
        "model": f"composed by {value['modelUsed']}",
        "evidence": "no model answered; this is the evidence itself",
        "timeline": "from dated entries, without a model",
        "trajectory": "from dated facts, without a model",
    }[by]
    if value["synthesis_status"] == "no_llm":
        how = "no model is set, so this is the evidence itself: gbrain models set PROVIDER:MODEL"
    elif not value["rounds"] and by == "evidence":
        how = "nothing was found, so no model was asked"
    counted = ((value["pagesGathered"], "page"), (value["graphHits"], "link"))
    parts = [how, *(f"{count} {word}{'' if count == 1 else 's'}" for count, word in counted)]
    usage = value["usage"]
    if usage["input_tokens"] is not None:
        parts.append(f"{usage['input_tokens']} + {usage['output_tokens']} tokens")
    if value["saved_slug"]:
        parts.append(f"saved as {value['saved_slug']}")
    return " | ".join(parts)


def extract_facts(value: Any, given: Given, paint: Paint) -> str:
    """What was saved, or why no model read it and what to do."""
    counted = [f"{value[name]} {name}" for name in ("inserted", "duplicate", "superseded") if value[name]]
    ids = ", ".join(f"#{id}" for id in value["fact_ids"])
    lines = [f"{', '.join(counted)}: {ids}" if counted else "No fact was saved."]
    if value.get("skipped") == "extraction_unavailable":
        lines.append(paint.warning("note: no model is set: gbrain models set PROVIDER:MODEL"))
    elif value.get("skipped") == "extraction_disabled":
        lines.append(paint.warning("note: extraction is off: gbrain config unset facts.extraction_enabled"))
    elif value.get("skipped") == "extraction_failed":
        lines.append(paint.warning(f"note: the turn was not read ({value['reason']}); it may be given again"))
    elif value.get("skipped") == "dream_generated":
        lines.append(paint.warning("note: a program made this text, so nothing was read from it"))
    return "\n".join(lines)
