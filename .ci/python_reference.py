"""The reference of the Python interface, from signatures and docstrings in Google form."""

from __future__ import annotations

import functools
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, NamedTuple, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

import wideleaf as wl
from wideleaf.graph import keywords

HEAD = """# Python

{written}

Start with `import wideleaf as wl`. Everything below is `wl.NAME`; anything else may change."""
SECTION = re.compile(r"^(Args|Attributes|Returns|Yields|Raises):$", re.M)
ITEM = re.compile(r"^    (\*{0,2}\w+): (.*(?:\n(?:        .*|))*)", re.M)
OURS = "wideleaf"
USUAL = {
    "denied": "Columns that nothing may use.",
    "dialect": "A dialect of ibis: `duckdb`, `sqlite`, `postgres`, `mysql`, `snowflake` ...",
    "fields": "Any of the attributes below.",
    "folder": "Where frames are stored.",
    "label": "The label of a frame in the tree, such as `T3`.",
    "message": "In plain language.",
    "name": "The name of the run.",
    "names": "The names of the runs.",
    "new": "The new name.",
    "node": "The step.",
    "on_event": "Called with each thought, action and observation as it happens.",
    "path": "The file.",
    "place": "The position of the question, from 0.",
    "progress": "Called with the progress of long work.",
    "reason": "The reason.",
    "role": "A role in a run.",
    "settings": "Any field of `Context`.",
    "thread": "The name under which it is saved.",
}
"""Descriptions of common arguments of methods, where the docstrings have none."""
NOTHING = (None, "", (), PydanticUndefined, inspect.Parameter.empty)


class Doc(NamedTuple):
    """A docstring: its paragraphs, and its sections."""

    text: str
    parts: dict[str, str]

    def items(self, *sections: str) -> dict[str, str]:
        """The entries of sections, each on one line."""
        found = (ITEM.findall(self.parts.get(section, "")) for section in sections)
        return {name: " ".join(told.split()) for items in found for name, told in items}


