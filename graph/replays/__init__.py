"""Saved runs, opened and replayed."""
