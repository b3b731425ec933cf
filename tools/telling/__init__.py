"""A frame, a call or the tree in words, and how finely figures are told, within the privacy level."""
