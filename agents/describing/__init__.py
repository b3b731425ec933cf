"""Descriptions of columns that a model writes."""
