"""Gemini CLI."""

from gbrain.harnesses.facts import Facts, below_home

FACTS = Facts("gemini", "Gemini CLI", "gemini", below_home(".gemini"))
