"""TOML is changed where it must be, and nowhere else; what was put in comes out again without a trace."""

import tomllib

import pytest

from gbrain.harnesses import tomltext
from gbrain.harnesses.splices import applied, undo_of, undone

ENTRY = {"command": "/opt/gbrain", "args": ["serve", 'a "b"'], "env": {"GBRAIN_HOME": "/home/é"}}
KEYS = ("mcp_servers", "gbrain")
DOCUMENTS = {
    "empty": "",
    "top only": 'model = "x" # mine\n',
    "no line end": 'model = "x"',
    "CRLF": 'model = "x"\r\n\r\n[a]\r\nb = 1\r\n',
    "tables": '# head\nmodel = "x"\n\n[features]\nplugins = false\n\n# about it\n[mcp_servers.other]\ncommand = "y"\n',
    "header of its own": '[mcp_servers]\n\n[mcp_servers.other]\ncommand = "y"\n# end',
    "long texts": 'a = """\n[mcp_servers.gbrain]\n"""\nb = \'\'\'\nnotify = ["x"]\n\'\'\'\n[t]\n',
    "long lists": 'c = [\n  "[x]", # ]\n  "y"\n]\n[t]\n',
    "array of tables": "[[x]]\na = 1\n[[x]]\na = 2\n",
    "quoted keys": '"a.b" = 1\n[projects."/home/u/x"]\ntrust_level = "trusted"\n',
    "notify": 'notify = [\n  "python3", # mine\n  "/x.py",\n] # end\nmodel = "x"\n[t]\na = 1\n',
}


@pytest.fixture(params=DOCUMENTS.values(), ids=DOCUMENTS.keys())
def document(request: pytest.FixtureRequest) -> str:
    text: str = request.param
    return text


def test_statements_are_the_whole_document(document: str) -> None:
    found = tomltext.statements(document)
    assert "".join(document[statement.start : statement.end] for statement in found) == document


def test_a_table_goes_in_and_comes_out(document: str) -> None:
    before = tomllib.loads(document)
    splices = tomltext.add_table(document, KEYS, ENTRY)
    after = applied(document, splices)
    assert tomllib.loads(after)["mcp_servers"]["gbrain"] == ENTRY
    assert undone(after, undo_of(splices)) == document
    # As the agent's program leaves it when it adds something of its own.
    more = after + '[tui]\n"x y" = 1\n'
    out = applied(more, tomltext.drop_table(more, KEYS))
    assert tomllib.loads(out) == {**before, "tui": {"x y": 1}}
    if document.endswith("\n"):
        assert out == document + '[tui]\n"x y" = 1\n'


def test_a_key_goes_in_and_comes_out(document: str) -> None:
    before = tomllib.loads(document)
    splices = tomltext.put_key(document, "notify", ["a", "b"])
    after = applied(document, splices)
    assert tomllib.loads(after) == {**before, "notify": ["a", "b"]}
    assert undone(after, undo_of(splices)) == document
    assert after.count("#") == document.count("#") - ("# mine\n  " in document)
    out = applied(after, tomltext.drop_key(after, "notify"))
    assert tomllib.loads(out) == {key: value for key, value in before.items() if key != "notify"}


def test_tables_below_it_go_too() -> None:
    text = (
        '[a]\nb = 1\n\n[mcp_servers.gbrain]\nx = 1\n\n# of the next\n[c]\nd = 1\n\n[mcp_servers.gbrain.env]\ny = "z"\n'
    )
    out = applied(text, tomltext.drop_table(text, KEYS))
    assert out == "[a]\nb = 1\n\n# of the next\n[c]\nd = 1\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a = \n", "line 1"),
        ("mcp_servers = { other = { command = 'x' } }\n", "no room"),
        ("mcp_servers = 1\n", "no table"),
        ("a = 1\na = 2\n", "line 2"),
    ],
)
def test_what_leaves_no_room_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        tomltext.add_table(text, KEYS, ENTRY)


def test_a_table_that_is_written_inline_is_not_torn_out() -> None:
    with pytest.raises(ValueError, match="table of its own"):
        tomltext.drop_table('mcp_servers = { gbrain = { command = "x" } }\n', KEYS)
