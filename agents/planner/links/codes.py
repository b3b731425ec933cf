"""Codes: what a data dictionary says that the values of a column stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from wideleaf.agents.planner.links.lexicon import parse_number

LISTED = 3
"""So many numbers in a row are codes without a sign."""
MAX_CODES = 60
"""A column of more values holds no codes."""
_TOKEN = re.compile(r"[^\s,;()=:|/]+|[,;()=:|/]")
_SIGNS = frozenset("=:")
_MARKS = _SIGNS | frozenset(",;()|/")


def read_codes(text: str, values: Sequence[object]) -> Iterator[tuple[str | float, str]]:
    """The codes of a description, with the words that each stands for.

    *1 = male, 2 = female*, *(O outright, M mortgage, R rented)* and *P post T phone W web* are
    understood: a value of the column, letter by letter, and the words behind it as far as the next
    value or mark. Numbers are codes only where a sign stands behind them (*0-30* is a range), or
    where several stand in a row, each with a word: *1 mar 2 part 4 sep*.

    Args:
        text: What is said of the column.
        values: The column's distinct values.

    Yields:
        A value and its meaning.
    """
    if not 0 < len(values) <= MAX_CODES:
        return
    spellings = {_written(value): value for value in values}
    tokens = _TOKEN.findall(text)
    is_list = _lists_numbers(tokens, spellings)
    place = 0
    while place < len(tokens):
        code = _code(tokens[place], spellings)
        place += 1
        signed = not is_list and not _SIGNS.isdisjoint(tokens[place : place + 1])
        bare = not signed and not is_list
        if code is None or (bare and not isinstance(code, str)):
            continue
        if bare and _is_code(code) and any(map(_is_code, tokens[place : place + 1])):
            continue  # a bare list of codes, PARL PRES SEMI, says nothing of any
        place += signed
        words = _read_meaning(tokens, place, spellings, signed)
        place += len(words)
        if words:
            yield code, " ".join(words)


def _read_meaning(
    tokens: Sequence[str], start: int, spellings: dict[str, object], signed: bool
) -> Sequence[str]:
    """The words as far as the next mark or value; behind a sign, the next value with a sign."""
    end = start
    while end < len(tokens) and tokens[end] not in _MARKS:
        last = not signed or not _SIGNS.isdisjoint(tokens[end + 1 : end + 2])
        if last and end > start and _code(tokens[end], spellings) is not None:
            break
        end += 1
    return tokens[start:end]


def _is_code(token: str | float) -> bool:
    """Whether a token is written as codes of several letters are."""
    return isinstance(token, str) and len(token) > 1 and token.isupper()


def _lists_numbers(tokens: Sequence[str], spellings: dict[str, object]) -> bool:
    """Whether numbers that are values stand in rising order, each before a word."""
    numbers = [
        float(token)
        for token, after in pairwise(tokens)
        if isinstance(_code(token, spellings), float) and after.isalpha()
    ]
    return len(numbers) >= LISTED and numbers == sorted(numbers)


def _code(token: str, spellings: dict[str, object]) -> str | float | None:
    """The value that a token writes, if it does."""
    if token in spellings:
        value = spellings[token]
        return value if isinstance(value, str) else float(str(value))
    number = parse_number(token) if not token.startswith("0") or token == "0" else None
    value = spellings.get(f"{number:g}") if number is not None else None
    return None if value is None or isinstance(value, str) else number


def _written(value: object) -> str:
    if isinstance(value, int | float):
        return f"{value:g}"
    return value.strip() if isinstance(value, str) else str(value)
