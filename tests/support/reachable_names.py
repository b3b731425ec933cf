"""The public attributes of what programs can get hold of: values of pandas, numpy and Python."""

import builtins
import collections
import datetime
import decimal
import fractions
import functools
import itertools
import re
import statistics
import types
from typing import Any

import numpy as np
import pandas as pd

UNREACHABLE = ("Styler", "Formatter", "Template", "BuiltinImporter")
"""Classes whose instances no program can make."""


def _frames() -> list[Any]:
    df = pd.DataFrame({"n": [1, 2, 3], "s": list("xyz"), "t": pd.date_range("2020", periods=3)})
    dated, grouped = df.set_index("t"), df.groupby("s")
    category, period = df.s.astype("category"), df.t.dt.to_period("D")
    gap, whole = df.t - df.t, df.n.astype("Int64")
    return [
        *(df, df.n, df.index, df.loc, df.iloc, df.at, df.iat, df.flags, df.attrs, df.itertuples()),
        *(grouped, grouped.n, grouped.indices, df.rolling(2), df.n.rolling(2), df.n.expanding()),
        *(df.n.ewm(1), grouped.rolling(2), grouped.n.expanding(), grouped.ewm(1)),
        *(dated.resample("D"), dated.n.resample("D"), dated.groupby("s").resample("D")),
        *(df.s.str, df.t.dt, gap.dt, period.dt, category.cat),
        *(category.array, period.array, df.t.array, gap.array, df.s.array, df.n.array, whole.array),
        *(category.dtype, period.dtype, df.t.dtype, df.s.dtype, whole.dtype),
    ]


def _of_pandas() -> list[Any]:
    return [
        *(
            pd.Timestamp("2020"),
            pd.Timedelta(1),
            pd.Period("2020"),
            pd.Interval(0, 1),
            pd.NaT,
            pd.NA,
        ),
        *(pd.offsets.Day(1), pd.offsets.BDay(1), pd.offsets.MonthEnd(), pd.offsets.Week()),
        *(pd.DateOffset(days=1), pd.Grouper(key="n"), pd.NamedAgg("a", "b"), pd.IndexSlice),
        *(pd.IntervalIndex.from_breaks([0, 1, 2]), pd.MultiIndex.from_tuples([(1, 2)])),
        *(
            pd.DatetimeIndex(["2020"]),
            pd.PeriodIndex(["2020"], freq="Y"),
            pd.CategoricalIndex(["a"]),
        ),
        *(pd.TimedeltaIndex(["1D"]), pd.RangeIndex(3)),
        *(pd.IntervalDtype(), pd.PeriodDtype("D"), pd.DatetimeTZDtype(tz="UTC")),
    ]


def _of_numpy() -> list[Any]:
    return [
        *(np.arange(3), np.float64(1), np.int64(1), np.datetime64("2020"), np.timedelta64(1, "D")),
        *(np.bool_(1), np.str_("a"), np.dtype("f8"), np.mean, np.add, np.poly1d([1]), np.c_, np.r_),
        *(np.random.default_rng(0), np.random.RandomState(0), np.vectorize(len), np.s_),
        *(np.arange(3).flat, np.finfo("f8"), np.iinfo("i8")),
    ]


def _of_python() -> list[Any]:
    day = datetime.date(2020, 1, 1)
    return [
        *(datetime.datetime(2020, 1, 1), day, datetime.time(), datetime.timedelta(1)),
        *(datetime.UTC, day.isocalendar(), decimal.Decimal(1), decimal.getcontext()),
        *(fractions.Fraction(1), collections.Counter(), collections.deque(), {}.items()),
        *(collections.defaultdict(), collections.OrderedDict(), collections.ChainMap()),
        *(re.compile("a"), re.match("a", "a"), functools.partial(len), functools.lru_cache(len)),
        *(functools.cmp_to_key(len), itertools.chain([1]), itertools.count(), slice(0), range(1)),
        *(statistics.NormalDist(), statistics.linear_regression([1, 2], [1, 2])),
        *(reachable_names, reachable_names.__code__, (one for one in ()), [].append, str.join),
        *(AttributeError(), UnicodeDecodeError("a", b"", 0, 0, ""), StopIteration(), {}.keys()),
        *(one for one in vars(builtins).values() if isinstance(one, type)),
        *(one for one in vars(types).values() if isinstance(one, type)),
    ]


def reachable_names() -> frozenset[str]:
    """Their public attributes."""
    found: set[str] = set()
    for one in (*_frames(), *_of_pandas(), *_of_numpy(), *_of_python()):
        kind = one if isinstance(one, type) else type(one)
        if kind.__name__ not in UNREACHABLE:
            names = {*dir(kind), *(dir(one) if isinstance(one, np.finfo | np.iinfo) else ())}
            found.update(name for name in names if not name.startswith("_"))
    return frozenset(found)
