"""Get: what stands on one side of facts or rows, found from their other sides (CRAFTQA, eq. 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

import narwhals as nw
from pydantic import BeforeValidator, Field
from pydantic.json_schema import SkipJsonSchema, WithJsonSchema

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.distinct import distinct_rows, in_order
from wideleaf.tools.actions.position import Position
from wideleaf.tools.conditions.condition import Compare
from wideleaf.tools.conditions.literals import Scalar
from wideleaf.tools.conditions.matching import Align
from wideleaf.tools.errors import ActionError
from wideleaf.tools.knowledge.fitting import (
    fit_again,
    fit_cells,
    fit_kind,
    fit_relation,
    fit_rows,
    folds,
    is_whole,
)
from wideleaf.tools.knowledge.patterns import (
    ROW,
    TIME_KEYS,
    Asked,
    Layout,
    Pattern,
    layout_of,
    read_pattern,
)
from wideleaf.tools.knowledge.sides import (
    CELL,
    SUBJECT,
    Members,
    Sign,
    ValueKind,
    as_kind,
    keep_members,
    sides_of,
)
from wideleaf.tools.knowledge.times import (
    read_periods,
    within_members,
    within_periods,
    years_of,
)
from wideleaf.tools.privacy import Fact
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.relations import END, FACT, RELATION, START, TIMES
from wideleaf.tools.tables.table import Table

ENTITY = "entity"
"""What the column of a graph's subjects is called."""
MOST_SHIFT = 10**12
Side = Literal["head", "tail", "value"]
SIDES: tuple[Side, ...] = ("head", "tail", "value")
_SIGNS = {"==": "=", "is": "=", "<>": "!=", "≤": "<=", "≥": ">=", "": "="}


def _sign(given: object) -> object:
    text = str(given).strip()
    return _SIGNS.get(text, text)


Literals = Annotated[
    Scalar | tuple[Scalar, ...] | None, WithJsonSchema({"type": ["string", "number", "array"]})
]
"""One, or several of which any will do."""
Comparison = Annotated[Sign, BeforeValidator(_sign)]
Place = SkipJsonSchema[int | None]
"""Which of the input frames stands in an argument; the first is the graph."""


