"""Six more everyday tables, each with twelve questions."""
