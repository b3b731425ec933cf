"""Actions over rows in an order: Trend, Runs and what is inside them."""
