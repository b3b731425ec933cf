"""Plans in other languages: SQL, scripts, notebooks."""
