"""Runs: what is kept of questions and conversations, listed, gone on with, renamed and removed."""
