"""Scenes: what tables look like after the steps so far."""
