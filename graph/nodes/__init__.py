"""Nodes of the graph: what each does with the state."""
