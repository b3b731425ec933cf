"""The Model Context Protocol: tools over tables, and frames as resources, for any agent."""
