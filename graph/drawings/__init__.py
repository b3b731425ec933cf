"""Drawings of a tree of frames: text for a terminal, SVG for a page, HTML for a report."""
