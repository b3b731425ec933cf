"""Homes of one county followed over eight survey rounds, with listings, amenities and costs."""
