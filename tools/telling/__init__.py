"""A frame, a call or the tree in words within the privacy level, and how finely figures go."""
