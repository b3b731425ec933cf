"""What Correlate tells of a step: the strongest pair, what chance makes of many, what is lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from wideleaf.tools.actions.inference.association import LEAST_EXPECTED, LEAST_PAIRS, MOST_LEVELS
from wideleaf.tools.privacy import LEAST_FOR_STATISTICS, Fact, Matter
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import polars as pl

    from wideleaf.tools.actions.inference.correlate import Correlate

LEVEL = 0.05
FEW = 30
MANY = 20
"""Of so many correlations one is expected below the level by chance."""
TINY = 0.0001


class Tally(NamedTuple):
    """What is counted over all pairs of all groups, kept or not.

    Attributes:
        pairs: How many there are.
        tested: Those with a p-value.
        below: Of them those below the level.
        found: Of them those below it after Benjamini and Hochberg.
        undefined: Those without a correlation.
        partial: Those that leave out rows.
        few: Those with a correlation of few rows.
        thin: Those tested by a table with cells of few rows.
        best: Of the strongest two columns, correlation, p-value, rows; None where none is defined.
        more: How many a limit keeps beyond itself, since they are as strong as the last.
    """

    pairs: int
    tested: int
    below: int
    found: int
    undefined: int
    partial: int
    few: int
    thin: int
    best: tuple[str, str, float, float, int] | None
    more: int = 0


def take_stock(pairs: pl.DataFrame, names: Sequence[str]) -> Tally:
    """Count over the pairs of all groups.

    Args:
        pairs: As `find_pairs` found them.
        names: The columns by their places.
    """
    import polars as pl
    from scipy import stats  # type: ignore[import-untyped]

    known, p = pairs.drop_nulls("size"), pairs["p_value"].drop_nulls().to_numpy()
    adjusted = stats.false_discovery_control(p) if len(p) else p
    best = None
    if len(known):
        at = known["size"].abs().arg_max()
        one = known.row(at or 0, named=True)
        ends = names[one["left"]], names[one["right"]]
        best = *ends, one["size"], one["p_value"], one["rows"]
    return Tally(
        len(pairs), len(p), int((p < LEVEL).sum()), int((adjusted < LEVEL).sum()),
        len(pairs) - len(known), len(pairs.filter(pl.col("rows") < pl.col("of"))),
        len(known.filter(pl.col("rows") < FEW)), int(pairs["thin"].sum()), best,
    )  # fmt: skip


def tell_correlations(action: Correlate, table: Table, tally: Tally) -> list[Fact]:
    """Facts about correlations.

    Args:
        action: The resolved action.
        table: Its input.
        tally: What was counted when it ran.
    """
    what = "pairs" if action.column is None else "columns"
    what = f"{what} of groups" if action.by else what
    facts = _strongest(action, tally)
    if tally.undefined:
        text = (
            f"{tally.undefined} {what} have no correlation: constant, or under {LEAST_PAIRS} rows"
        )
        more = f", or a text of more than {MOST_LEVELS} values or of one for every other row"
        facts.append(Fact(text=text + more * (action.method == "mixed"), caveat=True))
    if tally.partial:
        of = "their group" if action.by else str(table.count())
        text = f"{tally.partial} correlations leave out rows of {of}, where a cell is null"
        facts.append(Fact(text=text, caveat=True))
    if tally.few:
        text = (
            f"{tally.few} correlations are of under {FEW} rows, where chance alone makes large ones"
        )
        facts.append(Fact(text=text, caveat=True))
    if tally.thin:
        text = (
            f"{tally.thin} tests are rough: under {LEAST_EXPECTED} rows are expected in a cell of "
        )
        facts.append(Fact(text=f"{text}their table", caveat=True))
    if action.limit is not None and tally.more:
        text = f"{tally.more} more than the limit of {action.limit} are kept: as strong as the last"
        facts.append(Fact(text=text, caveat=True))
    if action.method == "mixed":
        text = "correlation is Pearson's r of two numbers, true and false being 1 and 0; of a text "
        text += (
            "and a number the correlation ratio eta, and of two texts Cramér's V, which have no "
        )
        facts.append(Fact(text=f"{text}sign"))
    return facts


def _strongest(action: Correlate, tally: Tally) -> list[Fact]:
    if tally.best is None:
        return []
    left, right, size, p_value, rows = tally.best
    chance = f"p < {TINY}" if p_value < TINY else f"p = {p_value:.2g}"
    text = f"The strongest{' of any group' if action.by else ''} is of {left!r} and {right!r}: "
    text += f"{size:.2g} ({chance}, {rows} rows)"
    matter: Matter = "statistics" if rows >= LEAST_FOR_STATISTICS else "values"
    facts = [Fact(text=text, matter=matter, caveat=True)]
    if tally.tested >= MANY:
        text = (
            f"Of {tally.tested} correlations about {_count(LEVEL * tally.tested)} would have p < "
        )
        text += f"{LEVEL} by chance; {tally.below} have, and {tally.found} still after Benjamini "
        facts.append(Fact(text=f"{text}and Hochberg", matter=matter, caveat=True))
    return facts


def _count(number: float) -> str:
    return f"{number:.0f}" if number >= 10 else f"{number:.2g}"
