"""Everyday tables of data packages with questions of a first hour, half of them locked."""
