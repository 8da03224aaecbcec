"""What the operations on language models answer, as text. Each function is named like its operation."""

from typing import Any

from gbrain.entry.cli import screen
from gbrain.entry.cli.screen import Paint

Given = dict[str, Any]

BAR = 40
_HEAD = ("model", "for", "calls", "failed", "tokens in", "tokens out", "usd")


def models_list(value: Any, given: Given, paint: Paint) -> str:
    """A line for each model, by what it is for."""
    lines = []
    for row in value["purposes"]:
        if "problem" in row:
            lines.append(f"{row['purpose']}: {paint.bad(row['problem'])}")
        for number, model in enumerate(row["models"]):
            place = f" at {model['url']}" if model["url"] else ""
            words = "else " if number else ""
            lines.append(f"{row['purpose']}: {words}{paint.name(model['model'])}{place}{_key(model, paint)}")
    if not lines:
        lines.append("No language model is set, and none is called. Choose one: gbrain models set PROVIDER:MODEL")
    lines.append(paint.dim(f"Providers: {', '.join(value['providers'])}"))
    lines.append(paint.dim(f"Rerankers (--for rerank): {', '.join(value['rerankers'])}"))
    return "\n".join(lines)


def models_set(value: Any, given: Given, paint: Paint) -> str:
    """What is set now, and what was found out about it."""
    said = f"{paint.name(value['setting'])} = {paint.bold(value['value'])}"
    return "\n".join([said, *(_probe(probe, paint) for probe in value["probes"])])


def models_test(value: Any, given: Given, paint: Paint) -> str:
    """A line for each model that was tried."""
    return "\n".join(_probe(probe, paint) for probe in value["probes"]) or "No language model is set; none was called."


def models_unset(value: Any, given: Given, paint: Paint) -> str:
    """Whether there was one."""
    return f"No model of its own is set for {value['purpose']}" + (" any more" if value["removed"] else "")


def models_price(value: Any, given: Given, paint: Paint) -> str:
    """The price as it is now."""
    if value["input"] is None:
        return f"{paint.name(value['model'])} has no price of your own any more"
    return f"{paint.name(value['model'])}: ${value['input']:g} in, ${value['output']:g} out, a million tokens"


def spend(value: Any, given: Given, paint: Paint) -> str:
    """A bar for each day, a line for each model, and the limits."""
    parts = [_plot(value["days"], paint)] if value["models"] else []
    if value["models"]:
        parts.append(screen.table(_HEAD, [_cells(row) for row in value["models"]]))
    else:
        parts.append(f"No model was called since {value['since']}.")
    parts.append("\n".join(_limit(row, paint) for row in value["limits"]))
    unpriced = sum(row["unpriced"] for row in value["models"])
    if unpriced:
        calls = "1 call has" if unpriced == 1 else f"{unpriced:,} calls have"
        told = f"{calls} no known price; tokens are counted all the same. Say it: gbrain models price"
        parts.append(paint.dim(f"{told} MODEL --input USD --output USD"))
    if any(row["usd"] for row in value["models"]):
        told = f"Dollars are estimates, from list prices of {value['prices_of']} that nobody checked since; set yours:"
        parts.append(paint.dim(f"{told} gbrain models price"))
    parts += [paint.warning(f"{place} failed too often; it is left alone until {until[11:19]} UTC")
              for place, until in value["resting"].items()]  # fmt: skip
    return "\n\n".join(parts)


def _plot(days: list[Any], paint: Paint) -> str:
    money = any(day["usd"] for day in days)
    unit = "usd" if money else "tokens"
    most = max(day[unit] for day in days)
    lines = [f"{'dollars' if money else 'tokens'} a day"]
    for day in days:
        size = round(BAR * day[unit] / most) if most else 0
        bar = "█" * size or ("▏" if day[unit] else "")
        amount = (f"{day['usd']:.4f}" if money else f"{day['tokens']:,}") if day["calls"] else ""
        lines.append(f"{day['day']} {paint.name(bar.ljust(BAR))} {amount:>10}".rstrip())
    return "\n".join(lines)


def _cells(row: Any) -> tuple[str, ...]:
    usd = "unknown" if row["unpriced"] == row["calls"] else f"{row['usd']:.4f}" + ("+" if row["unpriced"] else "")
    counts = (row["calls"], row["failed"], row["input_tokens"], row["output_tokens"])
    return (row["model"], row["purpose"], *(f"{count:,}" for count in counts), usd)


def _limit(row: Any, paint: Paint) -> str:
    sign = "$" if row["unit"] == "usd" else ""
    form = ".2f" if sign else ",.0f"
    taken = f"{sign}{row['taken']:{form}}"
    if row["allowed"] is None:
        return f"this {row['span']}: {taken} {'' if sign else 'tokens '}of any number allowed ({row['setting']})"
    said = f"this {row['span']}: {taken} of {sign}{row['allowed']:{form}}{'' if sign else ' tokens'} ({row['setting']})"
    return paint.warning(said) if row["near"] else said


def _key(model: Any, paint: Paint) -> str:
    if model["key"] is None:
        return ""
    if not model["key_found"] and model["model"].startswith("endpoint:"):
        return ", without a key"
    return f", key in {model['key']}" + ("" if model["key_found"] else paint.bad(" (not there)"))


def _probe(probe: Any, paint: Paint) -> str:
    name = paint.name(probe["model"])
    if not probe["works"]:
        said = f"{name}: {paint.bad('does not answer')} ({probe['reason']}): {probe['problem']}"
        return f"{said}\n  Fix: {probe['fix']}"
    parts = [
        paint.good("answers"),
        "JSON" if probe["json"] else paint.warning("no JSON"),
        "counts tokens" if probe["counts"] else paint.warning("does not count tokens"),
        f"{probe['latency_ms']:,} ms",
    ]
    return f"{name}: {', '.join(parts)}"
