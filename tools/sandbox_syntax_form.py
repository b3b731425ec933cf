"""The outer form of model-written code: a module that defines a function, or that sets `result`."""

import ast
from collections.abc import Iterator

from wideleaf.tools.sandbox_syntax_limits import refuse, shown


def check_form(tree: ast.Module, function: str) -> None:
    """Check what stands at the module level.

    Args:
        tree: The code.
        function: The function that must be defined there; "": `result` must be assigned.

    Raises:
        ActionError: If it is not there, or if code that must define a function does more.
    """
    if function:
        _check_definitions(tree, function)
    elif not any(_sets_result(node) for node in _outside_functions(tree)):
        functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
        also = f"; the function {functions[-1]} is not called" if functions else ""
        refuse(None, f"no variable `result` is assigned{also}; end with result = ...")


def _sets_result(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "result" and isinstance(node.ctx, ast.Store)


def _outside_functions(tree: ast.Module) -> Iterator[ast.AST]:
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)


def _check_definitions(tree: ast.Module, function: str) -> None:
    found: list[str] = []
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name):
                found.append(name)
            case ast.Import() | ast.ImportFrom() | ast.Pass():
                pass
            case ast.Expr(value=ast.Constant()):
                pass
            case ast.Assign(value=value) | ast.AnnAssign(value=value):
                if value is not None and not _is_constant(value, function):
                    refuse(node, f"{shown(node)}: outside functions only constants; {_CALLER}")
            case _:
                refuse(
                    node, f"{shown(node)}: outside functions only imports and constants; {_CALLER}"
                )
    if function not in found:
        there = f"there is {', '.join(found)}" if found else "there is no function"
        refuse(None, f"no function {function} is defined; {there}; write def {function}(...)")


_CALLER = "leave it out, the function is called with the tables"


def _is_constant(value: ast.expr, function: str) -> bool:
    """Whether an expression does without the function itself and without a frame."""
    names = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
    return not names & {function, "df"}
