"""Reads a JSON object out of a model's text, mending how it is written but never a missing end."""

from __future__ import annotations

import json
import re

from pydantic import JsonValue

DEEPEST = 60
"""Objects nested deeper than this are refused, so that no text exhausts the stack."""

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
    if not isinstance(value, dict):
        raise ValueError("is not a JSON object")
    return value, end


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
