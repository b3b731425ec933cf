"""Cells of text: which numbers and dates they are, and what was repaired in them."""
