"""The hypothesis tests that there are, a row each: a new test is a new row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from wideleaf.tools.actions.inference.hypothesis_tests import Found

Alternative = Literal["two-sided", "less", "greater"]
Takes = Literal["each", "pairs", "two", "several", "counts"]
Samples = Sequence[Any]
Caution = Callable[[Samples, "Found"], str]
ALPHA = 0.05
SMALL = 30
"""Below so many values means are not normal whatever the values are."""
MAX_FOR_SHAPIRO, MIN_FOR_OMNIBUS, MIN_EXPECTED = 5_000, 20, 5


class Method(NamedTuple):
    """A test.

    Attributes:
        call: The function of `hypothesis_tests` that makes it.
        takes: What samples it is made of: each column's own, pairs, two, several, or counts.
        sign: What its statistic is called.
        shows: What it shows where it is significant; a value of a mean is ``the value``.
        lacks: What it has not shown where it is not.
        given: What its function is told beside samples, value and alternative.
        least: The size of the smallest sample it takes.
        directed: Whether its alternative may be one-sided.
        spellings: Other names of it.
        instead: The test of more groups.
        cautions: What it assumes: each says where samples do not show it.
        meant: What is meant by a statistic that has several forms.
        medians: Whether its centres are medians, not means.
        other: The same test of samples of another kind.
        small: Whether its table of counts is of two values each.
    """

    call: str
    takes: Takes
    sign: str
    shows: str
    lacks: str
    given: Mapping[str, Any] = {}
    least: int = 0
    directed: bool = False
    spellings: tuple[str, ...] = ()
    instead: str = ""
    cautions: tuple[Caution, ...] = ()
    meant: str = ""
    medians: bool = False
    other: Method | None = None
    small: bool = False


def _caution(fails: Callable[[Samples], bool], text: str) -> Caution:
    """A caution of samples that are not as a test assumes."""
    return lambda samples, outcome: text if fails(samples) else ""


def _unequal(text: str) -> Caution:
    """A caution of variances that differ."""

    def differ(samples: Samples) -> bool:
        from scipy import stats  # type: ignore[import-untyped]

        varied = [one for one in samples if len(one) > 1]
        spread = len(varied) > 1 and any(one.min() < one.max() for one in varied)
        return bool(spread and stats.levene(*varied).pvalue < ALPHA)

    return _caution(differ, f"the variances differ by Levene's test; {text}")


def _skew(instead: str, pairs: bool = False) -> Caution:
    """A caution of few values that are not normal."""

    def is_skewed(sample: Any) -> bool:
        from scipy import stats

        if not 2 < len(sample) < SMALL or sample.min() == sample.max():
            return False
        return not stats.shapiro(sample).pvalue >= ALPHA

    return _caution(
        lambda samples: any(map(is_skewed, [samples[0] - samples[1]] if pairs else samples)),
        f"a sample of under {SMALL} values is not normal by Shapiro and Wilk's test; {instead!r} "
        "would not assume it",
    )


def _has_ties(samples: Samples) -> bool:
    import numpy as np

    whole = np.concatenate(samples)
    return len(np.unique(whole)) < len(whole)


def _check_expected(samples: Samples, outcome: Found) -> str:
    from scipy import stats

    low = stats.contingency.expected_freq(samples[0]) < MIN_EXPECTED
    if low.any() and low.shape == (2, 2):
        return f"an expected count is below {MIN_EXPECTED}: p is inexact; 'fisher' is exact"
    if low.mean() <= 0.2:
        return ""
    return (
        f"{int(low.sum())} of {low.size} expected counts are below {MIN_EXPECTED}: p is "
        "inexact; Derive coarser values"
    )


def _infinite(samples: Samples, outcome: Found) -> str:
    text = "a count of zero makes the odds ratio infinite, which stands as null"
    return text if outcome.effect_size is None else ""


_TIES = _caution(_has_ties, "values tie: p is corrected for that, by a normal approximation")
_FEW = _caution(
    lambda samples: min(map(len, samples)) < MIN_EXPECTED,
    f"a group has under {MIN_EXPECTED} values, of which p is inexact",
)
_MANY_FOR_SHAPIRO = _caution(
    lambda samples: len(samples[0]) > MAX_FOR_SHAPIRO,
    f"of over {MAX_FOR_SHAPIRO} values p is inexact, and the least departure from normal is "
    "significant",
)
_FEW_FOR_OMNIBUS = _caution(
    lambda samples: len(samples[0]) < MIN_FOR_OMNIBUS,
    f"of under {MIN_FOR_OMNIBUS} values p is inexact; 'shapiro' holds for few",
)
_MEANS = "the means differ", "no difference of means"
_SIZES = "one tends to be larger", "no tendency to be larger"
_LINK = "they are associated", "no association"
_NORMAL = "not normally distributed", "no departure from a normal distribution"
METHODS: dict[str, Method] = {
    "t": Method(
        "t_test", "two", "t", *_MEANS, {"equal": True}, least=2, directed=True,
        spellings=("student", "student t", "students t", "independent t", "two sample t", "ttest",
                   "unpaired t", "independent samples t"),
        instead="anova",
        cautions=(_unequal("'welch' would not assume them equal"), _skew("mann-whitney")),
        meant="Student's t-test assumes equal variances; Cohen's d is by the pooled deviation",
    ),
    "welch": Method(
        "t_test", "two", "t", *_MEANS, {"equal": False}, least=2, directed=True,
        spellings=("welch t", "welchs t", "welchs"), instead="anova",
        cautions=(_skew("mann-whitney"),),
    ),
    "paired t": Method(
        "paired_t_test", "pairs", "t", *_MEANS, least=2, directed=True,
        spellings=("paired", "dependent t", "paired samples t"),
        cautions=(_skew("wilcoxon", pairs=True),),
    ),
    "one-sample t": Method(
        "single_t_test", "each", "t", "the mean differs from the value",
        "no difference from the value", least=2, directed=True,
        spellings=("one sample t", "single sample t", "one sample"), cautions=(_skew("wilcoxon"),),
    ),
    "mann-whitney": Method(
        "mann_whitney", "two", "U", *_SIZES, least=1, directed=True,
        spellings=("mann whitney", "mann whitney u", "u", "mannwhitneyu", "wilcoxon rank sum",
                   "rank sum", "wilcoxon mann whitney"),
        instead="kruskal", cautions=(_TIES,), medians=True,
    ),
    "wilcoxon": Method(
        "wilcoxon", "pairs", "W", *_SIZES, least=1, directed=True,
        spellings=("signed rank", "wilcoxon signed rank"),
        meant="Pairs without a difference take no part", medians=True,
        other=Method(
            "wilcoxon", "each", "W", "most lie to one side of the value",
            "no tendency to one side of the value", least=1, directed=True,
            meant="Pairs without a difference take no part", medians=True,
        ),
    ),
    "chi-square": Method(
        "chi_square", "counts", "chi2", *_LINK,
        spellings=("chi square", "chi squared", "chi2", "chisquare", "chi", "pearson chi square",
                   "independence", "χ²"),
        cautions=(_check_expected,), meant="The statistic of a table of 2 x 2 has Yates' "
        "correction",
    ),
    "fisher": Method(
        "fisher", "counts", "odds ratio", *_LINK, directed=True, small=True,
        spellings=("fisher exact", "fishers exact", "fishers"), cautions=(_infinite,),
    ),
    "proportions": Method(
        "proportions", "counts", "z", "the shares differ", "no difference of shares",
        directed=True, small=True,
        spellings=("proportion", "of proportions", "two proportions", "two proportion z",
                   "z of proportions", "proportions z", "difference of proportions"),
        cautions=(_check_expected,),
        meant="A share is of the last of the two values in order, true of true and false",
    ),
    "anova": Method(
        "anova", "several", "F", "the means are not all equal", _MEANS[1],
        spellings=("one way anova", "f", "analysis of variance", "f oneway"),
        cautions=(_unequal("anova takes them equal"), _skew("kruskal")),
    ),
    "kruskal": Method(
        "kruskal", "several", "H", "the groups are not all alike", _SIZES[1],
        spellings=("kruskal wallis", "kruskal wallis h", "h"), cautions=(_FEW,),
    ),
    "levene": Method(
        "several", "several", "W", "the variances differ", "no difference of variances",
        {"test": "levene"},
        spellings=("brown forsythe", "levenes", "homogeneity of variance", "equal variances"),
        meant="Levene's test is of the distances from the medians (Brown and Forsythe)",
    ),
    "shapiro": Method(
        "normality", "each", "W", *_NORMAL, {"test": "shapiro"}, least=3,
        spellings=("shapiro wilk", "normality", "normal"), cautions=(_MANY_FOR_SHAPIRO,),
    ),
    "kolmogorov": Method(
        "normality", "each", "D", *_NORMAL, {"test": "lilliefors"}, least=4,
        spellings=("ks", "kolmogorov smirnov", "lilliefors"),
        meant="The normal distribution has the column's own mean and deviation, and p is "
        "Lilliefors', from a table between 0.001 and 1",
        other=Method(
            "two_distributions", "two", "D", "the distributions differ",
            "no difference of distributions", least=1, directed=True, instead="kruskal",
            medians=True,
        ),
    ),
    "d'agostino": Method(
        "normality", "each", "K2", *_NORMAL, {"test": "normaltest", "df": 2}, least=8,
        spellings=("dagostino", "normaltest", "dagostino pearson", "dagostino k2", "k2",
                   "omnibus"),
        cautions=(_FEW_FOR_OMNIBUS,),
    ),
}  # fmt: skip
"""By the name that a caller gives, in the order in which a model reads them."""
SPELLINGS = {text: name for name, method in METHODS.items() for text in method.spellings}
