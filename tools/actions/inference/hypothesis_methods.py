"""The hypothesis tests themselves, by SciPy and statsmodels, and the sizes of their effects."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from wideleaf.tools.actions.inference.hypothesis_samples import Case
from wideleaf.tools.errors import ActionError

if TYPE_CHECKING:
    import numpy as np

    from wideleaf.tools.actions.inference.hypothesis import Test

    Samples = Sequence[np.ndarray[Any, Any]]

Alternative = Literal["two-sided", "less", "greater"]
ALIKE, ODDS = "values that are all alike", "odds ratio"
LARGEST, TOO_LARGE = 1e150, "numbers whose squares cannot be held"


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
    """

    statistic: float | None = None
    p_value: float | None = None
    df: float | None = None
    df_error: float | None = None
    effect: str | None = None
    effect_size: float | None = None
    centres: tuple[float | None, float | None] = (None, None)
    reason: str = ""


class Method(NamedTuple):
    """A test.

    Attributes:
        make: What it finds in samples, for the value of a single mean and an alternative.
        least: The size of the smallest sample it takes.
        directed: Whether its alternative may be one-sided.
    """

    make: Callable[[Samples, float, Alternative], Found]
    least: int = 1
    directed: bool = False


def make_test(action: Test, case: Case) -> Found:
    """Make one test; where its samples do not allow it, with the reason.

    Raises:
        ActionError: If Fisher's test is to be made of more than two values.
    """
    method = METHODS[action.test]
    if action.takes == "counts":
        _need_two_by_two(action, case)
    elif case.least < method.least:
        return Found(reason=f"a sample of fewer than {method.least} values")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of values that are nearly alike: the result tells
        found = method.make(case.samples, action.value, action.alternative)
    alike = TOO_LARGE if any((abs(one) > LARGEST).any() for one in case.samples) else ALIKE
    if found.reason or found.p_value is None or not math.isfinite(found.p_value):
        return Found(reason=found.reason or alike)
    if found.statistic is None or not math.isfinite(found.statistic):
        # Odds may be infinite; any other statistic is so where nothing varies within samples.
        odds = found._replace(statistic=None, effect_size=None)
        return odds if found.effect == ODDS else Found(reason=alike)
    return found


def _need_two_by_two(action: Test, case: Case) -> None:
    shape = case.samples[0].shape
    if action.test == "fisher" and max(shape) > 2:
        name = case.column if shape[0] > 2 else case.other
        raise ActionError(
            f"'fisher' needs two values in each column and {name!r} has {max(shape)}; take "
            "'chi-square', or name two of them in groups",
            kind="argument test",
        )


def _difference(samples: Samples, alternative: Alternative, *, equal: bool) -> Found:
    one, other = samples
    found = _stats().ttest_ind(one, other, equal_var=equal, alternative=alternative)
    squares = (len(one) - 1) * one.var(ddof=1) + (len(other) - 1) * other.var(ddof=1)
    spread = math.sqrt(squares / (len(one) + len(other) - 2))
    means = float(one.mean()), float(other.mean())
    size = (means[0] - means[1]) / spread if spread else None
    return _found(found, df=found.df, effect="Cohen's d", effect_size=size, centres=means)


def _single(samples: Samples, value: float, alternative: Alternative) -> Found:
    found = _stats().ttest_1samp(samples[0], value, alternative=alternative)
    mean, spread = float(samples[0].mean()), float(samples[0].std(ddof=1))
    size = (mean - value) / spread if spread else None
    return _found(found, df=found.df, effect="Cohen's d", effect_size=size, centres=(mean, value))


def _paired(samples: Samples, value: float, alternative: Alternative) -> Found:
    one, other = samples
    found = _stats().ttest_rel(one, other, alternative=alternative)
    spread = float((one - other).std(ddof=1))
    size = float((one - other).mean()) / spread if spread else None
    means = float(one.mean()), float(other.mean())
    return _found(found, df=found.df, effect="Cohen's dz", effect_size=size, centres=means)


def _ranks(samples: Samples, value: float, alternative: Alternative) -> Found:
    found = _stats().mannwhitneyu(*samples, alternative=alternative)
    size = 2 * float(found.statistic) / (len(samples[0]) * len(samples[1])) - 1
    return _found(found, effect="rank-biserial", effect_size=size, centres=_medians(samples))


def _signed_ranks(samples: Samples, value: float, alternative: Alternative) -> Found:
    import numpy as np

    away = samples[0] - (samples[1] if len(samples) > 1 else value)
    if not away.any():
        return Found(reason="differences that are all zero")
    found = _stats().wilcoxon(away, alternative=alternative)
    ranks = _stats().rankdata(np.abs(away[away != 0]))
    size = float((ranks * np.sign(away[away != 0])).sum() / ranks.sum())
    centres = _medians(samples if len(samples) > 1 else (samples[0], np.array([value])))
    return _found(found, effect="rank-biserial", effect_size=size, centres=centres)


