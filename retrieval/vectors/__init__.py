"""Vectors: the embedder, and exact search."""
