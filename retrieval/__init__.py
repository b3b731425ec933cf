"""Which columns matter to a question."""
