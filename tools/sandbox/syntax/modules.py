"""The modules that model-written code may import, and which of a library's it uses."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from wideleaf.tools.errors import ActionError
from wideleaf.tools.sandbox.inside.child import MODULES as TOP_MODULES
from wideleaf.tools.sandbox.inside.libraries import LIBRARIES
from wideleaf.tools.sandbox.syntax.form import read_code

EARLY: Final = ("scipy.stats", "scipy.stats.contingency", "scipy.optimize", "scipy.interpolate")
"""Those that are there anyway: pandas asks for the first, which brings the others."""
LIBRARY_MODULES: Final = (
    *("scipy.stats", "scipy.stats.contingency", "scipy.optimize", "scipy.signal"),
    "scipy.interpolate",
    *("sklearn.cluster", "sklearn.compose", "sklearn.decomposition", "sklearn.ensemble"),
    *("sklearn.impute", "sklearn.linear_model", "sklearn.metrics", "sklearn.metrics.pairwise"),
    *("sklearn.model_selection", "sklearn.naive_bayes", "sklearn.neighbors", "sklearn.pipeline"),
    *("sklearn.preprocessing", "sklearn.tree"),
    *("statsmodels.api", "statsmodels.api.families"),
    "statsmodels.nonparametric.smoothers_lowess",
    *("statsmodels.stats.diagnostic", "statsmodels.stats.multicomp"),
    *("statsmodels.stats.multitest", "statsmodels.stats.outliers_influence"),
    *("statsmodels.stats.power", "statsmodels.stats.proportion", "statsmodels.stats.stattools"),
    *("statsmodels.stats.weightstats", "statsmodels.tsa.ar_model", "statsmodels.tsa.holtwinters"),
    *("statsmodels.tsa.seasonal", "statsmodels.tsa.stattools"),
)
"""No `svm`, whose compiled code counts by arrays that a program could write into; no vectorizers
of texts, which open files by name; no formulas, which are texts that are run as Python."""
MODULES: Final = (
    *(name for name in TOP_MODULES if name != "__future__"),
    *("pandas.offsets", "pandas.tseries.offsets", "pandas.api.types", "pandas.errors"),
    *("numpy.linalg", "numpy.random"),
    *LIBRARY_MODULES,
)
"""By dotted name. One of pandas or numpy with a dot is reached through its module
(`np.linalg.norm`), or by name (`from numpy.linalg import norm`)."""
GIVEN: Final = {"pd": "pandas", "np": "numpy", "math": "math"}
"""What a program has without importing it."""


def library_of(module: str) -> str:
    """The library that a module belongs to; empty if it is none of `LIBRARIES`."""
    top = module.split(".")[0]
    return top if top in LIBRARIES else ""


def is_library_module(dotted: str) -> bool:
    """Whether a dotted name is a module of a library that may be used, or on the way to one."""
    return bool(library_of(dotted)) and is_module(dotted)


def is_module(dotted: str) -> bool:
    """Whether a dotted name is a module that may be used, or on the way to one."""
    return any(one == dotted or one.startswith(f"{dotted}.") for one in MODULES)


def list_importable(top: str) -> str:
    """What may be imported: of a library its modules, else the modules without a dot."""
    own = [name for name in LIBRARY_MODULES if library_of(name) == top]
    return ", ".join(sorted(own or (*LIBRARIES, *(name for name in MODULES if "." not in name))))


def used_modules(code: str) -> tuple[str, ...]:
    """The modules of libraries that code uses, by dotted names: they are imported before it runs.

    Code that does not parse uses none.
    """
    if not any(library in code for library in LIBRARIES):
        return ()
    try:
        names = {*_list_modules(read_code(code))}
    except ActionError:
        return ()
    return tuple(
        one
        for one in LIBRARY_MODULES
        if any(one == name or one.startswith(f"{name}.") for name in names)
    )


def _list_modules(tree: ast.Module) -> Iterator[str]:
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
