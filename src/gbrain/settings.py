"""One row a setting: what it means, which values it takes, what it is when nobody set it.

Values live in the store, one row each. A value is checked when it is set, so a reader never meets a bad one.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import NamedTuple

from gbrain.domain.offers.scope import rules
from gbrain.domain.times import parse_duration
from gbrain.errors import InvalidParams

UNSET = "unset"
"""The default of a setting whose silence is no value."""


class Setting(NamedTuple):
    """A setting. `choices` lists the allowed values; one whose values cannot be listed has a `check` instead."""

    key: str
    choices: tuple[str, ...]
    default: str
    doc: str
    check: Callable[[str], bool] | None = None
    """Whether a value, stripped of outer space, is allowed."""
    form: str = ""
    """What `check` allows, in words; with an example after a colon."""
    mirrored: bool = False
    """Whether the value is told to `config.json` too, for readers that may not open the store."""

    def allows(self, value: str) -> bool:
        """Whether a value may be stored as it is."""
        return value in self.choices if self.check is None else self.check(value)

    def parse(self, text: str) -> str:
        """The value as it is stored; raises InvalidParams that names the allowed ones."""
        value = text.strip() if self.check is not None else text.strip().lower()
        if value not in self.choices and _SWITCH.get(value) in self.choices:
            value = _SWITCH[value]
        if self.allows(value):
            return value
        if self.check is not None:
            example = self.form.partition(": ")[2]
            example = f"'{example}'" if " " in example else example
            raise InvalidParams(f"{self.key} must be {self.form}", f"run: gbrain config set {self.key} {example}")
        allowed = ", ".join(self.choices)
        proper = self._meant(value)
        raise InvalidParams(f"{self.key} must be one of: {allowed}", f"run: gbrain config set {self.key} {proper}")

    def _meant(self, value: str) -> str:
        """The allowed value to name to who gave another: one that switches it on where that was wanted, and never one
        that does the opposite."""
        if "off" in self.choices and (value == "on" or _SWITCH.get(value) == "on"):
            return self.default if self.default not in ("off", UNSET) else next(c for c in self.choices if c != "off")
        near = (choice for choice in self.choices if len(choice) > 4 and edits(value, choice, 2) <= 2)
        return next(near, self.default if self.default in self.choices else self.choices[0])


def _is_name(text: str) -> bool:
    return len(text) <= 300 and text.isprintable()


def _is_address(text: str) -> bool:
    whole = _is_name(text) and text.partition("://")[0] in ("http", "https") and len(text.partition("://")[2]) > 0
    # A password in it would be stored, and shown by `config list`.
    return not text or (whole and "@" not in text and "?" not in text and " " not in text)


def _is_dimension(text: str) -> bool:
    return text.isascii() and text.isdigit() and str(int(text)) == text and int(text) <= 4096


def _is_room(text: str) -> bool:
    return text.isascii() and text.isdigit() and 100 <= int(text[:9]) <= 100_000


def _is_seconds(text: str) -> bool:
    # A turn is claimed for five minutes, in which two questions must fit.
    return text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= 120


def _is_span(text: str) -> bool:
    span = parse_duration(text)
    return span is not None and timedelta(0) < span <= timedelta(days=365)


def _is_share(text: str) -> bool:
    return text.isascii() and len(text) <= 4 and text.replace(".", "", 1).isdigit() and 0 <= float(text) <= 1


def _is_most(text: str) -> bool:
    return text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= 5


def _is_count_or_all(text: str) -> bool:
    return text == "all" or (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= 10_000)


def _is_tokens(text: str) -> bool:
    # Every hook loads the settings, and asks for none of these.
    from gbrain.domain.spending import is_tokens

    return is_tokens(text)


def _is_usd(text: str) -> bool:
    # As above.
    from gbrain.domain.spending import is_usd

    return is_usd(text)


def _are_prices(text: str) -> bool:
    # As above.
    from gbrain.domain.spending import are_prices

    return are_prices(text)


def _is_across(text: str) -> bool:
    return rules(text) is not None


def _is_offer_room(text: str) -> bool:
    return text.isascii() and text.isdigit() and 20 <= int(text[:9]) <= 2_000


def _is_model(text: str) -> bool:
    if not text:
        return True
    return len(text) <= 600 and text.isprintable() and ":" in text


_MODEL = "PROVIDER:MODEL, with what stands in for it after `then`: openai:gpt-5-mini then ollama:qwen3"


def _limits(span: str, tokens: str, usd: str, what: str) -> tuple[Setting, Setting]:
    return (
        Setting(
            f"spend.{span}_tokens",
            (),
            tokens,
            f"The most tokens that models may take, in and out, {what}. `none` is no limit, 0 allows no call.",
            _is_tokens,
            "a whole number, or none: 500000",
        ),
        Setting(
            f"spend.{span}_usd",
            (),
            usd,
            f"The most dollars that models may take {what}, as far as prices are known. `none` is no limit, 0 allows no"
            " call.",
            _is_usd,
            "an amount in dollars, or none: 2.50",
        ),
    )


_SWITCH = {
    **dict.fromkeys(("true", "yes", "enable", "enabled"), "on"),
    **dict.fromkeys(("false", "no", "disable", "disabled"), "off"),
}
"""What people say in place of on and off."""

SETTINGS: tuple[Setting, ...] = (
    Setting(
        "mcp_surface",
        ("verbs", "starter", "full"),
        "full",
        "Which tools `gbrain serve` offers when `--surface` is not given: the seven verbs, the starter set or"
        " everything.",
    ),
    Setting(
        "mcp.strict_params",
        ("warn", "reject"),
        "warn",
        "What an unknown argument of an MCP call does: the call runs and the reply names it, or the call is refused.",
    ),
    Setting(
        "mcp.hot_memory",
        ("on", "off"),
        "on",
        "Whether MCP replies carry the most recent facts in `_meta.brain_hot_memory`.",
    ),
    Setting(
        "auth.required",
        ("on", "off"),
        "on",
        "Whether a call over HTTP needs a token. `off` lets callers on this machine in without one, to read and write"
        " as over stdio; it never holds for callers from other machines.",
    ),
    Setting(
        "auth.registration",
        ("on", "off"),
        "off",
        "Whether programs may register themselves as OAuth applications of `gbrain serve --http`. None of them gets in"
        " before you let it in on the consent page.",
    ),
    Setting(
        "auto_link",
        ("on", "off"),
        "on",
        "Whether the references in a page's text and front matter become links by themselves, and stop being ones when"
        " the text changes. `off` leaves the links as they are; `gbrain extract links` still reads them.",
    ),
    Setting(
        "auto_timeline",
        ("on", "off"),
        "on",
        "Whether the dated lines and citations of a page's text become entries of its timeline by themselves, and go"
        " with the text. `off` leaves the timeline as it is; `gbrain extract timeline` still reads them.",
    ),
    Setting(
        "backup.keep",
        (),
        "all",
        "How many backups of this brain `gbrain backup create` leaves in a folder: the newest so many, or `all`."
        " `--keep` says so for once.",
        _is_count_or_all,
        "all or a whole number from 1 to 10000: 7",
    ),
    Setting(
        "search.mode",
        ("conservative", "balanced", "tokenmax"),
        "conservative",
        "How much a search may return: 10 hits in 4,000 tokens, 25 in 12,000, or 50 without a token limit.",
    ),
    Setting(
        "embedding.provider",
        ("auto", "off", "onnx", "fastembed", "endpoint"),
        "auto",
        "What turns texts into vectors, for search by meaning. `auto`: the bundled model where it is installed, else"
        " nothing. `onnx`: a model folder, `fastembed`: a model of that package, `endpoint`: an OpenAI-compatible"
        " address; `embedding.model` names the model. A change asks for `gbrain embed --stale`.",
    ),
    Setting(
        "embedding.model",
        (),
        "",
        "The model: an absolute folder for `onnx`, a name for `fastembed` and `endpoint`.",
        _is_name,
        "a folder or a name of at most 300 characters: nomic-embed-text",
    ),
    Setting(
        "embedding.url",
        (),
        "",
        "The address of the endpoint, to which `/embeddings` is added. Its key comes from `GBRAIN_EMBEDDING_KEY` or the"
        " file `keys/GBRAIN_EMBEDDING_KEY` of the home, readable for its owner only; it is never stored in the brain.",
        _is_address,
        "an address without a password in it: http://127.0.0.1:11434/v1",
    ),
    Setting(
        "embedding.dimension",
        (),
        "0",
        "The length of vectors to ask the endpoint for; 0 takes what the model gives.",
        _is_dimension,
        "a whole number from 0 to 4096: 512",
    ),
    Setting(
        "models.default",
        (),
        "",
        "The language model for everything that has none of its own. `gbrain models set` tries one before it is kept."
        " With none set, no model is ever called, whatever keys the environment holds.",
        _is_model,
        _MODEL,
    ),
    Setting(
        "facts.extraction_model",
        (),
        "",
        "The model that reads turns for facts; without one, `models.default`.",
        _is_model,
        _MODEL,
    ),
    Setting(
        "facts.extraction_enabled",
        ("on", "off"),
        "on",
        "Whether turns are read for facts by a model, where one is set. `off` makes no such call.",
    ),
    Setting(
        "models.compose", (), "", "The model that writes answers; without one, `models.default`.", _is_model, _MODEL
    ),
    Setting(
        "models.expand", (), "", "The model that rewords questions; without one, `models.default`.", _is_model, _MODEL
    ),
    Setting(
        "models.judge",
        (),
        "",
        "The model that marks answers of a bench; without one, `models.default`.",
        _is_model,
        _MODEL,
    ),
    Setting(
        "models.rerank",
        (),
        "",
        "What puts the best hits of a search in order anew: a reranker's address, or a folder with one."
        " Without one nothing does.",
        _is_model,
        "PROVIDER:MODEL: onnx:/models/reranker",
    ),
    Setting(
        "models.seconds",
        (),
        "60",
        "How long a question to a language model may take, in seconds, further tries included.",
        _is_seconds,
        "a whole number from 1 to 120: 60",
    ),
    Setting(
        "models.prices",
        (),
        "",
        "Prices of one's own, in dollars for a million tokens in and out, which outrank those that are known here;"
        " `gbrain models price` writes them.",
        _are_prices,
        "MODEL=IN/OUT, divided by `;`: openai:gpt-5-mini=0.25/2",
    ),
    *_limits("turn", "60000", "0.5", "for one turn that is read for facts, with all its tries"),
    *_limits("session", "500000", "2", "in one session of an agent"),
    *_limits("day", "1500000", "5", "in one day (UTC)"),
    *_limits("month", "15000000", "50", "in one month (UTC)"),
    Setting(
        "facts.extraction_max_tokens",
        (),
        "4000",
        "How many tokens a model may answer with that reads a turn for facts; an answer that was cut is asked for once"
        " more with twice as much.",
        _is_room,
        "a whole number from 100 to 100000: 4000",
    ),
    Setting(
        "facts.default_visibility",
        ("private", "world"),
        UNSET,
        "Who may read facts that were taken out of a turn, where nobody said so: `world`, the agents of this brain;"
        " `private`, only you at this machine. Unset keeps them private.",
    ),
    Setting(
        "memory.auto_writeback_transient_ttl",
        (),
        "3d",
        "How long a fact holds that is so just now, such as where somebody is or how they feel: a span up to a year.",
        _is_span,
        "a span from 1s to 365d: 12h",
        mirrored=True,
    ),
    Setting(
        "memory.auto_writeback",
        ("off", "salient", "all"),
        "off",
        "Whether agents save unasked what you tell them: `salient` what lasts and matters, `all` every fact you state."
        " Servers on a local pipe go by a change once they start again, others from the next request.",
        mirrored=True,
    ),
    Setting(
        "offers.gate",
        (),
        "0.7",
        "How sure an offer must be, 0 to 1: pages that a conversation names less surely are not offered. See"
        " `docs/explanation/offers.md` for what each arm is worth.",
        _is_share,
        "a number from 0 to 1: 0.8",
    ),
    Setting(
        "offers.most",
        (),
        "3",
        "At most so many pages are offered a turn.",
        _is_most,
        "a whole number from 1 to 5: 3",
    ),
    Setting(
        "offers.tokens",
        (),
        "160",
        "At most so many tokens are offered a turn.",
        _is_offer_room,
        "a whole number from 20 to 2000: 160",
    ),
    Setting(
        "offers.across",
        (),
        "",
        "Which sources offers are taken from, by the source of the project one works in: `own`, `federated` (it and"
        " all federated ones) or ids. A source without a rule goes by what reads that name no source take in.",
        _is_across,
        "rules divided by `;`: work=own; plans=plans,notes",
    ),
    Setting(
        "memory.auto_writeback_shadow",
        ("on", "off"),
        "off",
        "Whether to try out, while nothing is saved unasked, what would be: hooks filter what you tell agents, a model"
        " reads it where one is set, and `gbrain writeback preview` shows it for seven days. No fact comes of it.",
        mirrored=True,
    ),
    Setting(
        "memory.auto_recall",
        ("off", "world", "private"),
        "world",
        "What the recall hook brings into the sessions of an agent that it is wired into: nothing, what agents may"
        " read, or also what is private to you at this machine.",
    ),
    Setting(
        "brain.audience",
        ("personal", "shared"),
        UNSET,
        "Whose brain this is: `personal`, yours alone, or `shared` with others. Unset leaves it to be told from who"
        " has called.",
        mirrored=True,
    ),
    Setting(
        "memory.auto_writeback_notice_shown",
        ("true", "false"),
        "false",
        "Whether you were asked once if agents may save unasked. gbrain sets it when it has asked; `true` spares you"
        " the question.",
    ),
)

_BY_KEY = {setting.key: setting for setting in SETTINGS}


def find(key: str) -> Setting:
    """The setting of this key; raises InvalidParams that names the nearest known one."""
    known = _BY_KEY.get(key.strip())
    if known is None:
        near = nearest(key.strip(), _BY_KEY)
        hint = f"did you mean {near}? run: gbrain config list" if near else "run: gbrain config list"
        raise InvalidParams("unknown setting", hint)
    return known


def nearest(word: str, names: "dict[str, Setting] | list[str] | tuple[str, ...]") -> str | None:
    """The known name most like `word`: within three edits and half its letters, or one that holds it; None when
    none is close.
    """
    folded = word.casefold()
    best, best_distance = None, min(4, len(folded) // 2 + 1)
    for name in names:
        distance = edits(folded, name.casefold(), 3)
        if distance < best_distance:
            best, best_distance = name, distance
    if best is None and len(folded) >= 3:
        best = next((name for name in names if folded in name.casefold()), None)
    return best


def edits(a: str, b: str, most: int) -> int:
    """Levenshtein distance of two short words, or `most + 1` when it is larger."""
    if abs(len(a) - len(b)) > most:
        return most + 1
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        previous, row[0] = row[0], i
        for j, right in enumerate(b, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (left != right))
    return min(row[-1], most + 1)


class Settings:
    """Reads values through the store, so that a change made by another process is seen by the next call."""

    def __init__(self, read: Callable[[str], str | None]) -> None:
        self._read = read

    def get(self, key: str) -> str:
        """The value in force: the stored one, else the default. A stored value no longer allowed counts as unset.

        Raises InvalidParams for a key that is no setting.
        """
        setting = find(key)
        stored = self._read(key)
        return stored if stored is not None and setting.allows(stored) else setting.default
