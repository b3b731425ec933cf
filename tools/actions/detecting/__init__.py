"""Anomaly and what is inside it: distances, spreads, forms of cells, and models of rows."""
