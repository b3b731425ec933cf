"""Profiles: what the cells of columns hold, read by chunks."""
