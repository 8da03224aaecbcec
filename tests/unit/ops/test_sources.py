"""Sources: adding, listing, and who may."""

from pathlib import Path
from typing import Any

import pytest

from gbrain import Brain, Caller, registry
from gbrain.errors import InvalidParams, ScopeDenied


def ids(reply: Any) -> list[str]:
    return [row["id"] for row in reply["sources"]]


class TestAdd:
    def test_a_source_without_a_folder(self, local: Any) -> None:
        assert local("sources_add", id="work") == {
            "id": "work",
            "name": "work",
            "local_path": None,
            "federated": None,
            "default": False,
            "page_count": 0,
        }
        assert ids(local("sources_list")) == ["default", "work"]

    def test_a_source_with_a_folder_and_a_name(self, local: Any, tmp_path: Path) -> None:
        folder = tmp_path / "notes"
        folder.mkdir()
        made = local("sources_add", id="work", path=str(folder), name="  Work  notes ", federated=True)
        assert made["local_path"] == str(folder.resolve())
        assert (made["name"], made["federated"]) == ("Work notes", True)

    def test_twice_is_refused(self, local: Any) -> None:
        local("sources_add", id="work")
        with pytest.raises(InvalidParams, match="already"):
            local("sources_add", id="work")

    @pytest.mark.parametrize("id", ["__all__", "*", "../x", "Work", "x" * 200, " "])
    def test_what_is_no_id_is_refused(self, local: Any, id: str) -> None:
        with pytest.raises(InvalidParams):
            local("sources_add", id=id)
        assert ids(local("sources_list")) == ["default"]

    def test_folders_never_lie_in_each_other(self, local: Any, tmp_path: Path) -> None:
        (tmp_path / "notes" / "inner").mkdir(parents=True)
        (tmp_path / "notes-2").mkdir()
        local("sources_add", id="work", path=str(tmp_path / "notes"))
        for path in (tmp_path / "notes", tmp_path / "notes" / "inner", tmp_path):
            with pytest.raises(InvalidParams, match="'work'"):
                local("sources_add", id="other", path=str(path))
        assert local("sources_add", id="other", path=str(tmp_path / "notes-2"))["local_path"]

    def test_a_folder_has_to_be_there(self, local: Any, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("x")
        for path in (tmp_path / "none", tmp_path / "file"):
            with pytest.raises(InvalidParams, match="no folder"):
                local("sources_add", id="work", path=str(path))

    def test_an_agent_gives_no_folder(self, remote: Any, tmp_path: Path) -> None:
        with pytest.raises(ScopeDenied):
            remote("sources_add", id="work", path=str(tmp_path))
        assert remote("sources_add", id="work")["id"] == "work"

    def test_whoever_is_held_to_sources_adds_none_and_learns_none(self, brain: Brain, local: Any) -> None:
        local("sources_add", id="payroll")
        held = Caller.http("h", frozenset({"read", "admin"}), ("default",))
        said = set()
        for id in ("payroll", "free"):
            with pytest.raises(ScopeDenied) as refused:
                registry.call(brain, held, "sources_add", {"id": id})
            said.add((refused.value.message, refused.value.suggestion))
        assert len(said) == 1


class TestList:
    def test_counts_are_what_the_caller_may_read(self, brain: Brain, local: Any, remote: Any, page: Any) -> None:
        local("sources_add", id="work")
        page("notes/open")
        page("notes/secret", "x", "visibility: private")
        counts = {
            caller: asked("sources_list")["sources"][0]["page_count"]
            for caller, asked in (("local", local), ("remote", remote))
        }
        assert counts == {"local": 2, "remote": 1}

    def test_only_granted_ones_are_there(self, brain: Brain, local: Any) -> None:
        local("sources_add", id="payroll")
        held = Caller.http("h", frozenset({"read"}), ("default",))
        assert ids(registry.call(brain, held, "sources_list").value) == ["default"]

    def test_folders_are_shown_on_this_machine_alone(self, local: Any, remote: Any, tmp_path: Path) -> None:
        local("sources_add", id="work", path=str(tmp_path))
        assert local("sources_list")["sources"][1]["local_path"] == str(tmp_path.resolve())
        assert remote("sources_list")["sources"][1]["local_path"] is None
