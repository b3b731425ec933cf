"""Libraries beyond pandas and numpy: imported before anything is locked, and kept to computing.

What is changed of them here is no wall. It makes an error of what they would do beside computing,
such as workers, caches on disk and formulas run as Python, and so the same in every sandbox.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

LIBRARIES = ("scipy", "sklearn", "statsmodels")
"""What a program may import beside pandas, numpy and Python's own, where it is installed."""
AT_FIRST_USE = {
    "sklearn": (
        "narwhals._interchange.dataframe",
        "narwhals.stable.v2._namespace",
        "scipy.cluster.hierarchy",
        "sklearn.gaussian_process",
        "sklearn.multiclass",
        "sklearn.utils._pprint",
    ),
    "statsmodels": ("statsmodels.stats._lilliefors_critical_values",),
}
"""What each imports when it is used; nothing can be opened by then."""
EVALUATORS = ("patsy.eval", "formulaic.utils.stateful_transforms", "formulaic.utils.variables")
"""The modules that run what formulas say; none of them needs to for arrays."""


def load(names: Iterable[str]) -> None:
    """Import modules by their dotted names; of one that is not there the program's import tells.

    Args:
        names: Of `LIBRARIES` or modules in them.
    """
    modules = list(names)
    for name in modules:
        with suppress(ImportError), _without_polars():
            importlib.import_module(name)
    if modules:
        warnings.formatwarning = _without_place
        keep_to_computing()


def touch() -> None:
    """Use what the libraries open at first use, so that it is there once nothing can be opened."""
    for library, names in AT_FIRST_USE.items():
        for name in names if library in sys.modules else ():
            with suppress(ImportError):
                importlib.import_module(name)
    with suppress(Exception):  # what another version has not is not asked for either
        importlib.import_module("scipy.stats").qmc.Sobol(1)  # reads a table, as Dunnett's test does
    if "sklearn" in sys.modules:
        with suppress(Exception):
            _touch_sklearn()


def _touch_sklearn() -> None:
    """A fit of a frame asks which libraries of frames there are; one of clusters, which of BLAS."""
    import pandas as pd
    from sklearn.cluster import KMeans  # type: ignore[import-untyped]
    from sklearn.ensemble import RandomForestRegressor  # type: ignore[import-untyped]

    frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0], "b": [1.0, 0.0, 1.0, 0.0]})
    RandomForestRegressor(2, n_jobs=2).fit(frame, frame["a"]).predict(frame)
    str(KMeans(2, n_init=1).set_output(transform="pandas").fit(frame))


def keep_to_computing() -> None:
    """Take from what is imported what is not computing in this process; once for each."""
    vars(importlib.import_module("multiprocessing"))["Pool"] = _refuse_workers
    importlib.import_module("multiprocessing.context").BaseContext.Pool = _refuse_workers
    if memory := sys.modules.get("joblib.memory"):
        _keep_from_disk(memory)
    for name in EVALUATORS:
        if engine := sys.modules.get(name):
            vars(engine)["eval"] = _refuse_formula
    for name in ("scipy.optimize._linprog_highs", "scipy.optimize._milp"):
        if solver := sys.modules.get(name):
            _keep_to_one_thread(solver)


def _keep_from_disk(memory: Any) -> None:
    whole = memory.Memory.__init__
    if whole.__name__ == "without_folder":
        return

    def without_folder(self: Any, location: Any = None, *more: Any, **named: Any) -> None:
        if location is not None:
            raise ValueError("memory= keeps files, and there are none here; leave it out")
        whole(self, location, *more, **named)

    memory.Memory.__init__ = without_folder


def _keep_to_one_thread(solver: Any) -> None:
    """HiGHS starts a thread for every second processor, and where none may start, it aborts.

    It writes the files that an option names, too.
    """
    whole = getattr(solver, "_highs_wrapper", None)
    if whole is None or getattr(whole, "__name__", "") == "on_one_thread":
        return

    def on_one_thread(*given: Any) -> Any:
        options = {name: value for name, value in given[-1].items() if "file" not in name}
        return whole(*given[:-1], {**options, "threads": 1})

    solver._highs_wrapper = on_one_thread


def _without_place(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> str:
    """A warning as what is printed: without the folder of the library that warns."""
    return f"{category.__name__}: {message}\n"


def _refuse_workers(*_: Any, **__: Any) -> NoReturn:
    raise ValueError("there is one process here; leave workers= out")


def _refuse_formula(*_: Any, **__: Any) -> NoReturn:
    raise ValueError("formulas are code in a text; give arrays of columns instead")


@contextmanager
def _without_polars() -> Iterator[None]:
    """Hide polars: statsmodels imports it where it can, and it starts threads."""
    hidden = "polars" not in sys.modules
    if hidden:
        sys.modules["polars"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        if hidden:
            del sys.modules["polars"]
