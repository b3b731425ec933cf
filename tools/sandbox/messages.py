"""What is told of an error that a program raised: its own code and known words, never a cell."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from functools import cache
from typing import NamedTuple

from wideleaf.tools.errors import ActionError
from wideleaf.tools.sandbox.syntax.form import read_code
from wideleaf.tools.sandbox.templates import HINTS, RENAMED, TEMPLATES, TYPE_HINTS
from wideleaf.tools.sandbox.words import EXCEPTIONS, OPERATORS, TYPE_NAMES
from wideleaf.tools.tables.columns import nearest
from wideleaf.tools.words import one_line

MASK = "…"
KEPT_IN = "its message is kept in, for it may hold cells"
LINE_CHARACTERS = 120
SLOT_CHARACTERS = 80
MESSAGE_CHARACTERS = 2_000
"""No more of a message is read."""
PRIVATE_CHARACTERS = 500
NEAREST_SHOWN = 3
LEAST_ALIKE = 60
LABELS = ("key", "row")
"""Templates in which what is named may be a cell: an index is made of cells."""
"""Nearest columns are named if they are at least so much alike, of 100."""

_SLOT = re.compile(r"\{c?\}")
_QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"")
_WORD = re.compile(r"[A-Za-z_]\w*")


class Known(NamedTuple):
    """What may be shown because it is no cell: the model wrote it, or it names a column."""

    words: frozenset[str]
    columns: tuple[str, ...]

    def shows(self, text: str, labels: bool = False) -> bool:
        """Whether this very text may be shown; a label, which may be a cell, is no type."""
        if text in self.words:
            return True
        return not labels and (text in TYPE_NAMES or text in OPERATORS)


class Reading(NamedTuple):
    """A message by a known template: its text with the unknown masked, and what was named."""

    text: str
    hint: str
    named: tuple[str, ...]


def told(
    error_type: str, message: str, line: int | None, code: str, columns: Collection[str]
) -> tuple[str, str]:
    """Word an error of a program for a model.

    A message of Python, numpy or pandas is told by its template; what stands in its places is
    shown only where it is a column, a type, or a name or constant of the code. Any other message
    is kept in. All of it is untrusted: the program may have raised what it liked.

    Args:
        error_type: The name of the exception's type.
        message: What it says.
        line: The line of the code that raised, from 1.
        code: The program.
        columns: The columns of its inputs.

    Returns:
        A text without cells, and a private sentence with the whole message, empty where the
        text holds all of it.
    """
    known = known_words(code, columns)
    kind = error_type if error_type in EXCEPTIONS or error_type in known.words else "An exception"
    read = _read(kind, " ".join(message[:MESSAGE_CHARACTERS].split()), known)
    text = f"{kind}{_place(line, code)}"
    if read is not None:
        text = f"{text}: {read.text}" if read.text else text
    elif message.strip():
        text = f"{text}; {KEPT_IN}"
    hint = _hint(kind, read, known)
    whole = read is not None and MASK not in read.text
    private = "" if whole or not message.strip() else _private(message)
    return (f"{text}. Hint: {hint}" if hint else text), private


def known_words(code: str, columns: Collection[str]) -> Known:
    """Whatever of the code and the columns may stand in a text that leaves the machine."""
    words = set(columns)
    try:
        nodes = ast.walk(read_code(code))
    except ActionError:
        words.update(_WORD.findall(code))
    else:
        for node in nodes:
            words.update(_of(node))
    words.discard("")
    return Known(frozenset(words), tuple(columns))


def _of(node: ast.AST) -> Iterator[str]:
    """The names and constants of one node."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield repr(node.value)
        if not isinstance(node.value, bool):
            yield f"-{node.value!r}"
    elif isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.arg | ast.keyword) and node.arg:
        yield node.arg


def _place(line: int | None, code: str) -> str:
    lines = code.splitlines()
    if line is None or not 1 <= line <= len(lines):
        return ""
    return f" in line {line}, `{one_line(lines[line - 1], LINE_CHARACTERS)}`"


def _read(kind: str, message: str, known: Known) -> Reading | None:
    """The message by the first template it fits; None if there is none."""
    if not message:
        return Reading("", "", ())
    if kind == "KeyError":
        # str() of a KeyError is the repr of its argument; pandas wraps whole sentences so.
        message = _unwrapped(message)
    if message in known.words and kind != "KeyError":  # raised by the code in its own words
        return Reading(one_line(message, LINE_CHARACTERS), "", ())
    for template, hint in TEMPLATES:
        slots = _slots(template, message)
        if slots is not None:
            return _filled(template, slots, hint, known)
    if kind == "KeyError":
        quoted = message if _QUOTED.search(message) else repr(message)
        return _filled("{}", [quoted], "key", known)
    return None


