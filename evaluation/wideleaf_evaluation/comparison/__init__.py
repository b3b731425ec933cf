"""Comparisons: evaluations beside each other and beside published figures."""
