"""Anomaly and what is inside it: rules for cells, forms of texts, and models of rows."""
