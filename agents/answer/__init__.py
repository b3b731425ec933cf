"""The written answer, and whether its figures stand in the table."""
