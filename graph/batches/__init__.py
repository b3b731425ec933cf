"""Batches: many questions over the same tables, each answer kept as soon as it is there."""