def page(written: str) -> str:
    """The whole page."""
    names = sorted(wl.__all__, key=str.casefold)
    given = {name: getattr(wl, name) for name in names}
    aliases = {name: one.__name__ for name, one in given.items() if name != one.__name__}
    functions = {name: one for name, one in given.items() if inspect.isfunction(one)}
    classes = {name: one for name, one in given.items() if inspect.isclass(one)}
    errors = {name: one for name, one in classes.items() if issubclass(one, Exception)}
    parts = [HEAD.format(written=written), "## Functions"]
    for name, one in functions.items():
        parts += [f"### {name}", *_function(one)]
    parts.append("## Classes")
    for name, one in classes.items():
        if name not in errors and name not in aliases:
            also = [f"`wl.{other}` is the same." for other, own in aliases.items() if own == name]
            parts += [f"### {name}", *_class(one), *also]
    parts.append("## Errors")
    for name, one in errors.items():
        parts += [f"### {name}", *_error(one)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _read(one: Any) -> Doc:
    text, *rest = SECTION.split(inspect.getdoc(one) or "")
    return Doc(text.strip(), dict(zip(rest[::2], rest[1::2], strict=True)))


def _function(one: Callable[..., Any], own: bool = False) -> Iterator[str]:
    """What a function takes, gives and raises; of a method all but its own object."""
    doc = _read(one)
    yield _plain(doc.text)
    parameters = list(inspect.signature(one).parameters.values())[int(own) :]
    told = doc.items("Args")
    rows = (_parameter(each, told.get(each.name, ""), one) for each in parameters)
    yield _table(("argument", "type", "default", "what it is"), rows) if parameters else ""
    yield from _outcome(one, doc)


def _outcome(one: Callable[..., Any], doc: Doc) -> Iterator[str]:
    kind = inspect.signature(one).return_annotation
    given = " ".join(doc.parts.get("Returns", doc.parts.get("Yields", "")).split())
    if kind not in ("None", inspect.Signature.empty):
        word = "Yields" if "Yields" in doc.parts else "Returns"
        yield f"**{word}** {_type(kind, one)}" + (f": {_plain(given)}" if given else ".")
    raised = [f"`{name}`: {_plain(told)}" for name, told in doc.items("Raises").items()]
    yield "**Raises**\n\n" + "\n".join(f"- {line}" for line in raised) if raised else ""


def _parameter(each: inspect.Parameter, told: str, one: Any) -> tuple[str, ...]:
    stars = {each.VAR_POSITIONAL: "*", each.VAR_KEYWORD: "**"}.get(each.kind, "")
    if stars == "**" and "Unpack" in str(each.annotation):
        kind = "[settings](commands.md#settings)"
    else:
        kind = _type(each.annotation, one)
    bare = each.default is inspect.Parameter.empty
    default = ("" if stars else "required") if bare else f"`{each.default!r}`"
    return f"`{stars}{each.name}`", kind, default, _plain(told or USUAL.get(each.name, ""))


def _class(one: type) -> Iterator[str]:
    doc = _read(one)
    yield _plain(doc.text)
    init = one.__dict__.get("__init__")
    told = doc.items("Args")
    if init is not None:
        parameters = list(inspect.signature(init).parameters.values())[1:]
        told = {**told, **doc.items("Attributes")}
        rows = [_parameter(each, told.get(each.name, ""), init) for each in parameters]
        yield _table(("argument", "type", "default", "what it is"), rows)
    raised = [f"`{name}`: {_plain(text)}" for name, text in doc.items("Raises").items()]
    yield "**Raises**\n\n" + "\n".join(f"- {line}" for line in raised) if raised else ""
    if one is wl.Context:
        yield "Its fields are the [settings](commands.md#settings)."
    else:
        rows = [*_attributes(one, doc), *_properties(one)]
        yield _table(("attribute", "type", "what it is"), rows) if rows else ""
    for name, method in _methods(one):
        yield f"#### `{one.__name__}.{name}`"
        for part in _function(method, own=True):
            yield part.replace("`Self`", f"[`{one.__name__}`](#{one.__name__.lower()})")


def _attributes(one: type, doc: Doc) -> Iterator[tuple[str, ...]]:
    fields = one.model_fields if issubclass(one, BaseModel) else {}
    for name, told in doc.items("Attributes").items():
        kind = next((c.__annotations__[name] for c in one.__mro__ if name in _own(c)), "")
        field = fields.get(name)
        default = field.default if field is not None else None
        if field is not None and not any(default is each or default == each for each in NOTHING):
            told = f"{told} Default: `{default}`."
        yield f"`{name}`", _type(kind, one), _plain(told)


def _own(one: type) -> dict[str, Any]:
    return inspect.get_annotations(one)


def _properties(one: type) -> Iterator[tuple[str, ...]]:
    for name, value in one.__dict__.items():
        if isinstance(value, functools.cached_property):
            getter: Any = value.func
        elif isinstance(value, property):
            getter = value.fget
        else:
            continue
        if name.startswith("_"):
            continue
        doc = _read(getter)
        raised = [f"`{each}`: {told}" for each, told in doc.items("Raises").items()]
        told = " ".join([doc.text, *(["Raises " + "; ".join(raised)] if raised else [])])
        yield f"`{name}`", _type(inspect.signature(getter).return_annotation, getter), _plain(told)


def _methods(one: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name, value in one.__dict__.items():
        method = getattr(value, "__func__", value)
        if not inspect.isfunction(method) or not method.__module__.startswith(OURS):
            continue
        if method.__doc__ and (not name.startswith("_") or name == "__getitem__"):
            yield name, method


def _error(one: type) -> Iterator[str]:
    doc = _read(one)
    bases = [base.__name__ for base in one.__bases__ if base.__name__ in wl.__all__]
    yield _plain(doc.text)
    yield (
        f"Code `{one.code}`, exit code {one.exit_code}"  # type: ignore[attr-defined]
        + (f"; a `{bases[0]}`." if bases else ".")
    )
    rows = [*_attributes(one, doc)]
    yield _table(("attribute", "type", "what it is"), rows) if rows else ""


def _type(annotation: Any, one: Any) -> str:
    """A type as it is written; the words of a Literal, and what is one of the names here linked."""
    if annotation in ("", inspect.Parameter.empty):
        return ""
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    space = {**vars(keywords), **vars(sys.modules[one.__module__])}
    alternatives = []
    for part in _split(text.replace("wideleaf.", "")):
        found = space.get(part)
        if get_origin(found) is Literal:
            alternatives += [f"`{word}`" for word in get_args(found)]
        elif part in wl.__all__:
            alternatives.append(f"[`{part}`](#{part.lower()})")
        else:
            alternatives.append(f"`{part.replace(' | ', ' or ')}`")
    return " or ".join(alternatives)


def _split(text: str) -> Iterator[str]:
    """The alternatives of a union, at its top level."""
    depth, start = 0, 0
    for place, sign in enumerate(text):
        depth += (sign in "[(") - (sign in "])")
        if sign == "|" and not depth:
            yield text[start:place].strip()
            start = place + 1
    yield text[start:].strip()


def _plain(text: str) -> str:
    """Marks of code as Markdown has them, and no bar that would end a cell."""
    return re.sub(r"``(.+?)``", r"`\1`", text, flags=re.S).replace("|", "&#124;")


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(' '.join(cell.split()) for cell in line)} |" for line in lines)
