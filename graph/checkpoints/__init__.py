"""Checkpoints of named threads: where they are kept, in SQLite or PostgreSQL, and who holds one."""
