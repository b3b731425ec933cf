"""Databases as sources: SQLite, DuckDB, servers and Spark tables."""
