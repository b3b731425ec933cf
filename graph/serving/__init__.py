"""Serving: what clients of a served graph may set, name and open."""
