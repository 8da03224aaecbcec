"""Remembering unasked: what is captured from the turns of a person, and how."""
