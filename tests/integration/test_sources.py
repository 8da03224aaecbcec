"""Sources over real processes: the command line in its folder, an agent's pipe, clients over HTTP."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commandline import Gbrain
from http_server import HttpServer
from oauth_client import bearer, owner
from stdio_server import PATIENCE, Server


@pytest.fixture
def gbrain(tmp_path: Path) -> Gbrain:
    """A brain with the sources `red` and `blue`, which both have a page `readme`."""
    made = Gbrain(tmp_path)
    made("init")
    for source in ("red", "blue"):
        (tmp_path / source / "deep").mkdir(parents=True)
        made("sources", "add", source, "--path", str(tmp_path / source))
        made("put", "readme", "--content", f"# Readme of {source}\n\nHarbour.", "--source", source)
    return made


def ids(ran: Any) -> list[str]:
    return [row["id"] for row in ran.json["sources"]]


class TestCommandLine:
    def test_a_folder_chooses_its_source(self, gbrain: Gbrain, tmp_path: Path) -> None:
        for source in ("red", "blue"):
            here = gbrain.run("sources", "current", "--json", cwd=tmp_path / source / "deep").json
            assert (here["source_id"], here["tier"], here["reads"]) == (source, "local_path", [source, "default"])
            assert gbrain.run("get", "readme", "--json", cwd=tmp_path / source).json["title"] == f"Readme of {source}"
        # The first source with a folder was the one that was meant, and holds a page: the second changed nothing.
        assert gbrain.run("sources", "current", "--json", cwd=tmp_path).json["tier"] == "brain_default"
        assert "red" in gbrain.run("sources", "current", cwd=tmp_path).out

    def test_a_deleted_page_and_its_way_back_name_its_source(self, gbrain: Gbrain, tmp_path: Path) -> None:
        told = gbrain("delete", "readme", "--source", "blue").out
        assert told.endswith("with: gbrain restore readme --source blue\n")
        assert "gbrain restore readme --source blue" in gbrain.run("get", "readme", "--source", "blue").err
        assert "deletes 0 pages and 1 deleted before" in gbrain.run("sources", "remove", "blue").err
        again = gbrain.run("sources", "add", "blue", "--path", str(tmp_path / "blue"))
        assert (again.code, "there is a source 'blue' already" in again.err) == (2, True)
        assert "did you mean --from-version?" in gbrain.run("diff", "readme", "--from", "1").err

    def test_passes_over_pages_say_which_sources_they_read(self, gbrain: Gbrain, tmp_path: Path) -> None:
        assert gbrain("links", "unresolved").out == "Every reference in the sources red, default leads to a page.\n"
        gbrain("put", "notes/a", "--content", "See [[notes/none]].", "--source", "default")
        assert gbrain("links", "unresolved").out == "default:notes/a  notes/none\n"
        assert gbrain("links", "unresolved", "--source", "red").out == (
            "Every reference in the source red leads to a page.\n"
        )
        assert gbrain("lint").out == (
            "Every fact names its source, every item of a timeline its date"
            " (2 pages of the sources red, default read)\n"
        )
        assert gbrain("check-backlinks").out == "Every mention is answered (1 page of the source red read)\n"

    def test_the_order_of_the_tiers(self, gbrain: Gbrain, tmp_path: Path) -> None:
        def current(*more: str, **env: str) -> tuple[str, str]:
            reply = gbrain.run("sources", "current", "--json", *more, env=env, cwd=tmp_path / "red").json
            return reply["tier"], reply["source_id"]

        assert current() == ("local_path", "red")
        (tmp_path / "red" / ".gbrain-source").write_text("blue\n")
        assert current() == ("dotfile", "blue")
        assert current(GBRAIN_SOURCE="default") == ("env", "default")
        assert current("--source", "red", GBRAIN_SOURCE="default") == ("flag", "red")
        (tmp_path / "red" / ".gbrain-source").chmod(0o666)
        assert current() == ("local_path", "red")

    @pytest.mark.parametrize("how", ["option", "environment"])
    def test_an_unknown_source_is_refused_by_name(self, gbrain: Gbrain, how: str) -> None:
        given = ("--source", "nope") if how == "option" else ()
        ran = gbrain.run("recall", *given, env={} if given else {"GBRAIN_SOURCE": "nope"})
        assert ran.code == 2
        assert "'nope'" in ran.err
        assert "gbrain sources list" in ran.err

    def test_g3_a_delete_that_names_no_source_is_refused_and_names_both(self, gbrain: Gbrain, tmp_path: Path) -> None:
        for cwd in (tmp_path, tmp_path / "red"):
            ran = gbrain.run("delete", "readme", cwd=cwd)
            assert ran.code == 2
            assert "blue and red" in ran.err
            assert "--source blue" in ran.err
        gbrain("delete", "readme", "--source", "red")
        assert gbrain.run("get", "readme", "--source", "red").code == 3
        assert "Readme of blue" in gbrain("get", "readme", "--source", "blue").out
        assert "readme" in gbrain("search", "harbour", "--source", "blue").out
        gbrain("restore", "readme", "--source", "red")
        assert "Readme of red" in gbrain("get", "readme", "--source", "red").out

    def test_all_sources_are_read_and_never_written(self, gbrain: Gbrain) -> None:
        for all in ("__all__", "*"):
            rows = gbrain("list", "--source", all, "--json").json
            assert {row["source_id"] for row in rows} == {"red", "blue"}
            assert gbrain.run("remember", "x", "--provenance", "y", "--source", all).code == 2

    def test_what_people_see(self, gbrain: Gbrain, tmp_path: Path) -> None:
        lines = [line.split("\t") for line in gbrain("sources", "list").out.splitlines()]
        assert [line[:4] for line in lines] == [
            ["blue", "unset", "1", "-"],
            ["default", "federated", "0", "-"],
            ["red", "unset", "1", "default"],
        ]
        assert "blue: federated" in gbrain("sources", "federate", "blue").out
        assert "blue: isolated" in gbrain("sources", "unfederate", "blue").out
        gbrain("sources", "default", "default")
        ran = gbrain.run("sources", "remove", "red")
        assert ran.code == 2
        assert "1 page," in ran.err
        assert "the files in" in gbrain("sources", "remove", "red", "--yes").out
        assert (tmp_path / "red" / "deep").is_dir()
        gbrain("sources", "rename", "blue", "--new-id", "sea")
        assert ids(gbrain("sources", "list", "--json")) == ["default", "sea"]
        for id in ("__all__", "*", "../x", "Upper", "x" * 200):
            assert gbrain.run("sources", "add", id).code == 2


class TestPipe:
    def test_the_folder_of_the_client_counts(self, gbrain: Gbrain, tmp_path: Path) -> None:
        (tmp_path / ".gbrain-source").write_text("blue\n")
        with Server(tmp_path) as server:
            result = server.tool("get_page", {"slug": "readme"})
            assert result["_meta"]["sources"] == ["blue"]
            assert json.loads(result["content"][0]["text"])["title"] == "Readme of blue"
            assert server.tool("recall", {"source_id": "red"})["_meta"]["sources"] == ["red"]

    def test_a_source_that_goes_is_refused_by_name_at_the_next_call(self, gbrain: Gbrain, tmp_path: Path) -> None:
        with Server(tmp_path, "--source", "blue") as server:
            assert server.value("get_page", {"slug": "readme"})["source_id"] == "blue"
            gbrain("sources", "rename", "blue", "--new-id", "sea")
            refused = server.error("remember", {"fact": "x", "provenance": "y"})
            assert refused["error"] == "invalid_params"
            assert "'blue'" in refused["message"]
            assert "sea" in refused["suggestion"]
            assert server.value("get_page", {"slug": "readme", "source_id": "sea"})["source_id"] == "sea"

    def test_an_unclear_delete_over_the_pipe(self, gbrain: Gbrain, tmp_path: Path) -> None:
        with Server(tmp_path) as server:
            refused = server.error("delete_page", {"slug": "readme"})
            assert refused["detail"]["sources"] == ["blue", "red"]
            assert server.error("list_pages", {"source_id": "nope"})["error"] == "scope_denied"
            assert server.value("delete_page", {"slug": "readme", "source_id": "red"})["source_id"] == "red"

    def test_a_guarded_server_writes_only_where_it_was_told_to(self, gbrain: Gbrain, tmp_path: Path) -> None:
        gbrain("sources", "default", "default")
        claim = {"fact": "x", "provenance": "y"}
        with Server(tmp_path / "red", "--source-guard", env={"GBRAIN_HOME": str(tmp_path)}) as server:
            refused = server.error("remember", claim)
            assert refused["detail"] == "source_binding_required"
            assert server.value("remember", {**claim, "source_id": "red"})["status"] == "inserted"
            assert server.value("recall", None)["facts"]
        with Server(tmp_path, "--source-guard", "--source", "blue") as server:
            assert server.value("remember", claim)["status"] == "inserted"
            assert server.process.poll() is None
            assert server.finish(PATIENCE) == 0


class TestNetwork:
    @pytest.fixture
    def server(self, gbrain: Gbrain, tmp_path: Path) -> Iterator[HttpServer]:
        gbrain("auth", "create", "first")
        with HttpServer(tmp_path, "--rate", "0") as server:
            yield server

    def test_a_client_writes_to_the_source_that_is_meant_or_its_first(self, server: HttpServer) -> None:
        for number, (grants, home) in enumerate(
            ((["blue"], "blue"), (["red", "blue"], "red"), (["blue", "red"], "red"))
        ):
            header = bearer(owner(server.home, "auth_create", name=f"c{number}", sources=grants)["token"])
            result = server.tool("whoami", None, **header)
            assert json.loads(result["content"][0]["text"])["source"] == home
            assert sorted(result["_meta"]["sources"]) == sorted(grants)
            assert server.value("put_page", {"slug": f"n{number}", "content": "x"}, **header)["source_id"] == home
            refused = server.tool("delete_page", {"slug": "readme", "expected_version": 9}, **header)
            told = json.loads(refused["content"][0]["text"])
            assert told["error"] == ("version_conflict" if len(grants) == 1 else "invalid_params")

    def test_what_is_not_granted_is_not_there(self, server: HttpServer) -> None:
        header = bearer(owner(server.home, "auth_create", name="held", sources=["default"])["token"])
        said = []
        for asked in ("red", "nope"):
            for tool, more in (("list_pages", {}), ("remember", {"fact": "x", "provenance": "y"})):
                text = server.tool(tool, {"source_id": asked, **more}, **header)["content"][0]["text"]
                said.append(text.replace(asked, ""))
        assert said[:2] == said[2:]
        listed = server.value("sources_list", None, **header)["sources"]
        assert [row["id"] for row in listed] == ["default"]
        assert "red" not in json.dumps(server.value("sources_current", None, **header))
