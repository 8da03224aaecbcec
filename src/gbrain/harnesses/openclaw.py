"""OpenClaw."""

from gbrain.harnesses.facts import Facts, below_home

FACTS = Facts("openclaw", "OpenClaw", "openclaw", below_home(".openclaw", variable="OPENCLAW_STATE_DIR"))
