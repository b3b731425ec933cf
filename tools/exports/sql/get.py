"""Get as SQL: sides of facts or rows whose other sides compare, as nested selects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from sqlglot import exp

from wideleaf.tools.actions.get import ENTITY, Get
from wideleaf.tools.actions.getting.arguments import Side
from wideleaf.tools.actions.getting.rows import number_rows
from wideleaf.tools.exports.sql.conditions import condition_sql, fold_cell
from wideleaf.tools.exports.sql.expressions import expression_sql
from wideleaf.tools.exports.sql.relations import place_rows
from wideleaf.tools.exports.sql.rules import OrderKey, StepInput, order_of, write_sql
from wideleaf.tools.exports.sql.times import ENDS, in_members, in_periods, years_sql
from wideleaf.tools.exports.sql.words import (
    QueryScope,
    Sql,
    binary,
    case,
    chain,
    not_null,
    number,
    quote_identifier,
    text,
    with_alias,
)
from wideleaf.tools.expressions.expression import Cast
from wideleaf.tools.knowledge.patterns import ROW, Pattern
from wideleaf.tools.knowledge.sides import (
    CELL,
    KEY,
    MEMBER,
    SUBJECT,
    Sign,
    ValueKind,
    member_kind,
    with_key,
)
from wideleaf.tools.knowledge.times import read_periods
from wideleaf.tools.tables.relations import END, HEAD, RELATION, START, TAIL
from wideleaf.tools.tables.table import Table

_ORDER: dict[str, type[Sql]] = {
    "=": exp.EQ,
    "!=": exp.NEQ,
    "<": exp.LT,
    "<=": exp.LTE,
    ">": exp.GT,
    ">=": exp.GTE,
}


@write_sql.register(Get)
def get_sql(action: Get, inputs: Sequence[StepInput], scope: QueryScope) -> exp.Query:
    """Sides of facts or rows."""
    return _GetQuery(action, inputs, scope).write()


@order_of.register(Get)
def answer_keys(action: Get, table: Table, result: Table) -> list[OrderKey]:
    """Rows as they stand in the table; all else by its cells."""
    if action.layout != "rows":
        return [OrderKey(name) for name in result.columns]
    return [OrderKey(ROW)] if ROW in result.columns else []


def as_kind_sql(scope: QueryScope, column: str, kind: ValueKind | None) -> Sql:
    """A column as another kind; what does not read as it is null."""
    own, dtype = scope.table.kind(column), scope.table.schema[column]
    if kind == "number":
        made = expression_sql(Cast(cast="number", of=column), scope)
        return made if own == "text" or dtype.is_float() else exp.cast(made, "double")
    if kind == "integer" and not dtype.is_integer():
        made = expression_sql(Cast(cast="number", of=column), scope)
        whole = binary(exp.EQ, made, exp.Floor(this=made.copy()))
        return exp.cast(case([(whole, made)]), "bigint")
    if kind == "text" or (kind == "date" and own != "number"):
        return expression_sql(Cast(cast=kind, of=column), scope)
    return scope.column(column)


@dataclass(frozen=True)
class _GetQuery:
    """One Get as a query; the names of its parts are those of the action."""

    action: Get
    inputs: Sequence[StepInput]
    scope: QueryScope

    def write(self) -> exp.Query:
        """The whole."""
        pattern = self.action.pattern
        if pattern.answer in ("times", "sides"):
            return self._of_times(pattern)
        if pattern.answer == "relations" and not self.action.gives_rows:
            return self._select([RELATION], "", (), [("head", HEAD)]).distinct()
        if pattern.answer == "subjects" and pattern.tests and not self.action.gives_rows:
            return self._entities(pattern)
        chosen = self._subjects(pattern)
        if self.action.gives_rows:
            columns = [ROW, *(name for name in self.graph.columns if name != ROW)]
            return self._select(columns, "", self._among(ROW, chosen))
        if pattern.answer == "subjects":
            return self._select({ENTITY: HEAD}, "").distinct()
        subject, cell = self._ends(pattern.column)
        return self._values(pattern.column, self._among(subject, chosen), cell)

    @cached_property
    def graph(self) -> Table:
        """What is asked, its rows numbered."""
        given = self.inputs[0].table
        return number_rows(given) if self.action.layout == "rows" else given

    @cached_property
    def own(self) -> QueryScope:
        """The scope of its columns."""
        return replace(self.scope, table=self.graph, stages=[])

    def _ends(self, name: str) -> tuple[str, str]:
        """The columns of subjects and of their values."""
        return (ROW, name) if self.action.layout == "rows" else (HEAD, TAIL)

    def _source(self, keys: Mapping[str, Sql]) -> Sql:
        given = self.inputs[0]
        source: Sql = given.source
        if self.action.layout == "rows" and ROW not in given.table.columns:
            source = place_rows(given, ROW, self.scope).subquery("numbered")
        if not keys:
            return source
        made = [with_alias(one, name) for name, one in keys.items()]
        return exp.select(exp.Star(), *made).from_(source).subquery("keyed")

    def _select(
        self,
        columns: Sequence[str] | Mapping[str, str],
        name: str,
        more: Sequence[Sql] = (),
        tested: Sequence[tuple[Side, str]] = (),
    ) -> exp.Select:
        """Columns of the facts of a relation, or of rows, whose sides compare."""
        keys: dict[str, Sql] = {}
        holds = [self._compare(side, column, keys) for side, column in tested]
        if name and self.action.layout != "rows":
            holds = [binary(exp.EQ, _column(RELATION), text(name)), *holds]
        names = columns if isinstance(columns, Mapping) else {one: one for one in columns}
        shown = [with_alias(_column(own), made) for made, own in names.items()]
        query = exp.select(*shown).from_(self._source(keys))
        return query.where(*holds, *more) if holds or more else query

    def _compare(self, side: Side, column: str, keys: dict[str, Sql]) -> Sql:
        """Whether a column compares with what is given for a side; keys are made beforehand."""
        kind, test = self.action.kinds.get(side), self.action.tests.get(side)
        key = as_kind_sql(self.own, column, kind)
        if test is not None:
            name, table = column, self.graph
            if kind is not None:
                name, table = f"{KEY}_{side}", with_key(self.graph, column, kind)
                table = Table(table.frame.rename({KEY: name}))
                keys[name] = key
            test = test.model_copy(update={"column": name})
            return condition_sql(test, replace(self.own, table=table))
        sign: Sign = {"tail": self.action.tail_cmp, "value": self.action.value_cmp}.get(side, "=")
        keyed = with_key(self.graph, column, kind)
        if sign not in ("=", "!="):
            bound = self._members(side, member_kind(keyed, KEY), sign)
            return binary(_ORDER[sign], key, bound.subquery())
        if self.action.layout == "rows" and side == "head":
            members = self._members(side, "integer", rows=True)
        else:
            members = self._members(side, member_kind(keyed, KEY))
        if side in self.action.folded:
            key = self._folded(key)
        hits = exp.In(this=key, query=members.subquery())
        return hits if sign == "=" else chain(exp.And, [not_null(key), exp.Not(this=hits)])

    def _members(
        self, side: Side, kind: ValueKind | None, sign: Sign = "=", *, rows: bool = False
    ) -> exp.Select:
        """The values of a frame that are given for a side; of an order the one that decides."""
        given = self.inputs[getattr(self.action, f"{side}s")]
        name = ROW if rows else given.table.columns[-1]
        scope = replace(self.scope, table=given.table, stages=[])
        made = scope.column(name) if rows else as_kind_sql(scope, name, kind)
        if rows and self.action.shift:
            made = binary(exp.Add, made, number(self.action.shift))
        if side in self.action.folded:
            made = self._folded(made)
        there = not_null(made)
        if sign not in ("=", "!="):
            made = exp.Min(this=made) if sign[0] == ">" else exp.Max(this=made)
        return exp.select(with_alias(made, MEMBER)).from_(given.source).where(there)

    def _folded(self, made: Sql) -> Sql:
        if self.scope.lite:
            self.scope.refuse("it lowers plain letters only; give a frame of texts as they stand")
        return fold_cell(made, ("i", "\u0307", "σ"), self.scope, part=True, trim=True)

    def _among(self, column: str, chosen: exp.Select | None) -> list[Sql]:
        """That a column is one of the subjects chosen."""
        if chosen is None:
            return []
        return [exp.In(this=_column(column), query=chosen.subquery())]

    def _subjects(self, pattern: Pattern) -> exp.Select | None:
        """The subjects that heads and tests leave; none for all there are."""
        chosen: exp.Select | None = None
        if pattern.heads:
            name = self.action.leads(pattern)
            subject, cell = self._ends(name)
            made = {SUBJECT: cell if pattern.scope else subject}
            chosen = self._select(made, name, tested=[("head", subject)])
            if pattern.scope and self.action.layout == "rows":  # the rows that have the same cell
                chosen = self._select({SUBJECT: ROW}, name, self._among(cell, chosen))
        for name, side in pattern.tests:
            subject, cell = self._ends(name)
            chosen = self._select(
                {SUBJECT: subject}, name, self._among(subject, chosen), [(side, cell)]
            )
        return chosen

    def _entities(self, pattern: Pattern) -> exp.Query:
        """Each subject of a graph once, beside it the value where that is asked for."""
        *others, (name, side) = pattern.tests
        chosen = self._subjects(pattern._replace(tests=tuple(others))) if others else None
        shown = {ENTITY: HEAD}
        if self.action.beside and not others and name != ENTITY:
            shown = {name: TAIL, **shown}
        holds = self._among(HEAD, chosen)
        return self._select(shown, name, holds, [(side, TAIL)]).distinct()

    def _values(
        self,
        name: str,
        holds: Sequence[Sql],
        cell: str,
        tested: Sequence[tuple[Side, str]] = (),
    ) -> exp.Query:
        """Values under the name of what leads to them."""
        subject, _ = self._ends(name)
        shown = {SUBJECT: subject} if self.action.beside else {}
        if self.action.layout == "rows":
            shown = {ROW: ROW} if shown and name != ROW else {}
            return self._select({**shown, name: cell}, name, holds, tested).order_by(_column(ROW))
        made = self.action.made
        shown = {ENTITY: subject} if shown and name != ENTITY else {}
        if made == "once":
            there = not_null(_column(cell))
            shown[name] = cell
            return self._select(shown, name, [*holds, there], tested).distinct()
        value = as_kind_sql(self.own, cell, "date" if made == "date" else "number")
        facts = self._select(shown, name, holds, tested).select(with_alias(value, CELL))
        read: Sql = _column(CELL)
        query = exp.select(*map(_column, shown)).from_(facts.subquery("facts"))
        query = query.where(not_null(read))
        if made == "integer":
            query = query.where(binary(exp.EQ, read, exp.Floor(this=read.copy())))
            read = exp.cast(read, "bigint")
        return query.select(with_alias(read, name))

    def _of_times(self, pattern: Pattern) -> exp.Query:
        """Times of facts, or the other side of those whose times compare."""
        name, key = self.action.relation, self.action.key
        tested: list[tuple[Side, str]] = [("head", HEAD)] if pattern.heads else []
        if self.action.tail is not None or self.action.tails is not None:
            tested.append(("tail", TAIL))
        if pattern.answer == "times":
            if key == "time":
                return years_sql(self._select([START, END], name, (), tested), key, self.own)
            end = ENDS[key][0]
            return self._select({key: end}, name, [not_null(_column(end))], tested)
        holds = [self._compares(key)]
        if pattern.column == "tail":
            return self._values(name, holds, TAIL, tested)
        return self._select({ENTITY: HEAD}, name, holds, tested).distinct()

    def _compares(self, key: str) -> Sql:
        """Whether the time of a fact compares with a period, or with one of a frame."""
        sign = self.action.value_cmp
        if self.action.values is None:
            return in_periods(key, sign, read_periods(self.action.value, self.graph), self.scope)
        members = self._members("value", member_kind(self.graph, START), sign)
        return in_members(key, sign, members)


def _column(name: str) -> exp.Column:
    return exp.column(quote_identifier(name))
