"""The kept index of three levels, in Chroma."""
