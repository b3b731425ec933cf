"""A plan as a Python script of its own, on pandas frames."""