def _unwrapped(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1].replace("\\'", "'")
    return text


def _slots(template: str, message: str) -> list[str] | None:
    """What stands in the places of a template; linear in the message, whatever it holds."""
    first, *rest = _literals(template)
    if not message.startswith(first) or (not rest and message != first):
        return None
    at, found = len(first), []
    for place, literal in enumerate(rest):
        last = place == len(rest) - 1
        if last and not (message.endswith(literal) and len(message) - len(literal) >= at):
            return None
        end = len(message) - len(literal) if last else message.find(literal, at)
        if end < 0:
            return None
        found.append(message[at:end])
        at = end + len(literal)
    return found


@cache
def _literals(template: str) -> tuple[str, ...]:
    return tuple(_SLOT.split(template))


def _filled(template: str, slots: list[str], hint: str, known: Known) -> Reading:
    marks = _SLOT.findall(template)
    named: list[str] = []
    parts = [_literals(template)[0]]
    for mark, slot, literal in zip(marks, slots, _literals(template)[1:], strict=True):
        shown, words = (MASK, []) if mark == "{c}" else _shown(slot, known, hint in LABELS)
        named += words
        parts += [shown, literal]
    return Reading("".join(parts), hint, tuple(named))


def _shown(slot: str, known: Known, labels: bool) -> tuple[str, list[str]]:
    """A slot's text where it is known, with what it names; else the mask."""
    text = slot.strip()
    bare = text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'`" else text
    if known.shows(bare, labels):
        return one_line(text, SLOT_CHARACTERS), [bare]
    if not labels and all(map(known.shows, bare.removesuffix("()").split("."))):
        return one_line(text, SLOT_CHARACTERS), []
    found = [one or other for one, other in _QUOTED.findall(text)]
    if shown := [word for word in found if known.shows(word, labels)]:
        listed = ", ".join(repr(one_line(word, SLOT_CHARACTERS)) for word in shown[:8])
        more = len(shown) < len(found) or len(shown) > 8
        return f"{listed}, {MASK}" if more else listed, shown
    if text in ("a Series", "a DataFrame", "an array with more than one element"):
        return text, []
    return MASK, []


def _hint(kind: str, read: Reading | None, known: Known) -> str:
    if read is None or not read.hint:
        return TYPE_HINTS.get(kind, "")
    if read.hint == "key":
        return _key_hint(read, known)
    if read.hint == "attribute":
        return _attribute_hint(read, known)
    return HINTS[read.hint]


def _key_hint(read: Reading, known: Known) -> str:
    missing = [word for word in read.named if word not in known.columns]
    for word in missing:
        if near := _near(word, known):
            shown = repr(one_line(word, SLOT_CHARACTERS))
            return f"no column or row label {shown}; the nearest columns are {near}"
    if missing:
        return "no column or row has that label; take columns as they are listed"
    if read.named:
        return "an input has that column, but not the frame at that line"
    return "no row or key has that label; test with .isin() or .get() first"


def _attribute_hint(read: Reading, known: Known) -> str:
    owner, wanted = (read.named[0], read.named[-1]) if len(read.named) > 1 else ("", "")
    if wanted in RENAMED:
        return f"in pandas 3 and numpy 2 it is {RENAMED[wanted]}"
    if wanted in ("dt", "year", "month", "strftime", "date") and owner == "str":
        return HINTS["dt"]
    if owner == "Timestamp" or wanted == "str":
        return HINTS["str"]
    if owner == "DataFrame" and (near := _near(wanted, known)):
        return f"the nearest columns are {near}; a column is taken by df[...]"
    return ""


def _near(word: str, known: Known) -> str:
    from rapidfuzz import fuzz, utils

    found = nearest(word, known.columns, NEAREST_SHOWN) if known.columns else []
    alike = [
        repr(one_line(name, SLOT_CHARACTERS))
        for name in found
        if fuzz.ratio(word, name, processor=utils.default_process) >= LEAST_ALIKE
    ]
    return ", ".join(alike)


def _private(message: str) -> str:
    return f"The message: {one_line(message, PRIVATE_CHARACTERS)}"
