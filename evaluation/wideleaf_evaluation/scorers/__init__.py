"""Scorers, one file a kind of comparison."""
