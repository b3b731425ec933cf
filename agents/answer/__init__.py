"""The written answer, whether its figures stand in the table, and whether two are the same."""
