"""Reads numbered texts out of a model's reply: one text for each numbered line of the request."""

from __future__ import annotations

import json
import re

from pydantic import JsonValue

from wideleaf.agents.models.loose_json import each_object
from wideleaf.tools.dictionary.corrections import bound_text

DEEPEST = 4
LONGEST = 200
"""A model's text is cut to this: many of them share the room of a prompt."""
_WRITTEN = re.compile(r"^\s*[-*]?\s*\(?(\d{1,3})[.):]\s*[\"“]?(.+?)[\"”]?,?\s*$", re.M)
_PAIR = re.compile(r'"(\d{1,3})"\s*:\s*("(?:[^"\\]|\\.)*")')
_NUMBERS = ("n", "number", "id", "entry")
_TEXTS = ("description", "text")


def read_reply_lines(text: str, count: int) -> dict[int, str]:
    """Read numbered texts out of a model's reply, however loosely it is written.

    Args:
        text: The reply: a JSON object of numbers and texts, JSON lines or lists of objects with
            both, or numbered lines.
        count: How many were asked for; other numbers are left out.

    Returns:
        Texts by number, each one line of bounded length.
    """
    found: dict[int, str] = {}
    for value in each_object(text):
        _collect(value, found)
    if not found:  # an object without an end: its whole pairs are whole all the same
        found = {int(number): _plain(said) for number, said in _PAIR.findall(text)}
    if not found:
        found = {int(number): said for number, said in _WRITTEN.findall(text)}
    return {
        n: line for n, said in found.items() if 1 <= n <= count and (line := _cut(bound_text(said)))
    }


def _collect(value: JsonValue, found: dict[int, str], depth: int = 0) -> None:
    if isinstance(value, list):
        for one in value:
            _collect(one, found, depth + 1)
        return
    if not isinstance(value, dict) or depth > DEEPEST:
        return
    number = next((value[k] for k in _NUMBERS if k in value), None)
    said = next((value[k] for k in _TEXTS if k in value), None)
    if isinstance(said, str) and str(number).strip(". ").isdigit():
        found[int(str(number).strip(". "))] = said
        return
    for key, one in value.items():
        if isinstance(one, str) and (digits := re.fullmatch(r"\D{0,12}(\d{1,3})\.?", key)):
            found[int(digits[1])] = one
        elif isinstance(one, dict) and key.isdigit():
            inner = next((one[k] for k in _TEXTS if k in one), None)
            if isinstance(inner, str):
                found[int(key)] = inner
        else:
            _collect(one, found, depth + 1)


def _cut(line: str) -> str:
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 3].rsplit(' ', 1)[0]}..."


def _plain(said: str) -> str:
    try:
        return str(json.loads(said, strict=False))
    except ValueError:
        return said.strip('"')
