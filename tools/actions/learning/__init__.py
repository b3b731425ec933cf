"""Actions that learn from columns: Correlate, PCA, Anomaly, Predict and what is inside it."""
