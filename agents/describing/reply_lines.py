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
    texts: dict[int, str] = {}
    for value in each_object(text):
        _collect(value, texts)
    if not texts:  # an object without an end: its whole pairs are whole all the same
        texts = {int(number): _plain(body) for number, body in _PAIR.findall(text)}
    if not texts:
        texts = {int(number): body for number, body in _WRITTEN.findall(text)}
    return {
        n: line for n, body in texts.items() if 1 <= n <= count and (line := _cut(bound_text(body)))
    }


def _collect(value: JsonValue, texts: dict[int, str], depth: int = 0) -> None:
    if isinstance(value, list):
        for one in value:
            _collect(one, texts, depth + 1)
        return
    if not isinstance(value, dict) or depth > DEEPEST:
        return
    number = next((value[k] for k in _NUMBERS if k in value), None)
    body = next((value[k] for k in _TEXTS if k in value), None)
    if isinstance(body, str) and str(number).strip(". ").isdigit():
        texts[int(str(number).strip(". "))] = body
        return
    for key, one in value.items():
        if isinstance(one, str) and (digits := re.fullmatch(r"\D{0,12}(\d{1,3})\.?", key)):
            texts[int(digits[1])] = one
        elif isinstance(one, dict) and key.isdigit():
            inner = next((one[k] for k in _TEXTS if k in one), None)
            if isinstance(inner, str):
                texts[int(key)] = inner
        else:
            _collect(one, texts, depth + 1)


def _cut(line: str) -> str:
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 3].rsplit(' ', 1)[0]}..."


def _plain(body: str) -> str:
    try:
        return str(json.loads(body, strict=False))
    except ValueError:
        return body.strip('"')
