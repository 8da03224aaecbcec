"""Names: what a name leads to exactly, the words counted for near misses, and suggestions that betray nothing."""

from collections.abc import Callable
from typing import Any

import pytest

from gbrain.domain.entities import decide
from gbrain.store.names import ARM_LIMIT, COMMON, name_words
from gbrain.store.store import Store
from gbrain.types import View, Written

Put = Callable[..., Written]
Views = Callable[..., View]


def arms(store: Store, view: View, name: str) -> set[tuple[str, str]]:
    return {(named.arm, named.slug) for named in store.names.find(view, name)}


def near(store: Store, view: View, name: str, limit: int = 3) -> list[str]:
    return [named.slug for named in store.names.near(view, name, limit)]


def counted(store: Store, source: str = "default") -> dict[str, tuple[int, int]]:
    rows = store.engine.rows("select word, world, total from name_words where source_id = :source", {"source": source})
    return {row["word"]: (row["world"], row["total"]) for row in rows}


class TestCalled:
    def test_a_short_name_of_one_page_alone_means_it(self, store: Store, put: Put, local: View) -> None:
        dana = put("people/dana-oakes", title="Dana Oakes", type="person").page_id
        beta = put("companies/beta", title="Beta - a company", type="company").page_id
        assert store.names.called(local, ["Dana"]) == store.names.called(local, ["Oakes"]) == [dana]
        assert store.names.called(local, ["Dana", "Beta"]) == [dana, beta]
        assert store.names.called(local, ["dana"]) == []
        put("people/dana-reed", title="Dana Reed", type="person")
        assert store.names.called(local, ["Dana"]) == []

    def test_a_whole_name_beside_it_does_not_hide_it_nor_do_its_own_parts_count(
        self, store: Store, put: Put, local: View
    ) -> None:
        dana = put("people/dana-oakes", title="Dana Oakes", type="person").page_id
        yard = put("companies/oakes-yard", title="Oakes Yard", type="company").page_id
        assert store.names.called(local, ["Oakes Yard", "Dana", "Oakes"]) == [yard, dana]
        assert store.names.called(local, ["Oakes Yard", "Oakes"]) == [yard]

    def test_words_that_begin_a_question_are_nobody(self, store: Store, put: Put, local: View) -> None:
        put("people/will-stone", title="Will Stone", type="person")
        put("people/may-reed", title="May Reed", type="person")
        assert store.names.called(local, ["Will", "May"]) == []

    def test_a_hidden_namesake_makes_nothing_ambiguous(self, store: Store, put: Put, view: Views) -> None:
        dana = put("people/dana-oakes", title="Dana Oakes", type="person").page_id
        put("people/dana-reed", title="Dana Reed", type="person", private=True)
        assert store.names.called(view(private=False), ["Dana"]) == [dana]
        assert store.names.called(view(private=True), ["Dana"]) == []


