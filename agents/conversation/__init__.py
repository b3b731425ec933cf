"""Conversation: what a message says of earlier ones rather than of the tables."""
