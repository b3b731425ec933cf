"""A plan as a script that needs pandas alone."""
