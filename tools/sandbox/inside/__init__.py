"""The sandbox, the far side: what runs in the locked process; it imports nothing of the house."""
