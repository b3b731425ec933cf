"""Knowledge graphs as sources: facts in text, RDF, Parquet or frames, and their normal form."""
