"""Saved runs, opened and carried out again."""
