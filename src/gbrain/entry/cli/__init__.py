"""The command line: every operation's command is derived from its declaration, when it is asked for."""
