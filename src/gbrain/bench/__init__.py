"""Numbers that anyone can repeat with one command. Every figure stands beside the bar it must reach."""
