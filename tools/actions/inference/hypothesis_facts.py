"""What Test tells of a step: what was found, what it rests on, and what took no part."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from wideleaf.tools.actions.inference.hypothesis_methods import Found
from wideleaf.tools.actions.inference.hypothesis_samples import Case
from wideleaf.tools.privacy import LEAST_FOR_STATISTICS, Fact, Matter

if TYPE_CHECKING:
    import numpy as np

    from wideleaf.tools.actions.inference.hypothesis import Test

MOST_TOLD = 5
"""So many tests are told of one by one."""
SMALL, FEW = 30, 10
"""Below so many values means are not normal whatever the values are; below so few little shows."""
MOST_FOR_SHAPIRO = 5_000
LEAST_EXPECTED = 5
_ALPHA = 0.05
_INSTEAD = {
    "t": "mann-whitney", "welch": "mann-whitney", "paired t": "wilcoxon",
    "one-sample t": "wilcoxon", "anova": "kruskal",
}  # fmt: skip
"""The test that does not assume normal values."""
_MEANS, _LINK = ("the means differ", "no difference of means"), "no association"
_SIZES = "one tends to be larger", "no tendency to be larger"
_NORMAL = "not normally distributed", "no departure from a normal distribution"
_WORDS = {
    "t": ("t", *_MEANS), "welch": ("t", *_MEANS), "paired t": ("t", *_MEANS),
    "one-sample t": ("t", "the mean differs from the value", "no difference from the value"),
    "mann-whitney": ("U", *_SIZES), "wilcoxon": ("W", *_SIZES),
    "chi-square": ("chi2", "they are associated", _LINK),
    "fisher": ("odds ratio", "they are associated", _LINK),
    "anova": ("F", "the means are not all equal", _MEANS[1]),
    "kruskal": ("H", "the groups are not all alike", _SIZES[1]),
    "levene": ("W", "the variances differ", "no difference of variances"),
    "shapiro": ("W", *_NORMAL), "kolmogorov": ("D", *_NORMAL), "d'agostino": ("K2", *_NORMAL),
}  # fmt: skip
"""Of each test the sign of its statistic, what it shows, and what it has not shown."""
_MEANT = {
    "t": "Student's t-test assumes equal variances; Cohen's d is by the pooled deviation",
    "levene": "Levene's test is of the distances from the medians (Brown and Forsythe)",
    "chi-square": "The statistic of a table of 2 x 2 has Yates' correction",
    "kolmogorov": "The normal distribution has the column's own mean and deviation, and p is "
    "Lilliefors', from a table between 0.001 and 1",
    "wilcoxon": "Pairs without a difference take no part",
}


def facts_of(action: Test, made: Sequence[tuple[Case, Found]]) -> list[Fact]:
    """Facts about tests.

    Args:
        action: The resolved action.
        made: The tests, and what each found.
    """
    there = [(case, found) for case, found in made if not found.reason]
    many = all(_size(action, case) >= LEAST_FOR_STATISTICS for case, _ in there)
    matter: Matter = "statistics" if many else "values"
    facts = []
    if len(there) <= MOST_TOLD and not action.by:
        facts += [Fact(text=_sentence(action, *one), matter=matter, caveat=True) for one in there]
    if len(there) > 1:
        facts.append(Fact(text=_together(action, there), matter=matter, caveat=True))
    facts += _left_out(made)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of values that are nearly alike
        texts = Counter(text for one in there for text in _caveats(action, *one))
    for text, count in texts.items():
        facts.append(Fact(text=_of(count, len(there), text), matter=matter, caveat=True))
    if there and (meant := _meaning(action, there)):
        facts.append(Fact(text=meant))
    return facts


def p_text(value: float) -> str:
    """A p-value in words."""
    return "p < 0.0001" if value < 0.0001 else f"p = {value:.3g}"


def _size(action: Test, case: Case) -> int:
    """How many rows a figure of a test is of, where two samples are told apart of the smaller."""
    return case.least if action.takes == "two" else case.rows


def _sentence(action: Test, case: Case, found: Found) -> str:
    """A test and its verdict."""
    what = repr(case.column)
    if case.other is not None:
        joint = "by" if action.between and action.takes != "counts" else "and"
        what += f" {joint} {case.other!r}"
    if found.statistic is None:
        figures = ["the odds ratio is infinite"]
    else:
        figures = [f"{_WORDS[action.test][0]} = {found.statistic:.4g}"]
    if found.df is not None:
        below = "" if found.df_error is None else f" and {found.df_error:.4g}"
        figures.append(f"df = {found.df:.4g}{below}")
    figures.append(p_text(found.p_value or 0.0))
    told = f"{what}: {', '.join(figures)}: {_verdict(action, found)} at {action.alpha:g}"
    if found.effect is not None and found.effect_size is not None and found.effect != "odds ratio":
        told += f"; {found.effect} {found.effect_size:.3g}"
    return told


def _verdict(action: Test, found: Found) -> str:
    _, yes, no = _WORDS[action.test]
    if action.test == "kolmogorov" and action.between:
        yes, no = "the distributions differ", "no difference of distributions"
    if action.test == "wilcoxon" and action.takes == "each":
        yes, no = "most lie to one side of the value", "no tendency to one side of the value"
    yes, no = (text.replace("the value", f"{action.value:g}") for text in (yes, no))
    told = yes if (found.p_value or 0.0) < action.alpha else f"{no} was shown"
    return told if action.alternative == "two-sided" else f"{told} ({action.alternative})"


def _together(action: Test, made: Sequence[tuple[Case, Found]]) -> str:
    """How many of several tests are significant, and how many where they are taken together."""
    from statsmodels.stats.multitest import multipletests  # type: ignore[import-untyped]

    values = [found.p_value for _, found in made]
    alone = sum((value or 0.0) < action.alpha for value in values)
    kept = int(multipletests(values, alpha=action.alpha, method="holm")[0].sum())
    return (
        f"{alone} of {len(made)} tests are significant at {action.alpha:g}, and {kept} by Holm's "
        f"adjustment for {len(made)} tests"
    )


def _left_out(made: Sequence[tuple[Case, Found]]) -> Iterator[Fact]:
    for reason, count in Counter(found.reason for _, found in made if found.reason).items():
        text = f"{count} of {len(made)} tests could not be made, of {reason}"
        yield Fact(text=text, caveat=True)
    lost = [case.lost for case, _ in made if case.lost]
    if lost and len(made) == 1:
        yield Fact(text=f"{lost[0]} rows are left out for a null", caveat=True)
    elif lost:
        text = f"Nulls leave rows out of {len(lost)} of {len(made)} tests, {max(lost)} at most"
        yield Fact(text=text, caveat=True)


def _of(count: int, tests: int, text: str) -> str:
    return text[0].upper() + text[1:] if tests == 1 else f"In {count} of {tests} tests, {text}"


def _caveats(action: Test, case: Case, found: Found) -> Iterator[str]:
    """What a test assumes and its samples do not show."""
    test, samples = action.test, [one for one in case.samples if len(one)]
    if action.takes == "counts":
        yield from _of_counts(action, case, found)
        return
    if case.least < FEW:
        yield f"a sample has under {FEW} values, so that only a large effect is significant"
    if test in ("t", "anova") and _below(_levene(samples)):
        other = "'welch' would not assume them equal" if test == "t" else "anova takes them equal"
        yield f"the variances differ by Levene's test; {other}"
    if test in _INSTEAD:
        within = [samples[0] - samples[1]] if test == "paired t" else samples
        if any(len(one) < SMALL and _below(_shapiro(one)) for one in within):
            yield (
                f"a sample of under {SMALL} values is not normal by Shapiro and Wilk's test; "
                f"{_INSTEAD[test]!r} would not assume it"
            )
    if test == "mann-whitney" and _ties(samples):
        yield "values tie: p is corrected for that, by a normal approximation"
    if test == "kruskal" and min(map(len, samples)) < LEAST_EXPECTED:
        yield f"a group has under {LEAST_EXPECTED} values, of which p is inexact"
    if test == "shapiro" and case.rows > MOST_FOR_SHAPIRO:
        yield (
            f"of over {MOST_FOR_SHAPIRO} values p is inexact, and the least departure from normal "
            "is significant"
        )
    if test == "d'agostino" and case.rows < 20:
        yield "of under 20 values p is inexact; 'shapiro' holds for few"


def _of_counts(action: Test, case: Case, found: Found) -> Iterator[str]:
    from scipy import stats  # type: ignore[import-untyped]

    counts = case.samples[0]
    low = stats.contingency.expected_freq(counts) < LEAST_EXPECTED
    if action.test == "fisher":
        if found.effect_size is None:
            yield "a count of zero makes the odds ratio infinite, which stands as null"
    elif low.any() and counts.shape == (2, 2):
        yield f"an expected count is below {LEAST_EXPECTED}: p is inexact; 'fisher' is exact"
    elif low.mean() > 0.2:
        yield (
            f"{int(low.sum())} of {low.size} expected counts are below {LEAST_EXPECTED}: p is "
            "inexact; Derive coarser values"
        )


def _meaning(action: Test, made: Sequence[tuple[Case, Found]]) -> str:
    """What is meant by a statistic that has several forms."""
    small = any(case.samples[0].shape == (2, 2) for case, _ in made)
    if (action.test == "chi-square" and not small) or (
        action.test == "kolmogorov" and action.between
    ):
        return ""
    return _MEANT.get(action.test, "")


def _levene(samples: Sequence[np.ndarray[Any, Any]]) -> float:
    from scipy import stats

    varied = [one for one in samples if len(one) > 1]
    spread = len(varied) > 1 and any(one.min() < one.max() for one in varied)
    return float(stats.levene(*varied).pvalue) if spread else 1.0


def _shapiro(sample: np.ndarray[Any, Any]) -> float:
    from scipy import stats

    varies = len(sample) > 2 and sample.min() < sample.max()
    return float(stats.shapiro(sample).pvalue) if varies else 1.0


def _below(value: float) -> bool:
    return value < _ALPHA


def _ties(samples: Sequence[np.ndarray[Any, Any]]) -> bool:
    import numpy as np

    whole = np.concatenate(samples)
    return len(np.unique(whole)) < len(whole)
