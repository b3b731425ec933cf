"""What Test tells of a step: what was found, what it rests on, and what took no part."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from wideleaf.tools.actions.inference.hypothesis_samples import Case
from wideleaf.tools.privacy import LEAST_FOR_STATISTICS, Fact, Matter

if TYPE_CHECKING:
    from wideleaf.tools.actions.inference.hypothesis import Test
    from wideleaf.tools.actions.inference.hypothesis_tests import Found

MOST_TOLD = 5
"""So many tests are told of one by one."""
FEW = 10
"""Below so few values little shows."""


def facts_of(action: Test, made: Sequence[tuple[Case, Found]]) -> list[Fact]:
    """Facts about tests.

    Args:
        action: The resolved action.
        made: The tests, and what each found.
    """
    there = [(case, found) for case, found in made if not found.reason]
    many = all(_size(action, *one) >= LEAST_FOR_STATISTICS for one in there)
    matter: Matter = "statistics" if many else "values"
    facts = []
    if len(there) <= MOST_TOLD and not action.by:
        facts += [Fact(text=_sentence(action, *one), matter=matter, caveat=True) for one in there]
    if len(there) > 1:
        facts.append(Fact(text=_together(action, there), matter=matter, caveat=True))
    facts += _left_out(made)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of values that are nearly alike
        texts = Counter(text for one in there for text in _cautions(action, *one))
    for text, count in texts.items():
        facts.append(Fact(text=_of(count, len(there), text), matter=matter, caveat=True))
    if there and (meant := _meaning(action, there)):
        facts.append(Fact(text=meant))
    return facts


def p_text(value: float) -> str:
    """A p-value in words."""
    return "p < 0.0001" if value < 0.0001 else f"p = {value:.3g}"


def _size(action: Test, case: Case, found: Found) -> int:
    """How many rows a figure of a test is of, where two samples are told apart of the smaller."""
    if action.method.takes == "counts" and found.centres != (None, None):
        return int(case.samples[0].sum(axis=0).min())
    return case.least if action.method.takes == "two" else case.rows


def _sentence(action: Test, case: Case, found: Found) -> str:
    """A test and its verdict."""
    what = repr(case.column)
    if case.other is not None:
        joint = "by" if action.between and action.method.takes != "counts" else "and"
        what += f" {joint} {case.other!r}"
    if found.statistic is None:
        figures = ["the odds ratio is infinite"]
    else:
        figures = [f"{action.method.sign} = {found.statistic:.4g}"]
    if found.df is not None:
        below = "" if found.df_error is None else f" and {found.df_error:.4g}"
        figures.append(f"df = {found.df:.4g}{below}")
    figures.append(p_text(found.p_value or 0.0))
    told = f"{what}: {', '.join(figures)}: {_verdict(action, found)} at {action.alpha:g}"
    if found.effect is not None and found.effect_size is not None and found.effect != "odds ratio":
        told += f"; {found.effect} {found.effect_size:.3g}"
    return f"{told}; {found.beside}" if found.beside else told


def _verdict(action: Test, found: Found) -> str:
    method = action.method
    yes, no = (
        text.replace("the value", f"{action.value:g}") for text in (method.shows, method.lacks)
    )
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


def _cautions(action: Test, case: Case, found: Found) -> Iterator[str]:
    """What a test assumes and its samples do not show."""
    if action.method.takes != "counts" and case.least < FEW:
        yield f"a sample has under {FEW} values, so that only a large effect is significant"
    samples = [one for one in case.samples if len(one)]
    for caution in action.method.cautions:
        if text := caution(samples, found):
            yield text


def _meaning(action: Test, made: Sequence[tuple[Case, Found]]) -> str:
    """What is meant by a statistic that has several forms; of a larger table it has one."""
    small = any(case.samples[0].shape == (2, 2) for case, _ in made)
    return action.method.meant if small or action.method.takes != "counts" else ""
