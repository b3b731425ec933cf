"""Rules, one file a kind of question."""
