"""Which sentence of its analysis a model wrote each line of a program for."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Sequence

from wideleaf.tools.words import one_line

Lines = tuple[int, int]
"""First and last line of a statement."""

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
    code: str, statements: Iterable[Lines], analysis: Sequence[str]
) -> dict[Lines, str]:
    """The sentence of each statement: its comment, the analysis' by number, or by its place.

    A comment belongs to the line it stands in, or to those after it up to the next one.

    Args:
        code: The program.
        statements: The statements that are steps, in order.
        analysis: The numbered steps before the program.
    """
    statements = dict.fromkeys(statements)
    try:
        tokens = [*tokenize.generate_tokens(io.StringIO(code).readline)]
    except (tokenize.TokenError, SyntaxError):  # other versions of Python read lines otherwise
        tokens = []
    comments = [token for token in tokens if token.type == tokenize.COMMENT]
    said = [
        (token.start[0], _sentence(token.string.lstrip("# \t").strip(), analysis))
        for token in comments
    ]
    apart = [(n, text) for n, text in said if not any(a <= n <= b for a, b in statements)]
    found: dict[Lines, str] = {}
    for first, last in statements:
        above = [text for line, text in apart if line < first and text]
        own = [text for line, text in said if first <= line <= last and text]
        found[first, last] = next(iter(own), above[-1] if above else "")
    if not any(found.values()) and len(analysis) == len(found):
        return dict(zip(found, analysis, strict=True))
    return found


def _sentence(comment: str, analysis: Sequence[str]) -> str:
    """What a comment says; one that is a number alone names a step of the analysis."""
    if number := _NUMBER.match(comment):
        place = int(number["number"]) - 1
        return analysis[place] if 0 <= place < len(analysis) else ""
    item = _ITEM.match(comment)
    return one_line(item["text"] if item else comment, SENTENCE_CHARACTERS)
