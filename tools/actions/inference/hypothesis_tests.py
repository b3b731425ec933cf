"""Tests of samples and correlations, by SciPy and statsmodels: a script takes them along."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import special, stats  # type: ignore[import-untyped]
from statsmodels.stats.diagnostic import lilliefors  # type: ignore[import-untyped]
from statsmodels.stats.proportion import (  # type: ignore[import-untyped]
    confint_proportions_2indep,
    proportion_effectsize,
    proportions_ztest,
)

LARGEST = 1e150
"""Beyond it a square cannot be held."""
MIN_ROWS = 3
"""Of fewer rows no correlation says anything."""
ALIKE = "values that are all alike"


class Found(NamedTuple):
    """What a test found.

    Attributes:
        statistic: The test statistic; None where the test could not be made.
        p_value: The chance of one as extreme where the null hypothesis is true.
        df: Degrees of freedom; of a ratio of variances those of the upper one.
        df_error: Those of the lower one.
        effect: What the size of the effect is called.
        effect_size: How large it is.
        centres: The two means, of tests by ranks the two medians.
        reason: Why the test could not be made.
        beside: What more it tells, in words.
    """

    statistic: float | None = None
    p_value: float | None = None
    df: float | None = None
    df_error: float | None = None
    effect: str | None = None
    effect_size: float | None = None
    centres: tuple[float | None, float | None] = (None, None)
    reason: str = ""
    beside: str = ""


def run_test(test: Callable[[Any], Found], samples: Sequence[Any], least: int) -> Found:
    """What a test finds; where samples do not allow it, or are of fewer values, why not."""
    if min(map(len, samples), default=0) < least:
        return Found(reason=f"a sample of fewer than {least} values")
    if samples and samples[0].ndim == 2 and min(samples[0].shape) < 2:  # a table of counts
        return Found(reason="a column of one value")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of values that are nearly alike: the result tells
        outcome = test(samples)
    names = ("statistic", "p_value", "df", "df_error", "effect_size")
    figures: Any = {name: finite(getattr(outcome, name)) for name in names}
    plain = outcome._replace(**figures)
    # Odds may be infinite; any other statistic is so where nothing varies within samples.
    has_statistic = plain.statistic is not None or outcome.effect == "odds ratio"
    if has_statistic and plain.p_value is not None:
        return plain
    large = any((abs(one) > LARGEST).any() for one in samples)
    why = "numbers whose squares cannot be held" if large else ALIKE
    return Found(reason=outcome.reason or why)


def list_cells(
    outcome: Found,
    samples: Any,
    labels: Sequence[str | None],
    rows: int,
    alpha: float,
    medians: bool,
) -> list[Any]:
    """The cells of a test's row: what was found, of how many rows, and its two samples if told."""
    significant = None if outcome.p_value is None else outcome.p_value < alpha
    sizes = [*map(len, samples)]
    if len(samples) == 1 and samples[0].ndim == 2:  # a table of counts
        labels = labels if outcome.centres != (None, None) else (None, None)
        sizes = samples[0].sum(axis=0).tolist()
    counts = [None if name is None else sizes[at] for at, name in enumerate(labels)]
    centre = None if outcome.centres == (None, None) else "median" if medians else "mean"
    return [
        outcome.statistic, outcome.df, outcome.df_error, outcome.p_value, significant,
        outcome.effect, outcome.effect_size, rows, *labels, *counts, centre, *outcome.centres,
    ]  # fmt: skip


def finite(value: Any) -> float | None:
    """A number as it is; None of none, of NaN and of infinity."""
    return float(value) if value is not None and math.isfinite(value) else None


def t_test(samples: Any, value: float, way: str, equal: bool = True) -> Found:
    """Student's t-test of two samples, or Welch's, and Cohen's d by the pooled deviation."""
    one, other = samples
    outcome = stats.ttest_ind(one, other, equal_var=equal, alternative=way)
    squares = (len(one) - 1) * one.var(ddof=1) + (len(other) - 1) * other.var(ddof=1)
    spread = math.sqrt(squares / (len(one) + len(other) - 2))
    means = one.mean(), other.mean()
    return compare_means(outcome, "Cohen's d", means, means[0] - means[1], spread)


