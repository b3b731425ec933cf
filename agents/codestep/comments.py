"""Which sentence of its analysis a model wrote each line of a program for."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Sequence

from wideleaf.tools.words import one_line

SENTENCE_CHARACTERS = 300

_ITEM = re.compile(
    r"^\s*(?:[-*>#]+\s*)?(?:\*\*|__)?(?:step\s*)?(?P<number>\d{1,2})\s*(?:[.:)]|\*\*|-(?!\d))"
    r"\s*(?P<text>\S.*?)\s*$",
    re.I,
)
_NUMBER = re.compile(r"^(?:see |of )?(?:steps?\s*)?#?(?P<number>\d{1,2})\s*[.:)]?$", re.I)
_CALL = re.compile(r"^[\w.]+\s*(?:=[^=]|\()")


def read_analysis(text: str, code: str = "") -> tuple[str, ...]:
    """The numbered steps of an analysis (CRAFTQA, section 3.2), in the order of their numbers.

    Args:
        text: The reply.
        code: What of it is code, whose comments are read apart.
    """
    inside = {line.strip() for line in code.splitlines()}
    found: dict[int, str] = {}
    for line in text.splitlines():
        item = _ITEM.match(line)
        if item is None or line.strip() in inside:
            continue
        said = item["text"].strip("*_ ")
        if said and not _CALL.match(said):
            found.setdefault(int(item["number"]), one_line(said, SENTENCE_CHARACTERS))
    return tuple(found[number] for number in sorted(found))


def sentences_of(
    code: str, statements: Iterable[tuple[int, int]], analysis: Sequence[str]
) -> list[str]:
    """The sentence of each statement: its comment, the analysis' by number, or by its place.

    A comment belongs to the line it stands in, or to those after it up to the next one.

    Args:
        code: The program.
        statements: First and last line of each statement that is a step.
        analysis: The numbered steps before the program.
    """
    statements = list(statements)
    comments = _comments(code)
    found, above, place = [], "", 0
    for first, last in statements:
        while place < len(comments) and comments[place][0] < first:
            above = _sentence(comments[place][1], analysis) or above
            place += 1
        own = [text for line, text in comments[place:] if first <= line <= last]
        place += len(own)
        found.append(next(filter(None, (_sentence(text, analysis) for text in own)), above))
    if not any(found) and len(analysis) == len(statements):
        return [*analysis]
    return found


def _comments(code: str) -> list[tuple[int, str]]:
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
    except (tokenize.TokenError, SyntaxError):  # what cannot be read has no steps either
        return []
    return [
        (token.start[0], token.string.lstrip("# \t").strip())
        for token in tokens
        if token.type == tokenize.COMMENT
    ]


def _sentence(comment: str, analysis: Sequence[str]) -> str:
    """What a comment says; one that is a number alone names a step of the analysis."""
    if number := _NUMBER.match(comment):
        place = int(number["number"]) - 1
        return analysis[place] if 0 <= place < len(analysis) else ""
    item = _ITEM.match(comment)
    return one_line(item["text"] if item else comment, SENTENCE_CHARACTERS)
