"""Files as sources: Parquet, Arrow, Excel and JSON, whole or cut short."""
