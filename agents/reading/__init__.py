"""Reading: a model asked of texts, in batches, at a known cost, with cascades that ask it less."""
