"""The contract as it stands in this build: for programs, for people, and as the page in docs/protocol.

Nothing here is written twice. Parameters and replies come from the registry, the examples of the page from calls
on a scratch brain whose clock stands still, and the statistics from the journal.
"""

import json
import math
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from gbrain import __version__, registry
from gbrain.brain import Brain, environment_clock, open_home
from gbrain.domain.times import store_time
from gbrain.entry.docs import GENERATED, bounds_of, error_classes, first_sentence
from gbrain.errors import BrainError, Internal, InvalidParams, NotFound, ProvenanceRequired, ScopeDenied, Unavailable
from gbrain.journal import USAGE, Journal
from gbrain.registry import Operation
from gbrain.schema import ParamSpec
from gbrain.types import Caller

PROTOCOL_VERSION = 1

_ANY_VERB: tuple[type[BrainError], ...] = (InvalidParams, ScopeDenied, Unavailable, Internal)
_MORE: dict[str, tuple[type[BrainError], ...]] = {"remember": (ProvenanceRequired,), "forget": (NotFound,)}

_EXAMPLE_TIME = datetime(2031, 5, 4, 22, 10, tzinfo=UTC)
_EXAMPLE_BRAIN: tuple[tuple[str, dict[str, Any]], ...] = (
    ("put_page", {
        "slug": "companies/harbour-tea", "content": "---\ntype: company\ntitle: Harbour Tea\n---\nA tea importer.\n",
    }),
    ("put_page", {
        "slug": "people/dana-oakes",
        "content": "---\ntype: person\ntitle: Dana Oakes\naliases: [dana]\n---\nDana runs the spring launch.\n",
    }),
    ("add_link", {"from": "people/dana-oakes", "to": "companies/harbour-tea", "link_type": "works_at"}),
    ("add_timeline_entry", {
        "slug": "people/dana-oakes", "date": "2031-04-28", "summary": "Moved the launch to June",
    }),
)  # fmt: skip
_EXAMPLES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("remember", "A preference of someone the brain knows by an alias", {
        "fact": "Dana prefers green tea", "provenance": "chat with Dana, 2031-05-04", "entity": "dana",
        "kind": "preference",
    }),
    ("remember", "A commitment that lapses", {
        "fact": "Dana will send the launch plan on Friday", "provenance": "chat with Dana, 2031-05-04",
        "entity": "people/dana-oakes", "kind": "commitment", "ttl": "7d",
    }),
    ("remember", "The same claim again", {
        "fact": "dana prefers  green tea", "provenance": "mail from Dana, 2031-05-04", "entity": "Dana Oakes",
        "kind": "preference",
    }),
    ("remember", "A claim without an origin", {"fact": "Dana plays chess", "provenance": " "}),
    ("entity", "A name the brain knows", {"name": "Dana Oakes"}),
    ("entity", "A misspelt name", {"name": "Dana Oaks"}),
    ("synthesize", "No model is configured", {"question": "When is the spring launch?"}),
    ("recall", "About someone, within a budget", {"entity": "dana", "budget_tokens": 12}),
    ("recall", "By question", {"query": "what tea does Dana drink"}),
    ("context_pack", "What to know about two entities", {"entities": "dana, Harbour Tea", "budget_tokens": 200}),
    ("delta", "What changed since a day", {"since": "2031-05-04"}),
    ("delta", "Neither a start nor a session", {}),
    ("forget", "A fact that holds", {"id": "1", "reason": "no longer true"}),
    ("forget", "The same fact again", {"id": "1"}),
    ("forget", "An id nobody has", {"id": "999999999"}),
)  # fmt: skip


def describe() -> dict[str, Any]:
    """The whole contract as JSON: verbs with schemas and errors, the other operations by surface."""
    operations = registry.load_all()
    return {
        "protocol_version": PROTOCOL_VERSION,
        "version": __version__,
        "verbs": [_verb(item) for item in operations if item.verb],
        "operations": {
            surface: [_brief(item) for item in operations if item.surface == surface] for surface in ("starter", "full")
        },
        "errors": [_error(kind) for kind in error_classes()],
    }


def text() -> str:
    """The listing for people: each verb with its parameters and what it does, and where to read more."""
    operations = registry.load_all()
    verbs = [item for item in operations if item.verb]
    more = Counter(item.surface for item in operations if not item.verb)
    lines = [f"memory verbs, protocol version {PROTOCOL_VERSION} (gbrain {__version__})"]
    for item in verbs:
        lines += ["", f"{item.name}({', '.join(_signature(param) for param in item.params)})", f"    {item.summary}"]
    lines += [
        "",
        f"Beside them: {more['starter']} operations of the starter surface, {more['full']} of the full one.",
        "A parameter with ? may be left out.",
        "",
        "gbrain protocol --json        schemas, reply shapes and error codes",
        "gbrain protocol conformance   test this server, or any other with --target, against the contract",
        "gbrain protocol stats         how the verbs were used",
    ]
    return "\n".join(lines)


