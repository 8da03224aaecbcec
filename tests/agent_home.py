"""A person's home with a brain and with agents that were in use before gbrain came."""

import json
from pathlib import Path
from typing import Any

from commandline import Gbrain, Ran

BLOCK = "<!-- gbrain:ambient-writeback:begin -->"
SETTINGS = """{
  // my own
  "theme": "dark",
  "permissions": { "allow": ["Bash(ls:*)"], },
  "hooks": {
    "Stop": [
      { "hooks": [{ "type": "command", "command": "say done" }] }
    ]
  }
}
"""
REGISTRY = '{"numStartups":3,"mcpServers":{"other":{"type":"stdio","command":"x","env":{"KEY":"sk-1"}}},"tip":"é"}'

CONFIG = """# mine
notify = [
  "say",  # aloud
  "done",
] # end
model = "x"

[mcp_servers.other]
command = "y"
env = { KEY = "sk-1" }"""


class Home:
    """A person's home with a brain and agents that were in use before."""

    def __init__(self, base: Path) -> None:
        self.path = base
        self.gbrain = Gbrain(base)
        self.gbrain("init")

    def write(self, name: str, text: str) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    def claude(self) -> None:
        self.write(".claude/settings.json", SETTINGS)
        self.write(".claude/CLAUDE.md", "# Mine\n\nBe brief.")
        self.write(".claude.json", REGISTRY)

    def codex(self) -> None:
        self.write(".codex/config.toml", CONFIG)
        self.write(".codex/hooks.json", '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]}}')
        self.write(".codex/AGENTS.md", "Be brief.\r\nAlways.\r\n")

    def run(self, *arguments: str) -> Ran:
        return self.gbrain.run("bootstrap", "harness", *arguments, env={"HOME": str(self.path)})

    def done(self, *arguments: str) -> Ran:
        ran = self.run(*arguments)
        assert ran.code == 0, ran
        return ran

    def on(self, mode: str = "salient") -> None:
        self.gbrain("config", "set", "memory.auto_writeback", mode)

    def files(self) -> dict[str, bytes]:
        """Everything but the brain."""
        return {
            str(path.relative_to(self.path)): path.read_bytes()
            for path in sorted(self.path.rglob("*"))
            if path.is_file() and ".gbrain" not in path.parts
        }

    def text(self, name: str) -> str:
        return (self.path / name).read_bytes().decode()

    def registry(self) -> dict[str, Any]:
        registry: dict[str, Any] = json.loads(self.text(".claude.json"))
        return registry

    @property
    def receipt(self) -> Path:
        return self.path / ".gbrain" / "bootstrap" / "harness.json"
