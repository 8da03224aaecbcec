"""A server of the memory verbs with chosen faults: the real one behind a pipe, and its answers spoiled on the way.

Usage: broken_verbs_server.py FAULT,FAULT,... The faults are the functions below. The brain is that of GBRAIN_HOME.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

Message = dict[str, Any]
Body = dict[str, Any]
Fault = Callable[[Message, Message, Body], None]
"""Takes the request, its response, and the JSON body when it is a tool's result; spoils them in place."""


def combinator(request: Message, response: Message, body: Body) -> None:
    for tool in response["result"].get("tools", ()):
        if tool["name"] == "forget":
            tool["inputSchema"]["anyOf"] = [{"required": ["id"]}]


def unsaid_hint(request: Message, response: Message, body: Body) -> None:
    for tool in response["result"].get("tools", ()):
        tool["annotations"].pop("openWorldHint", None)


def no_suggestion(request: Message, response: Message, body: Body) -> None:
    if body.get("error") == "provenance_required":
        body["suggestion"] = " "


def missing_null(request: Message, response: Message, body: Body) -> None:
    if body.get("found") is False:
        body.pop("suggestions")


def always_expired(request: Message, response: Message, body: Body) -> None:
    if "expired" in body:
        body["expired"] = True


def miscounted_budget(request: Message, response: Message, body: Body) -> None:
    if body.get("budget_used"):
        body["budget_used"] += 1


def leak(request: Message, response: Message, body: Body) -> None:
    if request["params"].get("name") == "context_pack" and body.get("facts"):
        body["facts"][0]["context"] = "umbra-ledger"


def stuck_cursor(request: Message, response: Message, body: Body) -> None:
    if "next_cursor" in body:
        body["next_cursor"] = {"since": "1970-01-01T00:00:00.000Z", "slug": ""}


def chatter(request: Message, response: Message, body: Body) -> None:
    if request["method"] == "initialize":
        print("server: somebody connected", flush=True)


def spoil(faults: list[Fault], request: Message, response: Message) -> Message:
    result = response.get("result", {})
    block = (result.get("content") or [{}])[0]
    body = json.loads(block["text"]) if "text" in block else {}
    for fault in faults:
        if "result" in response:
            fault(request, response, body)
    if body:
        block["text"] = json.dumps(body)
        result["structuredContent"] = body
    return response


def main() -> int:
    faults = [globals()[name] for name in sys.argv[1].split(",")]
    command = [sys.executable, "-m", "gbrain", "serve"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        for line in sys.stdin:
            server.stdin.write(line)
            try:
                request = json.loads(line)
            except ValueError:
                request = None
            # A blank line and a notification are the only lines nothing answers.
            if not line.strip() or (isinstance(request, dict) and "method" in request and "id" not in request):
                continue
            response = json.loads(server.stdout.readline())
            if isinstance(request, dict) and "method" in request:
                response = spoil(faults, request, response)
            print(json.dumps(response), flush=True)
        server.stdin.close()
        return server.wait()


if __name__ == "__main__":
    sys.exit(main())
