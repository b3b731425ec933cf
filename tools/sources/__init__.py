"""Sources: from what was handed in to an open table."""
