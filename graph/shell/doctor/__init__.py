"""The doctor: what this machine has of what Wideleaf needs."""
