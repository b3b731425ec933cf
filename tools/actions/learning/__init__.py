"""Actions that learn from columns: PCA, Cluster, Predict and what is inside them."""