class TestFind:
    def test_each_arm(self, store: Store, put: Put, local: View) -> None:
        put("people/dana-oakes", title="Dana Oakes", aliases=["Dee"])
        assert arms(store, local, "Dee") == {("alias", "people/dana-oakes")}
        assert ("slug", "people/dana-oakes") in arms(store, local, "people/dana-oakes")
        assert arms(store, local, "Dana Oakes") == {("title", "people/dana-oakes"), ("tail", "people/dana-oakes")}
        assert arms(store, local, "dana-oakes") == {("tail", "people/dana-oakes")}
        assert arms(store, local, "Dana") == arms(store, local, "oakes") == set()

    @pytest.mark.parametrize(
        "name",
        ["  dana   OAKES ", '"Dana Oakes"', "ＤＡＮＡ oakes", "dana\u00a0oakes", "\ufeffDana Oakes", "(Dana Oakes)"],
    )
    def test_one_name_in_other_spellings(self, store: Store, put: Put, local: View, name: str) -> None:
        put("people/dana-oakes", title="Dana Oakes")
        assert ("title", "people/dana-oakes") in arms(store, local, name)

    def test_a_whole_slug_never_leads_to_another_folder(self, store: Store, put: Put, local: View) -> None:
        put("companies/ghost", title="Ghost Inc")
        for name in ("people/ghost", "People/Ghost", "x/companies/ghost/y", "ghost/companies"):
            assert store.names.find(local, name) == [], name
        assert arms(store, local, "ghost") == {("tail", "companies/ghost")}

    @pytest.mark.parametrize(
        "name",
        [
            "",
            " ",
            '""',
            "%",
            "_",
            "*",
            "people/%",
            "' or '1'='1",
            "people/",
            "/",
            ":key",
            "a" * 5_000,
            "🏮",
            "\x01",
            "-",
        ],
        ids=ascii,
    )
    def test_odd_names_lead_nowhere(self, store: Store, put: Put, local: View, name: str) -> None:
        put("people/dana-oakes", title="Dana Oakes", aliases=["Dee"])
        assert store.names.find(local, name) == []

    def test_every_script_has_names(self, store: Store, put: Put, local: View) -> None:
        for slug, title in (("人/林小满", "林小满"), ("люди/иван", "Иван Петров"), ("أشخاص/سارة", "سارة")):
            put(slug, title=title)
            assert {slug} == {found for _, found in arms(store, local, title)}

    def test_an_alias_goes_before_a_slug_and_a_slug_before_a_title(self, store: Store, put: Put, local: View) -> None:
        put("ember", title="Something else")
        put("people/x", title="Ember")
        put("companies/ember", title="Ember Inc")
        assert [named.slug for named in store.names.ranked(local, "ember")] == ["ember", "people/x", "companies/ember"]
        put("projects/y", aliases=["Ember"])
        assert store.names.ranked(local, "ember")[0].slug == "projects/y"

    def test_an_alias_of_two_pages_leads_to_both(self, store: Store, put: Put, local: View) -> None:
        put("people/a", aliases=["Boss"])
        put("people/b", aliases=["boss "])
        assert arms(store, local, "BOSS") == {("alias", "people/a"), ("alias", "people/b")}
        assert decide(store.names.find(local, "boss")).page is None

    def test_a_name_that_many_pages_bear_is_cut(self, store: Store, put: Put, local: View) -> None:
        with store.transaction():
            for number in range(ARM_LIMIT + 6):
                put(f"log/{number}", title="Daily log")
        assert len(store.names.find(local, "Daily log")) == ARM_LIMIT
        assert decide(store.names.find(local, "Daily log")).page is None

    def test_aliases_are_replaced_by_a_rewrite(self, store: Store, put: Put, local: View) -> None:
        id = put("people/a", "1", aliases=["One", "Two", "ONE", '""', " "]).page_id
        assert store.names.aliases([id]) == {id: ["one", "two"]}
        put("people/a", "2", aliases=["Three"])
        assert store.names.aliases([id]) == {id: ["three"]}
        assert store.names.find(local, "One") == []

    def test_a_source_knows_its_own_aliases(self, store: Store, put: Put, view: Views) -> None:
        put("people/a", aliases=["Boss"], source="other")
        assert store.names.find(view(), "Boss") == []
        assert arms(store, view("default", "other"), "Boss") == {("alias", "people/a")}


class TestWordCounts:
    """`name_words` must equal a count made anew from the pages, whatever happened to them."""

    def expected(self, store: Store) -> dict[str, tuple[int, int]]:
        words: dict[str, tuple[int, int]] = {}
        for row in store.engine.rows("select * from pages where source_id = 'default' and deleted_at is null"):
            aliases = store.names.aliases([row["id"]]).get(row["id"], [])
            for word in name_words(row["title"], row["slug"], aliases):
                world, total = words.get(word, (0, 0))
                words[word] = world + 1 - row["private"], total + 1
        return words

    def test_through_every_change(self, store: Store, put: Put, view: Views) -> None:
        def check() -> None:
            assert counted(store) == self.expected(store)

        put("people/dana-oakes", title="Dana Oakes", aliases=["Dee", "Ms. Oakes", "ディー"])
        put("people/dana-reed", title="Dana Reed")
        check()
        assert counted(store)["dana"] == (2, 2)
        put("people/dana-reed", "private now", title="Dana Reed", private=True)
        check()
        assert counted(store)["dana"] == (1, 2)
        put("people/dana-reed", "renamed", title="Danuta Reed", private=True)
        check()
        put("people/dana-oakes", "other aliases", title="Dana Oakes", aliases=["Dee Dee"])
        check()
        store.pages.set_deleted(view(), "people/dana-oakes", deleted=True, by="me")
        check()
        assert "oakes" not in counted(store)
        store.pages.set_deleted(view(), "people/dana-oakes", deleted=False, by="me")
        check()
        store.pages.set_deleted(view(), "people/dana-reed", deleted=True, by="me")
        put("people/dana-reed", "back and open", title="Dana R. Reed")
        check()
        assert counted(store)["reed"] == (1, 1)

    def test_a_page_with_very_many_words_leaves_none_behind(self, store: Store, put: Put, view: Views) -> None:
        put("a", title=" ".join(f"word{number}" for number in range(1_000)), aliases=["😀", "灯塔" * 300])
        assert len(counted(store)) > 1_000
        store.pages.set_deleted(view(), "a", deleted=True, by="me")
        assert counted(store) == {}
        assert store.engine.rows("select word from name_words where total <= 0 or world < 0") == []

    def test_each_source_counts_its_own(self, store: Store, put: Put) -> None:
        put("a", title="Lantern")
        put("a", title="Lantern", source="other")
        assert counted(store)["lantern"] == counted(store, "other")["lantern"] == (1, 1)


