"""Codex."""

from gbrain.harnesses.facts import Facts, below_home

FACTS = Facts("codex", "Codex", "codex", below_home(".codex", variable="CODEX_HOME"))
