"""Drawings of a tree of frames: text for a terminal, SVG for a page, HTML for a report."""

from wideleaf.graph.drawing_html import draw_html
from wideleaf.graph.drawing_svg import draw_svg
from wideleaf.graph.drawing_text import codes_text, draw_text

__all__ = ["codes_text", "draw_html", "draw_svg", "draw_text"]
