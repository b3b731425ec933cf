"""Plans: kept, shown, and held against new data."""
