"""Paths: questions over knowledge graphs, answered along relations without a model."""
