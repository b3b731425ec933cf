"""Formulas that a question writes out or names, as ``(high - low) / low * 100``, for Derive."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from pydantic import JsonValue

_START = re.compile(r"(?:\bas\b|=|\bformula\b:?|\bis\b|:)\s*(?=[^=])", re.I)
_SIGNS = str.maketrans({"×": "*", "÷": "/", "−": "-", "–": "-", "^": "*"})
_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**",
}  # fmt: skip
MOST_CHARACTERS = 300
_LOGARITHM = re.compile(r"\blog(?:arithm\w*|[- ]?transform\w*)?\b|\blog10\b|\bln\b", re.I)
_TEN = re.compile(r"\bbase[- ]?(?:of )?(?:10|ten)\b|\blog10\b", re.I)
_OTHER_BASE = re.compile(r"\bbase[- ]?(?:of )?2\b|\blog2\b|\blog1p\b|\blog\w*\W+1 ?\+", re.I)


def read_formula(sentence: str, columns: Sequence[str]) -> JsonValue:
    """The longest formula of columns, numbers and signs that a sentence has; None if it has none.

    It is read as a tree and written anew in the words of Derive; nothing of it is ever run.

    Args:
        sentence: What is said of a column to be made.
        columns: The headers it may hold, as they are written.
    """
    for start in _START.finditer(sentence):
        text = sentence[start.end() : start.end() + MOST_CHARACTERS].translate(_SIGNS)
        names: list[str] = []
        for column in sorted(columns, key=len, reverse=True):
            marked = re.compile(rf"[\"'“”`]?(?<!\w){re.escape(column)}(?!\w)[\"'“”`]?")
            if marked.search(text):
                text = marked.sub(f" column_{len(names)}_ ", text)
                names.append(column)
        if names and (found := _longest(text, names)) is not None:
            return found
    return None


def read_logarithm(text: str) -> str:
    """The logarithm that a text speaks of, natural where it names no base; empty if none is read.

    Args:
        text: A sentence, or all of a question.
    """
    if not _LOGARITHM.search(text) or _OTHER_BASE.search(text):
        return ""
    return "log10" if _TEN.search(text) else "log"


def _longest(text: str, names: Sequence[str]) -> JsonValue:
    """The formula that the longest beginning of a text is, if it has a column and a sign."""
    pieces = re.findall(r"column_\d+_|\d+(?:\.\d+)?|\*\*|[-+*/()]|\S", text)
    known = re.compile(r"column_\d+_|\d+(?:\.\d+)?|\*\*|[-+*/()]")
    size = next((n for n, one in enumerate(pieces) if not known.fullmatch(one)), len(pieces))
    for end in range(size, 2, -1):
        try:
            tree = ast.parse(" ".join(pieces[:end]), mode="eval").body
        except SyntaxError:
            continue
        if isinstance(tree, ast.BinOp):
            return _written(tree, names)
    return None


def _written(tree: ast.expr, names: Sequence[str]) -> JsonValue:
    match tree:
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            sides = [_written(left, names), _written(right, names)]
            return None if None in sides else {"op": _OPERATORS[type(op)], "args": [*sides]}
        case ast.Constant(value=value) if isinstance(value, int | float):
            return value
        case ast.Name(id=name):
            return names[int(name.split("_")[1])]
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=value)):
            return -value if isinstance(value, int | float) else None
    return None
