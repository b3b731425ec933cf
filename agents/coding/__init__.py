"""Programs that a model writes: asked for, read out of replies, enriched."""
