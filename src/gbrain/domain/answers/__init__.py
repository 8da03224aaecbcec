"""Answers out of evidence: what is evidence and how it weighs, what dates say, and what is believed of a model."""
