"""Questions made for tables, with programs that answer them."""
