"""Evidence: why a column is picked."""
