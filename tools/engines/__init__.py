"""Engines: where frames run."""
