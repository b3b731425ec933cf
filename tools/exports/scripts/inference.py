"""Hypothesis tests, fits and correlations as code with SciPy and statsmodels."""

from __future__ import annotations

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.inference.correlate import Correlate
from wideleaf.tools.actions.inference.fit import ADDED, USUAL, Fit
from wideleaf.tools.actions.inference.hypothesis import Test
from wideleaf.tools.actions.inference.hypothesis_samples import group_label
from wideleaf.tools.actions.joining.keys import avoid_clashes
from wideleaf.tools.exports.scripts.words import Lines, StepPlace, as_code, column, types_of


def inference_code(action: Action, at: StepPlace) -> Lines:
    """The lines of a step that SciPy or statsmodels computes; none of another."""
    rows = f"rows = _plain({at.frames[0]})"
    match action:
        case Test():
            return [rows, *_test_code(action, at)]
        case Fit():
            return [rows, *_fit_code(action, at)]
        case Correlate() if action.method != "mixed":
            names, by = as_code(list(action.with_ or ())), as_code(list(action.by or ()))
            return [
                rows,
                f"{at.name} = _correlated(rows, {action.column!r}, {names}, {action.method!r}, "
                f"{by}, {action.limit}, {as_code(types_of(at.made))})",
            ]
    return []


def _test_code(action: Test, at: StepPlace) -> Lines:
    """The lines of hypothesis tests: the groups that are compared, and a row a test."""
    frame, table = "rows", at.tables[0]
    names, takes = list(action.columns), action.method.takes
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
        samples = "lambda rows, name, _: _columns_apart(rows, [name], (None, None))"
    else:
        labels = as_code(names) if takes == "two" else "(None, None)"
        samples = f"lambda rows, *_: _columns_apart(rows, {as_code(names)}, {labels})"
        tests = [[names[0], ", ".join(names[1:]), action.test]]
    return [
        *lines,
        f"{at.name} = _tested(",
        f"    {frame}, {as_code(list(action.by or ()))}, {as_code(tests)},",
        f"    {samples},",
        f"    lambda samples: {_call(action)}, {action.method.least}, {action.alpha!r},",
        f"    {as_code(types_of(at.made))}{', medians=True' if action.method.medians else ''},",
        ")",
    ]


def _labels(action: Test, at: StepPlace) -> list[str]:
    """What the groups that are named are called in the result."""
    kind = at.tables[0].kind(str(action.between))
    return [group_label(said, kind) for said in action.groups or ()]


def _call(action: Test) -> str:
    given = "".join(f", {name}={as_code(one)}" for name, one in action.method.given.items())
    return f"{action.method.call}(samples, {action.value!r}, {action.alternative!r}{given})"


def _fit_code(action: Fit, at: StepPlace) -> Lines:
    """The lines of a fit: the design and the regression, or distributions."""
    types = as_code(types_of(at.made))
    if action.model == "distribution":
        cells, names = column("rows", action.target), as_code(list(action.distributions or USUAL))
        parameters = action.result == "coefficients"
        return [f"{at.name} = _distributions({cells}, {names}, {parameters}, {types})"]
    given = [action.target, list(action.features or ()), action.model]
    named = ", ".join(as_code(one) for one in [*given, action.intercept, action.robust])
    if action.result == "coefficients":
        made = f"_coefficients(part, {types})"
    elif action.result == "summary":
        order = f", {column('rows', action.order)}" if action.order else ""
        made = f"_summary(part, {types}{order})"
    else:
        names = as_code([*avoid_clashes(at.tables[0].columns, ADDED).values()])
        made = f"_with_residuals(rows, part, {names})"
    return [
        f"part = _fitted(rows, {named})  # the rows, their terms and the regression",
        f"{at.name} = {made}",
    ]
