"""Results: an answer with its table, its steps and its doubts, as text, page and exports."""
