"""Remembering unasked: the gate that decides, what agents are told of it, and what is captured from turns."""
