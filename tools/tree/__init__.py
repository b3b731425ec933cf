"""The append-only tree of frames: frozen values only."""
