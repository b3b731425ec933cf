"""What is told of an error that a program raised: its own code and known words, never a cell."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from wideleaf.tools.errors import ActionError
from wideleaf.tools.sandbox.syntax.form import read_code
from wideleaf.tools.sandbox.words import EXCEPTIONS, OPERATORS, TYPE_NAMES
from wideleaf.tools.tables.columns import nearest_names
from wideleaf.tools.words import one_line

MASK = "…"
KEPT_IN = "its message is kept in, for it may hold cells"
LINE_CHARACTERS = 120
SLOT_CHARACTERS = 80
MESSAGE_CHARACTERS = 2_000
"""No more of a message is read."""
PRIVATE_CHARACTERS = 500
NEAREST_SHOWN = 3
MIN_ALIKE = 60
"""Nearest columns are named if they are at least so much alike, of 100."""
LABELS = ("key", "row")
"""Hints of templates in which what is named may be a cell: an index is made of cells."""

_SLOT = re.compile(r"\{c?\}")
_QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"")
_WORD = re.compile(r"[A-Za-z_]\w*")


class SafeWords(NamedTuple):
    """What may be shown because it is no cell: the model wrote it, or it names a column."""

    words: frozenset[str]
    columns: tuple[str, ...]

    def shows(self, text: str, labels: bool = False) -> bool:
        """Whether this very text may be shown; a label, which may be a cell, is no type."""
        if text in self.words:
            return True
        return not labels and (text in TYPE_NAMES or text in OPERATORS)


class Template(NamedTuple):
    """A message with places, and the name of the hint that goes with it."""

    text: str
    hint: str
    pattern: re.Pattern[str]


class Table(NamedTuple):
    """The templates in the order in which they are tried; hints by name and by type of error."""

    templates: tuple[Template, ...]
    hints: dict[str, str]
    of_types: dict[str, str]


class MessageReading(NamedTuple):
    """A message by a known template: its text with the unknown masked, and what was named."""

    text: str
    hint: str
    named: tuple[str, ...]


def describe_error(
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
    terms = collect_safe_words(code, columns)
    kind = error_type if error_type in EXCEPTIONS or error_type in terms.words else "An exception"
    reading = _read(kind, " ".join(message[:MESSAGE_CHARACTERS].split()), terms)
    text = f"{kind}{_place(line, code)}"
    if reading is not None:
        text = f"{text}: {reading.text}" if reading.text else text
    elif message.strip():
        text = f"{text}; {KEPT_IN}"
    hint = _hint(kind, reading, terms)
    whole = reading is not None and MASK not in reading.text
    private = "" if whole or not message.strip() else _private(message)
    return (f"{text}. Hint: {hint}" if hint else text), private


@cache
def read_table() -> Table:
    """The table of templates and hints."""
    templates, hints, of_types, name = list[Template](), dict[str, str](), dict[str, str](), ""
    lines = (
        files("wideleaf.tools.sandbox").joinpath("templates.txt").read_text("utf-8").splitlines()
    )
    for line in lines:
        if line.startswith("    @"):
            of_types[line[5:]] = hints[name]
        elif line.startswith("    "):
            templates.append(Template(line[4:], name, _pattern(line[4:])))
        elif not line.startswith("#"):
            name, _, hints[name] = line.partition(": ")
    return Table(tuple(templates), hints, of_types)


def _pattern(text: str) -> re.Pattern[str]:
    """Linear in the message, whatever it holds: no place is looked for twice."""
    first, *rest = map(re.escape, _SLOT.split(text))
    places = [f"(?>(.*?){literal})" for literal in rest[:-1]]
    return re.compile("".join([first, *places, *(f"(.*){last}" for last in rest[-1:])]), re.S)


def collect_safe_words(code: str, columns: Collection[str]) -> SafeWords:
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
    return SafeWords(frozenset(words), tuple(columns))


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


def _read(kind: str, message: str, terms: SafeWords) -> MessageReading | None:
    """The message by the first template it fits; None if there is none."""
    if not message:
        return MessageReading("", "", ())
    if kind == "KeyError":
        # str() of a KeyError is the repr of its argument; pandas wraps whole sentences so.
        message = _unwrap(message)
    if message in terms.words and kind != "KeyError":  # raised by the code in its own words
        return MessageReading(one_line(message, LINE_CHARACTERS), "", ())
    for template in read_table().templates:
        if match := template.pattern.fullmatch(message):
            return _fill_template(template.text, match.groups(), template.hint, terms)
    if kind == "KeyError":
        quoted = message if _QUOTED.search(message) else repr(message)
        return _fill_template("{}", (quoted,), "key", terms)
    return None


def _unwrap(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1].replace("\\'", "'")
    return text


def _fill_template(
    template: str, slots: Sequence[str], hint: str, terms: SafeWords
) -> MessageReading:
    rest, names = iter(slots), list[str]()

    def fill(mark: re.Match[str]) -> str:
        slot = next(rest)
        if mark[0] == "{c}":
            return MASK
        text, words = _show_slot(slot, terms, hint in LABELS)
        names.extend(words)
        return text

    return MessageReading(_SLOT.sub(fill, template), hint, tuple(names))


def _show_slot(slot: str, terms: SafeWords, labels: bool) -> tuple[str, list[str]]:
    """A slot's text where it is known, with what it names; else the mask."""
    text = slot.strip()
    bare = text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'`" else text
    if terms.shows(bare, labels):
        return one_line(text, SLOT_CHARACTERS), [bare]
    if not labels and all(map(terms.shows, bare.removesuffix("()").split("."))):
        return one_line(text, SLOT_CHARACTERS), []
    quotes = [one or other for one, other in _QUOTED.findall(text)]
    if names := [word for word in quotes if terms.shows(word, labels)]:
        listing = ", ".join(repr(one_line(word, SLOT_CHARACTERS)) for word in names[:8])
        more = len(names) < len(quotes) or len(names) > 8
        return f"{listing}, {MASK}" if more else listing, names
    if text in ("a Series", "a DataFrame", "an array with more than one element"):
        return text, []
    return MASK, []


