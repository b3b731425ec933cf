"""European airports from 2017 to 2022: traffic by month, delays, facilities and charges."""
