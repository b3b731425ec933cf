"""Keys: along which tables may be joined, declared or guessed."""
