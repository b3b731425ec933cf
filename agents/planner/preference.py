"""Preference: which of the best candidates comes first where the weights alone would mislead."""

from __future__ import annotations

from wideleaf.agents.planner.candidates import Candidate
from wideleaf.agents.planner.features import Features, weigh
from wideleaf.agents.planner.links.lexicon import Cue
from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.links.values import ValueLink
from wideleaf.agents.planner.rules.quantities import additive, repeats
from wideleaf.agents.planner.rules.rows import QUANTITY
from wideleaf.tools.plain_data import texts_in

CLEARLY = 1.0
TWICE = ("of", "for", "among", "with", "in")
"""Words that, said once more before the second of two values, hold them apart."""
POOLED = {"mean": TWICE, "median": TWICE, "count": ("how",)}
"""Rules of one number whose values are not meant of two groups together, where such a word stands
before the second value: the mean of the brides and *of* the grooms, how many men and *how* many."""
MARGIN = 5.0
"""So much less a plan may score that has the groups which are asked for."""
ROWS_EACH = 2
"""Things have several rows where there are so many rows a thing."""
WHAT = ("what", "what's", "whats", "how")
SHOWN = ("gives ", "wide answer", "log rows", "echo")


def prefer(ranked: list[Candidate]) -> list[Candidate]:
    """The candidates, best first, in the order in which they are proposed.

    Args:
        ranked: Candidates by their scores.
    """
    return measured_first(summed_first(apart_first(grouped_first(nothing_first(ranked)))))


def nothing_first(ranked: list[Candidate]) -> list[Candidate]:
    """Put an empty answer first where the best one only gives rows by leaving a condition out.

    That no row fits is an answer, too; the weights, fitted on questions that have one, shun it.
    """
    if not ranked or ranked[0].rows is None:
        return ranked
    lacking = [one for one in ranked if one.rows is not None and absences_of(one)]
    if lacking and not absences_of(ranked[0]):
        first = max(lacking, key=lambda one: (absences_of(one), _before_run(one)))
        return [first, *(one for one in ranked if one is not first)]
    best = ranked[0]
    count = conditions_of(best)
    for place, one in enumerate(ranked[1:], start=1):
        if one.derivation.rules[-1:] == ("sum counted",):
            continue  # of no row there is a number, but no sum
        shunned = weigh({name: one.features.get(name, 0.0) for name in ("empty", "null")})
        gained = one.score - shunned - (best.score - weigh(_keep_run_features(best)))
        if shunned and conditions_of(one) > count and gained > CLEARLY:
            return [one, *ranked[:place], *ranked[place + 1 :]]
    return ranked


def grouped_first(ranked: list[Candidate]) -> list[Candidate]:
    """Put groups first that are asked for outright and that the best plan leaves out.

    Who says for each of what wants a row for each; the weights, fitted on questions that mostly
    have one cell, shun many.
    """
    best = ranked[0] if ranked else None
    if best is None or not _ignores_groups(best):
        return ranked
    for place, one in enumerate(ranked[1:], start=1):
        near = one.rows and best.score - one.score <= MARGIN
        fewer = len(one.left.telling) < len(best.left.telling)
        if near and fewer and _ignores_groups(one) < _ignores_groups(best):
            first = one._replace(score=best.score + CLEARLY)
            return [first, *ranked[:place], *ranked[place + 1 :]]
    return ranked


def _ignores_groups(one: Candidate) -> float:
    return one.features.get("ignored each", 0.0)


def apart_first(ranked: list[Candidate]) -> list[Candidate]:
    """Put a number for each of two values that *and* joins before the one number of both.

    The average age of the brides and of the grooms is two numbers, that in Ely and York is one.
    """
    if not ranked:
        return ranked
    best = ranked[0].derivation
    words = best.scope.question.words
    kind = best.rules[-1].split()[0] if best.rules else ""
    if kind not in POOLED:
        return ranked
    both = [u for u in best.uses if isinstance(u, ValueLink) and u.op == "in"
            and any(words[p].text == "and" and words[p + 1].text in POOLED[kind]
                    for p in u.between if p + 1 in u.between)]  # fmt: skip
    both += [u for u in best.uses if isinstance(u, ValueLink) and _is_all(best.scope.index, u)]
    measure = "count" if kind == "count" else "mean"
    return _first_by(ranked, f"each of two {measure}") if both else ranked


