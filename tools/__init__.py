"""What can be done with tables; it knows no model and no graph."""
