"""The facts, or rows of a table, that stand behind what a Get gave."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import narwhals as nw

from wideleaf.tools.actions.get import Get
from wideleaf.tools.actions.getting.arguments import Side
from wideleaf.tools.actions.getting.rows import number_rows
from wideleaf.tools.conditions.literals import fold_text
from wideleaf.tools.knowledge.patterns import ROW
from wideleaf.tools.knowledge.sides import (
    KEY,
    MEMBER,
    SUBJECT,
    as_kind,
    keep_members,
    member_kind,
    with_key,
)
from wideleaf.tools.knowledge.times import read_periods, within_members, within_periods
from wideleaf.tools.provenance.marks import matching
from wideleaf.tools.tables.relations import END, HEAD, RELATION, START, TAIL
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    import polars as pl

    from wideleaf.tools.provenance.rows import Lineage
    from wideleaf.tools.tree.tree import Node

_YEARS = 200
"""So many years are looked for among the times of facts; of more all facts count."""


class SidesBehind:
    """What stands behind rows of one Get: the facts that gave them, and those that chose them.

    Args:
        action: The Get, resolved.
        lineage: The plan.
        node: Its node.
    """

    def __init__(self, action: Get, lineage: Lineage, node: Node) -> None:
        self.action, self.lineage, self.node = action, lineage, node
        self.marked = lineage.frame_of(node.parents[0])
        self.tables = [lineage.tables[parent] for parent in node.parents]
        self.rows = action.layout == "rows"
        graph = self.marked.table
        self.numbered = self.rows and ROW not in self.marked.shown
        self.graph = number_rows(graph) if self.numbered else graph

    def want(self, keys: pl.DataFrame) -> None:
        """Want of the inputs what stands behind rows wanted of the result.

        Args:
            keys: What tells the rows wanted apart: the number of a row, or all of their cells.
        """
        pattern, result = self.action.pattern, self.lineage.tables[self.node.label]
        cells = dict(zip(result.columns, keys.columns, strict=False))
        if self.action.gives_rows:
            cells = {ROW: keys.columns[0]}
        if pattern.answer in ("times", "sides"):
            return self._want_times(keys)
        subject = ROW if self.rows else HEAD
        if pattern.answer == "relations" and not self.rows:
            evidence = self._keep_facts("head", "", HEAD)
            return self._take(self._equal(evidence, {RELATION: RELATION}, keys, cells))
        selection = self.action.subjects_of(pattern, self._bare(), self.tables)
        facts = self._facts(pattern.column)
        if selection is not None:
            facts = self._join(facts, subject, selection.frame.select(SUBJECT), SUBJECT)
        if pattern.answer == "values":
            value = pattern.column if self.rows else TAIL
            facts = self._equal(facts, {value: pattern.column, subject: self._subject}, keys, cells)
            self._take(facts)
        else:
            facts = self._equal(facts, {subject: self._subject}, keys, cells)
            if self.rows or not pattern.tests:
                self._take(facts)
        subjects = facts.frame.select(nw.col(subject).alias(SUBJECT)).unique()
        for name, side in pattern.tests:
            column = name if self.rows else TAIL
            evidence = self._join(self._keep_facts(side, name, column), subject, subjects, SUBJECT)
            self._take(evidence)
            self._want_members(side, evidence, column)
        if pattern.heads:
            name = self.action.leads(pattern)
            evidence = self._keep_facts("head", name, subject)
            if pattern.scope:
                end = name if self.rows else TAIL
                inside = facts.frame.select(nw.col(end if self.rows else HEAD).alias(SUBJECT))
                evidence = self._join(evidence, end, inside.unique(), SUBJECT)
            else:
                evidence = self._join(evidence, subject, subjects, SUBJECT)
            self._take(evidence)
            self._want_members("head", evidence, subject)

    @property
    def _subject(self) -> str:
        return ROW if self.rows else "entity"

    def _bare(self) -> Table:
        """The graph as the action sees it."""
        return number_rows(self.tables[0]) if self.numbered else self.tables[0]

    def _facts(self, name: str) -> Table:
        """The facts of a relation, or all rows, with their marks."""
        if self.rows or not name:
            return self.graph
        return Table(self.graph.frame.filter(nw.col(RELATION) == name))

    def _keep_facts(self, side: Side, name: str, column: str) -> Table:
        """The facts of which a column compares with what is given for a side."""
        members = self.action.members_of(side, self.tables)
        return keep_members(self._facts(name), members, column, self.action.kinds.get(side))

    def _join(self, table: Table, column: str, others: nw.LazyFrame[Any], other: str) -> Table:
        frame = table.frame.join(others, left_on=column, right_on=other, how="semi")
        return Table(frame.select(*table.columns))

    def _equal(
        self, table: Table, columns: dict[str, str], keys: pl.DataFrame, cells: dict[str, str]
    ) -> Table:
        """The rows whose columns equal, as what they are called in the result, the cells wanted."""
        there = {own: cells[label] for own, label in columns.items() if label in cells}
        value_kind = self.action.made
        keyed, names = table, []
        for place, own in enumerate(there):
            kind = (
                value_kind
                if own == TAIL and value_kind not in (None, "once") and not self.rows
                else None
            )
            name = f"{KEY}_{place}"
            keyed = with_key(keyed, own, kind)  # type: ignore[arg-type]  # once is no kind
            keyed = Table(keyed.frame.rename({KEY: name}))
            names.append(name)
        rows = keys.select(*there.values())
        matches = matching(keyed.frame, names, rows, self.lineage.store.engine)
        return Table(matches.select(*table.columns))

    def _take(self, table: Table) -> None:
        """Want these rows; where their numbers count, those before them, too."""
        frame = table.frame
        if self._counts:
            last = frame.select(nw.col(ROW).max().alias(MEMBER))
            frame = self.graph.frame.join(last, how="cross")
            frame = frame.filter(nw.col(ROW) <= nw.col(MEMBER))
        self.lineage.want(self.marked, frame)

    @property
    def _counts(self) -> bool:
        """Whether a row is meant, or shown, by its number, which fewer rows would change."""
        visible = ROW in self.lineage.needs[self.node.label].all
        return self.numbered and (visible or self.action.pattern.heads)

    def _want_members(self, side: Side, facts: Table, column: str) -> None:
        """Want of a frame the rows with the values that facts compare with; of an order all."""
        place = getattr(self.action, f"{side}s")
        if place is None:
            return
        parent, members = self.node.parents[place], self.action.members_of(side, self.tables)
        if members.sign != "=" or (self.action.shift and side == "head"):
            return self.lineage.want_all(parent)
        other = self.lineage.frame_of(parent)
        keyed = with_key(facts, column, self.action.kinds.get(side))
        name = members.column or other.shown[-1]
        kind = member_kind(keyed, KEY)
        own = Table(other.table.frame.with_columns(nw.col(name).alias(MEMBER)))
        values, cells = as_kind(own, MEMBER, kind).frame, keyed.frame.select(KEY)
        if members.folded:
            values = values.with_columns(fold_text(nw.col(MEMBER)).alias(MEMBER))
            cells = cells.with_columns(fold_text(nw.col(KEY)).alias(KEY))
        rows = values.join(cells.unique(), left_on=MEMBER, right_on=KEY, how="semi")
        self.lineage.want(other, rows)

    def _want_times(self, keys: pl.DataFrame) -> None:
        """Want the facts whose times, or other sides, are wanted."""
        action, pattern = self.action, self.action.pattern
        facts = self._facts(action.relation)
        sides: list[tuple[Side, str]] = [("head", HEAD)] if pattern.heads else []
        if action.tail is not None or action.tails is not None:
            sides.append(("tail", TAIL))
        for side, column in sides:
            members = action.members_of(side, self.tables)
            facts = keep_members(facts, members, column, action.kinds.get(side))
        result = self.lineage.tables[self.node.label].columns
        cells = dict(zip(result, keys.columns, strict=True))
        if pattern.answer == "sides":
            if action.values is None:
                periods = read_periods(action.value, self.tables[0])
                facts = within_periods(facts, action.key, action.value_cmp, periods)
            else:
                facts = within_members(facts, action.key, action.members_of("value", self.tables))
            labels = {TAIL: action.relation, HEAD: self._subject}
            facts = self._equal(facts, labels, keys, cells)
        elif action.key == "time":
            years = keys.to_series().drop_nulls().unique().to_list()[:_YEARS]
            periods = read_periods(tuple(years), self.tables[0])
            facts = within_periods(facts, "time", "=", periods)
        else:
            end = START if action.key == "start_time" else END
            facts = self._equal(facts, {end: action.key}, keys, cells)
        self._take(facts)
        for side, column in sides:
            self._want_members(side, facts, column)
        if action.values is not None:
            self.lineage.want_all(self.node.parents[action.values])
