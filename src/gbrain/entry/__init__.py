"""Ways in: the command line, MCP over stdio, and what they share. Each is a loop over the registry."""
