"""Hypothesis tests and fits as pandas code with SciPy and statsmodels."""

from __future__ import annotations

from wideleaf.tools.actions.inference.fit import ADDED, Fit
from wideleaf.tools.actions.inference.fit_distributions import USUAL
from wideleaf.tools.actions.inference.hypothesis import Test
from wideleaf.tools.actions.inference.hypothesis_samples import group_label
from wideleaf.tools.actions.joining.keys import avoid_clashes
from wideleaf.tools.exports.pandas.rules import write_pandas
from wideleaf.tools.exports.pandas.words import Lines, StepPlace, as_code, column, types_of

_TESTS = {
    "t": "_t_test({}, {way}, equal=True)",
    "welch": "_t_test({}, {way}, equal=False)",
    "paired t": "_paired_t_test({}, {way})",
    "one-sample t": "_single_t_test({}, {way}, {value})",
    "mann-whitney": "_mann_whitney({}, {way})",
    "wilcoxon": "_wilcoxon({}, {way}, {value})",
    "chi-square": "_chi_square({})",
    "fisher": "_fisher({}, {way})",
    "anova": "_anova({})",
    "kruskal": "_kruskal({})",
    "levene": "_several({}, stats.levene)",
    "shapiro": "_normality({}, stats.shapiro, 3)",
    "d'agostino": "_normality({}, stats.normaltest, 8, df=2)",
}
_LILLIEFORS = "_normality({}, _lilliefors, 4)"
_TWO_DISTRIBUTIONS = "_two_distributions({}, {way})"


@write_pandas.register(Test)
def test_code(action: Test, at: StepPlace) -> Lines:
    """The lines of hypothesis tests: the groups that are compared, and a row a test."""
    frame, table = at.frames[0], at.tables[0]
    names, takes = list(action.columns), action.takes
    tests: list[list[str | None]] = [[name, action.between, action.test] for name in names]
    lines, factor = [], action.between
    if takes == "counts" and factor is None:
        factor, tests = names[1], [[*names, action.test]]
    if factor is not None:
        wanted = None if action.groups is None else [*map(str, _labels(action, at))]
        day = ", day=True" if table.kind(factor) == "date" else ""
        lines.append(f"part = _grouping({column(frame, factor)}, {as_code(wanted)}{day})")
    if takes == "counts":
        samples = "lambda rows, name, _: _counts_of(rows, name, part)"
    elif factor is not None:
        samples = f"lambda rows, name, _: _groups_of(rows, name, part, two={takes == 'two'})"
    elif takes == "pairs":
        samples = f"lambda rows, *_: _pairs_of(rows, {as_code(names)})"
        tests = [[*names, action.test]]
    elif takes == "each":
        samples = "lambda rows, name, _: _columns_apart(rows, [name], (pd.NA, pd.NA))"
    else:
        labels = as_code(names) if takes == "two" else "(pd.NA, pd.NA)"
        samples = f"lambda rows, *_: _columns_apart(rows, {as_code(names)}, {labels})"
        tests = [[names[0], ", ".join(names[1:]), action.test]]
    return [
        *lines,
        f"{at.name} = _tested(",
        f"    {frame}, {as_code(list(action.by or ()))}, {as_code(tests)},",
        f"    {samples},",
        f"    lambda samples: {_call(action)}, {action.alpha!r},",
        f"    {as_code(types_of(at.made))},",
        ")",
    ]


def _labels(action: Test, at: StepPlace) -> list[str]:
    """What the groups that are named are called in the result."""
    kind = at.tables[0].kind(str(action.between))
    return [group_label(said, kind) for said in action.groups or ()]


def _call(action: Test) -> str:
    code = _TESTS.get(action.test) or (_TWO_DISTRIBUTIONS if action.between else _LILLIEFORS)
    return code.format("samples", way=repr(action.alternative), value=repr(action.value))


@write_pandas.register(Fit)
def fit_code(action: Fit, at: StepPlace) -> Lines:
    """The lines of a fit: the design and the regression, or distributions."""
    frame, target = at.frames[0], action.target
    if action.model == "distribution":
        names = as_code(list(action.distributions or USUAL))
        parameters = action.result == "coefficients"
        return [f"_distributions({column(frame, target)}, {names}, parameters={parameters})"]
    named = f"{target!r}, {as_code(list(action.features or ()))}, {action.intercept}"
    fitted = f"_regression(*part, {action.model!r}, robust={action.robust})"
    if action.result == "coefficients":
        made = f"_coefficients({fitted})"
    elif action.result == "summary":
        order = f", {column(frame, action.order)}" if action.order else ""
        made = f"_summary({fitted}, part[1], {action.intercept}{order})"
    else:
        names = as_code([*avoid_clashes(at.tables[0].columns, ADDED).values()])
        made = f"_with_residuals({frame}, {fitted}, {names})"
    return [
        f"part = _design({frame}, {named})  # the target, and a column for each term",
        f"{at.name} = {made}",
    ]
