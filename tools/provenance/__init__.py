"""Provenance: the cells of the sources that a cell of an answer comes from."""
