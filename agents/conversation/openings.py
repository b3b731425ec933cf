"""Openings: words by which a message says that it begins a new topic, and what it asks then."""

from __future__ import annotations

import re

from wideleaf.agents.conversation.patterns import count_spots, read_patterns, spell, words_of
from wideleaf.retrieval.words.word_classes import words_of_class

_MARK = re.compile(r"\s*(?:[:.,;!?]+(?=\s)|[-–—]+\s|\n)")
_BEGINS = words_of_class("question", "auxiliary", "request")
"""Words that begin a question where no mark is set before it."""
_LINKS = re.compile(r"(?:but|so|and|now|then|though)\b[\s,]*", re.IGNORECASE)
_MOST = 12
"""An opening has at most so many words."""


def read_new_topic(message: str) -> str:
    """What a message asks that says that it begins a new topic; empty if it does not say so.

    A mark stands behind such words, or a word that begins a question: "new topics by year" has
    none, nor is a message of such words alone one.

    Args:
        message: A person's words.
    """
    patterns = read_patterns()
    text = patterns.without_chat(message)
    spots = words_of(text)
    line = [spell(spot.text) for spot in spots[:_MOST]]
    start = 0
    while start < len(spots):
        ends = [
            end
            for end in range(min(len(spots) - 1, _MOST), start, -1)
            if patterns.match("anew", [word for words in line[start:end] for word in words])
        ]
        for end in sorted(ends, key=lambda end: not _MARK.match(text, spots[end - 1].end)):
            if rest := _after(text, spots[end - 1].end):
                return rest
        tail = [word for words in line[start:] for word in words]
        size = patterns.grammar.front(("open:", "chat:", "praise:"), tail)
        if not size:
            return ""
        start += count_spots(line[start:], size)
    return ""


def _after(text: str, end: int) -> str:
    """What stands behind an opening that ends at a character; empty if that is no opening."""
    mark = _MARK.match(text, end)
    rest = text[mark.end() if mark else end :].strip()
    if mark is None and not (words_of(rest)[:1] and words_of(rest)[0].text in _BEGINS):
        return ""
    return _LINKS.sub("", rest, count=1) if _LINKS.match(rest) else rest
