"""Engines: where frames run; Polars, DuckDB, Spark and its session."""
