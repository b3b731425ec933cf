"""What programs get hold of by way of libraries: recorded as they run, then walked further."""

import ast
import random
import types
import warnings
from collections.abc import Collection, Iterator
from typing import Any

import joblib
import numpy as np
import pandas as pd
from library_programs import PROGRAMS, library_frame

from wideleaf.tools.sandbox.inside.libraries import LIBRARIES


class _Recorder(ast.NodeTransformer):
    """Hands the value of every call and attribute to a function."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return self._seen(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        return self._seen(node) if isinstance(node.ctx, ast.Load) else node

    def _seen(self, node: ast.expr) -> ast.AST:
        return ast.Call(func=ast.Name(id="seen", ctx=ast.Load()), args=[node], keywords=[])


def carried_out(code: str, values: list[Any] | None = None) -> Any:
    """The result of a program here, in this process, without a sandbox; all it gets is listed."""

    def seen(value: Any) -> Any:
        if values is not None and of_library(value):
            values.append(value)
        return value

    tree = ast.parse(code)
    if values is not None:
        tree = ast.fix_missing_locations(_Recorder().visit(tree))
    scope = {"pd": pd, "np": np, "df": library_frame().to_pandas(), "seen": seen}
    random.seed(0)
    np.random.seed(0)
    with warnings.catch_warnings(), joblib.parallel_config(backend="sequential"):
        warnings.simplefilter("ignore")
        exec(compile(tree, "<program>", "exec"), scope)
    return scope["result"]


def of_library(value: Any) -> bool:
    """Whether a value, or the class that a value is, comes from one of the libraries."""
    kind = value if isinstance(value, type) else type(value)
    return kind.__module__.split(".")[0] in LIBRARIES


def library_values(withheld: Collection[str]) -> Iterator[tuple[Any, str, Any]]:
    """All that can be had of the libraries' values: an owner, an attribute, and what that is.

    Args:
        withheld: The attributes by which it goes to no further value.
    """
    waiting: list[Any] = []
    for code in PROGRAMS.values():
        carried_out(code, waiting)
    done: set[Any] = set()
    while waiting:
        owner = waiting.pop()
        names = frozenset(name for name in dir(owner) if not name.startswith("_"))
        key = (owner if isinstance(owner, type) else type(owner), isinstance(owner, type), names)
        if key in done:
            continue
        done.add(key)
        for name in names - {*withheld}:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    value = getattr(owner, name)
            except Exception:  # what is not there before a fit, or fails, cannot be had
                continue
            yield owner, name, value
            parts = value.values() if isinstance(value, dict) else value
            held = [*parts] if isinstance(value, list | tuple | dict) else []
            waiting += [one for one in (value, *held) if of_library(one)]


def modules_among(values: Iterator[tuple[Any, str, Any]]) -> list[str]:
    """The attributes that lead to a module."""
    return [
        f"{type(owner).__name__}.{name}"
        for owner, name, value in values
        if isinstance(value, types.ModuleType)
    ]