def _is_all(index: TableIndex, link: ValueLink) -> bool:
    """Whether several values are all that their column has, so that they choose no rows."""
    if link.op != "in" or not isinstance(link.value, list) or len(link.value) < 2:
        return False
    if link.column not in index.kinds:
        return False  # a category that is yet to be made
    values = {str(value).casefold() for value in link.value}
    return values == {str(cell).casefold() for cell in index.distinct(link.column)}


def summed_first(ranked: list[Candidate]) -> list[Candidate]:
    """Put the group with the greatest sum before the one row with the most of something.

    The team with the most runs has several players, and the runs are theirs together; the
    tallest building of a country is one. Who says *highest* may mean either of a thing that has
    several rows: then both are as likely, and both are told.
    """
    if not ranked:
        return ranked
    best = ranked[0].derivation
    index = best.scope.index
    ends = [u for u in best.uses if isinstance(u, Cue) and u.kind == "extreme"]
    column = best.answers[0] if "top extreme" in best.rules and len(best.answers) == 1 else ""
    if not ends or index.kinds.get(column) != "text" or not _recurs(index, column):
        return ranked
    ordered = next((s.arguments["by"] for s in reversed(best.steps) if s.name == "Sort"), None)
    measured = [c for c in texts_in([ordered], keys=False) if c in index.kinds]
    if not measured or not all(additive(index, c) for c in measured):
        return ranked
    quantity = any(best.scope.question.words[u.end - 1].text in QUANTITY for u in ends)
    return _first_by(ranked, "group end extreme sum", CLEARLY if quantity else 0.0)


def _recurs(index: TableIndex, column: str) -> bool:
    """Whether the things of a column have several rows; names that two rows share have not."""
    if column not in index.naming:
        return repeats(index, column)
    return len(index.distinct(column)) * ROWS_EACH <= index.rows


def measured_first(ranked: list[Candidate]) -> list[Candidate]:
    """Put the highest value before a column of its row that nobody named and no row is called by.

    What the hottest was is told in degrees; who was the oldest is a name.
    """
    best = ranked[0].derivation if ranked else None
    if best is None or len(best.rules) != 2 or len(best.answers) != 1:
        return ranked
    if best.rules[0] != "top extreme" or not best.rules[1].startswith("list"):
        return ranked
    index, question = best.scope.index, best.scope.question
    columns = {m.column for m in best.scope.named}
    asks = [c for c in question.cue("wh") if question.words[c.start].text in WHAT]
    called = {*index.naming, *index.row_keys, *columns}
    if not asks or best.answers[0] in called or index.names_things(best.answers[0]):
        return ranked
    for place, one in enumerate(ranked[1:], start=1):
        near = ranked[0].score - one.score <= MARGIN
        if near and one.rows and one.derivation.rules in (("max extreme",), ("min extreme",)):
            first = one._replace(score=ranked[0].score + CLEARLY)
            return [first, *ranked[:place], *ranked[place + 1 :]]
    return ranked


def _first_by(ranked: list[Candidate], rule: str, ahead: float = CLEARLY) -> list[Candidate]:
    """The candidates with the best one by a rule first, if it is nearly as good.

    Args:
        ranked: Candidates by their scores.
        rule: How the name of its last rule begins.
        ahead: By how much it leads.
    """
    for place, one in enumerate(ranked[1:], start=1):
        near = ranked[0].score - one.score <= MARGIN
        same = one.derivation.answers[:1] == ranked[0].derivation.answers[:1] or "each" in rule
        if near and same and one.rows and one.derivation.rules[-1].startswith(rule):
            first = one._replace(score=ranked[0].score + ahead)
            return [first, *ranked[:place], *ranked[place + 1 :]]
    return ranked


def absences_of(candidate: Candidate) -> int:
    """How many conditions of a candidate ask for a value that their column does not hold."""
    uses = candidate.derivation.uses
    return sum(isinstance(use, ValueLink) and use.absent for use in uses)


def conditions_of(candidate: Candidate) -> int:
    """How many conditions a candidate explains."""
    return sum(isinstance(use, ValueLink) for use in candidate.derivation.uses)


def _before_run(candidate: Candidate) -> float:
    """The score without what came of a run."""
    signs = {n: v for n, v in candidate.features.items() if n.startswith((*SHOWN, "empty", "null"))}
    return candidate.score - weigh(signs)


def _keep_run_features(candidate: Candidate) -> Features:
    """The features that came of a run."""
    return {n: v for n, v in candidate.features.items() if n.startswith(SHOWN)}
