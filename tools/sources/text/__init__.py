"""Delimited text as a source, however messy."""
