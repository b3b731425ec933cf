"""Actions of statistics: Correlate, Test, Fit, Associate and what is inside them."""
