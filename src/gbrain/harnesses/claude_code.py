"""Claude Code."""

from gbrain.harnesses.facts import Facts, below_home

FACTS = Facts("claude-code", "Claude Code", "claude", below_home(".claude", variable="CLAUDE_CONFIG_DIR"))
