"""Functions on samples that a pandas script takes along: hypothesis tests by SciPy.

Each test gives its figures by name, or none where the samples do not allow it.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import statsmodels.api as sm  # type: ignore[import-untyped]
from scipy import stats  # type: ignore[import-untyped]

from wideleaf.tools.exports.scripts.along.frames import (
    _each,
    _finite,
    _folded,
    _key,
    _label,
    _retyped,
    _sort,
)


def _tested(
    frame: Any, by: list[str], tests: list[Any], samples: Any, test: Any, alpha: float,
    types: dict[str, str],
) -> Any:  # fmt: skip
    """A row for each test in each group: what is tested, by what, its figures and its samples."""
    key = _key(frame, by)
    groups = _sort(frame.loc[~key.duplicated(), by].assign(**{"\0": key}), by, [False] * len(by))
    names, rows = list(types)[len(by) :], []
    for cells in groups.itertuples(index=False) if by else [(0,)]:
        part = frame[key == cells[-1]] if by else frame
        for column, other, name in tests:
            given, labels, count = samples(part, column, other)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = test(given)
            p_value, statistic = found.get("p", np.nan), found.get("statistic", np.nan)
            odds = found.get("effect") == "odds ratio"
            if not np.isfinite(p_value) or not (np.isfinite(statistic) or odds):
                found, p_value = {}, np.nan
            size, two = found.get("size"), labels[0] is not pd.NA
            centre = "median" if name in ("mann-whitney", "wilcoxon", "kolmogorov") else "mean"
            shown = [
                statistic if np.isfinite(statistic) and found else pd.NA,
                found.get("df", pd.NA), found.get("df_error", pd.NA),
                p_value if found else pd.NA, p_value < alpha if found else pd.NA,
                found.get("effect", pd.NA),
                size if size is not None and np.isfinite(size) else pd.NA, count, *labels,
                *(map(len, given) if two else (pd.NA, pd.NA)),
                centre if "centres" in found else pd.NA,
                *found.get("centres", (pd.NA, pd.NA)),
            ]  # fmt: skip
            rows.append([*cells[: len(by)], column, other or pd.NA, name, *shown])
    made = pd.DataFrame(rows, columns=[*by, *names], dtype=object)
    return _retyped(made, {name: kind or "object" for name, kind in types.items()})


def _numbers(cells: Any) -> Any:
    """The finite numbers of a column, in order."""
    return np.sort(_finite(cells).dropna().to_numpy(dtype="float64"))


def _columns_apart(rows: Any, columns: list[str], labels: Any) -> Any:
    """Each column as a sample of its own."""
    found = [_numbers(rows[name]) for name in columns]
    return found, labels, sum(map(len, found))


def _pairs_of(rows: Any, columns: list[str]) -> Any:
    """Two columns over the rows that have both."""
    cells = pd.DataFrame({place: _finite(rows[name]) for place, name in enumerate(columns)})
    both = cells.dropna().astype("float64")
    return [both[0].to_numpy(), both[1].to_numpy()], columns, len(both)


def _groups_of(rows: Any, column: str, groups: Any, two: bool) -> Any:
    """A column's values in each group, as samples."""
    here = groups.loc[rows.index]
    found = [_numbers(rows[column][(here == name).to_numpy()]) for name in here.cat.categories]
    labels = [*here.cat.categories] if two and len(found) == 2 else (pd.NA, pd.NA)
    return found, labels, sum(map(len, found))


def _counts_of(rows: Any, column: str, groups: Any) -> Any:
    """How often two values come together."""
    codes = groups.loc[rows.index].cat.codes
    counts = pd.crosstab(rows[column].to_numpy(), codes.where(codes >= 0).to_numpy()).to_numpy()
    return counts, (pd.NA, pd.NA), int(counts.sum())


def _grouping(cells: Any, wanted: Any, day: bool = False) -> Any:
    """The name of the group that each row is in, the groups in order."""
    if wanted is None:
        codes, found = pd.factorize(cells, sort=True)
        text = cells.dtype == "string"
        labels: Any = [value if text else _label(value, day) for value in found]
        return pd.Series(pd.Categorical.from_codes(codes, labels), cells.index)
    if cells.dtype == "string":
        plain = _folded(cells)
        names = list(_folded(pd.Series(wanted, dtype="string[python]")))
    else:
        plain = _each(cells, lambda one: _label(one, day), "string[python]")
        names = wanted
    here = plain.map(dict(zip(names, wanted, strict=True)))
    return pd.Series(pd.Categorical(here, categories=wanted), cells.index)


def _t_test(samples: Any, alternative: str, equal: bool) -> Any:
    """Student's or Welch's t-test, and Cohen's d."""
    if len(samples) < 2 or min(map(len, samples)) < 2:
        return {}
    one, other = samples
    found = stats.ttest_ind(one, other, equal_var=equal, alternative=alternative)
    squares = (len(one) - 1) * one.var(ddof=1) + (len(other) - 1) * other.var(ddof=1)
    spread = np.sqrt(squares / (len(one) + len(other) - 2))
    size, centres = (one.mean() - other.mean()) / spread, (one.mean(), other.mean())
    return {"statistic": found.statistic, "p": found.pvalue, "df": found.df, "size": size,
            "effect": "Cohen's d", "centres": centres}  # fmt: skip


