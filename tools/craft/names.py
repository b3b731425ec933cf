"""What stands in a model-written program: the columns it names, its numbers, its parameters."""

from __future__ import annotations

import ast
from collections.abc import Sequence

_TESTS = """isin notna isna notnull isnull between eq ne gt lt ge le duplicated contains
startswith endswith match fullmatch"""
TESTS = frozenset(_TESTS.split())
"""Methods that make a column of truth values."""


def column_mentions(code: str, columns: Sequence[str]) -> list[str]:
    """The columns that a program names anywhere, as a text or as an attribute."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return []
    mentions = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)
            and isinstance(node.value, str)}  # fmt: skip
    mentions |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return [column for column in columns if column in mentions]


def number_literals(code: str) -> list[int | float]:
    """The numbers that stand in a program itself; not those of its comments and texts."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return []
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, int | float)
        and not isinstance(node.value, bool)
    ]


def parameters_of(code: str, function: str) -> list[str]:
    """The parameters of a program's function, in order; none where there is no such function."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return []
    for node in reversed(tree.body):
        if isinstance(node, ast.FunctionDef) and node.name == function:
            return [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
    return []


def texts(node: ast.AST | None) -> list[str] | None:
    """A constant text, or a list of them; None if it is neither."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.List(elts=parts) if parts:
            texts = [p.value for p in parts if isinstance(p, ast.Constant)]
            strings = [text for text in texts if isinstance(text, str)]
            return strings if len(strings) == len(parts) else None
    return None


def is_mask(node: ast.AST, masks: set[str]) -> bool:
    """Whether this is a column of truth values for certain, not the name of a column."""
    match node:
        case ast.Name(id=name):
            return name in masks
        case ast.Compare():
            return True
        case ast.UnaryOp(op=ast.Invert(), operand=inner):
            return is_mask(inner, masks)
        case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr() | ast.BitXor(), right=right):
            return is_mask(left, masks) and is_mask(right, masks)
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in TESTS
    return False


def masks_of(body: ast.AST) -> set[str]:
    """Names that hold truth values wherever they are bound."""
    good, bad = set[str](), set[str]()
    for node in ast.walk(body):
        if isinstance(node, ast.Assign) and is_mask(node.value, set()):
            good |= {one.id for one in node.targets if isinstance(one, ast.Name)}
    for node in ast.walk(body):
        if isinstance(node, ast.Assign) and is_mask(node.value, set()):
            targets: Sequence[ast.AST] = [t for t in node.targets if not isinstance(t, ast.Name)]
        elif isinstance(node, ast.arg):
            bad.add(node.arg)
            continue
        else:
            targets = [part for part in ast.iter_child_nodes(node)]
        for target in targets:
            if isinstance(target, ast.Name) and isinstance(target.ctx, ast.Store):
                bad.add(target.id)
    return good - bad
