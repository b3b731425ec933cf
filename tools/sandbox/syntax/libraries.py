"""The libraries that model-written code may import: their modules, and which of them code uses."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from wideleaf.tools.errors import ActionError
from wideleaf.tools.sandbox.inside.libraries import LIBRARIES
from wideleaf.tools.sandbox.syntax.form import read_code
from wideleaf.tools.sandbox.syntax.names import VALUES, words
from wideleaf.tools.sandbox.syntax.scipy_names import SCIPY, SCIPY_VALUES
from wideleaf.tools.sandbox.syntax.sklearn_names import SKLEARN, SKLEARN_VALUES
from wideleaf.tools.sandbox.syntax.statsmodels_names import STATSMODELS, STATSMODELS_VALUES

LIBRARY_MODULES: Final = {**SCIPY, **SKLEARN, **STATSMODELS}
"""By dotted name, what may be used of each."""
EARLY: Final = ("scipy.stats", "scipy.stats.contingency", "scipy.optimize", "scipy.interpolate")
"""Those that are there anyway: pandas asks for the first, which brings the others."""
_MEMORY: Final = words("coords indices")
"""Arrays by which compiled code of sparse matrices counts, so nothing to write into."""
_VALUES_OF: Final = {
    "scipy": SCIPY_VALUES,
    "sklearn": SKLEARN_VALUES,
    "statsmodels": STATSMODELS_VALUES,
}
LIBRARY_KEYWORDS: Final = words(
    "design_info eval_env formula memory missing_idx model_spec offset_formula workers"
)
"""Arguments by which a library would keep files, start processes or run a text."""


def values_with(libraries: frozenset[str]) -> frozenset[str]:
    """The attributes that code may use which imports these libraries; no column is one of them."""
    if not libraries:
        return VALUES
    return (VALUES - _MEMORY).union(*(_VALUES_OF[library] for library in libraries))


def library_of(module: str) -> str:
    """The library that a module belongs to; empty if it is none of `LIBRARIES`."""
    top = module.split(".")[0]
    return top if top in LIBRARIES else ""


def is_library_module(dotted: str) -> bool:
    """Whether a dotted name is a module of a library that may be used, or on the way to one."""
    return bool(library_of(dotted)) and any(
        one == dotted or one.startswith(f"{dotted}.") for one in LIBRARY_MODULES
    )


def used_modules(code: str) -> tuple[str, ...]:
    """The modules of libraries that code uses, by dotted names: they are imported before it runs.

    Code that does not parse uses none.
    """
    if not any(library in code for library in LIBRARIES):
        return ()
    try:
        named = {*_named(read_code(code))}
    except ActionError:
        return ()
    return tuple(
        one
        for one in LIBRARY_MODULES
        if any(one == name or one.startswith(f"{name}.") for name in named)
    )


def _named(tree: ast.Module) -> Iterator[str]:
    """The names of modules that imports, and attributes of what they bind, spell out.

    A library as a whole is named by `import sklearn` alone, not by what is imported from it.
    """
    bound: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.split(".")[0]
                bound[alias.asname or top] = alias.name if alias.asname else top
                yield alias.name
        elif isinstance(node, ast.ImportFrom) and node.module:
            if "." in node.module:
                yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{bound.get(node.value.id, '')}.{node.attr}"
