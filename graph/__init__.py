"""The state machines: who is asked next, and what flows between."""
