"""Conditions: what Filter may say of a column, and what its values mean."""
