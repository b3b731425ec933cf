"""Actions whose answers hang on what texts mean: a model reads them, row by row or in groups."""
