"""Texts of model-written code that act as code: conditions, formats, and names of functions."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Collection

from wideleaf.tools.sandbox.syntax.form import quote, refuse
from wideleaf.tools.sandbox.syntax.names import WRITERS

_BACKTICK = re.compile(r"`[^`\n]*`")
_DUNDER = re.compile(r"__\w+__")
_CONDITION = (
    *(ast.Expression, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Name, ast.Constant),
    *(ast.List, ast.Tuple, ast.boolop, ast.operator, ast.unaryop, ast.cmpop, ast.expr_context),
)


def check_condition(call: ast.Call, modules: Collection[str]) -> None:
    """Check `query`: a constant text that holds comparisons of columns and constants only.

    Args:
        call: The call of it.
        modules: Names that stand for modules.

    Raises:
        ActionError: If the text is made at run time, or holds a call, an attribute or a subscript.
    """
    instead = "write df[(df['a'] > 1) & (df['b'] == 'x')]"
    arguments = [*call.args[:1], *(one.value for one in call.keywords if one.arg == "expr")]
    text = arguments[0].value if arguments and isinstance(arguments[0], ast.Constant) else None
    if not isinstance(text, str):
        refuse(call, f"query(...) takes a text that is code; {instead}")
    if len(call.args) > 1 or not {one.arg for one in call.keywords} <= {"expr", "inplace"}:
        refuse(call, f"query(...) may have nothing but its text; {instead}")
    plain = _BACKTICK.sub("column", text).replace("\n", " ").replace("@", " ").strip()
    try:
        parsed = ast.parse(plain, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        refuse(call, f"query(...) holds a text that does not parse; {instead}")
    for node in ast.walk(parsed):
        if not isinstance(node, _CONDITION) or isinstance(node, ast.Pow | ast.LShift):
            refuse(call, f"query(...) holds {quote(node)}, more than a comparison; {instead}")
        name = node.id if isinstance(node, ast.Name) else ""
        if "__" in name or (f"@{name}" in text and name in modules):
            refuse(call, f"query(...) holds the name {name}; {instead}")


def check_format(node: ast.Attribute) -> None:
    """Check `'...'.format(...)`: its fields can walk over attributes.

    Raises:
        ActionError: If the text is made at run time, or a field has a dot or a bracket.
    """
    instead = 'write an f-string: f"{x:.2f}"'
    text = node.value
    if not isinstance(text, ast.Constant) or not isinstance(text.value, str):
        refuse(node, f"{quote(node)}: format is a method of written-out texts only; {instead}")
    waiting = [text.value]
    while waiting:
        try:
            fields = list(string.Formatter().parse(waiting.pop()))
        except ValueError:
            refuse(node, f"{quote(node)}: the braces do not pair; {instead}")
        for _, name, specification, _ in fields:
            if name is not None and not (name == "" or name.isidentifier() or name.isdigit()):
                refuse(node, f"{quote(node)}: a field may only be a name; {instead}")
            if specification:
                waiting.append(specification)


def texts_given(call: ast.Call) -> list[str]:
    """The texts that stand anywhere in the arguments of a call."""
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    nodes = [node for one in arguments for node in ast.walk(one)]
    return [n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]


def names_withheld(text: str) -> bool:
    """Whether a text is a name of Python's own machinery, or of what writes a table out."""
    return _DUNDER.fullmatch(text.strip()) is not None or text in WRITERS
