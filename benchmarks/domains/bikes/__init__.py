"""Stations of a city's public bike-share: docks, amenities, trips by month and outages."""
