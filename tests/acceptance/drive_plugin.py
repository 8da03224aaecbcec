"""Runs the real Claude Code with the plugin of gbrain, on a loopback network of its own.

    drive_plugin.py BINARY HOME WORK PLUGIN BIN

PLUGIN is the plugin's folder, or `-`: its skills are then installed where the client looks for those of its user.
BIN is a folder with the command `gbrain`, HOME that of the brain. Prints one JSON line: how the turn ended, the last
answer, and what the model was sent.
"""

import json
import os
import subprocess
import sys

sys.path[:0] = [os.environ["SHARED_CLIENTS"]]

CLAIM = {"fact": "the user prefers tabs to spaces", "provenance": "said in chat", "kind": "preference"}


def main() -> int:
    """Run the client of the command line for one turn."""
    from common import isolate
    from run_claude import Claude

    isolate()
    binary, home, work, plugin, programs = sys.argv[1:]
    rules = [
        {"on": "user", "text": "REMEMBER", "reply": [{"text": "Saving."}, {"tool": "*remember", "input": CLAIM}]},
        {"on": "tool", "text": "inserted", "reply": [{"tool": "Skill", "input": {"skill": "gbrain:brain-ops"}}]},
        {"on": "tool", "reply": [{"text": "FINAL saved"}]},
        {"on": "user", "reply": [{"text": "FINAL skill was read"}]},
    ]
    client = Claude(binary, work, rules, events=[], env={"GBRAIN_HOME": home})
    client.env["PATH"] = f"{programs}:{client.env['PATH']}"
    tools = ["--plugin-dir", plugin, "--allowedTools", "mcp__plugin_gbrain_gbrain", "Skill"]
    if plugin == "-":
        tools = []
        subprocess.run(["gbrain", "skills", "install", "--yes"], env=client.env, check=True, stdout=subprocess.DEVNULL)
    code, answer, _, events, err = client.p("REMEMBER that I prefer tabs", *tools)
    begun = next(event for event in events if event.get("subtype") == "init")
    print(
        json.dumps(
            {
                "code": code,
                "answer": answer or err,
                "sent": [json.dumps(row["body"]) for row in client.model() if row["path"].startswith("/v1/messages")],
                "skills": begun.get("skills"),
                "servers": begun.get("mcp_servers"),
            }
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
