"""Plans: kept, shown, and what of them no longer fits new data."""
