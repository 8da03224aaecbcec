"""`gbrain import` and `gbrain export` as people run them."""

import json
from pathlib import Path

from commandline import Gbrain


def test_there_and_back(tmp_path: Path) -> None:
    here, there = Gbrain(tmp_path / "here"), Gbrain(tmp_path / "there")
    for gbrain in (here, there):
        gbrain("init")
    here("put", "people/dana", "--content", "Rows.")
    here("remember", "lives in Porto", "--provenance", "chat", "--entity", "people/dana")
    target = tmp_path / "out"
    assert here("export", "--dir", str(target)).out == f"1 page and 1 fact are in {target} (world ones alone)\n"
    assert [str(path.relative_to(target / "pages")) for path in (target / "pages").rglob("*.*")] == ["people/dana.md"]
    told = "1 page would come in, 0 are there, 0 skipped\n1 fact would come in, 0 are there\nnothing was changed\n"
    assert there("import", str(target), "--dry-run").out == told
    came = there("import", str(target)).out
    assert came == "1 page came in, 0 were there, 0 skipped\n1 fact came in, 0 were there\n"
    assert there("import", str(target), "--json").json["known_facts"] == 1
    assert "lives in Porto" in there("recall", "people/dana").out


def test_what_was_skipped_is_named_and_the_code_says_so(tmp_path: Path) -> None:
    gbrain = Gbrain(tmp_path / "home")
    gbrain("init")
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.md").write_text("A.\n")
    (folder / "bad.md").write_text("---\n\tx: [\n---\n")
    ran = gbrain.run("import", str(folder))
    assert ran.code == 1
    assert ran.out.startswith("1 page came in, 0 were there, 1 skipped\n  bad.md:2: ")
    assert gbrain.run("import", str(tmp_path / "nothing")).code == 2


def test_an_import_that_is_run_again_goes_on(tmp_path: Path) -> None:
    gbrain = Gbrain(tmp_path / "home")
    gbrain("init")
    rows = [
        {"uuid": str(at), "created_at": "2031-05-04T00:00:00Z", "chat_messages": [{"sender": "human", "text": "Hi"}]}
        for at in range(3)
    ]
    (tmp_path / "conversations.json").write_text(json.dumps(rows[:1]))
    assert gbrain("import", str(tmp_path / "conversations.json"), "--json").json["pages"] == 1
    (tmp_path / "conversations.json").write_text(json.dumps(rows))
    again = gbrain("import", str(tmp_path / "conversations.json"), "--json").json
    assert (again["pages"], again["unchanged"]) == (2, 1)
