"""Get: what stands on one side of facts or rows, found from their other sides (CRAFTQA, eq. 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Literal, Self

import narwhals as nw
from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.distinct import Distinct, in_order
from wideleaf.tools.actions.getting.arguments import SIDES, Comparison, Literals, Place, Side
from wideleaf.tools.actions.getting.decision import decide, need_sides, tell_absent_names
from wideleaf.tools.actions.getting.rows import number_rows
from wideleaf.tools.conditions.condition import Compare
from wideleaf.tools.conditions.matching import Align, tell_meanings
from wideleaf.tools.knowledge.fitting import (
    fit_relation,
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
from wideleaf.tools.privacy import Fact, caveat
from wideleaf.tools.tables.needs import Header, Need
from wideleaf.tools.tables.relations import END, FACT, RELATION, START, TIMES
from wideleaf.tools.tables.table import Table

ENTITY = "entity"
"""What the column of a graph's subjects is called."""


class Get(Action):
    """Ask a knowledge graph or table: relation and head give tails, relation and tail give heads.

    heads, tails and values are frames of earlier steps. The argument patterns are those of
    `knowledge.patterns`. Subjects and entities come each once, numbers, dates and cells of a table
    as often as there are facts or rows.
    """

    purpose = "sources"
    inputs = ("graph",)
    optional: ClassVar[tuple[str, ...]] = tuple(f"{side}s" for side in SIDES)
    places = frozenset()
    phrases = ("knowledge graph",)

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
        need_sides(self, tables)
        graph, layout = tables[0], layout_of(tables[0])
        # On new data, what was resolved on the old stays, and what is not there gives nothing.
        again = self.layout == layout
        names = {
            name: relation
            if relation in TIME_KEYS and layout == "times"
            else fit_relation(relation, graph, layout, align, must=not again)
            for name in ("relation", "key")
            if (relation := getattr(self, name))
        }
        old = self.tests if again else {}
        action = self.model_copy(update={**names, "layout": layout, "tests": old})
        return action.model_copy(update=decide(action, tables, align))

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """Of a table the columns named and those of its rows; of a graph its facts."""
        columns, *others = self.column_references(*headers)
        own = headers[0]
        if self.layout != "rows":
            first = Need().plus(columns, columns)
        elif self.gives_rows:
            first = need.past(own, {} if ROW in (own or ()) else {ROW: Need()}).plus((), columns)
        else:
            values = [name for name in columns if name == self.pattern.column]
            first = Need().plus(values, {*columns} - {*values})
        return [first, *(Need().plus((), names) for names in others)]

    def column_references(self, *headers: Header) -> list[list[str]]:
        """Of a table the columns named, of a graph those of facts, of frames those compared."""
        if self.layout == "rows":
            numbered = ROW in (headers[0] or ())
            names = {self.relation, self.key} | ({ROW} if numbered else set())
            own = sorted(name for name in names if name and (name != ROW or numbered))
        else:
            own = [*FACT, *(TIMES if self.layout == "times" else ())]
        references: list[list[str]] = [own]
        for place, header in enumerate(headers[1:], 1):
            rows = self.layout == "rows" and place == self.heads
            compared = place in (self.tails, self.values) or (place == self.heads and not rows)
            references.append([ROW] * rows + [name for name in (header or ())[-1:] if compared])
        return references

    def run(self, *tables: Table) -> Table:
        """Find it."""
        graph = number_rows(tables[0]) if self.layout == "rows" else tables[0]
        pattern = self.pattern
        if pattern.answer in ("times", "sides"):
            return self._of_times(pattern, graph, tables)
        subjects = self.subjects_of(pattern, graph, tables)
        if self.gives_rows:
            rows = graph.frame
            if subjects is not None:
                one = subjects.frame.select(SUBJECT)
                rows = rows.join(one, left_on=ROW, right_on=SUBJECT, how="semi")
            return Table(
                rows.select(ROW, *(c for c in graph.columns if c != ROW)).sort(ROW, nulls_last=True)
            )
        if pattern.answer == "subjects":
            facts = subjects or self.sides(graph)
            name = pattern.tests[0][0] if self.beside and len(pattern.tests) == 1 else ""
            extras = [nw.col(CELL).alias(name)] if name and name != ENTITY else []
            return _once(facts.frame.select(*extras, nw.col(SUBJECT).alias(ENTITY)))
        if pattern.answer == "relations":
            assert subjects is not None, "relations are those of heads"
            return _once(subjects.frame.select(RELATION))
        facts = self.sides(graph, pattern.column)
        if subjects is not None:
            one = subjects.frame.select(SUBJECT)
            facts = Table(facts.frame.join(one, on=SUBJECT, how="semi"))
        return self._answer(facts, pattern.column)

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell what was meant by words, and as what cells were compared."""
        facts = [fact for side, test in self.tests.items() for fact in tell_meanings(test, side)]
        facts += tell_absent_names(self, tables[0])
        for side, kind in self.kinds.items():
            facts.append(Fact(text=f"What {side} is compared with was read as {kind}"))
        if self.made not in (None, "once"):
            untyped = self.model_copy(update={"made": None}).run(*tables)
            if lost := untyped.count() - result.count():
                text = f"{lost} values are no {self.made} and were left out"
                facts.append(caveat(text))
        return facts

    @property
    def pattern(self) -> Pattern:
        """What its arguments ask for."""
        assert self.layout is not None, "resolve decides the layout"
        sides = {
            side: getattr(self, side) is not None or getattr(self, f"{side}s") is not None
            for side in SIDES
        }
        return read_pattern(Asked(self.relation, self.key, **sides), self.layout)

    @property
    def gives_rows(self) -> bool:
        """Whether it gives whole rows of a table."""
        return self.layout == "rows" and self.pattern.answer in ("subjects", "relations")

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
            yield side, name, self.sides(graph, name), SUBJECT if side == "head" else CELL

    def leads(self, pattern: Pattern) -> str:
        """The relation that leads away from heads; empty for all."""
        return self.relation if pattern.answer in ("times", "sides") else (
            pattern.scope or pattern.column
        )  # fmt: skip

    def sides(self, graph: Table, name: str = "") -> Table:
        """The sides of a relation or column, or of all facts.

        Args:
            graph: What is asked, its rows numbered.
            name: Which relation; empty for all.
        """
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
        subjects: Table | None = None
        if pattern.heads:
            facts = self.sides(graph, self.leads(pattern))
            subjects = keep_members(facts, self.members_of("head", tables), SUBJECT)
        if subjects is not None and pattern.scope:
            ends = Table(subjects.frame.select(CELL))
            if self.layout == "rows":  # the rows that have the same cell
                subjects = keep_members(self.sides(graph, pattern.scope), Members(frame=ends))
            else:
                subjects = Table(ends.frame.rename({CELL: SUBJECT}))
        for name, side in pattern.tests:
            facts = self.sides(graph, name)
            matches = keep_members(facts, self.members_of(side, tables), CELL, self.kinds.get(side))
            if subjects is not None:
                one = subjects.frame.select(SUBJECT)
                matches = Table(matches.frame.join(one, on=SUBJECT, how="semi"))
            subjects = matches
        return subjects

    def _answer(self, facts: Table, name: str) -> Table:
        """Values under the name of what leads to them."""
        subject = ROW if self.layout == "rows" else ENTITY
        extras = [nw.col(SUBJECT).alias(subject)] if self.beside and name != subject else []
        if self.layout == "rows":
            return Table(
                facts.frame.sort(SUBJECT, nulls_last=True).select(*extras, nw.col(CELL).alias(name))
            )
        kind = None if self.made in (None, "once") else self.made
        typed = as_kind(facts, CELL, kind)  # type: ignore[arg-type]  # once is no kind
        values = typed.frame.filter(~nw.col(CELL).is_null()).select(
            *extras, nw.col(CELL).alias(name)
        )
        return _once(values) if self.made == "once" else Table(in_order(Table(values)))

    def _of_times(self, pattern: Pattern, graph: Table, tables: Sequence[Table]) -> Table:
        facts = self.sides(graph, self.relation)
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


def _once(frame: nw.LazyFrame[Any]) -> Table:
    """Each combination of cells once, in order."""
    return Distinct().run(Table(frame))
