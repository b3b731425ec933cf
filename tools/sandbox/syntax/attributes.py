"""Attributes: what may follow a dot in model-written code, and texts that pandas acts on."""

from __future__ import annotations

import ast
import re
import string

from wideleaf.tools.sandbox.syntax.advice import COMPUTE, LIBRARY_ADVICE, MODULE_ADVICE
from wideleaf.tools.sandbox.syntax.form import quote, refuse
from wideleaf.tools.sandbox.syntax.functions import BY_NAME, PIVOTS, check_function_names
from wideleaf.tools.sandbox.syntax.libraries import LIBRARY_KEYWORDS
from wideleaf.tools.sandbox.syntax.modules import MODULES
from wideleaf.tools.sandbox.syntax.names import (
    EVALUATORS,
    INTERNALS,
    SUBMODULES,
    WRITERS,
    words,
)
from wideleaf.tools.sandbox.syntax.scope import Scope, is_module

WITHHELD = WRITERS | EVALUATORS | INTERNALS | SUBMODULES
"""Not for programs, not even as the name of a column."""
_SETTABLE = frozenset({"columns", "index", "name", "names"})
_CALLED_AT_ONCE = BY_NAME | PIVOTS.keys() | {"query", "format", "to_string", "info"}
_RECORD = frozenset({"_asdict", "_replace", "_fields", "_make"})
_KEYWORDS = words(
    "path_or_buf filepath_or_buffer buf storage_options allow_pickle local_dict global_dict "
    "resolvers engine_kwargs excel_writer mmap_mode"
)
_FREE_KEYWORDS = frozenset({"assign", "agg", "aggregate", "rename", "namedtuple", "format"})
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


def check_attribute(node: ast.Attribute, scope: Scope) -> None:
    """Check what follows a dot.

    Raises:
        ActionError: If it is not listed for a module, nor for values, nor a column.
    """
    name = node.attr
    record = name in _RECORD or name[1:].isdecimal()  # of rows as itertuples gives them
    if name.startswith("_") and not record:
        refuse(node, f"{quote(node)}: names with a leading underscore are not for programs")
    if not isinstance(node.ctx, ast.Load):
        _set_attribute(node, scope)
        return
    module = scope.module(node.value)
    base = node.value.id if isinstance(node.value, ast.Name) else ""
    if module is not None and is_module(f"{module}.{name}"):
        if not isinstance(scope.parents[node], ast.Attribute):
            refuse(node, f"the module {quote(node)} may not be handed on; name its function")
    elif module is not None and not (base and scope.has_shadow(base)):
        if name not in MODULES.get(module, ()):
            instead = MODULE_ADVICE.get(name.split("_")[0], COMPUTE)
            refuse(node, f"{quote(node)} is not for programs here; {instead}")
    elif module is None or name not in MODULES.get(module, ()):
        _value_attribute(node, scope, plain=module is not None)
    if name in _CALLED_AT_ONCE:
        _special(node, scope)


def _value_attribute(node: ast.Attribute, scope: Scope, *, plain: bool) -> None:
    """An attribute of a value; `plain` where the value might be a module."""
    name = node.attr
    known = name in scope.columns and not plain
    if name in scope.values or name.startswith("_") or (known and name not in WITHHELD):
        return
    column = f"; for a column write {quote(node.value)}[{name!r}]"
    if name in WRITERS:
        why = "writes or prints the table out; leave it in `result` or return it" + (
            column if name in scope.headers else ""
        )
    elif name in EVALUATORS:
        why = "evaluates or draws; compute with operators and methods" + column
    elif scope.libraries and name in LIBRARY_ADVICE:
        why = f"is not for programs here; {LIBRARY_ADVICE[name]}"
    else:
        why = "is not among the attributes that programs may use" + column
    refuse(node, f"{quote(node)}: {name} {why}")


def _set_attribute(node: ast.Attribute, scope: Scope) -> None:
    base = scope.function(node.value) or scope.module(node.value)
    if isinstance(node.ctx, ast.Store) and node.attr in _SETTABLE and base is None:
        return
    instead = f"for a column write {quote(node.value)}[{node.attr!r}]"
    refuse(node, f"{quote(node)} may not be assigned or deleted; {instead}")


def _special(node: ast.Attribute, scope: Scope) -> None:
    """A method whose arguments matter: called at once, on a value and not on a class."""
    name, call = node.attr, scope.parents[node]
    if name == "format":
        check_format(node, call)
        return
    if not isinstance(call, ast.Call) or call.func is not node:
        refuse(node, f"{quote(node)} is not called at once; write {quote(node)}(...)")
    if scope.function(node.value) is not None:
        refuse(node, f"{quote(node)}: call {name} on a table or column, not on the class")
    if name == "query":
        check_condition(call, scope)
    elif name in {"to_string", "info"}:
        if call.args or has_stars(call):
            refuse(node, f"{name}(...) with an argument writes; write {name}()")
    else:
        check_function_names(call, name, scope)


def check_call(node: ast.Call, scope: Scope) -> None:
    """Check a call's keywords, and those functions whose arguments matter.

    Raises:
        ActionError: If it may reach out, or act on a text that is not written out.
    """
    callee = node.func
    name = callee.id if isinstance(callee, ast.Name) else getattr(callee, "attr", "")
    origin = scope.imported.get(name, ("", name))[1]
    own = isinstance(callee, ast.Name) and name in scope.bound
    if isinstance(callee, ast.Name) and origin in PIVOTS and not own:
        check_function_names(node, origin, scope)
    for keyed in node.keywords:
        if keyed.arg == "aggfunc" and not own and origin not in {*PIVOTS, "NamedAgg"}:
            refuse(node, f"{quote(callee)}(aggfunc=...) is unknown; call df.pivot_table(...)")
        reaches = keyed.arg in _KEYWORDS or (scope.libraries and keyed.arg in LIBRARY_KEYWORDS)
        if reaches and not own and name not in _FREE_KEYWORDS:
            refuse(node, f"{quote(callee)}({keyed.arg}=...) reaches out; leave it out")
    if name == "print" and any(k.arg not in {"sep", "end", "flush"} for k in node.keywords):
        refuse(node, "print may have sep and end only")
    if name == "hasattr" and not own:
        match node.args:
            case [_, ast.Constant(value=str(asked))] if not asked.startswith("_"):
                pass
            case _:
                refuse(node, "hasattr takes a value and a name that is written out")


def has_stars(call: ast.Call) -> bool:
    """Whether a call has arguments that the syntax does not tell."""
    return any(isinstance(one, ast.Starred) for one in call.args) or any(
        one.arg is None for one in call.keywords
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
            refuse(call, f"query(...) holds {quote(node)}, more than a comparison; {instead}")
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
        refuse(node, f"{quote(node)}: format is a method of written-out texts only; {instead}")
    if not isinstance(call, ast.Call) or call.func is not node:
        refuse(node, f"{quote(node)} is not called; {instead}")
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


def is_dunder(text: str) -> bool:
    """Whether a text is a name of Python's own machinery."""
    return _DUNDER.fullmatch(text.strip()) is not None