def _association(samples: Samples, value: float, alternative: Alternative) -> Found:
    counts = samples[0]
    if min(counts.shape) < 2:
        return Found(reason="a column of one value")
    found = _stats().chi2_contingency(counts)
    size = float(_stats().contingency.association(counts.astype(int), method="cramer"))
    return _found(found, df=found.dof, effect="Cramér's V", effect_size=size)


def _exact_association(samples: Samples, value: float, alternative: Alternative) -> Found:
    counts = samples[0].astype(int)
    if min(counts.shape) < 2:
        return Found(reason="a column of one value")
    found = _stats().fisher_exact(counts, alternative=alternative)
    return _found(found, effect=ODDS, effect_size=float(found.statistic))


def _variance(samples: Samples, value: float, alternative: Alternative) -> Found:
    import numpy as np

    found = _several(samples, "f_oneway")
    if found.reason:
        return found
    whole = np.concatenate(samples)
    between = sum(len(one) * (one.mean() - whole.mean()) ** 2 for one in samples if len(one))
    total = float(((whole - whole.mean()) ** 2).sum())
    return found._replace(
        effect="eta squared", effect_size=float(between) / total if total else None
    )


def _rank_variance(samples: Samples, value: float, alternative: Alternative) -> Found:
    found = _several(samples, "kruskal")
    if found.reason or found.statistic is None:
        return found
    size = found.statistic / ((found.df or 0) + (found.df_error or 0))
    return found._replace(df_error=None, effect="epsilon squared", effect_size=size)


def _spreads(samples: Samples, value: float, alternative: Alternative) -> Found:
    return _several(samples, "levene")


def _several(samples: Samples, test: str) -> Found:
    """A test of SciPy's of two samples or more, with degrees of freedom between and within."""
    there = [one for one in samples if len(one)]
    df, df_error = len(there) - 1, sum(map(len, there)) - len(there)
    if df < 1 or df_error < 1:
        return Found(reason="fewer than two groups with values, or none of two values")
    return _found(getattr(_stats(), test)(*there), df=df, df_error=float(df_error))


def _normality(samples: Samples, test: str, df: float | None = None) -> Found:
    alike = samples[0].min() == samples[0].max()
    return Found(reason=ALIKE) if alike else _found(getattr(_stats(), test)(samples[0]), df=df)


def _distributions(samples: Samples, value: float, alternative: Alternative) -> Found:
    """Of two samples whether they are alike; of one whether it is normal, by its own moments."""
    from statsmodels.stats.diagnostic import lilliefors  # type: ignore[import-untyped]

    if len(samples) > 1:
        found = _stats().ks_2samp(*samples, alternative=alternative)
        return _found(found, centres=_medians(samples))
    if len(samples[0]) < LEAST_FOR_LILLIEFORS:
        return Found(reason=f"a sample of fewer than {LEAST_FOR_LILLIEFORS} values")
    if samples[0].min() == samples[0].max():
        return Found(reason=ALIKE)
    statistic, p_value = lilliefors(samples[0], dist="norm")
    return Found(float(statistic), float(p_value))


def _stats() -> Any:
    from scipy import stats  # type: ignore[import-untyped]

    return stats


def _found(found: Any, df: float | None = None, **more: Any) -> Found:
    """A result of SciPy, in plain numbers."""
    degrees = None if df is None else float(df)
    return Found(float(found.statistic), float(found.pvalue), degrees, **more)


def _medians(samples: Samples) -> tuple[float | None, float | None]:
    import numpy as np

    first, last = (float(np.median(one)) for one in samples)
    return first if math.isfinite(first) else None, last if math.isfinite(last) else None


LEAST_FOR_LILLIEFORS = 4
METHODS: dict[str, Method] = {
    "t": Method(lambda samples, _, way: _difference(samples, way, equal=True), 2, True),
    "welch": Method(lambda samples, _, way: _difference(samples, way, equal=False), 2, True),
    "paired t": Method(_paired, 2, True),
    "one-sample t": Method(_single, 2, True),
    "mann-whitney": Method(_ranks, directed=True),
    "wilcoxon": Method(_signed_ranks, directed=True),
    "chi-square": Method(_association),
    "fisher": Method(_exact_association, directed=True),
    "anova": Method(_variance, 0),
    "kruskal": Method(_rank_variance, 0),
    "levene": Method(_spreads, 0),
    "shapiro": Method(lambda samples, *_: _normality(samples, "shapiro"), 3),
    "kolmogorov": Method(_distributions, directed=True),
    "d'agostino": Method(lambda samples, *_: _normality(samples, "normaltest", 2), 8),
}
