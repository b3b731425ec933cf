"""Twelve more everyday tables, each with eight questions."""