def _paired_t_test(samples: Any, alternative: str) -> Any:
    """The t-test of pairs, and Cohen's d of their differences."""
    one, other = samples
    if len(one) < 2:
        return {}
    found, away = stats.ttest_rel(one, other, alternative=alternative), one - other
    size, centres = away.mean() / away.std(ddof=1), (one.mean(), other.mean())
    return {"statistic": found.statistic, "p": found.pvalue, "df": found.df, "size": size,
            "effect": "Cohen's dz", "centres": centres}  # fmt: skip


def _single_t_test(samples: Any, alternative: str, value: float) -> Any:
    """The t-test of one mean, and Cohen's d."""
    (one,) = samples
    if len(one) < 2:
        return {}
    found = stats.ttest_1samp(one, value, alternative=alternative)
    size, centres = (one.mean() - value) / one.std(ddof=1), (one.mean(), value)
    return {"statistic": found.statistic, "p": found.pvalue, "df": found.df, "size": size,
            "effect": "Cohen's d", "centres": centres}  # fmt: skip


def _mann_whitney(samples: Any, alternative: str) -> Any:
    """Mann and Whitney's test, and the rank-biserial correlation."""
    if len(samples) < 2 or not min(map(len, samples)):
        return {}
    found = stats.mannwhitneyu(*samples, alternative=alternative)
    return {"statistic": found.statistic, "p": found.pvalue, "effect": "rank-biserial",
            "size": 2 * found.statistic / (len(samples[0]) * len(samples[1])) - 1,
            "centres": (np.median(samples[0]), np.median(samples[1]))}  # fmt: skip


def _wilcoxon(samples: Any, alternative: str, value: float = 0.0) -> Any:
    """Wilcoxon's test of pairs, or of one sample, and the rank-biserial correlation."""
    other = samples[1] if len(samples) > 1 else value
    away = samples[0] - other
    if not away.any():
        return {}
    found, there = stats.wilcoxon(away, alternative=alternative), away[away != 0]
    ranks = stats.rankdata(np.abs(there))
    return {"statistic": found.statistic, "p": found.pvalue, "effect": "rank-biserial",
            "size": (ranks * np.sign(there)).sum() / ranks.sum(),
            "centres": (np.median(samples[0]), np.median(other))}  # fmt: skip


def _chi_square(counts: Any) -> Any:
    """The chi-square test, of 2 x 2 with Yates' correction, and Cramér's V."""
    if min(counts.shape) < 2:
        return {}
    found = stats.chi2_contingency(counts)
    size = stats.contingency.association(counts, method="cramer")
    return {"statistic": found.statistic, "p": found.pvalue, "df": found.dof,
            "effect": "Cramér's V", "size": size}  # fmt: skip


def _fisher(counts: Any, alternative: str) -> Any:
    """Fisher's exact test of 2 x 2 counts, and the odds ratio."""
    if min(counts.shape) < 2:
        return {}
    found = stats.fisher_exact(counts, alternative=alternative)
    return {"statistic": found.statistic, "p": found.pvalue, "effect": "odds ratio",
            "size": found.statistic}  # fmt: skip


def _several(samples: Any, test: Any) -> Any:
    """A test of two groups or more, with its degrees of freedom."""
    there = [one for one in samples if len(one)]
    df, df_error = len(there) - 1, sum(map(len, there)) - len(there)
    if df < 1 or df_error < 1:
        return {}
    found = test(*there)
    return {"statistic": found.statistic, "p": found.pvalue, "df": df, "df_error": df_error}


def _anova(samples: Any) -> Any:
    """The analysis of variance, and eta squared."""
    found = _several(samples, stats.f_oneway)
    whole = np.concatenate(samples) if found else np.zeros(1)
    between = sum(len(one) * (one.mean() - whole.mean()) ** 2 for one in samples if len(one))
    return found and found | {"effect": "eta squared",
                              "size": between / ((whole - whole.mean()) ** 2).sum()}  # fmt: skip


def _kruskal(samples: Any) -> Any:
    """Kruskal and Wallis's test, and epsilon squared."""
    found = _several(samples, stats.kruskal)
    rest = found.pop("df_error", 1)
    return found and found | {"effect": "epsilon squared",
                              "size": found["statistic"] / (found["df"] + rest)}  # fmt: skip


def _normality(samples: Any, test: Any, least: int, df: Any = None) -> Any:
    """A test of whether one sample is normal."""
    (one,) = samples
    if len(one) < least or one.min() == one.max():
        return {}
    statistic, p_value = test(one)
    return {"statistic": statistic, "p": p_value} | ({"df": df} if df else {})


def _lilliefors(sample: Any) -> Any:
    """The test of Kolmogorov and Smirnov with the sample's own mean and deviation."""
    return sm.stats.lilliefors(sample, dist="norm")


def _two_distributions(samples: Any, alternative: str) -> Any:
    """The test of Kolmogorov and Smirnov of two samples."""
    if len(samples) < 2 or not min(map(len, samples)):
        return {}
    found = stats.ks_2samp(*samples, alternative=alternative)
    return {"statistic": found.statistic, "p": found.pvalue,
            "centres": (np.median(samples[0]), np.median(samples[1]))}  # fmt: skip
