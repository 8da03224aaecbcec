"""What stands around a name, or at its end, and what it makes of it."""

import pytest

from gbrain.domain.offers.core import Limits, Said, offers
from listed_pages import Listed

PAGES = Listed(
    ("people/olive", "Olive Ferrante", "person", "Cook.", ["Olive"]),
    ("people/chase", "Chase Duvall", "person", "Driver.", ["Chase"]),
    ("people/cork", "Nora Corrigan", "person", "Pilot.", []),
    ("people/bayes", "Ida Bayless", "person", "Statistician.", []),
    ("people/dijk", "Joost van Rijswijk", "person", "Painter.", []),
    ("people/nowak", "Jan Kowalczyk", "person", "Stolarz.", []),
    ("people/anna", "Marta Jaworska", "person", "Lekarka.", []),
    ("people/virtanen", "Pekka Virtanen", "person", "Puuseppä.", []),
    ("people/nagy", "Nagy Katalin", "person", "Tanár.", []),
    ("people/berg", "Anna Lindqvist", "person", "Läkare.", []),
    ("people/silva", "Rui Manuel Teixeira", "person", "Gerente.", []),
    ("people/nikos", "Νικόλαος Καραγιάννης", "person", "Γιατρός.", []),
    ("companies/moss", "Moss & Fern", "company", "Florist.", []),
    ("companies/sakura", "株式会社サクラ", "company", "取引先。", []),
    ("companies/huaxin", "华信有限公司", "company", "客户。", []),
    ("projects/compass", "Compass", "project", "Navigation.", []),
)

NAMED = [
    ("Olive repainted the kitchen", "people/olive"),
    ("Chase lost his keys", "people/chase"),
    ("Chase is on vacation", "people/chase"),
    ("Olive sketched page three", "people/olive"),
    ("Olive will bring wine", "people/olive"),
    ("Chase needs a ticket", "people/chase"),
    ("when did corrigan land?", "people/cork"),
    ("corrigan's plane is late", "people/cork"),
    ("Rui Manuel ligou", "people/silva"),
    ("ask whether chase is back", "people/chase"),
    ("Olive, who runs the bar, disagrees", "people/olive"),
    ("Olive, Chase and I went", "people/chase"),
    ("corrigan landed the plane", "people/cork"),
    ("did corrigan sign it?", "people/cork"),
    ("loop in Corrigan", "people/cork"),
    ("M. Corrigan est parti avec la clé", "people/cork"),
    ("Kollegin Corrigan hat die Liste", "people/cork"),
    ("Groet Van Rijswijk van mij", "people/dijk"),
    ("Daj to Janowi Kowalczykowi", "people/nowak"),
    ("Byłem u Marty Jaworskiej", "people/anna"),
    ("Napisz Marcie Jaworskiej", "people/anna"),
    ("Kirje Pekka Virtaselle", "people/virtanen"),
    ("Hívd fel Nagy Katalint", "people/nagy"),
    ("Anna Lindqvists dator", "people/berg"),
    ("rui teixeira ligou", "people/silva"),
    ("Μίλησα με τον Νικόλαο Καραγιάννη", "people/nikos"),
    ("flowers from Moss and Fern", "companies/moss"),
    ("サクラの納品は？", "companies/sakura"),
    ("华信什么时候付款？", "companies/huaxin"),
    ("Compass: add the tide table", "projects/compass"),
    ("compass: add the tide table", "projects/compass"),
]
NOT_NAMED = [
    "Olive coloured walls",
    "Chase down the leak",
    "Chase will be 5 at most",
    "Chase needs to be closed",
    "Chase deleted files",
    "Chase is 5 letters long",
    "the chase is out of reach",
    "rename chase to pursue",
    "use max_chase, not Chase",
    "a flight to Corrigan",
    "It rains in Corrigan",
    "Corrigan weather is awful",
    "the Bayless theorem",
    "Bayless distance in numpy",
    "Bayless's lemma is in the book",
    "Johanna van Rijswijk painted it",
    'grep -rn "Nora Corrigan" src/ is empty',
    "from '../pekka' import { Corrigan } from 'x'",
    "class Compass(Base): pass",
    "Corrigan = 'x' fails",
    "Maria Jaworskiej",
]


@pytest.mark.parametrize(("said", "slug"), NAMED, ids=[said for said, _ in NAMED])
def test_who_is_meant(said: str, slug: str) -> None:
    assert slug in [offer.slug for offer in offers([Said("user", said)], PAGES, Limits(details=0))]


@pytest.mark.parametrize("said", NOT_NAMED)
def test_what_means_nobody(said: str) -> None:
    assert offers([Said("user", said)], PAGES, Limits(details=0)) == []
