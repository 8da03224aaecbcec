"""Runs one real agent client against `gbrain serve --http`, on a loopback network of its own.

    drive_http.py claude|codex BINARY HOME WORK AUTHORIZATION

The scripts in $SHARED_CLIENTS make the client's home and its scripted model; this one adds a server over HTTP, in
the way each client is told of one. Leaves what the client printed on stdout, and exits with 1 when a turn failed.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

sys.path[:0] = [os.environ["SHARED_CLIENTS"], str(Path(__file__).parents[1])]

from http_server import HttpServer  # noqa: E402

CLAIM = {"fact": "the user prefers tabs to spaces", "provenance": "said in chat", "kind": "preference"}
RULES: list[dict[str, Any]] = [
    {"on": "user", "text": "REMEMBER", "reply": [{"text": "Saving."}, {"tool": "*remember", "input": CLAIM}]},
    {"on": "tool", "reply": [{"text": "FINAL saved"}]},
    {"on": "user", "reply": [{"text": "plain answer"}]},
]


def claude(binary: str, work: str, url: str, header: str) -> tuple[int, str, str]:
    """(exit code, last answer, everything the model was sent)."""
    from common import run
    from run_claude import Claude

    client = Claude(binary, work, RULES)
    add = [
        binary,
        "mcp",
        "add",
        "-s",
        "user",
        "--transport",
        "http",
        "mem",
        url,
        "--header",
        f"Authorization: {header}",
    ]
    code, out, err, _ = run(add, client.env, f"{work}/proj", 60, label="claude mcp add --transport http")
    assert code == 0, out + err
    code, answer, _, _, err = client.p("REMEMBER that I prefer tabs")
    return code, answer or err, json.dumps(client.model())


def codex(binary: str, work: str, url: str, header: str) -> tuple[int, str, str]:
    """As `claude`."""
    from run_codex import Codex

    client = Codex(binary, work, RULES)
    server = {"url": url, "startup_timeout_sec": 30, "default_tools_approval_mode": "approve"}
    lines = ["", "[mcp_servers.mem]", *(f"{key} = {json.dumps(value)}" for key, value in server.items())]
    lines += ["[mcp_servers.mem.http_headers]", f"Authorization = {json.dumps(header)}", ""]
    with open(f"{work}/home/.codex/config.toml", "a", encoding="utf-8") as config:
        config.write("\n".join(lines))
    code, answer, _, _, err = client.x("REMEMBER that I prefer tabs")
    return code, answer or err, json.dumps(client.model())


def main() -> int:
    """Run the client of the command line."""
    from common import isolate

    isolate()
    name, binary, home, work, header = sys.argv[1:]
    with HttpServer(Path(home), env={"PATH": os.environ["PATH"]}) as server:
        code, answer, sent = {"claude": claude, "codex": codex}[name](binary, work, server.url, header)
        server.stop()
    print(json.dumps({"code": code, "answer": answer, "instructions": "long-term memory, shared by all" in sent}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
