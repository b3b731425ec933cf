"""A plan as SQL of a dialect."""
