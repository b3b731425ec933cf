"""Expected signatures of crafted functions, read as models write them."""

from __future__ import annotations

import re

from pydantic import BaseModel

from wideleaf.tools.craft.signature_words import (
    CONTAINERS,
    KINDS,
    PYTHON_WORDS,
    ColumnKind,
    Returns,
    parameter_name,
    pieces,
    read_function_name,
    strip_quotes,
    unreadable,
    word_of,
)
from wideleaf.tools.words import one_line

CHARACTERS = 2000
"""A longer signature is refused."""
_Result = tuple[Returns, tuple[tuple[str, ColumnKind], ...]]

_ARROW = re.compile(r"->|→|=>|⇒|\breturns?\b:?", re.I)
_OPTION = re.compile(r"-?[\d.]+(?:e-?\d+)?|true|false|none|[\"'\[({].*", re.I | re.S)
_CONTAINER = re.compile(
    r"(?P<word>[\w.]+)\s*(?:(?P<open>[\[({])(?P<inside>.*)[\])}]|"
    r"(?:\s*:\s*|\s+(?:with|of)\s+(?:the\s+)?(?:columns?\b\s*:?\s*)?)(?P<rest>.+))?",
    re.I | re.S,
)
_COLUMN = re.compile(
    r"(?P<name>\"[^\"]*\"|'[^']*'|`[^`]*`|.+?)"
    r"(?:\s*(?::|=|->|\bas\b)\s*(?P<kind>[\w.\[\]]+)|\s*\(\s*(?P<round>[\w.\[\]]+)\s*\)|"
    r"\s+(?P<last>[\w.\[\]]+))?",
    re.S,
)


class Signature(BaseModel, frozen=True):
    """What a crafted function is called, gets and gives (F_exp of CRAFTQA, section 3.3).

    Attributes:
        function: Its name.
        parameters: Names for its frames, in order; empty where none were said.
        returns: What it gives; ``any`` where that was left open.
        columns: Pairs of name and kind of the columns a table must have.
    """

    function: str = "step"
    parameters: tuple[str, ...] = ()
    returns: Returns = "any"
    columns: tuple[tuple[str, ColumnKind], ...] = ()

    def head(self) -> str:
        """The first line of such a function."""
        return f"def {self.function}({', '.join(self.parameters)}):"


def read_signature(text: str) -> Signature:
    """Read an expected signature as models write it.

    Known are ``streaks(games) -> team: text, longest: number``, ``-> number``,
    ``DataFrame[team, longest]``, ``table(team: text)``, Python's ``def f(a: pd.DataFrame, b):``,
    and nothing at all. A parameter with a constant as default is an option, not a frame.

    Raises:
        ActionError: If it cannot be read, or a name in it is none; says what would be right.
    """
    if len(text) > CHARACTERS:
        raise unreadable(text, f"has {len(text)} characters; at most {CHARACTERS} are read")
    flat = re.sub(r"^```\w*|```$", "", text.strip()).strip().strip("`").strip()
    flat = re.sub(r"^(?:async\s+)?def\s+", "", flat)
    arrow = _arrow(flat)
    called, ending = (flat[: arrow[0]], flat[arrow[1] :]) if arrow else (flat, "")
    name, parameters = _call(called)
    if not arrow and not name and not parameters and called:
        raise unreadable(text, "has no name")
    returns, columns = _result(ending)
    return Signature(function=name, parameters=parameters, returns=returns, columns=columns)


def _arrow(text: str) -> tuple[int, int] | None:
    """Where the first arrow that stands in no bracket begins and ends."""
    for match in _ARROW.finditer(text):
        before = text[: match.start()]
        if all(before.count(pair[0]) == before.count(pair[1]) for pair in ("()", "[]", "{}")):
            return match.span()
    return None


def _call(text: str) -> tuple[str, tuple[str, ...]]:
    """The name and the parameters, from what stands before the arrow."""
    text = text.strip().rstrip(":").strip()
    name, bracket, rest = text.partition("(")
    name = read_function_name(name.strip())
    if not bracket:
        return name, ()
    inside, closing, after = rest.rpartition(")")
    if not closing:
        raise unreadable(text, "has no closing )")
    if after.strip(" :."):
        raise unreadable(after, "stands between the brackets and the arrow")
    parameters: list[str] = []
    for part in pieces(inside, ","):
        declaration, *default = pieces(part.lstrip("*/ "), "=")
        label, *kind = pieces(declaration, ":")
        is_table = bool(kind) and CONTAINERS.get(word_of(kind[0])) == "table"
        if not declaration or (default and not is_table and _OPTION.fullmatch(default[0])):
            continue
        parameter = parameter_name(label)
        if parameter in parameters:
            raise unreadable(text, f"has the parameter {parameter} twice")
        parameters.append(parameter)
    return name, tuple(parameters)


