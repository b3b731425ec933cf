"""Files as sources: Parquet, Arrow, Excel and JSON."""