def paired_t_test(samples: Any, value: float, way: str) -> Found:
    """The t-test of pairs, and Cohen's d of their differences."""
    one, other = samples
    outcome, away = stats.ttest_rel(one, other, alternative=way), one - other
    means = one.mean(), other.mean()
    return compare_means(outcome, "Cohen's dz", means, away.mean(), away.std(ddof=1))


def single_t_test(samples: Any, value: float, way: str) -> Found:
    """The t-test of one mean, and Cohen's d."""
    (one,) = samples
    outcome = stats.ttest_1samp(one, value, alternative=way)
    means = one.mean(), value
    return compare_means(outcome, "Cohen's d", means, means[0] - value, one.std(ddof=1))


def compare_means(outcome: Any, effect: str, means: Any, apart: float, spread: float) -> Found:
    """What a t-test found of two means, with how far they are apart in deviations."""
    size = apart / spread if spread else None
    return Found(outcome.statistic, outcome.pvalue, outcome.df, None, effect, size, means)


def mann_whitney(samples: Any, value: float, way: str) -> Found:
    """Mann and Whitney's test, and the rank-biserial correlation."""
    outcome = stats.mannwhitneyu(*samples, alternative=way)
    size = 2 * outcome.statistic / (len(samples[0]) * len(samples[1])) - 1
    centres = find_medians(samples)
    return Found(outcome.statistic, outcome.pvalue, None, None, "rank-biserial", size, centres)


def find_medians(samples: Any) -> tuple[float, float]:
    """The centres of two samples that are compared by ranks."""
    one, other = map(np.median, samples)
    return float(one), float(other)


def wilcoxon(samples: Any, value: float, way: str) -> Found:
    """Wilcoxon's test of pairs, or of one sample, and the rank-biserial correlation."""
    other = samples[1] if len(samples) > 1 else value
    away = samples[0] - other
    if not away.any():
        return Found(reason="differences that are all zero")
    outcome, there = stats.wilcoxon(away, alternative=way), away[away != 0]
    ranks = stats.rankdata(np.abs(there))
    size = (ranks * np.sign(there)).sum() / ranks.sum()
    centres = find_medians((samples[0], other))
    return Found(outcome.statistic, outcome.pvalue, None, None, "rank-biserial", size, centres)


def chi_square(samples: Any, value: float, way: str) -> Found:
    """The chi-square test of a table, of 2 x 2 with Yates' correction, and Cramér's V."""
    (counts,) = samples
    outcome = stats.chi2_contingency(counts)
    size = stats.contingency.association(counts, method="cramer")
    return Found(
        outcome.statistic, outcome.pvalue, outcome.dof, effect="Cramér's V", effect_size=size
    )


def fisher(samples: Any, value: float, way: str) -> Found:
    """Fisher's exact test of a table of 2 x 2, and the odds ratio."""
    (counts,) = samples
    odds, p_value = stats.fisher_exact(counts, alternative=way)
    return Found(odds, p_value, effect="odds ratio", effect_size=odds)


def proportions(samples: Any, value: float, way: str) -> Found:
    """The z-test of two shares of a table of 2 x 2, by the pooled share, and Cohen's h."""
    (counts,) = samples
    hits, sizes = counts[1], counts.sum(axis=0)
    ways = {"less": "smaller", "greater": "larger"}
    statistic, p_value = proportions_ztest(hits, sizes, alternative=ways.get(way, way))
    one, other = hits / sizes
    low, high = confint_proportions_2indep(hits[0], sizes[0], hits[1], sizes[1])
    beside = f"the first share less the second is {low:.3g} to {high:.3g} (95 %, by Newcombe)"
    return Found(
        statistic, p_value, effect="Cohen's h", effect_size=proportion_effectsize(one, other),
        centres=(one, other), beside=beside,
    )  # fmt: skip


