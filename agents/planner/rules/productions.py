"""Productions: the rules of the grammar in one table, each with a question that takes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from wideleaf.agents.planner.rules.analyses import components, contributions, predictions
from wideleaf.agents.planner.rules.contrasts import beside_the_rest, more_than
from wideleaf.agents.planner.rules.groups import at_an_end, each, having
from wideleaf.agents.planner.rules.lists import lists
from wideleaf.agents.planner.rules.occasions import changes, highest_occasion
from wideleaf.agents.planner.rules.outcomes import aggregates, counts, whole_rows
from wideleaf.agents.planner.rules.pairs import differences, with_both
from wideleaf.agents.planner.rules.relations import (
    correlations,
    neighbours,
    ranges,
    whether,
)
from wideleaf.agents.planner.rules.rows import beside_average, beside_row, top_rows
from wideleaf.agents.planner.rules.shares import (
    each_share,
    parts_of_whole,
    share_of_total,
    shares,
)
from wideleaf.agents.planner.rules.where import of_degree
from wideleaf.agents.planner.scopes.derivation import Derivation

Rule = Callable[[Derivation], Iterator[Derivation]]


class Production(NamedTuple):
    """One rule of the grammar.

    Attributes:
        takes: All rows of a table, those that the conditions keep, or any rows that these and the
            productions of rows give; ``uncut`` are those without the rows at an end.
        gives: Rows that an answer is yet to be made of, or an answer.
        rule: Gives a derivation for each way in which the question may be read so.
        example: A question that is read by it.
    """

    takes: Literal["all rows", "kept rows", "rows", "uncut rows"]
    gives: Literal["rows", "answer"]
    rule: Rule
    example: str


PRODUCTIONS = (
    Production("kept rows", "rows", beside_average, "Which trips cost more than the average?"),
    Production("all rows", "rows", beside_row, "Which trips have more riders than T4?"),
    Production("kept rows", "rows", top_rows, "Which trip had the highest price?"),
    Production("kept rows", "rows", of_degree, "Which trips had a high price?"),
    Production("all rows", "answer", shares, "Which percentage of the trips is in Oslo?"),
    Production(
        "all rows",
        "answer",
        each_share,
        "What percentage of the trips in each city have over 20 riders?",
    ),
    Production("all rows", "answer", neighbours, "Which trip comes right after T3?"),
    Production("all rows", "answer", differences, "What is the change of the price from T1 to T2?"),
    Production("all rows", "answer", with_both, "Which guide has trips in both Oslo and Bergen?"),
    Production("kept rows", "answer", changes, "Which trip's sales rose most from 2022 to 2023?"),
    Production("kept rows", "answer", highest_occasion, "Which year had the highest mean sales?"),
    Production("all rows", "answer", beside_the_rest, "Mean price in Oslo against the rest?"),
    Production("all rows", "answer", more_than, "How many trips have more seats than riders?"),
    Production("all rows", "answer", share_of_total, "What share of the riders came from Oslo?"),
    Production("rows", "answer", lists, "List the city of the trips with more than 20 riders."),
    Production("rows", "answer", counts, "How many trips started in Oslo?"),
    Production("rows", "answer", aggregates, "What is the median price in Oslo?"),
    Production("rows", "answer", whole_rows, "Show all information about trip T4."),
    Production("rows", "answer", ranges, "What is the difference between highest and lowest km?"),
    Production("uncut rows", "answer", whether, "Is there a trip with over 40 riders?"),
    Production(
        "uncut rows", "answer", correlations, "What is the correlation between km and price?"
    ),
    Production(
        "uncut rows", "answer", components, "What are the principal components of the sales?"
    ),
    Production("uncut rows", "answer", predictions, "How well can price be predicted from sales?"),
    Production(
        "uncut rows", "answer", contributions, "How do the sales columns correlate with price?"
    ),
    Production("uncut rows", "answer", each, "What is the median price for each city?"),
    Production(
        "kept rows", "answer", parts_of_whole, "What share of the riders does each city have?"
    ),
    Production("uncut rows", "answer", at_an_end, "Which city has the highest mean price?"),
    Production("uncut rows", "answer", having, "Which cities have more than 3 trips?"),
)
"""In the order in which they are tried; which is meant is for the ranking to say."""


def grow(takes: str, gives: str, d: Derivation) -> Iterator[Derivation]:
    """What the productions of one kind make of a derivation.

    Args:
        takes: As `Production` says.
        gives: As `Production` says.
        d: The rows.
    """
    for production in PRODUCTIONS:
        if (production.takes, production.gives) == (takes, gives):
            yield from production.rule(d)
