"""Functions that a pandas script takes along as text; they import nothing of the house."""