def _signature(param: ParamSpec) -> str:
    return param.name if param.required else f"{param.name}?"


def _verb(item: Operation) -> dict[str, Any]:
    return {
        "name": item.name,
        "title": item.title,
        "summary": item.summary,
        "scope": item.scope,
        "params": [_param(param) for param in item.params],
        "input_schema": item.input_schema(),
        "output_schema": item.output_schema(),
        "annotations": item.annotations(),
        "errors": [_error(kind) for kind in _errors_of(item)],
    }


def _param(param: ParamSpec) -> dict[str, Any]:
    told = {**param.schema(), "name": param.name, "required": param.required}
    return told if param.default is None else {**told, "default": param.default}


def _brief(item: Operation) -> dict[str, Any]:
    required = [param.name for param in item.params if param.required]
    return {
        "name": item.name,
        "summary": item.summary,
        "scope": item.scope,
        "params": [param.name for param in item.params],
        "required": required,
        "command": item.cli,
        "local_only": item.local_only,
    }


def _errors_of(item: Operation) -> list[type[BrainError]]:
    kinds = {*_ANY_VERB, *_MORE.get(item.name, ())}
    return [kind for kind in error_classes() if kind in kinds]


def _error(kind: type[BrainError]) -> dict[str, Any]:
    meaning = first_sentence((kind.__doc__ or "").split("\n")[0])
    return {"code": kind.code, "exit_code": kind.exit_code, "http_status": kind.http_status, "meaning": meaning}


# The page


def markdown() -> str:
    """The text of `docs/protocol/memory-verbs-v1.md`; the same text on every machine."""
    verbs = [item for item in registry.load_all() if item.verb]
    shown = _examples()
    lines = [f"# Memory verbs, version {PROTOCOL_VERSION}", "", GENERATED, "", *_PREAMBLE, "", *_errors_table()]
    for item in verbs:
        lines += ["", *_verb_section(item, shown[item.name])]
    return "\n".join([*lines, "", *_AFTERWORD, ""])


_PREAMBLE = """Seven verbs are all an agent needs to use a memory, whoever serves it. This page is their contract.
Their names, parameters, fields and codes do not change within a version; optional parameters and fields may be added.

## Calling a verb

Over MCP a verb is a tool: `tools/call` with its name and an object of arguments. The reply is one JSON object, as text
in the first content block and as `structuredContent`. On the command line it is a command, in Python a method:

```sh
gbrain serve --surface verbs
gbrain entity "Dana Oakes" --json
```

```python
from gbrain import open_brain

with open_brain() as brain:
    brain.entity(name="Dana Oakes")
```

## What holds for all of them

- Every reply and every error carries `protocol_version`.
- An optional argument that is `null` or `""` counts as left out. A required one that is missing or `null` is
  `invalid_params`, and so is a value of the wrong type: nothing is converted.
- An unknown argument is named in `_meta.warnings` and in a further text block, and the call runs; with the setting
  `mcp.strict_params` at `reject` the call is refused.
- `dry_run: true` on a verb that writes changes nothing and answers `{"dry_run": true, "action": ...}`.
- A field that has no value is `null`, not missing; fields marked `?` below stand only where they apply.
- Times are ISO 8601 in UTC with milliseconds and `Z`. Ids are opaque strings.
- Tokens are estimated: the UTF-16 units of a text divided by four, rounded up. With `budget_tokens` above zero a reply
  keeps the longest prefix that fits and counts the rest in `dropped_count`; without it there are no budget fields.
- Facts with visibility `private` reach only the person at this machine. To a client they do not exist: neither in a
  reply, nor as a duplicate, nor by their id.
- `_meta.brain_hot_memory` carries at most ten recent facts beside the replies of all verbs but `recall`.

## Errors

An error over MCP is a result with `isError`. Its `suggestion` says what to do about it and is never empty.

```json
{"error": "not_found", "message": "...", "suggestion": "run: gbrain recall", "protocol_version": 1}
```
""".splitlines()