def anova(samples: Any, value: float, way: str) -> Found:
    """The analysis of variance, and eta squared."""
    outcome = several(samples, value, way, "f_oneway")
    if outcome.reason:
        return outcome
    whole = np.concatenate(samples)
    between = sum(len(one) * (one.mean() - whole.mean()) ** 2 for one in samples if len(one))
    total = ((whole - whole.mean()) ** 2).sum()
    return outcome._replace(effect="eta squared", effect_size=between / total if total else None)


def kruskal(samples: Any, value: float, way: str) -> Found:
    """Kruskal and Wallis's test, and epsilon squared."""
    outcome = several(samples, value, way, "kruskal")
    if outcome.reason:
        return outcome
    size = (outcome.statistic or 0) / ((outcome.df or 0) + (outcome.df_error or 0))
    return outcome._replace(df_error=None, effect="epsilon squared", effect_size=size)


def several(samples: Any, value: float, way: str, test: str) -> Found:
    """A test of SciPy's of two samples or more, with degrees of freedom between and within."""
    there = [one for one in samples if len(one)]
    df, df_error = len(there) - 1, sum(map(len, there)) - len(there)
    if df < 1 or df_error < 1:
        return Found(reason="fewer than two groups with values, or none of two values")
    statistic, p_value = getattr(stats, test)(*there)
    return Found(statistic, p_value, df, df_error)


def two_distributions(samples: Any, value: float, way: str) -> Found:
    """The test of Kolmogorov and Smirnov of two samples."""
    outcome = stats.ks_2samp(*samples, alternative=way)
    return Found(outcome.statistic, outcome.pvalue, centres=find_medians(samples))


def normality(samples: Any, value: float, way: str, test: str, df: int | None = None) -> Found:
    """A test of whether one sample is normal, by its own mean and deviation."""
    if samples[0].min() == samples[0].max():
        return Found(reason=ALIKE)
    make = lilliefors if test == "lilliefors" else getattr(stats, test)
    statistic, p_value = make(samples[0])
    return Found(statistic, p_value, df)


def correlate_pair(left: Any, right: Any, method: str) -> tuple[float, float, int]:
    """A correlation, its two-sided p-value and the rows that have both cells.

    Args:
        left: Numbers, NaN where there is none.
        right: The same of another column.
        method: ``pearson``, ``spearman`` or ``kendall``.
    """
    both = ~(np.isnan(left) | np.isnan(right))
    left, right = left[both], right[both]
    if method == "spearman":
        left, right = stats.rankdata(left), stats.rankdata(right)
    sides = [direction_of(left), direction_of(right)]
    if sides[0] is None or sides[1] is None:
        return np.nan, np.nan, len(left)
    if method == "kendall":  # tau-b, which allows for ties
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return *stats.kendalltau(left, right), len(left)
    # Not by @, which would set threads to work on each short column.
    size = np.clip(np.einsum("i,i", *sides), -1, 1)
    return size, two_sided(size, len(left)), len(left)


def direction_of(side: Any) -> Any:
    """Deviations from the mean, of length 1; None of a constant, or of what is not finite."""
    if len(side) < MIN_ROWS or side.min() == side.max() or not np.isfinite(side).all():
        return None
    # Scaled by a power of two, which is exact, so that no difference or square runs over.
    scaled = np.ldexp(side, -int(np.frexp(np.abs(side).max())[1]) - 1)
    deviation = scaled - scaled.mean()
    deviation = deviation - deviation.mean()  # what the first mean was rounded by
    size = np.abs(deviation).max()
    if size == 0:
        return None
    deviation = deviation / size
    return deviation / np.sqrt(np.einsum("i,i", deviation, deviation))


def two_sided(size: Any, rows: int) -> Any:
    """The p-value of correlations of numbers or ranks, by Student's t; NaN of NaN."""
    with np.errstate(all="ignore"):
        t = np.abs(size) * np.sqrt((rows - 2.0) / ((1 - size) * (1 + size)))
        return np.clip(2 * special.stdtr(rows - 2.0, -t), 0, 1)
