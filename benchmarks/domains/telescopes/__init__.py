"""Point and extended sources of an equatorial imaging stripe, with repeat runs and cross-matches."""
