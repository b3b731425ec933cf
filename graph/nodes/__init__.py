"""Nodes of the graph."""
