"""Reads a JSON object out of a model's text, mending how it is written but never a missing end."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from pydantic import JsonValue

DEEPEST = 100
"""Objects nested deeper than this are refused, so that no text exhausts the stack."""

_KEYWORD = re.compile(r"[\s,]*([A-Za-z_]\w*)\s*=\s*")
_BARE = re.compile(r"[^\s,()\[\]{}\"'=][^,()\[\]{}\"'=]*(?=[,)])")
_QUOTED = re.compile(  # an apostrophe inside single quotes ends nothing: 'O'Brien'
    r"\"(?:[^\"\\]|\\.)*\"|'(?:[^\\]|\\.)*?'(?=\s*(?:[,:}\])]|$))", re.S
)
_ESCAPE = re.compile(r"\\.|\"", re.S)
_JSON_ESCAPES = {r"\'": "'", '"': r"\""}
_WORDS = ("true", "false", "none", "null")
_CUT_OFF = "is cut off before its end"


def read_object(text: str, start: int) -> tuple[dict[str, JsonValue], int]:
    """Read the object that opens at ``text[start]``.

    Trailing or missing commas, single quotes, Python's words and bare keys are mended.

    Returns:
        The object and the position behind it.

    Raises:
        ValueError: If the text ends before the object does, or it cannot be mended.
    """
    literal, end = _extent(text, start)
    return _load(literal), end


def each_object(text: str) -> Iterator[dict[str, JsonValue]]:
    """The objects that stand in a reply, one behind the other; what cannot be read is passed over.

    Args:
        text: The reply, with whatever stands around and between them.
    """
    at = text.find("{")
    while at >= 0:
        try:
            value, end = read_object(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield value
        at = text.find("{", end)


def read_keywords(text: str, start: int) -> dict[str, JsonValue]:
    """Read arguments as a call in code has them: ``table=T1, by=["-b"])``, from behind ``(``.

    Raises:
        ValueError: If the text ends before the bracket closes, or a part has no name.
    """
    members: list[str] = []
    while keyword := _KEYWORD.match(text, start):
        start = keyword.end()
        if word := _BARE.match(text, start):
            value, start = _json_word(word[0].strip()), word.end()
        elif text.startswith(("{", "[", '"', "'"), start):
            value, start = _extent(text, start)
        else:
            raise ValueError(_CUT_OFF)
        members.append(f'"{keyword[1]}": {value}')
    rest = text[start:].lstrip(", \t\r\n")
    if rest.startswith(")"):
        return _load(f"{{{', '.join(members)}}}")
    raise ValueError("is not a JSON object" if rest else _CUT_OFF)


def _load(literal: str) -> dict[str, JsonValue]:
    try:
        value = json.loads(literal, strict=False)
    except json.JSONDecodeError:
        import json_repair

        value = json_repair.loads(literal)
    except ValueError:
        raise ValueError("holds a number of too many digits") from None
    if not isinstance(value, dict):
        raise ValueError("is not a JSON object")
    return value


def _json_word(word: str) -> str:
    """A word without quotes, so that it is read as a number, true, false, null, or a text."""
    try:
        json.loads(word)
    except ValueError:
        return word if word.casefold() in _WORDS else json.dumps(word)
    return word


def _extent(text: str, start: int) -> tuple[str, int]:
    """Find where the value ends that opens here; all its quotes come back as JSON's."""
    pieces: list[str] = []
    depth, last, at = 0, ":", start
    while at < len(text):
        char = text[at]
        if char in "\"'" and last in "{[,:":
            quoted = _QUOTED.match(text, at)
            if quoted is None:
                break
            inside = _ESCAPE.sub(lambda one: _JSON_ESCAPES.get(one[0], one[0]), quoted[0][1:-1])
            pieces.append(f'"{inside}"')
            last, at = char, quoted.end()
        else:
            pieces.append(char)
            last = last if char.isspace() else char
            depth += (char in "{[") - (char in "}]")
            at += 1
        if depth > DEEPEST:
            raise ValueError(f"is nested deeper than {DEEPEST} levels")
        if depth == 0:
            return "".join(pieces), at
    raise ValueError(_CUT_OFF)
