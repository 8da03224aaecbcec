"""Slugs keep every script, never leave the source's folder, and have one spelling."""

import unicodedata

import pytest
from hypothesis import given, strategies as st

from gbrain.domain.slugs import (
    MAX_SLUG,
    alias_key,
    looks_like_slug,
    normalise_slug,
    page_type,
    path_slug,
    slugify,
    split_aliases,
    tail,
    title_from_slug,
)
from gbrain.errors import InvalidParams


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("people/alice-example", "people/alice-example"),
        ("People/Alice Example", "people/alice-example"),
        ("  notes/a   b ", "notes/a-b"),
        ("a / b", "a/b"),
        ("公司/深度求索", "公司/深度求索"),
        ("people/JOSÉ", "people/josé"),
        ("people/jose\u0301", "people/josé"),
        ("会议 記録\u3000二", "会议-記録-二"),
        ("notes/x.md", "notes/x"),
        ("notes/X.MDX", "notes/x"),
        ("notes/x.md.md", "notes/x"),
        ("projects/v1.2_rc", "projects/v1.2_rc"),
        ("a\u200bb\ufeff", "ab"),
        ("people/o'brien & co", "people/o'brien-&-co"),
        ("a" * MAX_SLUG, "a" * MAX_SLUG),
        ("straße", "strasse"),
        ("हिन्दी", "हिन्दी"),
        ("100%", "100%"),
    ],
)
def test_a_slug_has_one_spelling(text: str, slug: str) -> None:
    assert normalise_slug(text) == slug


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "\u200b", ".md", "/", "/a", "a/", "a//b", "a/ /b", ".", "..", "../a", "a/../b", "a/./b"),
        *("a/..", ".git/config", "a/.hidden", "...", "a\\b", "a%2eb", "a%2Fb", "a%5cb", "a\0b", "a\nb", "a\tb"),
        *("a\x1fb", "a\x7fb", "a\x85b", "a\u2028b", "a\u202eb", "a\u2066b", "a\u200fb", "a\ud800b", "a\U000e0041b"),
        *("a#b", "a|b", "[[a]]", "a:b", "a<b", 'a"b', "a*b", "a?b", "x" * (MAX_SLUG + 1), "../../etc/passwd"),
        *("a/b/", "people/alice/", "\ue000"),
    ],
)
def test_a_bad_slug_is_refused_with_a_good_one(text: str) -> None:
    with pytest.raises(InvalidParams) as caught:
        normalise_slug(text)
    assert caught.value.message.isprintable()
    proposed = caught.value.suggestion.split("`")[1]
    assert normalise_slug(proposed) == proposed


@given(st.text())
def test_normalising_is_safe_and_stable(text: str) -> None:
    try:
        slug = normalise_slug(text)
    except InvalidParams:
        return
    assert normalise_slug(slug) == slug
    assert unicodedata.is_normalized("NFC", slug)
    assert 0 < len(slug) <= MAX_SLUG
    assert all(part and part[0] != "." for part in slug.split("/"))
    assert not any(character.isspace() for character in slug)
    assert normalise_slug(slug + ".md") == slug


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Bob Builder", "bob-builder"),
        ("Ünïcode Ñame & Co. | x", "unicode-name-co-x"),
        ("公司/深度求索", "公司/深度求索"),
        ("people/ghost", "people/ghost"),
        ("People/Ghost", "people/ghost"),
        ("projects/v1.2_rc", "projects/v1.2_rc"),
        ("O'Brien", "o-brien"),
        ("AC/DC", "ac/dc"),
        ("Ａｌｉｃｅ", "alice"),
        ("深度求索", "深度求索"),
        ("  ", None),
        ("", None),
        ("!?* / …", None),
        ("../../etc/passwd", "etc/passwd"),
        ("a\0b", "a-b"),
        ("🎉 party", "party"),
        ("がぎ", "がぎ"),
        ("हिन्दी भाषा", "हिन्दी-भाषा"),
        ("x" * 400, "x" * MAX_SLUG),
    ],
)
def test_slugify(name: str, slug: str | None) -> None:
    assert slugify(name) == slug


@given(st.text(max_size=300))
def test_a_made_slug_is_a_slug_and_stays_itself(name: str) -> None:
    slug = slugify(name)
    if slug is not None:
        assert normalise_slug(slug) == slug
        assert slugify(slug) == slug
        assert looks_like_slug(slug)


@pytest.mark.parametrize("text", ["people/alice", "alice", "People/Alice", "公司/深度求索", "v1.2_x", "हिन्दी"])
def test_slug_shapes(text: str) -> None:
    assert looks_like_slug(text)


