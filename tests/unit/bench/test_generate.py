"""A generated brain holds what was asked for, is sound, and is made once."""

import os
from typing import Any

from gbrain import doctor, open_brain
from gbrain.bench.generate import borrowed, page_text, prepared, standing_clock
from gbrain.bench.world import Being


def test_it_holds_what_was_asked_for(generated: Any) -> None:
    with open_brain(generated.home, clock=standing_clock) as brain:
        stats = brain.get_stats()
        size = generated.world.size
        assert (stats["page_count"], stats["link_count"]) == (size.pages, size.links)
        assert stats["timeline_entry_count"] > 0
        for being in generated.world.beings[:20]:
            found = brain.entity(name=being.slug)
            assert found["found"]
            assert found["card"]["entity"]["title"] == being.title
        hub = brain.entity(name=generated.world.beings[0].slug)["card"]
        assert hub["backlink_count"] > size.pages / 2


def test_it_is_sound(generated: Any) -> None:
    found = doctor.report(generated.home)
    assert {row["name"]: row["status"] for row in found["checks"] if row["status"] != "ok"} == {}


def test_it_is_made_once(generated: Any) -> None:
    said: list[str] = []
    before = os.stat(generated.home).st_mtime_ns
    home, world = prepared(str(generated.work), generated.world.size, 7, said.append)
    assert (home, world.beings) == (generated.home, generated.world.beings)
    assert said == []
    assert os.stat(generated.home).st_mtime_ns == before


def test_a_run_works_on_a_copy_and_removes_it(generated: Any) -> None:
    with borrowed(generated.home, str(generated.work), "test") as base:
        with open_brain(os.path.join(base, ".gbrain"), clock=standing_clock) as brain:
            brain.put_page(slug="notes/only-here", content="text")
        with open_brain(generated.home, clock=standing_clock) as brain:
            assert "notes/only-here" not in brain.resolve_slugs(partial="notes/only-here")
    assert not os.path.exists(base)


def test_names_with_marks_survive_the_front_matter() -> None:
    text = page_text(Being("notes/a", 'The "Lantern": a plan', "note", ("l: 1", "#2")), "Body.")
    assert text.startswith('---\ntype: note\ntitle: "The \'Lantern\': a plan"\naliases:\n  - "l: 1"\n  - "#2"\n---\n')
