"""Keys: along which tables may be joined."""
