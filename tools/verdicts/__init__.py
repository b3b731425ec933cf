"""Verdicts: what a reader said of texts, kept by content, and the tasks it was given."""
