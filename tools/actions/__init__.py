"""Actions, one a file, and the list of them."""
