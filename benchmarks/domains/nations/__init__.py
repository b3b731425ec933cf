"""A simulated country file: one row per country or area, national statistics by year."""
