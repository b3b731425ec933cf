"""Words of a question and of a header."""
