"""Plans in other languages: SQL, pandas, notebooks."""
