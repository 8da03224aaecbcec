"""The operations on language models: which are set, trying and choosing one, prices. All for the operator alone."""

import json
import time
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from gbrain.domain.spending import NO_LIMIT, Price, are_prices, is_usd, micro, written_prices
from gbrain.errors import InvalidParams
from gbrain.models import named as names
from gbrain.models.chat import Answer, ChatFailed
from gbrain.models.named import Named
from gbrain.registry import Context, Param, operation

For = Literal["default", "extract", "compose", "expand", "judge", "rerank"]
SETTINGS: dict[For, str] = {
    "default": names.DEFAULT,
    "extract": names.SETTING["extract"],
    "compose": names.SETTING["compose"],
    "expand": names.SETTING["expand"],
    "judge": names.SETTING["judge"],
    "rerank": names.SETTING["rerank"],
}
PROBE_SECONDS = 60.0

Purpose = Annotated[For, Param("What the model is for; `default` is everything that has none of its own.")]


class ModelRow(TypedDict):
    """One model that is set. `key` says where its key comes from: a variable, and whether one is there."""

    model: str
    url: str | None
    key: str | None
    key_found: bool | None


class PurposeRow(TypedDict):
    """What is set for one purpose: the models in the order in which they are asked."""

    purpose: For
    setting: str
    models: list[ModelRow]
    problem: NotRequired[str]


class ModelsReply(TypedDict):
    """Every purpose, and which providers could be named: of models, and of rerankers (`--for rerank`)."""

    purposes: list[PurposeRow]
    providers: list[str]
    rerankers: list[str]


class Probe(TypedDict):
    """What became of trying a model once. `json`: it answered with JSON; `counts`: it says how many tokens it took."""

    model: str
    works: bool
    json: bool
    counts: bool
    latency_ms: int
    answered_as: NotRequired[str]
    reason: NotRequired[str]
    problem: NotRequired[str]
    fix: NotRequired[str]


class SetReply(TypedDict):
    """The setting as it is now, and what was tried for it."""

    purpose: For
    setting: str
    value: str
    probes: list[Probe]


class TestReply(TypedDict):
    """What became of trying every model that is set, each once."""

    probes: list[Probe]


class UnsetReply(TypedDict):
    """Whether a model was set for the purpose."""

    purpose: For
    removed: bool


class PriceReply(TypedDict):
    """A model's price, in dollars for a million tokens; null where it has none of the operator's own any more."""

    model: str
    input: float | None
    output: float | None


@operation(
    scope="admin",
    surface="full",
    title="List the language models",
    cli=None,
    local_only=True,
    mutates=False,
    examples=("gbrain models list",),
)
def models_list(ctx: Context) -> ModelsReply:
    """List the language models that are set, for what, and where their keys come from. None is called."""
    rows = [_row(ctx, purpose) for purpose in SETTINGS]
    rerankers = [*names.RERANKERS, names.ONNX]
    return {"purposes": rows, "providers": [*names.PROVIDERS, names.COMMAND], "rerankers": rerankers}


@operation(
    scope="admin",
    surface="full",
    title="Choose a language model",
    positional=("model",),
    cli=None,
    local_only=True,
    idempotent=True,
    examples=(
        "gbrain models set openai:gpt-5-mini",
        "gbrain models set endpoint:qwen3 --url http://127.0.0.1:8080/v1 --for extract",
    ),
)
def models_set(
    ctx: Context,
    model: Annotated[str, Param("PROVIDER:MODEL; more of them, each after `then`, stand in for it.", max_length=600)],
    for_: Purpose = "default",
    url: Annotated[str | None, Param("The address, where it is not the provider's own.", max_length=300)] = None,
    key: Annotated[str | None, Param("The variable that holds the key; never the key itself.", max_length=100)] = None,
    untested: Annotated[bool, Param("Keep it without trying it.")] = False,
) -> SetReply:
    """Choose the language model for a purpose, after trying it once; it is kept only if it answers.

    The key comes from the environment, or from a file of mode 600 in the folder `keys` of the home that is named like
    the variable. It is stored nowhere else.
    """
    value = " ".join([model.strip(), *([f"url={url}"] if url else []), *([f"key={key}"] if key else [])])
    chosen = _fitting(for_, value)
    probes = [] if untested else [_probe(ctx, for_, each) for each in chosen]
    if probes and not probes[0]["works"]:
        first = probes[0]
        raise InvalidParams(
            f"{first['model']} was tried and does not answer ({first['reason']}): {first['problem']}; nothing was set",
            first["fix"],
            detail={"probes": probes, "reason": first["reason"]},
        )
    ctx.store.config.set(SETTINGS[for_], value)
    return {"purpose": for_, "setting": SETTINGS[for_], "value": value, "probes": probes}


