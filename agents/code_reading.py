"""What a piece of code defines and needs, read from its syntax tree and never run."""

from __future__ import annotations

import ast
import builtins

from wideleaf.tools.errors import ActionError
from wideleaf.tools.sandbox_syntax_limits import read_code

GIVEN = frozenset({"pd", "np", "math", "df"}) | frozenset(dir(builtins))


def parsed(code: str) -> ast.Module | None:
    """The syntax tree of code; None if it has none, is empty or too large."""
    try:
        return read_code(code)
    except ActionError:
        return None


def defines(tree: ast.Module) -> set[str]:
    """The names that code defines at its outermost level."""
    found: set[str] = set()
    for part in tree.body:
        if isinstance(part, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            found.add(part.name)
        elif isinstance(part, ast.Import | ast.ImportFrom):
            found.update((alias.asname or alias.name).split(".")[0] for alias in part.names)
        else:
            names = (node for node in ast.walk(part) if isinstance(node, ast.Name))
            found.update(name.id for name in names if isinstance(name.ctx, ast.Store))
    return found


def names_needed(tree: ast.Module) -> set[str]:
    """The names that code uses without defining them anywhere itself."""
    used, made = set[str](), set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else made).add(node.id)
        elif isinstance(node, ast.arg):
            made.add(node.arg)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            made.add(node.name)
    return used - made - defines(tree) - GIVEN
