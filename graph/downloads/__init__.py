"""Downloads: the table of an answer, its chart and its tree, by addresses of the server."""
