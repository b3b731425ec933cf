"""Shorthand: words as people type them in a chat, such as ``r``, ``em`` and ``w/``, written out."""

from __future__ import annotations

import re
from collections.abc import Callable

WRITTEN = {
    "r": "are", "u": "you", "ur": "your", "em": "them", "w/": "with", "w/o": "without",
    "thru": "through", "b4": "before", "btwn": "between", "abt": "about", "cuz": "because",
    "ppl": "people", "vs.": "versus", "&": "and", "wat": "what", "wats": "what is", "hw": "how",
    "plz": "please", "pls": "please", "thx": "thanks", "gimme": "give me", "wanna": "want to",
}  # fmt: skip
_SHORT = re.compile(
    rf"(?<![\w.'\"/-])(?:{'|'.join(re.escape(s) for s in sorted(WRITTEN, key=len, reverse=True))})"
    r"(?![\w'\"/-])",
    re.IGNORECASE,
)


def write_out(message: str, means_something: Callable[[str], bool]) -> str:
    """A message with what is typed short written out; a capital letter is none of it.

    Args:
        message: The person's words.
        means_something: Whether a word is one of the tables: a header's, or a cell.
    """

    def whole(match: re.Match[str]) -> str:
        short = match.group()
        plain = short == short.lower() and not means_something(short)
        return WRITTEN[short.lower()] if plain else short

    return _SHORT.sub(whole, message)
