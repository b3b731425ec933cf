"""One-line wordings of calls and nodes, for prompts and drawings."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from html import escape
from itertools import islice

from pydantic import JsonValue

from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import Node
from wideleaf.tools.words import TEXT_CHARACTERS, one_line

CRAFT = "Craft"
VALUE_CHARACTERS = 120
LISTED = 8
"""A list of more items is written with its first two and its last."""
UNSAID: Mapping[str, tuple[str, ...]] = {
    CRAFT: ("code", "form", "function", "names", "headers"),
    "Chart": ("columns",),
    "Get": ("layout", "tests", "kinds", "folded", "made"),
    "Load": ("fingerprint",),
    **dict.fromkeys(("Judge", "Label", "Extract", "Match", "Rank", "Summarise"), ("verdicts",)),
}
"""Arguments that no line tells: what a step was resolved to, and what a model wrote for it."""
FRAMES = {"Get": ("heads", "tails", "values")}
"""Arguments that say which of the input frames they mean, by its place."""


def call_text(
    call: Call, characters: int, parents: Sequence[str] = (), *, short: bool = False
) -> str:
    """A call with its arguments: ``Sort(by=["price"], limit=5)``.

    Args:
        call: The call.
        characters: Its greatest length.
        parents: Labels of its input frames, by which arguments that are frames are told.
        short: Whether a person reads it, to whom ``price > 5`` says more than the same as JSON.
    """
    write = _short_value if short else _value
    arguments = [
        f"{one_line(name, TEXT_CHARACTERS)}={_frame(value, parents) or write(value)}"
        if name in FRAMES.get(call.name, ())
        else f"{one_line(name, TEXT_CHARACTERS)}={write(value)}"
        for name, value in call.arguments.items()
        if name not in UNSAID.get(call.name, ())
    ]
    text = f"{one_line(call.name, TEXT_CHARACTERS)}({', '.join(arguments)})"
    return text if len(text) <= characters else f"{text[: characters - 2]}…)"


def code_of(call: Call) -> str:
    """The code that a model wrote for a call, to be read by a person; empty where there is none.

    An invisible character stands as its escape: what is read is what runs.
    """
    code = call.arguments.get("code") if call.name == CRAFT else None
    if not isinstance(code, str):
        return ""
    lines = code.replace("\r\n", "\n").replace("\t", "    ").split("\n")
    return "\n".join("".join(map(_visible, line)) for line in lines).rstrip()


def code_html(call: Call) -> str:
    """That code in a fold of HTML, escaped; empty where there is none."""
    code = code_of(call)
    if not code:
        return ""
    summary = "Code that a model wrote"
    return f"<details><summary>{summary}</summary><pre>{escape(code)}</pre></details>"


def shape_text(node: Node) -> str:
    """The size of a node's frame, as far as it is known."""
    return size_text(node.rows, node.columns)


def size_text(rows: int | None, columns: int | None) -> str:
    """A size in words: ``12 rows x 1 column``; what is None is left out."""
    sizes = ((rows, "row"), (columns, "column"))
    return " x ".join(f"{n} {unit}{'s' * (n != 1)}" for n, unit in sizes if n is not None)


def _frame(place: JsonValue, parents: Sequence[str]) -> str:
    """The label of the input frame at a place; empty where it is not known."""
    valid = isinstance(place, int) and 0 <= place < len(parents)
    return one_line(parents[place], TEXT_CHARACTERS) if valid else ""  # type: ignore[index]  # an int


def _visible(sign: str) -> str:
    return sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii")


def _short_value(value: JsonValue) -> str:
    """A value with conditions, measures and orders as a person writes them."""
    return _value(value, _short_form)


def _short_form(value: Mapping[str, JsonValue]) -> str:
    """A condition, a measure or a key of an order in short; empty for any other mapping."""
    known = {name: part for name, part in value.items() if part is not None}
    words = {name: one_line(str(part), TEXT_CHARACTERS) for name, part in known.items()}
    if "op" in known and "column" in known and "figure" not in known:
        left = f"{words['part']} of {words['column']}" if "part" in known else words["column"]
        right = _short_value(known["value"]) if "value" in known else words.get("other", "")
        return f"{left} {words['op']} {right}".rstrip()
    if "function" in known and known.keys() <= {"function", "column", "q", "name"}:
        of = ", ".join(words[name] for name in ("column", "q") if name in known)
        named = known.get("name") in (None, f"{known['function']} of {known.get('column')}")
        return f"{words['function']}({of})" + ("" if named else f" as {_value(known['name'])}")
    if known.keys() == {"column"} or known.keys() == {"column", "descending"}:
        return words["column"] + (" descending" if known.get("descending") else "")
    return _short_logic(known)


def _short_logic(value: Mapping[str, JsonValue]) -> str:
    """Conditions joined by *and* or *or*, or one that is not to be; empty for any other mapping."""
    if value.keys() == {"not"}:
        return f"not ({_short_value(value['not'])})"
    word = next(iter(value), "")
    parts = value.get(word)
    if value.keys() not in ({"all"}, {"any"}) or not isinstance(parts, list):
        return ""
    texts = map(_short_value, parts[:LISTED])
    bracket = [len(parts) > 1 and isinstance(p, Mapping) and {*p} <= {"all", "any"} for p in parts]
    more = [f"…{len(parts) - LISTED} more"] if len(parts) > LISTED else []
    written = [f"({text})" if b else text for text, b in zip(texts, bracket, strict=False)]
    return (" and " if word == "all" else " or ").join(written + more)


def _value(value: JsonValue, form: Callable[[Mapping[str, JsonValue]], str] = lambda _: "") -> str:
    if isinstance(value, str):
        text = one_line(value, VALUE_CHARACTERS)
        if value.strip(" ") != value:  # blanks at the ends decide what text equals
            ends = value.startswith(" "), bool(text) and value.endswith(" ")
            text = f"{' ' * ends[0]}{text}{' ' * ends[1]}"
        return json.dumps(text, ensure_ascii=False)
    if isinstance(value, Mapping):
        if text := form(value):
            return text
        pairs = islice(value.items(), LISTED)
        texts = [f"{one_line(str(k), TEXT_CHARACTERS)}: {_value(v, form)}" for k, v in pairs]
        more = [f"…{len(value) - LISTED} more"] if len(value) > LISTED else []
        return f"{{{', '.join(texts + more)}}}"
    if isinstance(value, list):
        if len(value) <= LISTED:
            return f"[{', '.join(_value(one, form) for one in value)}]"
        first, second, last = (_value(value[place], form) for place in (0, 1, -1))
        return f"[{first}, {second}, …{len(value) - 3} more…, {last}]"
    return json.dumps(value)
