"""The invented world: repeatable, of the asked size, with hubs and several scripts."""

import random
import unicodedata
from collections import Counter

from gbrain.bench.world import HUB_SHARES, Size, World, misspelt, spread
from gbrain.domain.slugs import normalise_slug

SIZE = Size.of(2000)
WORLD = World(SIZE, 1)


def test_the_proportions_scale_with_the_pages() -> None:
    assert Size.of(20_000) == (20_000, 100_000, 30_000, 40_000)


def test_the_same_seed_gives_the_same_world() -> None:
    assert World(SIZE, 1).beings == WORLD.beings
    assert World(SIZE, 2).beings != WORLD.beings


def test_slugs_are_unique_and_well_formed() -> None:
    slugs = [being.slug for being in WORLD.beings]
    assert len(set(slugs)) == SIZE.pages
    assert [normalise_slug(slug) for slug in slugs] == slugs


def test_aliases_add_up() -> None:
    assert sum(len(being.aliases) for being in WORLD.beings) == SIZE.aliases


def test_names_come_from_several_scripts() -> None:
    scripts = {unicodedata.name(being.title[0]).split()[0] for being in WORLD.beings}
    assert {"LATIN", "CJK", "CYRILLIC", "HANGUL", "ARABIC", "KATAKANA"} <= scripts


def test_a_few_pages_are_linked_from_everywhere() -> None:
    pairs = spread(random.Random(1), WORLD)
    assert len(pairs) == len(set(pairs)) == SIZE.links
    assert all(origin != target for origin, target in pairs)
    linked = Counter(target for _, target in pairs)
    for hub, share in enumerate(HUB_SHARES[:2]):
        assert linked[hub] >= share * SIZE.pages * 0.99
    assert linked.most_common(60)[-1][1] < 0.05 * SIZE.pages


def test_a_tiny_world_has_no_more_links_than_fit() -> None:
    for pages in range(1, 12):
        world = World(Size.of(pages), 1)
        assert len(spread(random.Random(1), world)) == min(pages * 5, pages * (pages - 1) // 2)


def test_sayings_differ() -> None:
    rng = random.Random(1)
    texts = [WORLD.claim(rng, number)[0] for number in range(500)]
    assert len(set(texts)) == 500
    assert all(0 < len(text) < 300 for text in texts)


def test_a_misspelt_name_is_near_and_mostly_another() -> None:
    rng = random.Random(1)
    pairs = [(being.title, misspelt(rng, being.title)) for being in WORLD.beings[:300]]
    assert all(abs(len(name) - len(wrong)) <= 1 for name, wrong in pairs)
    assert sum(name != wrong for name, wrong in pairs) > 270
