"""A function that a model wrote as a part of a pandas script: its code as it is, in a scope of its own."""  # noqa: E501

from __future__ import annotations

import ast
import builtins
import io
import tokenize
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from wideleaf.tools.exports.scripts.words import NotInPandas, as_code, types_of
from wideleaf.tools.tables.table import Table

CRAFT = "Craft"
INDENT = "    "
_OPENING = (
    "import math",
    "import random",
    "",
    "import numpy as np",
    "import pandas as pd",
    "",
    "random.seed(0)",
    "np.random.seed(0)",
)
_FRAME_WORDS = '''
def _crafted_frame(result, inputs):
    """A program's result as a frame, whatever it gave: a number, a list, a Series, a table."""
{body}

    return plain(result, inputs).frame
'''


def craft_code(
    action: Any, name: str, frames: Sequence[str], tables: Sequence[Table], result: Table
) -> list[str]:
    """The lines that call a crafted function and keep its result.

    Args:
        action: The Craft, resolved.
        name: What the step's frame is called in the script.
        frames: What its input frames are called there.
        tables: The types of these.
        result: The types of its result.
    """
    lower = ", lower=True" if action.lower_case else ""
    inputs = [
        f"    _craft_input(_plain({frame}), {as_code(_types(table))}, "
        f"{as_code(_days(table))}{lower}),"
        for frame, table in zip(frames, tables, strict=True)
    ]
    names = ""
    if action.headers == "numbers":  # they are numbered in the plan; the answer gets them back
        names = f".set_axis({as_code(list(result.columns))}, axis=1)"
    return [
        "cells = [",
        *inputs,
        "]",
        f"{name} = _crafted_frame({function_name(name)}(*cells), cells){names}",
        f"{name} = _retyped({name}, {as_code(types_of(result))})",
    ]


def function_name(name: str) -> str:
    """What the function that holds a step's program is called in a script."""
    return f"_craft_{name}"


def author_of(action: Any, name: str) -> str:
    """Whose a function is, what for, and its hash, in a line."""
    task = f": {action.task}" if action.task else ""
    return f"{function_name(name)} was written by a model (sha256 {action.hash}){task}"


def program_code(action: Any, name: str) -> list[str]:
    """A program as the body of a function, so that no name of it is one of the script's.

    Args:
        action: The Craft, resolved.
        name: What the step's frame is called in the script.

    Raises:
        NotInPandas: If the program would mean something else there.
    """
    code = action.code.replace("\r\n", "\n").replace("\r", "\n")
    function = action.function
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError):
        raise NotInPandas("a program that does not parse") from None
    odd = (ast.Global, ast.Nonlocal)
    for node in ast.walk(tree):
        starred = isinstance(node, ast.ImportFrom) and node.names[0].name == "*"
        if isinstance(node, odd) or starred:
            raise NotInPandas("a program with global names of its own")
    parameter = "_given"
    while parameter in code:
        parameter += "_"
    lines = [f"def {function_name(name)}(*{parameter}):"]
    lines += [f"{INDENT}{line}".rstrip() for line in _opening(tree, code)]
    if not function:
        lines.append(f"{INDENT}{', '.join(action.names)}, = {parameter}")
        lines.append(f"{INDENT}df = {parameter}[0]")
    lines += ["", *_indent(code)]
    ending = f"{function}(*{parameter})" if function else "result"
    lines += ["", f"{INDENT}return {ending}"]
    _need_same(lines, tree)
    return lines


def _opening(tree: ast.Module, code: str) -> list[str]:
    """What stands before the program, so that its names mean what they do in the sandbox."""
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)
             and isinstance(node.ctx, ast.Store)}  # fmt: skip
    bound |= {getattr(node, "name", None) or "" for node in ast.walk(tree)}
    shadowed = sorted(bound & {*dir(builtins)})
    # A name that is bound somewhere in a function is its own from the first line on.
    lines = [f"from builtins import {', '.join(shadowed)}"] if shadowed else []
    lines += _OPENING
    return [*lines, *(['__name__ = "program"'] if "__name__" in code else [])]


def _indent(code: str) -> list[str]:
    """The lines of a program further in, but for those that stand inside of a text."""
    inside: set[int] = set()
    starts = {"FSTRING_START", "TSTRING_START"}
    openings: list[int] = []
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        kind = tokenize.tok_name[token.type]
        if token.type == tokenize.STRING:
            inside.update(range(token.start[0] + 1, token.end[0] + 1))
        elif kind in starts:
            openings.append(token.start[0])
        elif kind in ("FSTRING_END", "TSTRING_END"):
            inside.update(range(openings.pop() + 1, token.end[0] + 1))
    lines = code.rstrip("\n").split("\n")
    return [
        line if number in inside or not line.strip() else f"{INDENT}{line}"
        for number, line in enumerate(lines, 1)
    ]


def _need_same(lines: Sequence[str], tree: ast.Module) -> None:
    """Refuse where the function holds anything but the program's own statements in its middle.

    Raises:
        NotInPandas: If it does.
    """
    try:
        (outer,) = ast.parse("\n".join(lines)).body
    except (SyntaxError, ValueError):
        raise NotInPandas("a program that cannot stand in a function") from None
    count = len(tree.body)
    assert isinstance(outer, ast.FunctionDef)
    middle = outer.body[-1 - count : -1]
    if [ast.dump(node) for node in middle] != [ast.dump(node) for node in tree.body]:
        raise NotInPandas("a program that cannot stand in a function")


def _types(table: Table) -> dict[str, str]:
    """The numpy types that numbers have in the sandbox, and words for the other kinds."""
    types = {}
    for name, dtype in table.schema.items():
        kind = table.kind(name)
        types[name] = str(dtype).lower() if kind == "number" and _plain(dtype) else kind
    return types


def _plain(dtype: Any) -> bool:
    return bool(dtype.is_integer() or dtype.is_float())


def _days(table: Table) -> list[str]:
    return [name for name in table.columns if table.kind(name) == "date"]


@cache
def frame_words() -> str:
    """The source of what turns a result into a frame, the same as in the sandbox."""
    body = "\n\n\n".join(map(_own_words, ("cells", "values")))
    return _FRAME_WORDS.format(body="\n".join(_indent(body))).strip("\n")


def _own_words(module: str) -> str:
    """The source of a module without its docstring and what it imports from here."""
    text = (
        files("wideleaf.tools.sandbox.inside").joinpath(f"{module}.py").read_text(encoding="utf-8")
    )
    lines = text.split("\n")
    for node in ast.parse(text).body:
        name = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
        if node.lineno == 1 or name == "__future__" or name.startswith("wideleaf"):
            for place in range(node.lineno - 1, node.end_lineno or node.lineno):
                lines[place] = ""
    return "\n".join(lines).strip("\n")
