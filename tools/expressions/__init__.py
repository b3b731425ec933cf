"""Expressions: what Derive may say of a row."""
