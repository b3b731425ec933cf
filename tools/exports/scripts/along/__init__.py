"""Functions that a script takes along as text; they import nothing of the house."""
