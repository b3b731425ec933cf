"""Plans in other languages."""
