"""Sources: from what was handed in to an open table, and what errors of reading mean."""