_AFTERWORD = """## Testing a server

`gbrain protocol conformance --target "COMMAND"` starts any server of these verbs and holds it to this contract over
stdio. Its `must` cases are the contract; its `better` cases are what gbrain does beyond it. It
writes to the brain of that server: a page `people/gbrain-conformance-...` and facts with the provenance
`gbrain protocol conformance`. At the end, also after Ctrl-C, it forgets these facts and deletes the page; private facts
lapse by themselves in minutes. A brain made for the purpose is better still. Without a target it tests gbrain's own
server, on a brain that is thrown away.

```sh
gbrain protocol conformance
```""".splitlines()


def _errors_table() -> list[str]:
    lines = ["| code | exit code | HTTP status | meaning |", "|---|---|---|---|"]
    for kind in map(_error, error_classes()):
        lines.append(f"| `{kind['code']}` | {kind['exit_code']} | {kind['http_status']} | {_cell(kind['meaning'])} |")
    return [*lines, "", "`budget_unsatisfiable` is reserved and not used."]


def _verb_section(item: Operation, examples: Iterable[tuple[str, dict[str, Any], dict[str, Any]]]) -> list[str]:
    required = [param.name for param in item.params if param.required]
    lines = [f"## {item.name}", "", item.summary]
    if item.details:
        lines += ["", *item.details.splitlines()]
    lines += ["", f"Scope `{item.scope}`. Required: {', '.join(f'`{name}`' for name in required) or 'nothing'}.", ""]
    lines += ["| parameter | type | meaning |", "|---|---|---|"]
    lines += [f"| `{_signature(param)}` | {_kind(param)} | {_cell(_meaning(param))} |" for param in item.params]
    lines += ["", "### Reply", "", "| field | type |", "|---|---|", *_fields(item.output_schema())]
    codes = ", ".join(f"`{kind.code}`" for kind in _errors_of(item))
    lines += ["", f"Errors: {codes}.", "", "### Examples"]
    for title, arguments, reply in examples:
        lines += ["", f"{title}:", "", "```json", _json(arguments), "```", "", "```json", _json(reply), "```"]
    return lines


def _kind(param: ParamSpec) -> str:
    return " ".join(f"`{choice}`" for choice in param.choices) or param.kind


def _meaning(param: ParamSpec) -> str:
    default = [] if param.default in (None, False) else [f"Default `{param.default}`."]
    return " ".join([param.doc, *bounds_of(param), *default])


def _fields(schema: dict[str, Any], path: str = "") -> list[str]:
    rows = []
    for name, inner in schema.get("properties", {}).items():
        mark = "" if name in schema.get("required", ()) else "?"
        rows.append(f"| `{path}{name}{mark}` | {_cell(_schema_kind(inner))} |")
        item = inner.get("items", inner)
        rows += _fields(item, f"{path}{name}{'[]' if 'items' in inner else ''}.")
    return rows


