"""Results: an answer with its table, its steps and its doubts, for a terminal and a notebook."""
