"""Match: rows of two tables that mean the same thing, however each is written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Self

import narwhals as nw
from pydantic import Field

from wideleaf.tools.actions.joining.keys import avoid_clashes
from wideleaf.tools.actions.reading.judge import Words
from wideleaf.tools.actions.reading.reading import (
    CONFIDENCE,
    KINDS,
    Reading,
    items_of,
    key_of,
    texts_of,
)
from wideleaf.tools.privacy import Fact, caveat
from wideleaf.tools.tables.columns import Columns, need_kind, resolve_columns
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.table import Table
from wideleaf.tools.verdicts.task import Task

if TYPE_CHECKING:
    import polars as pl

SAME = "they mean the same thing"


class Match(Reading):
    """Join rows whose texts mean the same though written otherwise; a model decides.

    Of each left text a model is shown the right texts that are nearest to it.
    """

    inputs = ("left", "right")
    places = frozenset(("columns", "other"))
    phrases = (
        "match the", "match these", "match with", "same product", "spelled differently",
        "written differently", "fuzzy", "link the", "reconcile", "correspond to",
        "in our catalogue",
    )  # fmt: skip

    columns: Columns = Field(description="Of left.")
    other: Columns = Field(description="Of right.")
    criterion: Words = Field(default=SAME, description="When two match.")
    how: Literal["inner", "left"] = "inner"

    @property
    def task(self) -> Task:
        """Which of some right texts match a left one."""
        return Task(kind="match", words=self.criterion, columns=(*self.columns, *self.other))

    @property
    def confidence(self) -> str:
        """The column that says how sure a match is."""
        return f"match{CONFIDENCE}"

    @property
    def new_columns(self) -> tuple[str, ...]:
        """How sure a match is."""
        return (self.confidence,)

    def resolve(self, *tables: Table) -> Self:
        """Name the columns of both sides.

        Raises:
            ActionError: If one does not exist, or holds no text or number.
        """
        other = resolve_columns(self.other, tables[1])
        need_kind(tables[1], other, *KINDS, purpose="Match")
        return super().resolve(tables[0]).model_copy(update={"other": other})

    def column_references(self, *headers: Header) -> list[list[str]]:
        """What is read of each side."""
        return [[*self.columns], [*self.other]]

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """The columns of each side, which the texts decide; of an unknown side all may be."""
        left, right = headers
        names = avoid_clashes(left, right) if left is not None and right is not None else None
        sources = {new: Need(frozenset({old})) for old, new in (names or {}).items()}
        ours, theirs = need.past(left), need.past(None if names is None else (), sources)
        return [ours.plus((), self.columns), theirs.plus((), self.other)]

    def sides(self, *tables: Table) -> tuple[dict[str, str], ...]:
        """The different texts of both sides by their keys."""
        left, right = tables
        sides = (left, self.columns), (right, self.other)
        ours, theirs = (items_of(one.collect(*names, purpose="Match")) for one, names in sides)
        return ours, theirs

    def run(self, *tables: Table) -> Table:
        """Join the rows by what was said of their texts; rows keep the left's order."""
        left, right = (one.collect(purpose="Match") for one in tables)
        found = self.given.of(map(key_of, texts_of(left.select(self.columns))))
        matches = [one.value if one and isinstance(one.value, list) else [] for one in found]
        names = avoid_clashes([*left.columns, self.confidence], right.columns)
        rows = _joined(matches, list(map(key_of, texts_of(right.select(self.other)))), self.how)
        ours, theirs = [one for one, _ in rows], [other for _, other in rows]
        import polars as pl

        sure = pl.Series(self.confidence, [one and one.confidence for one in found], pl.Float64)
        result = left.with_columns(sure)[ours].hstack(_take(right.rename(names), theirs))
        whole = pl.when(pl.Series([other is not None for other in theirs], dtype=pl.Boolean))
        result = result.with_columns(whole.then(self.confidence).alias(self.confidence))
        return Table(nw.from_native(result.lazy()))

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell how many texts of the left have a match, and how many have several."""
        given = self.given.given
        values = [given[key].value for key in self.items(*tables) if key in given]
        counts = [len(value) for value in values if isinstance(value, list)]
        matched, several = sum(map(bool, counts)), sum(count > 1 for count in counts)
        text = f"{matched} of {len(self.items(*tables))} different texts on the left have a match"
        return [*super().notes(tables, result), caveat(f"{text}, {several} of them several")]


def _joined(
    matches: Sequence[Sequence[object]], keys: Sequence[str | None], how: str
) -> list[tuple[int, int | None]]:
    """Pairs of places in both tables; None where a left row stays alone."""
    places: dict[object, list[int]] = {}
    for place, key in enumerate(keys):
        places.setdefault(key, []).append(place)
    pairs: list[tuple[int, int | None]] = []
    for place, wanted in enumerate(matches):
        others = [other for key in wanted if key is not None for other in places.get(key, ())]
        alone: list[int | None] = [None] * (how == "left" and not others)
        pairs += [(place, other) for other in (*others, *alone)]
    return pairs


def _take(frame: pl.DataFrame, places: Sequence[int | None]) -> pl.DataFrame:
    """The rows at some places, all null where there is none."""
    import polars as pl

    index = pl.Series(places, dtype=pl.Int64)
    return frame.select(pl.all().gather(pl.lit(index)))
