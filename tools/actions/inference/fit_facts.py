"""What Fit tells of a step: how good the fit is, what is significant, and what to take care of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wideleaf.tools.actions.inference.fit_distributions import SHAPES
from wideleaf.tools.actions.inference.hypothesis_facts import p_text
from wideleaf.tools.privacy import LEAST_FOR_STATISTICS, Fact, Matter

if TYPE_CHECKING:
    from wideleaf.tools.actions.inference.fit import Fit
    from wideleaf.tools.actions.inference.fit_design import Design
    from wideleaf.tools.actions.inference.fit_models import Description, Terms

    Figures = Mapping[str, float | None]

ALPHA = 0.05
NAMES_TOLD = 5
ROWS_A_TERM = 10
"""Of fewer rows a term, or rows of the rarer class, coefficients are unsure."""
MOST_INFLATED, MOST_CONDITION, MOST_DISPERSED = 10.0, 30.0, 1.5
SUSPICIOUS = 0.9999
"""Of so much of its spread a target is most likely told by itself."""
NOTHING = [Fact(text="There is no row to fit to", caveat=True)]


def facts_of(action: Fit, made: Design, found: Any, figures: Figures) -> list[Fact]:
    """Facts about a regression.

    Args:
        action: The resolved action.
        made: What it was fitted to.
        found: What statsmodels gave.
        figures: What sums it up.
    """
    rows, terms = len(made.target), made.terms
    matter: Matter = "statistics" if rows >= LEAST_FOR_STATISTICS else "values"
    told = [_quality(action, terms, figures), _significant(terms, found)]
    facts = [Fact(text=text, matter=matter, caveat=True) for text in told]
    if made.one is not None:
        text = f"Coefficients are of the log odds of {action.target} = {made.one}"
        facts.append(Fact(text=text, matter="values", caveat=True))
        facts.append(Fact(text="Of the two values of the target the last in order counts as 1"))
    if action.model == "poisson":
        facts.append(Fact(text="Coefficients are of the log of the expected count"))
    if lost := made.total - rows:
        text = f"{lost} of {made.total} rows are left out for a null"
        facts.append(Fact(text=text, caveat=True))
    for name in terms.bases:
        text = f"{name!r} counts by its values, compared with the first of them in order"
        facts.append(Fact(text=text, caveat=True))
    for names, what in (
        (terms.constant, "constant features took no part"),
        (terms.collinear, "features are combinations of others before them and took no part"),
    ):
        if names:
            facts.append(Fact(text=f"{len(names)} {what}", caveat=True))
            text = f"Left out: {_some(names)}"
            facts.append(Fact(text=text, matter="statistics", caveat=True))
    if action.robust:
        kind = "HC3" if action.model == "ols" else "of the sandwich form (HC0)"
        facts.append(
            Fact(text=f"Standard errors are {kind}, which no equal variance is assumed of")
        )
    if not action.intercept and action.model == "ols":
        facts.append(Fact(text="Without an intercept R2 is of squares about zero", caveat=True))
    caveats = _caveats(action, made, figures)
    return facts + [Fact(text=text, matter=matter, caveat=True) for text in caveats]


def facts_of_distributions(
    action: Fit, made: Sequence[Description], rows: int, lost: int
) -> list[Fact]:
    """Facts about distributions.

    Args:
        action: The resolved action.
        made: What was fitted, the best first.
        rows: How many values it was fitted to.
        lost: How many rows have none.
    """
    matter: Matter = "statistics" if rows >= LEAST_FOR_STATISTICS else "values"
    best = made[0]
    text = f"Of {len(made)} distributions {best.distribution!r} describes {action.target!r} best"
    text += f", by AIC {best.aic:.5g}"
    if len(made) > 1:
        text += f"; {made[1].distribution!r} is {made[1].aic - best.aic:.3g} behind"
    facts = [Fact(text=text, matter=matter, caveat=True)]
    if best.ks_p is not None:
        fits = "even it departs from the values" if best.ks_p < ALPHA else "it may hold"
        text = f"Kolmogorov and Smirnov's test of it: {p_text(best.ks_p)}, so {fits}"
        facts.append(Fact(text=text, matter=matter, caveat=True))
        text = "That p is too high, since parameters were fitted to the same values"
        facts.append(Fact(text=text, caveat=True))
    if lost:
        facts.append(Fact(text=f"{lost} rows are left out for a null", caveat=True))
    there = {one.distribution for one in made}
    if out := [name for name in action.distributions or () if name not in there]:
        text = f"{_some(out)} took no part: such values cannot be, or its fit came to no end"
        facts.append(Fact(text=text, matter=matter, caveat=True))
    if "poisson" in there and len(there) > 1:
        text = "'poisson' gives chances and the others densities, so their AIC hardly compares"
        facts.append(Fact(text=text, caveat=True))
    held = [one for one in there if SHAPES[one].held]
    if held:
        facts.append(Fact(text="Distributions of values above zero begin at zero"))
    return facts


def _quality(action: Fit, terms: Terms, figures: Figures) -> str:
    value = {name: one or 0.0 for name, one in figures.items()}
    head = f"{action.model} of {action.target!r} on {len([*filter(None, terms.sources)])} terms, "
    head += f"{value['rows']:.0f} rows: "
    df = f"{value['df_model']:.0f}"
    if action.model == "ols":
        told = f"R2 {value['R2']:.3g}, adjusted {value['adjusted R2']:.3g}, "
        if figures["F"] is None:
            return f"{head}{told}no F"
        f = f"F({df}, {value['df_residual']:.0f}) = {value['F']:.4g}"
        return f"{head}{told}{f}, {p_text(value['F p_value'])}"
    told = f"pseudo R2 {value['pseudo R2']:.3g}"
    if value["df_model"] < 1 or not action.intercept:
        return head + told
    chi2 = f"chi2({df}) = {value['likelihood ratio']:.4g}"
    return f"{head}{told}, {chi2}, {p_text(value['likelihood ratio p_value'])}"


def _significant(terms: Terms, found: Any) -> str:
    """The features whose coefficients are sure, with their signs; a text by its name alone."""
    sure: dict[str, str] = {}
    for source, term, value, p_value in zip(
        terms.sources, terms.names, found.params, found.pvalues, strict=True
    ):
        if source and p_value < ALPHA:
            sign = "" if source != term else " (+)" if value > 0 else " (-)"
            sure.setdefault(source, f"{source!r}{sign or ' (some values)'}")
    others = len({*filter(None, terms.sources)}) - len(sure)
    if not sure:
        return f"No feature is significant at {ALPHA}"
    told = f"Significant at {ALPHA}: {_first([*sure.values()])}"
    return f"{told}; {others} features are not" if others else told


def _caveats(action: Fit, made: Design, figures: Figures) -> Iterator[str]:
    rows, terms = len(made.target), len(made.terms.names)
    if action.model == "logistic":
        rare = int(min(made.target.sum(), rows - made.target.sum()))
        if rare < ROWS_A_TERM * terms:
            yield f"{rare} rows of the rarer value for {terms} terms are few: unsure coefficients"
    elif rows < ROWS_A_TERM * terms:
        yield f"{rows} rows for {terms} terms are few: R2 and coefficients are unsure"
    number = figures["condition number"] or 0.0
    if inflated := _inflated(made.terms):
        yield (
            f"{_some(inflated)} hang together with other features (variance inflation above "
            f"{MOST_INFLATED:g}): their coefficients are unsure"
        )
    elif number > MOST_CONDITION:
        yield f"The condition number of the scaled terms is {number:.3g}: unsure coefficients"
    ratio = figures.get("dispersion") or 0.0
    if ratio > MOST_DISPERSED and not action.robust:
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


def _inflated(terms: Terms) -> list[str]:
    """Features whose coefficients the others make far less sure than they would be alone."""
    import numpy as np

    if terms.sources[0] or len(terms.sources) < 3:  # without an intercept, or of one term
        return []
    # Of the correlations' inverse the diagonal is the inflation of each.
    factors = np.diag(np.linalg.pinv(np.corrcoef(terms.cells[:, 1:], rowvar=False), hermitian=True))
    named = zip(terms.sources[1:], factors, strict=True)
    return [*dict.fromkeys(name for name, factor in named if factor > MOST_INFLATED)]


def _some(names: Sequence[str]) -> str:
    return _first([*map(repr, names)])


def _first(texts: Sequence[str]) -> str:
    more = f" and {len(texts) - NAMES_TOLD} more" if len(texts) > NAMES_TOLD else ""
    return ", ".join(texts[:NAMES_TOLD]) + more
