"""What Fit tells of a step: how good the fit is, what is significant, and what to take care of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wideleaf.tools.actions.inference.fit_distributions import SHAPES
from wideleaf.tools.privacy import Fact, caveat, caveats, caveats_of_columns, matter_of
from wideleaf.tools.words import name_some, p_text

if TYPE_CHECKING:
    from wideleaf.tools.actions.inference.fit import Fit
    from wideleaf.tools.actions.inference.fit_design import Design, Regression
    from wideleaf.tools.actions.inference.fit_models import Description, Terms

    Figures = Mapping[str, float | None]

ALPHA = 0.05
NAMES_TOLD = 5
ROWS_A_TERM = 10
"""Of fewer rows a term, or rows of the rarer class, coefficients are unsure."""
MAX_INFLATED, MAX_CONDITION, MAX_DISPERSED = 10.0, 30.0, 1.5
SUSPICIOUS = 0.9999
"""Of so much of its spread a target is most likely told by itself."""
NOTHING = [caveat("There is no row to fit to")]


def facts_of(action: Fit, fitted: Regression) -> list[Fact]:
    """Facts about a regression.

    Args:
        action: The resolved action.
        fitted: What was fitted, and to what.
    """
    design, terms, rows = fitted.design, fitted.design.terms, len(fitted.design.target)
    matter, lost = matter_of(rows), design.total - rows
    texts = (_quality(action, terms, fitted.figures), _significant(terms, fitted.found))
    facts = [caveat(text, matter) for text in texts]
    if design.one is not None:
        text = f"Coefficients are of the log odds of {action.target} = {design.one}"
        facts.append(caveat(text, "values"))
        facts.append(Fact(text="Of the two values of the target the last in order counts as 1"))
    if action.model == "poisson":
        facts.append(Fact(text="Coefficients are of the log of the expected count"))
    facts += caveats(
        (lost, f"{lost} of {design.total} rows are left out for a null"),
        *(
            (True, f"{name!r} counts by its values, compared with the first of them in order")
            for name in terms.bases
        ),
    )
    facts += caveats_of_columns(terms.constant, "constant features took no part", "Left out")
    text = "features are combinations of others before them and took no part"
    facts += caveats_of_columns(terms.collinear, text, "Left out")
    if action.robust:
        kind = "HC3" if action.model == "ols" else "of the sandwich form (HC0)"
        text = f"Standard errors are {kind}, which no equal variance is assumed of"
        facts.append(Fact(text=text))
    if not action.intercept and action.model == "ols":
        facts.append(caveat("Without an intercept R2 is of squares about zero"))
    return facts + [caveat(text, matter) for text in _doubts(action, design, fitted.figures)]


def facts_of_distributions(
    action: Fit, descriptions: Sequence[Description], rows: int, lost: int
) -> list[Fact]:
    """Facts about distributions.

    Args:
        action: The resolved action.
        descriptions: What was fitted, the best first.
        rows: How many values it was fitted to.
        lost: How many rows have none.
    """
    matter, best, second = matter_of(rows), descriptions[0], descriptions[1:2]
    text = f"Of {len(descriptions)} distributions {best.distribution!r} describes "
    text += f"{action.target!r} best, by AIC {best.aic:.5g}"
    for one in second:
        text += f"; {one.distribution!r} is {one.aic - best.aic:.3g} behind"
    facts = [caveat(text, matter)]
    if best.ks_p is not None:
        fits = "even it departs from the values" if best.ks_p < ALPHA else "it may hold"
        text = f"Kolmogorov and Smirnov's test of it: {p_text(best.ks_p)}, so {fits}"
        facts.append(caveat(text, matter))
        facts.append(caveat("That p is too high, since parameters were fitted to the same values"))
    facts += caveats((lost, f"{lost} rows are left out for a null"))
    there = {one.distribution for one in descriptions}
    out = [name for name in action.distributions or () if name not in there]
    text = f"{name_some(out)} took no part: such values cannot be, or its fit came to no end"
    facts += caveats((out, text), matter=matter)
    text = "'poisson' gives chances and the others densities, so their AIC hardly compares"
    facts += caveats(("poisson" in there and second, text))
    if any(SHAPES[one].held for one in there):
        facts.append(Fact(text="Distributions of values above zero begin at zero"))
    return facts


def _quality(action: Fit, terms: Terms, figures: Figures) -> str:
    value = {name: one or 0.0 for name, one in figures.items()}
    head = f"{action.model} of {action.target!r} on {len([*filter(None, terms.sources)])} terms, "
    head += f"{value['rows']:.0f} rows: "
    df = f"{value['df_model']:.0f}"
    if action.model == "ols":
        text = f"R2 {value['R2']:.3g}, adjusted {value['adjusted R2']:.3g}, "
        if figures["F"] is None:
            return f"{head}{text}no F"
        f = f"F({df}, {value['df_residual']:.0f}) = {value['F']:.4g}"
        return f"{head}{text}{f}, {p_text(value['F p_value'])}"
    text = f"pseudo R2 {value['pseudo R2']:.3g}"
    if value["df_model"] < 1 or not action.intercept:
        return head + text
    chi2 = f"chi2({df}) = {value['likelihood ratio']:.4g}"
    return f"{head}{text}, {chi2}, {p_text(value['likelihood ratio p_value'])}"


def _significant(terms: Terms, results: Any) -> str:
    """The features whose coefficients are sure, with their signs; a text by its name alone."""
    sure: dict[str, str] = {}
    for source, term, value, p_value in zip(
        terms.sources, terms.names, results.params, results.pvalues, strict=True
    ):
        if source and p_value < ALPHA:
            sign = "" if source != term else " (+)" if value > 0 else " (-)"
            sure.setdefault(source, f"{source!r}{sign or ' (some values)'}")
    others = len({*filter(None, terms.sources)}) - len(sure)
    if not sure:
        return f"No feature is significant at {ALPHA}"
    more = f" and {len(sure) - NAMES_TOLD} more" if len(sure) > NAMES_TOLD else ""
    text = f"Significant at {ALPHA}: {', '.join([*sure.values()][:NAMES_TOLD])}{more}"
    return f"{text}; {others} features are not" if others else text


def _doubts(action: Fit, design: Design, figures: Figures) -> Iterator[str]:
    rows, terms = len(design.target), len(design.terms.names)
    if action.model == "logistic":
        rare = int(min(design.target.sum(), rows - design.target.sum()))
        if rare < ROWS_A_TERM * terms:
            yield f"{rare} rows of the rarer value for {terms} terms are few: unsure coefficients"
    elif rows < ROWS_A_TERM * terms:
        yield f"{rows} rows for {terms} terms are few: R2 and coefficients are unsure"
    number = figures["condition number"] or 0.0
    if inflated := _find_inflated(design.terms):
        text = f"{name_some(inflated, NAMES_TOLD)} hang together with other features (variance "
        yield f"{text}inflation above {MAX_INFLATED:g}): their coefficients are unsure"
    elif number > MAX_CONDITION:
        yield f"The condition number of the scaled terms is {number:.3g}: unsure coefficients"
    ratio = figures.get("dispersion") or 0.0
    if ratio > MAX_DISPERSED and not action.robust:
        yield f"The counts vary {ratio:.3g} times as much as Poisson's; robust allows for that"
    if (figures.get("R2") or 0.0) > SUSPICIOUS:
        yield "The target is fitted without error: a feature may be the target itself"
    chance = figures.get("Jarque-Bera p_value")
    if chance is not None and chance < ALPHA:
        yield f"Residuals are not normal (Jarque and Bera: {p_text(chance)})"
    chance = figures.get("Breusch-Pagan p_value")
    if chance is not None and chance < ALPHA:
        more = "" if action.robust else "; robust standard errors allow for that"
        yield f"Residuals spread unequally (Breusch and Pagan: {p_text(chance)}){more}"


def _find_inflated(terms: Terms) -> list[str]:
    """Features whose coefficients the others make far less sure than they would be alone."""
    import numpy as np

    if terms.sources[0] or len(terms.sources) < 3:  # without an intercept, or of one term
        return []
    # Of the correlations' inverse the diagonal is the inflation of each.
    factors = np.diag(np.linalg.pinv(np.corrcoef(terms.cells[:, 1:], rowvar=False), hermitian=True))
    pairs = zip(terms.sources[1:], factors, strict=True)
    return [*dict.fromkeys(name for name, factor in pairs if factor > MAX_INFLATED)]
