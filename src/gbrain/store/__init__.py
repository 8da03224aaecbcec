"""All persistence: the engine contract, its dialects, and one module an area."""
