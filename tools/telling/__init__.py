"""A frame or a call in words, within the privacy level."""
