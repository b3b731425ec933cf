"""The words of an expected signature: kinds as models name them, names, and where parts end."""

from __future__ import annotations

import builtins
import keyword
import re
import unicodedata
from typing import Literal

from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Kind
from wideleaf.tools.words import one_line

Returns = Literal["table", "number", "text", "boolean", "date", "list", "any"]
ColumnKind = Kind | Literal["any"]

FORM = "write streaks(games) -> team: text, longest: number, or gap(a, b) -> number"
NAME_CHARACTERS = 60
TAKEN = frozenset(dir(builtins)) | {
    "pd", "pandas", "np", "numpy", "math", "datetime", "re", "statistics", "collections",
    "itertools", "functools", "result",
}  # fmt: skip
"""What a function of this name would hide from itself."""

_WORDS: dict[ColumnKind, str] = {
    "number": "number numeric num float float64 float32 double decimal real int int64 int32 int8 "
    "int16 integer uint64 uint32 long count numbers floats ints integers percentage",
    "text": "text string str object varchar category categorical char name texts strings",
    "boolean": "boolean bool booleans yes/no",
    "date": "date dates",
    "datetime": "datetime timestamp datetime64 datetime64[ns] datetime64[us] time",
    "any": "any anything object?",
}
_CONTAINERS: dict[Returns, str] = {
    "table": "table dataframe frame df tables dataframes series geodataframe",
    "list": "list array ndarray tuple set sequence iterable index lists",
    "any": "dict mapping record value scalar union optional",
}
KINDS: dict[str, ColumnKind] = {
    word: kind for kind, words in _WORDS.items() for word in words.split()
}
CONTAINERS: dict[str, Returns] = {
    word: kind for kind, words in _CONTAINERS.items() for word in words.split()
}
PYTHON_WORDS = frozenset({"str", "int", "float", "bool", "object", "any"})
"""Inside brackets these say what cells are; every other word there names a column."""

_MODULES = re.compile(r"^(?:pd|pandas|np|numpy|pl|polars|datetime|typing|dt|decimal)\.", re.I)
_PAIRS = {"(": ")", "[": "]", "{": "}"}


def word_of(text: str) -> str:
    """A type as a bare word: ``pd.DataFrame`` is ``dataframe``."""
    word = strip_quotes(text.strip())
    while cut := _MODULES.sub("", word):
        if cut == word:
            break
        word = cut
    return word.casefold()


def strip_quotes(text: str) -> str:
    """Text without one pair of quotes around it."""
    text = text.strip()
    for quote in ('"', "'", "`"):
        if len(text) > 1 and text[0] == text[-1] == quote and quote not in text[1:-1]:
            return text[1:-1]
    return text


def pieces(text: str, separators: str) -> list[str]:
    """Cut a text at separators that stand in no bracket and in no quotes.

    Raises:
        ActionError: If a bracket or a quotation does not end.
    """
    parts, open_, quote = [""], list[str](), ""
    before = ""
    for sign in text:
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'`" and not before.isalnum():  # an apostrophe is no quote
            quote = sign
        elif sign in _PAIRS:
            open_.append(_PAIRS[sign])
        elif open_ and sign == open_[-1]:
            open_.pop()
        elif sign in separators and not open_:
            parts.append("")
            before = ""
            continue
        parts[-1] += sign
        before = sign
    if open_ or quote:
        missing = quote or open_[-1]
        raise unreadable(text, f"has no closing {missing}")
    return [part.strip() for part in parts]


def read_function_name(text: str) -> str:
    """The name of a function, checked; ``step`` where there is none.

    Raises:
        ActionError: If it is no name, or hides one that the function needs.
    """
    name = _identifier(text, "function") if text else "step"
    if name in TAKEN:
        raise unreadable(name, f"hides Python's or a module's own {name}; call it my_{name}")
    return name


def parameter_name(text: str) -> str:
    """The name of a parameter, checked.

    Raises:
        ActionError: If it is no name, or hides a module.
    """
    name = _identifier(text, "parameter")
    if name in ("pd", "np", "pandas", "numpy"):
        raise unreadable(name, "hides the module of that name; name it after its frame")
    return name


def unreadable(text: str, why: str) -> ActionError:
    """What is said of a signature that cannot be read."""
    message = f"signature: {one_line(text, NAME_CHARACTERS)!r} {why}; {FORM}"
    return ActionError(message, kind="argument signature")


def _identifier(text: str, what: str) -> str:
    name = unicodedata.normalize("NFKC", text.strip())  # as Python reads it
    if not name.isidentifier():
        near = _another(re.sub(r"\W+", "_", name).strip("_")[:NAME_CHARACTERS])
        raise unreadable(text, f"is no {what} name; {near} would be one")
    if keyword.iskeyword(name):
        raise unreadable(text, f"is a word of Python, not a {what} name; {name}_ would be one")
    if name.startswith("__"):
        near = _another(name.strip("_"))
        raise unreadable(text, f"begins with two underscores, as Python's own names; use {near}")
    if len(name) > NAME_CHARACTERS:
        raise unreadable(text, f"is longer than {NAME_CHARACTERS} characters")
    return name


def _another(name: str) -> str:
    """A name like this one that can be used."""
    if not name:
        return "step"
    usable = name.isidentifier() and not keyword.iskeyword(name) and name not in TAKEN
    return name if usable else f"my_{name}"
