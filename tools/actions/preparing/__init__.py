"""Actions that make columns ready: Bin, Impute, Normalise, Split."""