class TestNear:
    @pytest.fixture
    def people(self, put: Put) -> None:
        for slug, title in (
            ("people/dana-oakes", "Dana Oakes"),
            ("people/robert-quillfeather", "Robert Quillfeather"),
            ("projects/灯塔项目", "灯塔项目"),
            ("people/김예시", "김예시"),
            ("projects/harbour-lantern", "Harbour Lantern"),
            ("people/иван-петров", "Иван Петров"),
            ("people/josé-muñoz", "José Muñoz"),
            ("people/γιώργος", "Γιώργος Παπαδόπουλος"),
            ("people/سارة", "سارة المنصوري"),
        ):
            put(slug, title=title)

    @pytest.mark.usefixtures("people")
    @pytest.mark.parametrize(
        ("name", "slug"),
        [
            ("Dana Oaks", "people/dana-oakes"),
            ("Dana", "people/dana-oakes"),
            ("Dana Whatever", "people/dana-oakes"),
            ("oakse", "people/dana-oakes"),
            ("okaes", "people/dana-oakes"),
            ("Quillfeathr", "people/robert-quillfeather"),
            ("Quilfeather", "people/robert-quillfeather"),
            ("uillfeather", "people/robert-quillfeather"),
            ("Quillfaether Rob", "people/robert-quillfeather"),
            ("harbor lantern", "projects/harbour-lantern"),
            ("Harbour Lantren", "projects/harbour-lantern"),
            ("灯塔计划", "projects/灯塔项目"),
            ("项目", "projects/灯塔项目"),
            ("김예수", "people/김예시"),
            ("Иван Питров", "people/иван-петров"),
            ("Петровв", "people/иван-петров"),
            ("Jose Munos", "people/josé-muñoz"),
            ("Παπαδοπουλος", "people/γιώργος"),
            ("المنصورى", "people/سارة"),
        ],
    )
    def test_a_misspelt_name_leads_to_the_one_meant(self, store: Store, local: View, name: str, slug: str) -> None:
        assert near(store, local, name)[:1] == [slug]

    @pytest.mark.usefixtures("people")
    @pytest.mark.parametrize("name", ["Zzyzx", "", " ", "%", "*", "🏮", "ab", "a" * 9_000, '"', "NEAR(", "-", "x y z"])
    def test_nothing_like_it_leads_nowhere(self, store: Store, local: View, name: str) -> None:
        assert near(store, local, name) == []

    @pytest.mark.parametrize("length", [4, 5, 8, 13])
    def test_any_one_letter_may_be_wrong(self, store: Store, put: Put, local: View, length: int) -> None:
        name = "qmvjxwzkpyfhb"[:length]
        put("people/it", title=name)
        for at in range(length):
            for typo in (name[:at] + name[at + 1 :], name[:at] + "0" + name[at + 1 :], name[:at] + "0" + name[at:]):
                assert near(store, local, typo) == ["people/it"], typo

    def test_the_rarest_word_decides(self, store: Store, put: Put, local: View) -> None:
        for number in range(20):
            put(f"companies/c{number}", title=f"Capital {number} Partners")
        put("companies/quartz", title="Quartz Capital")
        assert near(store, local, "quartz partners capital")[0] == "companies/quartz"

    def test_a_word_that_everybody_bears_still_leads_somewhere(self, store: Store, put: Put, local: View) -> None:
        with store.transaction():
            for number in range(COMMON + 5):
                put(f"log/{number:04}", title=f"Daily {number:04}")
        assert near(store, local, "daily") == ["log/0000", "log/0001", "log/0002"]
        assert near(store, local, f"daily {COMMON + 4:04}")[0] == f"log/{COMMON + 4:04}"

    def test_the_limit_is_kept(self, store: Store, put: Put, local: View) -> None:
        for number in range(10):
            put(f"p/{number}", title=f"Lantern {number}")
        assert len(near(store, local, "lantern", 4)) == 4