def _schema_kind(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return " ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(_schema_kind(part) for part in schema["anyOf"])
    kind = schema.get("type", "any")
    shown = " or ".join(kind) if isinstance(kind, list) else str(kind)
    return f"{shown} of {_schema_kind(schema['items'])}" if shown == "array" else shown


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _examples() -> dict[str, list[tuple[str, dict[str, Any], dict[str, Any]]]]:
    """Verb to (what it shows, arguments, reply), each really asked, as an agent, of a brain made for it."""
    shown: dict[str, list[tuple[str, dict[str, Any], dict[str, Any]]]] = {}
    with (
        tempfile.TemporaryDirectory(prefix="gbrain-protocol-") as folder,
        open_home(folder, create=True, clock=lambda: _EXAMPLE_TIME, source="default") as brain,
    ):
        # What is installed beside gbrain must not show in the document.
        brain.call("config_set", {"key": "embedding.provider", "value": "off"})
        for name, arguments in _EXAMPLE_BRAIN:
            brain.call(name, arguments)
        for verb, title, arguments in _EXAMPLES:
            shown.setdefault(verb, []).append((title, arguments, _asked(brain, verb, arguments)))
    return shown


def _asked(brain: Brain, verb: str, arguments: dict[str, Any]) -> dict[str, Any]:
    try:
        reply: dict[str, Any] = brain.call(verb, arguments, caller=Caller.stdio())
    except Internal:
        # A defect is no example, and must not end up on the page.
        raise
    except BrainError as error:
        return error.envelope(verb=True)
    # The only measured value in a reply: it would differ on every run.
    return {**reply, "latency_ms": 1} if "latency_ms" in reply else reply


# The use of the verbs


def stats(home: str, days: int = 7, *, now: datetime | None = None) -> dict[str, Any]:
    """How the verbs of the brain in `home` were used in the last `days` days, from its journal of calls.

    Latencies are milliseconds inside the operation, percentiles by nearest rank. Raises InvalidParams for less
    than one day.
    """
    if days < 1:
        raise InvalidParams("days must be at least 1", "run: gbrain protocol stats --days 7")
    end = now or environment_clock()()
    start = store_time(end - timedelta(days=days))
    lines = [line for line in Journal(home).read(USAGE) if start <= str(line.get("ts", "")) <= store_time(end)]
    by_verb = {verb: [line for line in lines if line.get("verb") == verb] for verb in _verbs_in(lines)}
    saved = Counter(str(line["remember_status"]) for line in lines if "remember_status" in line)
    dropped = [line["budget_dropped"] for line in lines if isinstance(line.get("budget_dropped"), int)]
    found = [line["entity_found"] for line in lines if line.get("verb") == "entity" and "entity_found" in line]
    return {
        "days": days,
        "since": start[:23] + "Z",
        **_summary(lines),
        "verbs": {verb: _summary(some) for verb, some in by_verb.items()},
        "daily": _daily(lines),
        "remember": dict(sorted(saved.items())),
        "budgets": {"calls": len(dropped), "calls_cut": sum(n > 0 for n in dropped), "items_dropped": sum(dropped)},
        "entity": {"asked": len(found), "found": sum(found), "hit_rate": _share(sum(found), len(found))},
    }


def stats_text(found: dict[str, Any]) -> str:
    """The statistics for people: one line a verb, then days, outcomes, budgets and hits."""
    if not found["calls"]:
        return f"No verb was called in the last {found['days']} days."
    lines = [f"{found['calls']} calls in the last {found['days']} days, {found['errors']} of them errors", ""]
    lines.append(f"{'verb':<14}{'calls':>7}{'errors':>8}{'p50 ms':>9}{'p95 ms':>9}")
    for verb, row in found["verbs"].items():
        latency = row["latency_ms"]
        lines.append(f"{verb:<14}{row['calls']:>7}{row['errors']:>8}{latency['p50']:>9.1f}{latency['p95']:>9.1f}")
    lines += ["", f"{'day':<14}{'calls':>7}{'errors':>8}"]
    lines += [f"{row['date']:<14}{row['calls']:>7}{row['errors']:>8}" for row in found["daily"]]
    lines.append("")
    if found["remember"]:
        lines.append("remember: " + ", ".join(f"{count} {status}" for status, count in found["remember"].items()))
    budgets, entity = found["budgets"], found["entity"]
    if budgets["calls"]:
        cut = f"{budgets['calls_cut']} of {budgets['calls']} replies cut"
        lines.append(f"budgets: {cut}, {budgets['items_dropped']} items left out")
    if entity["asked"]:
        lines.append(f"entity: {entity['found']} of {entity['asked']} names found ({entity['hit_rate']:.0%})")
    if found["error_codes"]:
        lines.append("errors: " + ", ".join(f"{count} {code}" for code, count in found["error_codes"].items()))
    return "\n".join(lines).rstrip()


def _verbs_in(lines: Sequence[dict[str, Any]]) -> list[str]:
    called = {str(line.get("verb")) for line in lines}
    known = [item.name for item in registry.load_all() if item.verb]
    return [verb for verb in known if verb in called] + sorted(called - set(known))


def _summary(lines: Sequence[dict[str, Any]]) -> dict[str, Any]:
    bad = [line for line in lines if line.get("ok") is not True]
    codes = Counter(str(line.get("error", "unknown")) for line in bad)
    times = sorted(float(line["latency_ms"]) for line in lines if isinstance(line.get("latency_ms"), int | float))
    return {
        "calls": len(lines),
        "ok": len(lines) - len(bad),
        "errors": len(bad),
        "error_codes": dict(sorted(codes.items())),
        "latency_ms": {"p50": _percentile(times, 0.50), "p95": _percentile(times, 0.95)},
    }


def _daily(lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    dates = sorted({str(line["ts"])[:10] for line in lines})
    rows = []
    for date in dates:
        some = [line for line in lines if str(line["ts"])[:10] == date]
        verbs = Counter(str(line.get("verb")) for line in some)
        errors = sum(line.get("ok") is not True for line in some)
        rows.append({"date": date, "calls": len(some), "errors": errors, "verbs": dict(sorted(verbs.items()))})
    return rows


def _percentile(ordered: Sequence[float], share: float) -> float:
    """Nearest rank: the smallest value that at least `share` of the values do not exceed; 0 when there is none."""
    if not ordered:
        return 0.0
    return ordered[max(math.ceil(share * len(ordered)), 1) - 1]


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
