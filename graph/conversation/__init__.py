"""Conversation: what of earlier questions a further one may go on from, and what is said of it."""