class TestHiddenNames:
    """A reader's suggestions are those of a brain without what they may not see."""

    QUESTIONS = ("Lantern quarry", "Lantrn", "Lanterne", "Quartz", "Quartzz Lantern", "harbour", "Habrour", "貨物室")

    def answers(self, store: Store, view: View) -> dict[str, list[str]]:
        return {name: near(store, view, name, 5) for name in self.QUESTIONS}

    @pytest.fixture
    def open_pages(self, put: Put) -> None:
        put("projects/lantern", title="Lantern project of the harbour", aliases=["The bridge of all bridges"])
        put("projects/quarts", title="Quarts")
        put("rooms/貨物", title="貨物倉庫")

    def hide(self, put: Put, store: Store, view: Views, how: str, number: int, title: str) -> None:
        slug = f"hidden/{number}"
        if how == "private":
            put(slug, title=title, private=True)
        elif how == "other source":
            put(slug, title=title, source="other")
        elif how == "expired":
            put(slug, title=title, expiry="2031-05-04T22:09:59.000000Z")
        else:
            put(slug, title=title)
            store.pages.set_deleted(view(), slug, deleted=True, by="me")

    @pytest.mark.usefixtures("open_pages")
    @pytest.mark.parametrize("how", ["private", "other source", "deleted"])
    def test_a_hidden_name_that_fits_better_changes_nothing(
        self, store: Store, put: Put, view: Views, how: str
    ) -> None:
        before = self.answers(store, view(private=False))
        for number, title in enumerate(("Lantrn", "Lantern quarry", "Quartz", "Habrour", "貨物室")):
            self.hide(put, store, view, how, number, title)
        assert self.answers(store, view(private=False)) == before

    @pytest.mark.usefixtures("open_pages")
    def test_a_name_that_lapsed_does_not_stand_before_the_one_meant(self, store: Store, put: Put, view: Views) -> None:
        self.hide(put, store, view, "expired", 1, "Lantrn")
        assert near(store, view(), "Lantrn") == ["projects/lantern"]

    @pytest.mark.usefixtures("open_pages")
    @pytest.mark.parametrize("how", ["private", "other source", "deleted", "expired"])
    def test_nor_do_many_of_them(self, store: Store, put: Put, view: Views, how: str) -> None:
        before = near(store, view(private=False), "Lantern zebra", 5)
        assert before == ["projects/lantern"]
        with store.transaction():
            for number in range(60):
                self.hide(put, store, view, how, number, "Lantern")
        assert near(store, view(private=False), "Lantern zebra", 5) == before

    def test_the_operator_is_shown_private_names(self, store: Store, put: Put, view: Views) -> None:
        put("people/x", title="Quillfeather", private=True)
        assert near(store, view(), "Quilfeather") == ["people/x"]
        assert near(store, view(private=False), "Quilfeather") == []
        assert near(store, view(private=False), "Quillfeather") == []


class TestSharedFirstName:
    """Two people share a first name, two companies a word: writing ties to neither."""

    @pytest.fixture
    def shared(self, put: Put) -> None:
        put("people/dana-oakes-example", title="Dana Oakes")
        put("people/dana-reed-sample", title="Dana Reed")
        put("companies/harbor-capital-example", title="Harbor Capital")
        put("companies/delta-capital-example", title="Delta Capital")

    @pytest.mark.usefixtures("shared")
    @pytest.mark.parametrize("name", ["Dana", "Quartz Capital", "Capital", "D. Reed", "dana-oakes", "people/dana"])
    def test_it_leads_to_no_page(self, store: Store, local: View, name: str) -> None:
        assert store.names.find(local, name) == []

    @pytest.mark.usefixtures("shared")
    def test_both_are_named_as_candidates(self, store: Store, local: View) -> None:
        assert set(near(store, local, "Dana")) == {"people/dana-oakes-example", "people/dana-reed-sample"}
        assert set(near(store, local, "Quartz Capital")) == {
            "companies/harbor-capital-example",
            "companies/delta-capital-example",
        }

    @pytest.mark.usefixtures("shared")
    def test_an_alias_settles_it(self, store: Store, put: Put, local: View) -> None:
        put("people/dana-reed-sample", "with an alias", title="Dana Reed", aliases=["D. Reed"])
        found: Any = decide(store.names.find(local, "D. Reed")).page
        assert found.slug == "people/dana-reed-sample"