def _hint(kind: str, reading: MessageReading | None, terms: SafeWords) -> str:
    if reading is not None and reading.hint == "key":
        return _key_hint(reading, terms)
    if reading is not None and reading.hint == "attribute":
        return _attribute_hint(reading, terms)
    table = read_table()
    return (table.hints[reading.hint] if reading and reading.hint else "") or table.of_types.get(
        kind, ""
    )


def _key_hint(reading: MessageReading, terms: SafeWords) -> str:
    missing = [word for word in reading.named if word not in terms.columns]
    for word in missing:
        if near := _near(word, terms):
            label = repr(one_line(word, SLOT_CHARACTERS))
            return f"no column or row label {label}; the nearest columns are {near}"
    if missing:
        return "no column or row has that label; take columns as they are listed"
    if reading.named:
        return "an input has that column, but not the frame at that line"
    return "no row or key has that label; test with .isin() or .get() first"


def _attribute_hint(reading: MessageReading, terms: SafeWords) -> str:
    owner, attribute = (reading.named[0], reading.named[-1]) if len(reading.named) > 1 else ("", "")
    hints = read_table().hints
    if renamed := hints.get(f".{attribute}"):
        return renamed
    if attribute in ("dt", "year", "month", "strftime", "date") and owner == "str":
        return hints["dt"]
    if owner == "Timestamp" or attribute == "str":
        return hints["str"]
    if owner == "DataFrame" and (near := _near(attribute, terms)):
        return f"the nearest columns are {near}; a column is taken by df[...]"
    return ""


def _near(word: str, terms: SafeWords) -> str:
    from rapidfuzz import fuzz, utils

    names = nearest_names(word, terms.columns, NEAREST_SHOWN) if terms.columns else []
    alike = [
        repr(one_line(name, SLOT_CHARACTERS))
        for name in names
        if fuzz.ratio(word, name, processor=utils.default_process) >= MIN_ALIKE
    ]
    return ", ".join(alike)


def _private(message: str) -> str:
    return f"The message: {one_line(message, PRIVATE_CHARACTERS)}"