@pytest.mark.parametrize(
    "text", ["", "Alice Example", "/a", "a/", "a//b", "../a", "a/.b", "a&b", "a\nb", "O'Brien", "a\\b"]
)
def test_other_shapes(text: str) -> None:
    assert not looks_like_slug(text)


@pytest.mark.parametrize(
    ("path", "slug"),
    [
        ("My File_Name (v2).md", "my-file_name-v2"),
        ("Ünïcode Näme.md", "unicode-name"),
        ("notes with spaces.md", "notes-with-spaces"),
        ("people/Alice Example.mdx", "people/alice-example"),
        ("People/ALICE.MD", "people/alice"),
        ("公司/深度求索.md", "公司/深度求索"),
        ("a/b -- c.md", "a/b-c"),
        ("-x-.md", "x"),
        ("v1.2.md", "v1.2"),
        ("שָׁלוֹם.md", "שלום"),
        ("日記/がんばる.md", "日記/がんばる"),
        ("日記/か\u3099.md", "日記/が"),
        ("हिन्दी.md", "हिन्दी"),
        ("README.md", "readme"),
        ("a/..md", None),
        ("!!!.md", None),
        ("a/!!!/b.md", None),
        ("x" * 300 + ".md", None),
    ],
)
def test_a_file_path_has_a_slug(path: str, slug: str | None) -> None:
    if slug is not None:
        assert path_slug(path) == slug
        return
    with pytest.raises(InvalidParams):
        path_slug(path)


@given(st.text(max_size=80))
def test_a_path_s_slug_is_a_slug(path: str) -> None:
    try:
        slug = path_slug(path)
    except InvalidParams:
        return
    assert normalise_slug(slug) == slug
    assert path_slug(slug + ".md") == slug


@given(st.text(max_size=60))
def test_a_slug_made_from_a_name_survives_as_a_file_name(name: str) -> None:
    slug = slugify(name)
    if slug is not None:
        assert path_slug(slug + ".md") == slug


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Alice  Example", "alice example"),
        (' "Alice X" ', "alice x"),
        ("“Alice”", "alice"),
        ("(the boss)", "the boss"),
        ("（小李）", "小李"),
        ("「小李」", "小李"),
        ("((x))", "(x)"),
        ("ＡＬＩＣＥ", "alice"),
        ("Straße", "strasse"),
        ("'", "'"),
        ('""', ""),
        ("(a) and (b", "(a) and (b"),
        ("D. Reed", "d. reed"),
    ],
)
def test_alias_key(text: str, key: str) -> None:
    assert alias_key(text) == key


@given(st.text())
def test_an_alias_key_ignores_form_case_and_space(text: str) -> None:
    assert alias_key(unicodedata.normalize("NFKD", text)) == alias_key(text)
    assert alias_key(f"  {text} ") == alias_key(text)
    assert alias_key(text) == alias_key(text).strip()


@pytest.mark.parametrize(
    ("value", "aliases"),
    [
        (None, []),
        ("ali", ["ali"]),
        ("Ali, Alice  X ,,ali", ["Ali", "Alice X"]),
        ("小李，李明、老李", ["小李", "李明", "老李"]),
        (["D. Reed", "Reed, D.", None, 7, True, {"a": 1}, ["x"], ""], ["D. Reed", "Reed, D.", "7", "true"]),
        (7, ["7"]),
        ({"a": 1}, []),
    ],
)
def test_split_aliases(value: object, aliases: list[str]) -> None:
    assert split_aliases(value) == aliases


@pytest.mark.parametrize(
    ("slug", "title"),
    [
        ("people/alice-example", "Alice Example"),
        ("people/josé-ñame", "José Ñame"),
        ("notes/my_file--x", "My File X"),
        ("公司/深度求索", "深度求索"),
        ("readme", "Readme"),
        ("projects/o'neil-plan", "O'neil Plan"),
    ],
)
def test_title_from_slug(slug: str, title: str) -> None:
    assert title_from_slug(slug) == title


def test_tail() -> None:
    assert tail("a/b/c") == "c"
    assert tail("c") == "c"


@pytest.mark.parametrize(
    ("slug", "explicit", "kind"),
    [
        ("people/alice", None, "person"),
        ("companies/acme", "", "company"),
        ("deals/x", None, "deal"),
        ("meetings/x", None, "meeting"),
        ("concepts/x", None, "concept"),
        ("projects/x/y", None, "project"),
        ("media/x", None, "media"),
        ("writing/x", None, "writing"),
        ("notes/x", None, "note"),
        ("wiki/people/alice", None, "note"),
        ("people", None, "note"),
        ("inbox/2031", None, "note"),
        ("people/alice", " vip  guest ", "vip guest"),
    ],
)
def test_page_type(slug: str, explicit: str | None, kind: str) -> None:
    assert page_type(slug, explicit) == kind
