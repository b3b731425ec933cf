"""Conditions: what Filter may say of a column."""
