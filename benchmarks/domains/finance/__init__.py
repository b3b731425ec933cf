"""Listed companies: one row per company, quarterly and yearly statement items and share data."""