@operation(
    scope="admin",
    surface="full",
    title="Try the language models",
    cli=None,
    local_only=True,
    mutates=False,
    examples=("gbrain models test",),
)
def models_test(ctx: Context) -> TestReply:
    """Try every language model that is set, each once: whether it answers, with JSON, and with counts of tokens."""
    seen: dict[Named, For] = {}
    for purpose, setting in SETTINGS.items():
        said = ctx.settings.get(setting)
        seen |= {each: purpose for each in (_parsed(purpose, said) if said else []) if each not in seen}
    return {"probes": [_probe(ctx, purpose, each) for each, purpose in seen.items()]}


@operation(
    scope="admin",
    surface="full",
    title="Let a language model go",
    cli=None,
    local_only=True,
    destructive=True,
    idempotent=True,
    examples=("gbrain models unset", "gbrain models unset --for extract"),
)
def models_unset(ctx: Context, for_: Purpose = "default") -> UnsetReply:
    """Choose no language model for a purpose any more: the default's holds, or none is called."""
    return {"purpose": for_, "removed": ctx.store.config.unset(SETTINGS[for_])}


@operation(
    scope="admin",
    surface="full",
    title="Say what a language model costs",
    positional=("model",),
    cli=None,
    local_only=True,
    idempotent=True,
    examples=("gbrain models price openai:gpt-5-mini --input 0.25 --output 2",),
)
def models_price(
    ctx: Context,
    model: Annotated[str, Param("PROVIDER:MODEL, as `gbrain models list` shows it.", max_length=200)],
    input: Annotated[str | None, Param("Dollars for a million tokens that it reads.", max_length=20)] = None,
    output: Annotated[str | None, Param("Dollars for a million tokens that it writes.", max_length=20)] = None,
) -> PriceReply:
    """Set what a model costs, so that limits in money hold for it; without amounts, forget what was set."""
    prices = ctx.models.prices()
    if (input is None) != (output is None) or not all(is_usd(each) for each in (input, output) if each):
        raise InvalidParams(
            "a price is two amounts in dollars", "write it as: gbrain models price MODEL --input 0.25 --output 2"
        )
    if input is None or output is None:
        prices.pop(model, None)
    elif NO_LIMIT in (input, output):
        raise InvalidParams("a price is two amounts in dollars", "for a model that costs nothing, pass 0 and 0")
    else:
        prices[model] = Price(micro(input), micro(output))
    written = written_prices(prices)
    if not are_prices(written) or ";" in model:
        raise InvalidParams("that is no name of a model", "name one that this lists: gbrain models list")
    ctx.store.config.set("models.prices", written)
    amounts = (None, None) if input is None or output is None else (float(input), float(output))
    return {"model": model, "input": amounts[0], "output": amounts[1]}


def refuse_misfit(setting: str, value: str) -> None:
    """Raise InvalidParams where a setting names models and a value of it none that could be asked; "" names none."""
    purpose = next((purpose for purpose, name in SETTINGS.items() if name == setting), None)
    if purpose is not None and value:
        _fitting(purpose, value)


def _fitting(purpose: For, said: str) -> list[Named]:
    try:
        return _parsed(purpose, said)
    except ChatFailed as failed:
        raise InvalidParams(failed.message, failed.suggestion) from None


def _row(ctx: Context, purpose: For) -> PurposeRow:
    said = ctx.settings.get(SETTINGS[purpose])
    row: PurposeRow = {"purpose": purpose, "setting": SETTINGS[purpose], "models": []}
    try:
        row["models"] = [_model(ctx, each) for each in (_parsed(purpose, said) if said else [])]
    except ChatFailed as failed:
        row["problem"] = failed.message
    return row


def _model(ctx: Context, each: Named) -> ModelRow:
    try:
        found: bool | None = names.key(ctx.home, each.variable) is not None if each.variable else None
    except ChatFailed:
        found = False
    return {"model": each.name, "url": each.url or None, "key": each.variable or None, "key_found": found}


def _parsed(purpose: For, said: str) -> list[Named]:
    return [names.parse_reranker(said)] if purpose == "rerank" else names.parse(said)


def _probe(ctx: Context, purpose: For, each: Named) -> Probe:
    started = time.monotonic()
    answer: Answer | None = None
    try:
        if purpose == "rerank":
            ctx.models.reranked(each, "How deep is the harbour?", ["Nine metres at low tide.", "Tea is made at five."])
        else:
            answer = ctx.models.probe(each, PROBE_SECONDS)
    except ChatFailed as failed:
        return {
            "model": each.name,
            "works": False,
            "json": False,
            "counts": False,
            "latency_ms": round((time.monotonic() - started) * 1000),
            "reason": failed.reason,
            "problem": failed.message,
            "fix": failed.suggestion,
        }
    taken = round((time.monotonic() - started) * 1000)
    if answer is None:
        return {"model": each.name, "works": True, "json": True, "counts": False, "latency_ms": taken}
    return {
        "model": each.name,
        "works": True,
        "json": _is_json(answer.text),
        "counts": answer.input_tokens is not None and answer.output_tokens is not None,
        "latency_ms": taken,
        "answered_as": answer.model,
    }


def _is_json(text: str) -> bool:
    try:
        said: Any = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(said, dict)