def _result(text: str) -> _Result:
    """What is given back, from what stands behind the arrow."""
    text = re.sub(r"\s#\s.*", "", text, flags=re.S)
    text = re.sub(r":\s*(?:\.\.\.|pass|return\b.*)?\s*$", "", text.strip(), flags=re.S)
    text = re.sub(r"\s*\|\s*None\b|\bNone\s*\|\s*", "", text).strip().rstrip(".;").strip()
    text = re.sub(r"^(?:an?|the)\s+", "", text, flags=re.I)
    if not text:
        return "any", ()
    if word_of(text) in ("none", "null", "void", "nothing"):
        raise unreadable(text, "is no result; a crafted function returns what it found")
    if optional := re.fullmatch(r"(?:\w+\.)?Optional\[(.*)\]", text, re.I | re.S):
        return _result(optional[1])
    if (worded := _read_worded(text)) is not None:
        return worded
    if (words := re.fullmatch(r"(\w+) (?:number|value|scalar)", text)) and words[1] in KINDS:
        return _scalar(KINDS[words[1]]), ()
    inside = text
    if text[0] in "([{" and text[-1] in ")]}" and len(pieces(text, ",;")) == 1:
        inside = text[1:-1]
    columns = _columns(inside)
    if len(columns) == 1 and columns[0][1] == "any":
        raise unreadable(text, "is neither a kind (table, number, text, boolean, date, list) nor "
                         "columns with kinds")  # fmt: skip
    return "table", columns


def _read_worded(text: str) -> _Result | None:
    """What a text gives that begins with the word of a container or is the word of a kind."""
    container = _CONTAINER.fullmatch(text)
    if container is None:
        return None
    alone = len(pieces(text, ",;")) == 1
    word, rest = word_of(container["word"]), container["rest"] or ""
    if word in KINDS and alone and not rest:
        return _scalar(KINDS[word]), ()
    if word in CONTAINERS and (alone or rest):
        inside = container["inside"] or re.sub(r"\s+and\s+", ", ", rest)
        return _read_container(CONTAINERS[word], inside)
    return None


def _scalar(kind: ColumnKind) -> Returns:
    if kind == "other" or kind == "any":
        return "any"
    return "date" if kind == "datetime" else kind


def _read_container(returns: Returns, inside: str) -> _Result:
    """A container with what stands in its brackets: columns of a table, else only kinds."""
    if returns != "table" or not inside.strip() or inside.strip() == "...":
        return returns, ()
    if inside.strip()[0] in "([{" and inside.strip()[-1] in ")]}":
        inside = inside.strip()[1:-1]
    inside = re.sub(r"^\s*columns\s*[:=]\s*", "", inside, flags=re.I).strip()
    if inside[:1] in "[({" and inside[-1:] in "])}":
        inside = inside[1:-1]
    if all(word_of(part) in PYTHON_WORDS for part in pieces(inside, ",;")):
        return returns, ()
    return returns, _columns(inside)


def _columns(text: str) -> tuple[tuple[str, ColumnKind], ...]:
    kinds: dict[str, ColumnKind] = {}
    for part in pieces(text, ",;"):
        if not part or part == "...":
            continue
        name, kind = _column(part)
        if name in kinds:
            raise unreadable(text, f"has the column {one_line(name, 60)!r} twice")
        kinds[name] = kind
    if not kinds:
        raise unreadable(text, "names no column")
    return tuple(kinds.items())


def _column(part: str) -> tuple[str, ColumnKind]:
    """Name and kind of one column; a word that is no kind belongs to the name."""
    match = _COLUMN.fullmatch(part)
    word = match and (match["kind"] or match["round"] or match["last"])
    if not match or not word:
        return strip_quotes(part), "any"
    kind = KINDS.get(word_of(word))
    if kind is not None:
        return strip_quotes(match["name"]), kind
    if match["kind"] and strip_quotes(match["name"]).isidentifier():
        raise unreadable(
            part, f"has the kind {one_line(word, 40)}; kinds are number, text, boolean, date, "
            "datetime and any"
        )  # fmt: skip
    return strip_quotes(part), "any"
