"""What models cost, as far as it is known here: dollars for a million tokens, in and out.

Estimates: written down from what the providers listed for their own addresses on the day AS_OF, and checked by nobody
since. Prices change: one's own (`gbrain models price`) come first, and a model that stands nowhere has no known price.
"""

from gbrain.domain.spending import Price, micro

AS_OF = "2025-12-01"
"""The day that the prices are of."""

_LISTED = {
    "openai:gpt-5": ("1.25", "10"),
    "openai:gpt-5-mini": ("0.25", "2"),
    "openai:gpt-5-nano": ("0.05", "0.4"),
    "openai:gpt-4.1": ("2", "8"),
    "openai:gpt-4.1-mini": ("0.4", "1.6"),
    "openai:gpt-4.1-nano": ("0.1", "0.4"),
    "openai:gpt-4o": ("2.5", "10"),
    "openai:gpt-4o-mini": ("0.15", "0.6"),
    "anthropic:claude-opus-4-5": ("5", "25"),
    "anthropic:claude-opus-4-1": ("15", "75"),
    "anthropic:claude-sonnet-4-5": ("3", "15"),
    "anthropic:claude-haiku-4-5": ("1", "5"),
    "google:gemini-2.5-pro": ("1.25", "10"),
    "google:gemini-2.5-flash": ("0.3", "2.5"),
    "google:gemini-2.5-flash-lite": ("0.1", "0.4"),
}

LISTED: dict[str, Price] = {name: Price(micro(given), micro(made)) for name, (given, made) in _LISTED.items()}
