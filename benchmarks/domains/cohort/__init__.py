"""One row per participant of a health and life cohort: clinic instances, waves and linked records."""
