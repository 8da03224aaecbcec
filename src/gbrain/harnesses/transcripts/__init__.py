"""Turns of a person as each agent keeps them: one module an agent, with the same names.

`folders(env)` says where its transcripts lie; `MARKS` are bytes of which every line of a person holds one; `turn(line)`
is the text of such a line, None for any other; `foreign(path)` whether no person speaks in a transcript at all;
`said(payload)` the turns that a hook's input brings itself. `answer` is the same as `turn` for what
the agent said, whose lines hold one of `ANSWERS`.
"""

HARNESSES = ("claude-code", "codex", "gemini", "opencode", "openclaw")
