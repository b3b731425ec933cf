"""Models that judge errors and write questions."""
