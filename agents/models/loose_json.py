"""Reads a JSON object out of a model's text, mending how it is written but never a missing end."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from pydantic import JsonValue

DEEPEST = 100
"""Objects nested deeper than this are refused, so that no text exhausts the stack."""

_KEYWORD = re.compile(r"([A-Za-z_]\w*)\s*=\s*")
_BARE = re.compile(r"[^\s,()\[\]{}\"'=][^,()\[\]{}\"'=]*(?=[,)])")
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'", re.S)
_WORDS: dict[str, JsonValue] = {"true": True, "false": False, "none": None, "null": None}
_CLOSES = re.compile(r"\s*([,:}\]]|$)")


def read_object(text: str, start: int) -> tuple[dict[str, JsonValue], int]:
    """Read the object that opens at ``text[start]``.

    Trailing or missing commas, single quotes, Python's words and bare keys are mended.

    Returns:
        The object and the position behind it.

    Raises:
        ValueError: If the text ends before the object does, or it cannot be mended.
    """
    written, end = _extent(text, start)
    try:
        value = json.loads(written, strict=False)
    except json.JSONDecodeError:
        import json_repair

        value = json_repair.loads(written)
    except ValueError:
        raise ValueError("holds a number of too many digits") from None
    if not isinstance(value, dict):
        raise ValueError("is not a JSON object")
    return value, end


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
    read: dict[str, JsonValue] = {}
    at = start
    while True:
        while at < len(text) and (text[at].isspace() or text[at] == ","):
            at += 1
        if text[at : at + 1] == ")":
            return read
        named = _KEYWORD.match(text, at)
        if not named:
            raise ValueError(
                "is cut off before its end" if at >= len(text) else "is not a JSON object"
            )
        at = named.end()
        if word := _BARE.match(text, at):
            read[named[1]] = _plain(word[0].strip())
            at = word.end()
        elif text[at : at + 1] in ("{", "["):
            end = _closing(text, at)
            read |= read_object(f'{{"{named[1]}": {text[at:end]}}}', 0)[0]
            at = end
        elif quoted := _QUOTED.match(text, at):
            read |= read_object(f'{{"{named[1]}": {quoted[0]}}}', 0)[0]
            at = quoted.end()
        else:
            raise ValueError("is cut off before its end")


def _plain(word: str) -> JsonValue:
    """A word without quotes: a number, true, false, nothing, or itself."""
    if word.casefold() in _WORDS:
        return _WORDS[word.casefold()]
    try:
        number: JsonValue = json.loads(word)
    except ValueError:
        return word
    return number


def _closing(text: str, start: int) -> int:
    """Where the bracket that opens here is closed."""
    depth, at = 0, start
    while at < len(text):
        if quoted := _QUOTED.match(text, at):
            at = quoted.end()
            continue
        depth += (text[at] in "{[") - (text[at] in "}]")
        if depth > DEEPEST:
            raise ValueError(f"is nested deeper than {DEEPEST} levels")
        at += 1
        if depth == 0:
            return at
    raise ValueError("is cut off before its end")


def _extent(text: str, start: int) -> tuple[str, int]:
    """Find where the object ends; single-quoted strings come back in double quotes."""
    written: list[str] = []
    depth, quote, last, at = 0, "", "", start
    while at < len(text):
        char = text[at]
        if quote and char == "\\":
            written.append("'" if text[at + 1 : at + 2] == "'" else text[at : at + 2])
            at += 2
            continue
        if quote:
            # An apostrophe inside single quotes ends nothing: 'O'Brien'.
            if char == quote and (char == '"' or _CLOSES.match(text, at + 1)):
                written.append('"')
                quote, last = "", char
            else:
                written.append('\\"' if char == '"' else char)
        elif char in "\"'" and last and last in "{[,:":
            written.append('"')
            quote = char
        else:
            written.append(char)
            last = last if char.isspace() else char
            depth += (char in "{[") - (char in "}]")
            if depth > DEEPEST:
                raise ValueError(f"is nested deeper than {DEEPEST} levels")
            if depth == 0:
                return "".join(written), at + 1
        at += 1
    raise ValueError("is cut off before its end")
