"""Measures of groups, pivots, resamples and windows."""
