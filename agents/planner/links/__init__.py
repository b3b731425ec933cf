"""Links: words of a question to columns, levels, cells and numbers."""
