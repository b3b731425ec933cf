"""Cards: what is known of a column or family before anything is embedded."""
