"""Options: the settings by groups, and what single ones may be: strategies, and models of roles."""
