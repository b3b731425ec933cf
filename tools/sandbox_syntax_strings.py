"""Texts in model-written code that pandas or Python act on: conditions, and fields of formats."""

import ast
import re
import string

from wideleaf.tools.sandbox_syntax_limits import refuse, shown
from wideleaf.tools.sandbox_syntax_scope import Scope

_BACKTICK = re.compile(r"`[^`\n]*`")
_DUNDER = re.compile(r"__\w+__")
_CONDITION = (
    ast.Expression,
    ast.BoolOp,
    ast.BinOp,
    ast.UnaryOp,
    ast.Compare,
    ast.Name,
    ast.Constant,
    ast.List,
    ast.Tuple,
    ast.boolop,
    ast.operator,
    ast.unaryop,
    ast.cmpop,
    ast.expr_context,
)


def check_condition(call: ast.Call, scope: Scope) -> None:
    """Check `query`: a constant text that holds comparisons of columns and constants only.

    Raises:
        ActionError: If the text is made at run time, or holds a call, an attribute or a subscript.
    """
    instead = "write df[(df['a'] > 1) & (df['b'] == 'x')]"
    keywords = {keyword.arg for keyword in call.keywords}
    text = (
        call.args[0]
        if call.args
        else next((keyword.value for keyword in call.keywords if keyword.arg == "expr"), None)
    )
    if not isinstance(text, ast.Constant) or not isinstance(text.value, str):
        refuse(call, f"query(...) takes a text that is code; {instead}")
    if len(call.args) > 1 or not keywords <= {"expr", "inplace"}:
        refuse(call, f"query(...) may have nothing but its text; {instead}")
    plain = _BACKTICK.sub("column", text.value).replace("\n", " ").replace("@", " ").strip()
    try:
        parsed = ast.parse(plain, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        refuse(call, f"query(...) holds a text that does not parse; {instead}")
    for node in ast.walk(parsed):
        if not isinstance(node, _CONDITION) or isinstance(node, ast.Pow | ast.LShift):
            refuse(call, f"query(...) holds {shown(node)}, more than a comparison; {instead}")
        named = node.id if isinstance(node, ast.Name) else ""
        if "__" in named or (f"@{named}" in text.value and named in scope.modules):
            refuse(call, f"query(...) holds the name {named}; {instead}")


def check_format(node: ast.Attribute, call: ast.AST | None) -> None:
    """Check `'...'.format(...)`: its fields can walk over attributes.

    Raises:
        ActionError: If the text is made at run time, or a field has a dot or a bracket.
    """
    instead = 'write an f-string: f"{x:.2f}"'
    text = node.value
    if not isinstance(text, ast.Constant) or not isinstance(text.value, str):
        refuse(node, f"{shown(node)}: format is a method of written-out texts only; {instead}")
    if not isinstance(call, ast.Call) or call.func is not node:
        refuse(node, f"{shown(node)} is not called; {instead}")
    waiting = [text.value]
    while waiting:
        try:
            fields = list(string.Formatter().parse(waiting.pop()))
        except ValueError:
            refuse(node, f"{shown(node)}: the braces do not pair; {instead}")
        for _, name, specification, _ in fields:
            if name is not None and not (name == "" or name.isidentifier() or name.isdigit()):
                refuse(node, f"{shown(node)}: a field may only be a name; {instead}")
            if specification:
                waiting.append(specification)


def is_dunder(text: str) -> bool:
    """Whether a text is a name of Python's own machinery."""
    return _DUNDER.fullmatch(text.strip()) is not None
