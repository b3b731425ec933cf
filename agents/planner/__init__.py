"""The embedded planner: a small parser of English that needs no model."""
