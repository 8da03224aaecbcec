"""The agents' own programs, such as Claude Code: the files they read, and what we put there for them."""
