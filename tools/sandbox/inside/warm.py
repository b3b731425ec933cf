"""What the warm process has in memory before any call: modules, and traces of their common use."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from itertools import product
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from wideleaf.tools.sandbox.inside.child import LENGTH, MODULES, answer_request
from wideleaf.tools.sandbox.inside.libraries import load, touch


def rehearse() -> None:
    """Run a small program, so that the first one that counts finds all it needs in memory."""
    code = "result = df.groupby('k')['v'].agg(['mean', 'size']).sort_values('mean')"
    program = {"code": code, "function": "", "names": ["df"], "lower_case": False}
    header = json.dumps(
        {"program": program, "most_bytes": 1 << 20, "sizes": [len(_small())]}
    ).encode()
    answer_request(memoryview(_small() + header + LENGTH.pack(len(header))))
    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__


@cache
def _small() -> bytes:
    """A small frame as an Arrow IPC file."""
    import pyarrow as pa  # type: ignore[import-untyped]

    table = pa.table({"k": pa.array(["a", "b", "a"], pa.large_string()), "v": [1.0, 2.0, None]})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def warm(modules: Sequence[str] = ()) -> None:
    """Import and touch all that a program may need, for nothing can be opened once it runs.

    Args:
        modules: Those of libraries, by dotted names.
    """
    for name in MODULES:
        importlib.import_module(name)
    import numpy as np
    import pandas as pd
    import pyarrow as pa

    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    for module in (
        "_strptime",
        "numpy.random",
        "numpy.linalg",
        "numpy.fft",
        "numpy.ma",
        "pyarrow.compute",
    ):
        importlib.import_module(module)
    for codec in ("utf-8", "ascii", "latin-1", "utf-16", "idna", "unicode_escape", "cp1252"):
        "a".encode(codec)
    load_zones()
    _exercise(np, pd)
    load(modules)
    touch()
    rehearse()


@cache
def load_zones() -> tuple[Any, ...]:
    """Every time zone of this machine, held, so that one that is asked for by name is there.

    Each twice: pandas reads their transitions from Python's own form of them, beside the one in C.
    """
    forms: list[Any] = [ZoneInfo]
    with suppress(ImportError):
        forms.append(importlib.import_module("zoneinfo._zoneinfo").ZoneInfo)
    loaded = []
    for form, name in product(forms, sorted(available_timezones())):
        with suppress(ValueError, OSError):  # a damaged file of the system's
            loaded.append(form(name))
    return tuple(loaded)


def _exercise(np: Any, pd: Any) -> None:
    """Use what is imported at first use: a call each of pandas' commoner corners."""
    frame = pd.DataFrame(
        {
            "key": ["a", "b", "a", None],
            "number": [1.0, 2.5, None, 4.0],
            "day": pd.to_datetime(["2024-01-01", "2024-02-03", None, "2024-05-06"]),
        }
    )
    frame.groupby("key").agg({"number": ["mean", "median", "std"]})
    frame.pivot_table(index="key", columns="day", values="number", aggfunc="sum")
    frame.merge(frame, on="key").sort_values("number_x").drop_duplicates().rank(numeric_only=True)
    frame.describe(include="all")
    str(frame)
    frame.to_string()
    frame["day"].dt.strftime("%Y").str.replace("2", "x", regex=True).str.extract("(x)")
    frame["day"].dt.tz_localize("UTC").dt.tz_convert("Europe/Berlin")
    frame["day"].dt.day_name()
    frame.set_index("day")["number"].dropna().resample("ME").sum().rolling(2).mean().ewm(2).mean()
    frame["number"].corr(frame["number"] ** 2, method="spearman") if _has_scipy() else None
    frame["number"].interpolate()
    pd.cut(frame["number"], 2).value_counts()
    pd.qcut(frame["number"], 2).astype(str)
    pd.get_dummies(frame["key"])
    pd.crosstab(frame["key"], frame["number"])
    pd.date_range("2024-01-01", periods=3, freq="W").to_period("M")
    pd.bdate_range("2024-01-01", periods=3)
    frame.query("number > 1").eval("number + 1")
    frame.select_dtypes("number").cov()
    np.polyfit([1.0, 2.0, 3.0], [1.0, 2.0, 3.5], 1)
    np.busday_count("2024-01-01", "2024-02-01")
    np.random.default_rng(0).normal(size=3)
    pd.Timestamp("2024-01-01 10:00", tz="US/Eastern")
    from wideleaf.tools.sandbox.inside.columns import lay_out
    from wideleaf.tools.sandbox.inside.values import plain

    lay_out(plain(frame.groupby("key")["number"].mean(), [frame]).frame)
    lay_out(plain({"a": [1, 2], "b": 2}).frame)


def _has_scipy() -> bool:
    """Whether rank correlations can be had; pandas asks scipy for them."""
    try:
        importlib.import_module("scipy.stats")
    except ImportError:
        return False
    return True
