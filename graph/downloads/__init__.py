"""Downloads: the whole table of an answer as a file of the server."""
