"""`gbrain auth` as its owner types it."""

import re
from pathlib import Path

import pytest

from commandline import Gbrain


@pytest.fixture
def gbrain(tmp_path: Path) -> Gbrain:
    made = Gbrain(tmp_path)
    made("init")
    return made


def test_a_token_is_shown_once(gbrain: Gbrain) -> None:
    made = gbrain("auth", "create", "laptop", "--scopes", "read,write", "--expires", "90d")
    (token,) = re.findall(r"gbrain_[0-9a-f]{64}", made.out)
    assert "shown this once" in made.out
    assert "Authorization: Bearer" in made.out
    listed = gbrain("auth", "list").out
    assert listed.startswith("laptop\tactive\tread,write\tdefault\tany\tfull\t")
    assert token[7:] not in listed + gbrain("auth", "list", "--json").out
    files = b"".join(path.read_bytes() for path in gbrain.home.rglob("*") if path.is_file())
    assert token[7:].encode() not in files


def test_every_grant_has_its_option(gbrain: Gbrain) -> None:
    made = gbrain(
        "auth", "create", "kiosk", "--scopes", "read", "--all-sources", "--surface", "verbs",
        "--slug", "notes/a", "--slug", "notes/b", "--json",
    ).json  # fmt: skip
    assert (made["scopes"], made["sources"], made["surface"]) == (["read"], None, "verbs")
    assert made["slugs"] == ["notes/a", "notes/b"]
    after = gbrain("auth", "rescope", "kiosk", "--source", "default", "--any-slug", "--expires", "never", "--json").json
    assert (after["scopes"], after["sources"], after["slugs"]) == (["read"], ["default"], None)
    assert "sources: default" in gbrain("auth", "rescope", "kiosk", "--scopes", "read").out


def test_a_revoked_client_is_listed_as_revoked(gbrain: Gbrain) -> None:
    id = gbrain("auth", "create", "laptop", "--json").json["id"]
    gbrain("auth", "create", "tablet")
    assert "refused from now on" in gbrain("auth", "revoke", "laptop").out
    assert "before" in gbrain("auth", "revoke", "--id", id).out
    lines = gbrain("auth", "list").out.splitlines()
    assert [line.split("\t")[:2] for line in lines] == [["laptop", "REVOKED"], ["tablet", "active"]]
    assert id in lines[0]


def test_at_a_narrow_terminal_no_id_is_cut_off(gbrain: Gbrain) -> None:
    id = gbrain("auth", "create", "laptop", "--json").json["id"]
    code, seen = gbrain.at_terminal("auth", "list", env={"COLUMNS": "60"})
    assert (code, seen.splitlines()[0]) == (0, "laptop")
    assert re.search(rf"^  id +{id}$", seen, re.MULTILINE)
    assert re.search(rf"^laptop .* {id}$", gbrain.at_terminal("auth", "list", env={"COLUMNS": "200"})[1], re.MULTILINE)


def test_an_application_by_hand(gbrain: Gbrain) -> None:
    made = gbrain("auth", "register", "inspector", "--redirect-uri", "http://127.0.0.1:6274/oauth/callback")
    assert "client secret" not in made.out
    assert "http://127.0.0.1:6274/oauth/callback" in made.out
    secret = gbrain("auth", "register", "web", "--redirect-uri", "https://x.example/y", "--confidential")
    assert "client secret: gbrain_cs_" in secret.out
    listed = gbrain("auth", "list").out
    assert "inspector\tnot approved\t" in listed
    assert "gbrain_cs_" not in listed
    gbrain("auth", "revoke", "inspector")
    assert "inspector" not in gbrain("auth", "list").out


def test_the_code_for_the_consent_page(gbrain: Gbrain) -> None:
    said = gbrain("auth", "approve").out
    assert re.search(r"^  [0-9A-Z]{5}-[0-9A-Z]{5}$", said, re.M)
    assert "only go on" in said.lower()
    made = gbrain("auth", "approve", "--json").json
    assert set(made) == {"code", "expires_at"}


def test_a_list_without_anyone_says_how_to_begin(gbrain: Gbrain) -> None:
    assert "gbrain auth create" in gbrain("auth", "list").out
    assert gbrain("auth", "list", "--json").json == {"clients": [], "applications": []}


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        (["create"], 2, "NAME"),
        (["create", "x", "--scopes", "everything"], 2, "read, write, admin"),
        (["create", "x", "--source", "nowhere"], 2, "default"),
        (["create", "x", "--source", "__all__"], 2, "--all-sources"),
        (["create", "x", "--expires", "soon"], 2, "90d"),
        (["create", "x", "--surface", "all"], 2, "verbs"),
        (["revoke"], 2, "auth list"),
        (["revoke", "nobody"], 3, "auth list"),
        (["revoke", "--id", "nobody"], 3, "auth list"),
        (["rescope", "nobody", "--scopes", "read"], 3, "auth list"),
        (["register", "web"], 2, "redirect"),
        (["register", "web", "--redirect-uri", "http://x.example/y"], 2, "127.0.0.1"),
        (["crate"], 2, "create"),
    ],
)
def test_what_is_wrong_is_said_with_what_to_do(gbrain: Gbrain, line: list[str], code: int, said: str) -> None:
    ran = gbrain.run("auth", *line)
    assert (ran.code, ran.out) == (code, "")
    assert re.match(r"Error \[\w+\]: .+\n  Fix: .+", ran.err)
    assert said in ran.err
    as_json = gbrain.run("auth", *line, "--json")
    assert as_json.code == code
    assert as_json.json["suggestion"]


def test_a_terminal_gets_a_table(gbrain: Gbrain) -> None:
    gbrain("auth", "create", "laptop")
    code, shown = gbrain.at_terminal("auth", "list", env={"COLUMNS": "200"})
    assert code == 0
    assert "last used" in shown
    assert "laptop" in shown
