"""Names and cells as a person would see them: one line, without signs that show nothing."""

from __future__ import annotations


def visible(text: str) -> str:
    """Text as one line of signs that can be seen; blanks and line breaks become one blank.

    Signs that turn the order of others round, have no width or steer a terminal could carry words
    that no person sees, or make two readers see two texts. Letters that look alike stay.
    """
    flat = " ".join(text.split())
    return flat if flat.isprintable() else "".join(sign for sign in flat if sign.isprintable())
