"""Links: words of a question to columns, levels and values."""
