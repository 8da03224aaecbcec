"""Settings: allowed values, the nearest known name, and what is in force."""

from collections.abc import Callable

import pytest
from hypothesis import given, strategies as st
from rapidfuzz.distance import Levenshtein

from gbrain.errors import InvalidParams
from gbrain.settings import SETTINGS, UNSET, Setting, Settings, edits, find, nearest

WORDS = st.text(alphabet="abcd灯", max_size=9)


LISTED = [setting for setting in SETTINGS if setting.choices]


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.key)
def test_a_row_is_whole(setting: Setting) -> None:
    if setting.default != UNSET:
        assert setting.parse(setting.default) == setting.default
    assert len(set(setting.choices)) == len(setting.choices)
    assert bool(setting.choices) == (setting.check is None)
    if setting.check is not None:
        form, _, example = setting.form.partition(": ")
        assert form
        assert setting.parse(f" {example}\n") == example
    assert setting.doc.endswith(".")
    assert find(setting.key) is setting


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("embedding.model", "a" * 301),
        ("embedding.model", "two\nlines"),
        ("embedding.model", "a\u202eb"),
        ("embedding.url", "ftp://example.com"),
        ("embedding.url", "example.com/v1"),
        ("embedding.url", "http://"),
        ("embedding.url", "https://user:secret@example.com/v1"),
        ("embedding.url", "https://example.com/v1?key=secret"),
        ("embedding.dimension", "-1"),
        ("embedding.dimension", "0384"),
        ("embedding.dimension", "four"),
        ("embedding.dimension", "٣"),
        ("embedding.dimension", "99999"),
        ("embedding.dimension", ""),
    ],
)
def test_a_value_of_another_form_is_refused_and_not_echoed(key: str, value: str) -> None:
    with pytest.raises(InvalidParams) as refused:
        find(key).parse(value)
    assert refused.value.message == f"{key} must be {find(key).form}"
    example = find(key).form.partition(": ")[2]
    assert refused.value.suggestion == f"run: gbrain config set {key} {example}"


@pytest.mark.parametrize("setting", LISTED, ids=lambda setting: setting.key)
class TestListed:
    def test_each_allowed_value_is_taken_in_any_case(self, setting: Setting) -> None:
        for value in setting.choices:
            assert setting.parse(value) == setting.parse(f"  {value.upper()}\n") == value

    @pytest.mark.parametrize("value", ["", " ", "no such value", "on,off", "0", "None", "\x00", "ＯＮ", "on\u200b"])
    def test_another_is_refused_and_not_echoed(self, setting: Setting, value: str) -> None:
        with pytest.raises(InvalidParams) as refused:
            setting.parse(value)
        for allowed in setting.choices:
            assert allowed in refused.value.message
        proper = setting.choices[0] if setting.default == UNSET else setting.default
        assert refused.value.suggestion == f"run: gbrain config set {setting.key} {proper}"
        if len(value.strip()) > 6:
            assert value not in refused.value.message + refused.value.suggestion


class TestWhatWasMeant:
    @pytest.mark.parametrize("value", ["on", "true", "YES", "enabled"])
    @pytest.mark.parametrize(
        ("key", "proper"),
        [("memory.auto_writeback", "salient"), ("memory.auto_recall", "world"), ("embedding.provider", "auto")],
    )
    def test_who_wants_it_on_is_never_told_to_turn_it_off(self, key: str, proper: str, value: str) -> None:
        with pytest.raises(InvalidParams) as refused:
            find(key).parse(value)
        assert refused.value.suggestion == f"run: gbrain config set {key} {proper}"

    @pytest.mark.parametrize("value", ["false", "No", "disable"])
    def test_a_word_for_off_is_off(self, value: str) -> None:
        assert find("memory.auto_writeback").parse(value) == find("auto_link").parse(value) == "off"
        assert find("memory.auto_writeback_notice_shown").parse("false") == "false"

    def test_a_misspelt_value_names_the_one_meant(self) -> None:
        with pytest.raises(InvalidParams, match="one of") as refused:
            find("memory.auto_writeback").parse("salent")
        assert refused.value.suggestion.endswith("auto_writeback salient")


class TestFind:
    def test_keys_are_unique(self) -> None:
        assert len({setting.key for setting in SETTINGS}) == len(SETTINGS)

    @pytest.mark.parametrize(
        ("key", "near"),
        [
            ("mcp_surfac", "mcp_surface"),
            ("mcp.surface", "mcp_surface"),
            ("MCP_SURFACE", "mcp_surface"),
            ("strict_params", "mcp.strict_params"),
            ("hot_memory", "mcp.hot_memory"),
            ("search.mod", "search.mode"),
            ("searchmode", "search.mode"),
        ],
    )
    def test_an_unknown_key_names_the_nearest(self, key: str, near: str) -> None:
        with pytest.raises(InvalidParams) as refused:
            find(key)
        assert near in refused.value.suggestion
        assert "gbrain config list" in refused.value.suggestion

    @pytest.mark.parametrize("key", ["", " ", "x", "harbour", "a" * 10_000, "\ud800", "🏮"])
    def test_one_like_none_names_the_list(self, key: str) -> None:
        with pytest.raises(InvalidParams) as refused:
            find(key)
        assert refused.value.suggestion == "run: gbrain config list"


class TestNearest:
    @pytest.mark.parametrize(
        ("word", "near"),
        [
            ("recal", "recall"),
            ("Recall", "recall"),
            ("recall", "recall"),
            ("rcall", "recall"),
            ("remembr", "remember"),
            ("forgett", "forget"),
            ("entitty", "entity"),
            ("pack", "context_pack"),
            ("synthesise", "synthesize"),
            ("zzzzzz", None),
            ("", None),
            ("re", None),
        ],
    )
    def test_a_misspelt_name(self, word: str, near: str | None) -> None:
        names = ["remember", "recall", "forget", "entity", "context_pack", "synthesize"]
        assert nearest(word, names) == near
        assert nearest(word, dict.fromkeys(names)) == near  # type: ignore[arg-type]

    def test_of_nothing_there_is_nothing_near(self) -> None:
        assert nearest("recall", []) is None

    @given(WORDS, WORDS, st.integers(0, 5))
    def test_edits_are_levenshteins_up_to_a_bound(self, a: str, b: str, most: int) -> None:
        assert edits(a, b, most) == min(Levenshtein.distance(a, b), most + 1)


class TestInForce:
    @pytest.mark.parametrize(
        ("stored", "value"),
        [({}, "warn"), ({"mcp.strict_params": "reject"}, "reject"), ({"mcp.strict_params": "gone"}, "warn")],
        ids=str,
    )
    def test_the_stored_value_if_it_is_allowed_else_the_default(self, stored: dict[str, str], value: str) -> None:
        assert Settings(stored.get).get("mcp.strict_params") == value

    def test_a_change_is_seen_by_the_next_look(self) -> None:
        stored: dict[str, str] = {}
        read: Callable[[str], str | None] = stored.get
        settings = Settings(read)
        assert settings.get("search.mode") == "conservative"
        stored["search.mode"] = "tokenmax"
        assert settings.get("search.mode") == "tokenmax"

    def test_an_unknown_key_is_refused(self) -> None:
        with pytest.raises(InvalidParams):
            Settings({}.get).get("no.such.key")
