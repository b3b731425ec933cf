"""Road traffic counting sites, with counts by hour of day, vehicle class and direction."""