class Get(Action):
    """Ask a knowledge graph or table: relation and head give tails, relation and tail give heads.

    heads, tails and values are frames of earlier steps. The argument patterns are those of
    `knowledge.patterns`. Subjects and entities come each once, numbers, dates and cells of a table
    as often as there are facts or rows.
    """

    inputs = ("graph",)
    optional: ClassVar[tuple[str, ...]] = tuple(f"{side}s" for side in SIDES)
    places = frozenset()
    cues = ("graph",)

    relation: str = Field(default="", description="A relation of the graph, a column of the table.")
    head: Literals = None
    tail: Literals = None
    tail_cmp: Comparison = "="
    key: str = Field(
        default="", description="A second relation, or time, start_time, end_time of facts."
    )
    value: Literals = None
    value_cmp: Comparison = "="
    shift: int = Field(default=0, description="Rows so many places after heads.")
    beside: bool = Field(default=False, description="Keep the entity or row beside each value.")
    heads: Place = None
    tails: Place = None
    values: Place = None
    layout: SkipJsonSchema[Layout | None] = None
    tests: SkipJsonSchema[dict[Side, Compare]] = Field(default_factory=dict)
    kinds: SkipJsonSchema[dict[Side, ValueKind]] = Field(default_factory=dict)
    folded: SkipJsonSchema[tuple[Side, ...]] = ()
    made: SkipJsonSchema[ValueKind | Literal["once"] | None] = None

    def resolve(self, *tables: Table) -> Self:
        """Fit the arguments to the graph."""
        return self.resolve_with(None, *tables)

    def resolve_with(self, align: Align | None, *tables: Table) -> Self:
        """Fit relations, literals and kinds to the graph; words may mean what is near them.

        Raises:
            ActionError: If the arguments mean nothing, or name what is not there.
        """
        self._need_sides(tables)
        graph, layout = tables[0], layout_of(tables[0])
        # On new data, what was resolved on the old stays, and what is not there gives nothing.
        again = self.layout == layout
        names = {
            name: given
            if given in TIME_KEYS and layout == "times"
            else fit_relation(given, graph, layout, align, must=not again)
            for name in ("relation", "key")
            if (given := getattr(self, name))
        }
        old = self.tests if again else {}
        action = self.model_copy(update={**names, "layout": layout, "tests": old})
        return action.model_copy(update=action._decide(tables, align))

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """Of a table the columns named and those of its rows; of a graph its facts."""
        named, *others = self.column_references(*headers)
        own = headers[0]
        if self.layout != "rows":
            first = Need().plus(named, named)
        elif self.gives_rows:
            first = need.past(own, {} if ROW in (own or ()) else {ROW: Need()}).plus((), named)
        else:
            values = [name for name in named if name == self.pattern.column]
            first = Need().plus(values, {*named} - {*values})
        return [first, *(Need().plus((), names) for names in others)]

    def column_references(self, *headers: Header) -> list[list[str]]:
        """Of a table the columns named, of a graph those of facts, of frames those compared."""
        if self.layout == "rows":
            numbered = ROW in (headers[0] or ())
            named = {self.relation, self.key} | ({ROW} if numbered else set())
            own = sorted(name for name in named if name and (name != ROW or numbered))
        else:
            own = [*FACT, *(TIMES if self.layout == "times" else ())]
        used: list[list[str]] = [own]
        for place, header in enumerate(headers[1:], 1):
            rows = self.layout == "rows" and place == self.heads
            compared = place in (self.tails, self.values) or (place == self.heads and not rows)
            used.append([ROW] * rows + [name for name in (header or ())[-1:] if compared])
        return used

    def run(self, *tables: Table) -> Table:
        """Find it."""
        graph = number_rows(tables[0]) if self.layout == "rows" else tables[0]
        pattern = self.pattern
        if pattern.answer in ("times", "sides"):
            return self._of_times(pattern, graph, tables)
        chosen = self.subjects_of(pattern, graph, tables)
        if self.gives_rows:
            rows = graph.frame
            if chosen is not None:
                one = chosen.frame.select(SUBJECT)
                rows = rows.join(one, left_on=ROW, right_on=SUBJECT, how="semi")
            return Table(
                rows.select(ROW, *(c for c in graph.columns if c != ROW)).sort(ROW, nulls_last=True)
            )
        if pattern.answer == "subjects":
            found = chosen or self._sides(graph)
            name = pattern.tests[0][0] if self.beside and len(pattern.tests) == 1 else ""
            shown = [nw.col(CELL).alias(name)] if name and name != ENTITY else []
            return _once(found.frame.select(*shown, nw.col(SUBJECT).alias(ENTITY)))
        if pattern.answer == "relations":
            assert chosen is not None, "relations are those of heads"
            return _once(chosen.frame.select(RELATION))
        found = self._sides(graph, pattern.column)
        if chosen is not None:
            one = chosen.frame.select(SUBJECT)
            found = Table(found.frame.join(one, on=SUBJECT, how="semi"))
        return self._answer(found, pattern.column)

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell what was meant by words, and as what cells were compared."""
        facts = []
        for side, test in self.tests.items():
            if test.meant:
                words = ", ".join(repr(said) for said, _ in test.meant)
                text = f"No {side} is {words}; the nearest in spelling or meaning was taken"
                pairs = ", ".join(f"{value!r} for {said!r}" for said, value in test.meant)
                facts.append(Fact(text=text, caveat=True))
                facts.append(Fact(text=f"Taken {pairs}", matter="values", caveat=True))
        for side, kind in self.kinds.items():
            facts.append(Fact(text=f"What {side} is compared with was read as {kind}"))
        if self.made not in (None, "once"):
            untyped = self.model_copy(update={"made": None}).run(*tables)
            if lost := untyped.count() - result.count():
                text = f"{lost} values are no {self.made} and were left out"
                facts.append(Fact(text=text, caveat=True))
        return facts

    @property
    def pattern(self) -> Pattern:
        """What its arguments ask for."""
        assert self.layout is not None, "resolve decides the layout"
        given = {
            side: getattr(self, side) is not None or getattr(self, f"{side}s") is not None
            for side in SIDES
        }
        return read_pattern(Asked(self.relation, self.key, **given), self.layout)

    @property
    def gives_rows(self) -> bool:
        """Whether it gives whole rows of a table."""
        return self.layout == "rows" and self.pattern.answer in ("subjects", "relations")

    def _need_sides(self, tables: Sequence[Table]) -> None:
        """Refuse a side that is given twice, or a shift of nothing."""
        for side in SIDES:
            place = getattr(self, f"{side}s")
            if place is not None and not 0 < place < len(tables):
                raise ActionError(f"{side}s is input {place} of {len(tables)}; name a frame")
            if place is not None and getattr(self, side) is not None:
                raise ActionError(f"{side} and {side}s are one side; give a literal or a frame")
            if getattr(self, side) == ():
                raise ActionError(f"{side} is an empty list; leave it out, or give what it may be")
        if abs(self.shift) > MOST_SHIFT:
            raise ActionError(f"no table has {abs(self.shift)} rows to shift by")
        heads = self.head is not None or self.heads is not None
        if self.shift and (layout_of(tables[0]) != "rows" or not heads):
            raise ActionError(
                "shift counts rows of a table from those of heads; give heads of a table",
                kind="argument shift",
            )

    def _decide(self, tables: Sequence[Table], align: Align | None) -> dict[str, Any]:
        """Conditions, kinds, how frames of text compare, and what comes out."""
        pattern = self.pattern
        graph = number_rows(tables[0]) if self.layout == "rows" else tables[0]
        known = {one.name: one.kind for one in tables[0].relations}
        if pattern.answer in ("times", "sides"):
            self._need_times(graph)
        tests: dict[Side, Compare] = {}
        kinds: dict[Side, ValueKind] = {}
        folded: list[Side] = []
        for side, name, part, column in self.compared(graph):
            members = self.members_of(side, tables)
            given = getattr(self, side)
            if side == "head" and self.layout == "rows":
                if given is not None:
                    tests[side] = fit_rows(given, self.shift)
                elif ROW not in tables[self.heads or 0].columns:
                    raise ActionError(
                        f"heads of a table are rows; {tables[self.heads or 0].columns[-1]!r} is no "
                        f"frame of rows: ask for those with a column and its value first"
                    )
                continue
            kind = fit_kind(part, column, members, given, known.get(name, ""))
            if kind is not None:
                kinds[side] = kind
            if members.frame is None:
                what = f"{side} of {name!r}" if name else side
                other = {SUBJECT: CELL, CELL: SUBJECT}[column] if self.layout != "rows" else ""
                if (old := self.tests.get(side)) is not None:
                    tests[side] = fit_again(part, column, kind, old)
                    continue
                tests[side] = fit_cells(part, column, kind, members.sign, given, align, what, other)
            elif folds(part, column, members):
                folded.append(side)
        made = self._kind_made(pattern, graph, known)
        return {"tests": tests, "kinds": kinds, "folded": tuple(folded), "made": made}

    def compared(self, graph: Table) -> Iterator[tuple[Side, str, Table, str]]:
        """The sides that are given: each with its relation, the sides of that, and which of them.

        Args:
            graph: What is asked, its rows numbered.
        """
        pattern = self.pattern
        sides: list[tuple[Side, str]] = [(side, name) for name, side in pattern.tests]
        if pattern.answer in ("times", "sides") and not (self.tail is None and self.tails is None):
            sides = [("tail", self.relation)]
        if pattern.heads:
            sides.append(("head", self.leads(pattern)))
        for side, name in sides:
            yield side, name, self._sides(graph, name), SUBJECT if side == "head" else CELL

    def _kind_made(
        self, pattern: Pattern, graph: Table, known: dict[str, Any]
    ) -> ValueKind | Literal["once"] | None:
        """As what values come out of a graph: entities once, numbers and dates as such."""
        name = self.relation if pattern.answer == "sides" else pattern.column
        if self.layout == "rows" or pattern.answer not in ("values", "sides"):
            return None
        if self.made is not None and name not in known:  # resolved on facts that had it
            return self.made
        kind = known.get(name, "entity")
        if kind == "number":
            return "integer" if is_whole(self._sides(graph, name), CELL) else "number"
        return "date" if kind == "date" else "once"

    def _need_times(self, graph: Table) -> None:
        if self.value is not None:
            read_periods(self.value, graph)
            if isinstance(self.value, tuple) and self.value_cmp not in ("=", "!="):
                raise ActionError(f"{self.value_cmp!r} compares with one time")
        if self.values is not None and self.value_cmp == "!=":
            raise ActionError("times of a frame compare by = < <= > >=; use Difference for !=")

    def leads(self, pattern: Pattern) -> str:
        """The relation that leads away from heads; empty for all."""
        return self.relation if pattern.answer in ("times", "sides") else (
            pattern.scope or pattern.column
        )  # fmt: skip

    def _sides(self, graph: Table, name: str = "") -> Table:
        assert self.layout is not None, "resolve decides the layout"
        return sides_of(graph, self.layout, name)

    def members_of(self, side: Side, tables: Sequence[Table]) -> Members:
        """What is given for a side.

        Args:
            side: Which.
            tables: The input frames; of those with marks beside the columns, the first ones count.
        """
        place = getattr(self, f"{side}s")
        sign: Sign = {"tail": self.tail_cmp, "value": self.value_cmp}.get(side, "=")
        if place is None:
            return Members(self.tests.get(side), sign=sign)
        frame, column = tables[place], ""
        if side == "head" and self.layout == "rows":
            column = ROW
            if self.shift:
                frame = Table(frame.frame.with_columns(nw.col(ROW) + self.shift))
        return Members(None, frame, column, sign, side in self.folded)

    def subjects_of(self, pattern: Pattern, graph: Table, tables: Sequence[Table]) -> Table | None:
        """The subjects that all sides leave, as `SUBJECT`; None for all there are."""
        chosen: Table | None = None
        if pattern.heads:
            facts = self._sides(graph, self.leads(pattern))
            chosen = keep_members(facts, self.members_of("head", tables), SUBJECT)
        if chosen is not None and pattern.scope:
            ends = Table(chosen.frame.select(CELL))
            if self.layout == "rows":  # the rows that have the same cell
                chosen = keep_members(self._sides(graph, pattern.scope), Members(frame=ends))
            else:
                chosen = Table(ends.frame.rename({CELL: SUBJECT}))
        for name, side in pattern.tests:
            facts = self._sides(graph, name)
            kept = keep_members(facts, self.members_of(side, tables), CELL, self.kinds.get(side))
            if chosen is not None:
                one = chosen.frame.select(SUBJECT)
                kept = Table(kept.frame.join(one, on=SUBJECT, how="semi"))
            chosen = kept
        return chosen

    def _answer(self, found: Table, name: str) -> Table:
        """Values under the name of what leads to them."""
        subject = ROW if self.layout == "rows" else ENTITY
        shown = [nw.col(SUBJECT).alias(subject)] if self.beside and name != subject else []
        if self.layout == "rows":
            return Table(
                found.frame.sort(SUBJECT, nulls_last=True).select(*shown, nw.col(CELL).alias(name))
            )
        kind = None if self.made in (None, "once") else self.made
        typed = as_kind(found, CELL, kind)  # type: ignore[arg-type]  # once is no kind
        values = typed.frame.filter(~nw.col(CELL).is_null()).select(
            *shown, nw.col(CELL).alias(name)
        )
        return _once(values) if self.made == "once" else Table(in_order(Table(values)))

    def _of_times(self, pattern: Pattern, graph: Table, tables: Sequence[Table]) -> Table:
        facts = self._sides(graph, self.relation)
        if pattern.heads:
            facts = keep_members(facts, self.members_of("head", tables), SUBJECT)
        if self.tail is not None or self.tails is not None:
            kind = self.kinds.get("tail")
            facts = keep_members(facts, self.members_of("tail", tables), CELL, kind)
        if pattern.answer == "times":
            if self.key == "time":
                return _once(years_of(facts, self.key))
            end = nw.col(START if self.key == "start_time" else END)
            ends = facts.frame.select(end.alias(self.key)).filter(~nw.col(self.key).is_null())
            return Table(ends.sort(self.key))
        if self.values is None:
            periods = read_periods(self.value, graph)
            facts = within_periods(facts, self.key, self.value_cmp, periods)
        else:
            facts = within_members(facts, self.key, self.members_of("value", tables))
        if pattern.column == "tail":
            return self._answer(facts, self.relation)
        return _once(facts.frame.select(nw.col(SUBJECT).alias(ENTITY)))


def number_rows(table: Table) -> Table:
    """A table with the numbers of its rows, which rows of an earlier step have already."""
    return Position(name=ROW).resolve(table).run(table) if numbers(table) else table


def numbers(table: Table) -> bool:
    """Whether a Get of a frame numbers its rows, which must have an order for that."""
    return layout_of(table) == "rows" and ROW not in table.columns


def _once(frame: nw.LazyFrame[Any]) -> Table:
    """Each combination of cells once, in order."""
    return Table(in_order(Table(distinct_rows(frame, Table(frame).columns))))
