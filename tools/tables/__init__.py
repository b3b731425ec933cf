"""Tables: a frame with its columns, families and sort keys."""
