"""Get as pandas code: facts or rows kept by one side after another."""

from __future__ import annotations

from typing import Literal

from wideleaf.tools.actions.get import ENTITY, Get
from wideleaf.tools.actions.getting.arguments import Side
from wideleaf.tools.actions.getting.rows import number_rows
from wideleaf.tools.exports.pandas.conditions import condition_code
from wideleaf.tools.exports.pandas.expressions import ExpressionWriter
from wideleaf.tools.exports.pandas.rules import write_pandas
from wideleaf.tools.exports.pandas.words import Lines, StepPlace, as_code, column
from wideleaf.tools.expressions.expression import Cast
from wideleaf.tools.knowledge.patterns import ROW, Pattern
from wideleaf.tools.knowledge.sides import CELL, KEY, ValueKind, member_kind, with_key
from wideleaf.tools.knowledge.times import read_periods
from wideleaf.tools.tables.relations import END, HEAD, RELATION, START, TAIL
from wideleaf.tools.tables.table import Table

ROWS, NUMBERED, CHOSEN = "rows", "part", "key"
"""What the script calls the facts at hand, a table with the numbers of its rows, and subjects."""
ENDS = {"time": (START, END), "start_time": (START, START), "end_time": (END, END)}


@write_pandas.register(Get)
def get_code(action: Get, at: StepPlace) -> Lines:
    """The lines of a Get."""
    return _GetCode(action, at).write()


def as_kind_code(frame: str, table: Table, name: str, kind: ValueKind | None) -> str:
    """A column as another kind; what does not read as it is null."""
    own, whole = table.kind(name), table.schema[name].is_integer()
    if kind is None or (kind == "date" and own == "number") or (kind == "integer" and whole):
        return column(frame, name)
    if kind in ("integer", "number"):
        made = ExpressionWriter(table, frame).write(Cast(cast="number", of=name))
        made = made if own == "text" else f"{made}.astype('Float64')"
        return f"_whole({made})" if kind == "integer" else made
    target: Literal["date", "text"] = "date" if kind == "date" else "text"
    return ExpressionWriter(table, frame).write(Cast(cast=target, of=name))


class _GetCode:
    """One Get as lines; the names of its parts are those of the action."""

    def __init__(self, action: Get, at: StepPlace) -> None:
        self.action, self.at = action, at
        self.rows = action.layout == "rows"
        self.graph, self.table = at.frames[0], at.tables[0]
        self.lines: Lines = []
        if self.rows and ROW not in self.table.columns:
            self.table = number_rows(self.table)
            places = f"pd.array(range(1, len({self.graph}) + 1), dtype='Int64')"
            self.lines.append(f"{NUMBERED} = {self.graph}.assign(**{{{ROW!r}: {places}}})")
            self.graph = NUMBERED

    def write(self) -> Lines:
        """The whole."""
        self.lines.append(f"{self.at.name} = {self._made(self.action.pattern)}")
        return self.lines

    def _made(self, pattern: Pattern) -> str:
        """The frame, after the lines that it needs."""
        if pattern.answer in ("times", "sides"):
            return self._of_times(pattern)
        chosen = self._choose(pattern)
        if self.action.gives_rows:
            kept = self._among(self.graph, ROW) if chosen else self.graph
            names = [ROW, *(name for name in self.table.columns if name != ROW)]
            return (
                f"{kept}[{as_code(names)}].sort_values({ROW!r}, kind='stable', ignore_index=True)"
            )
        if pattern.answer == "relations":
            return f"_distinct({ROWS}[[{RELATION!r}]])"
        if pattern.answer == "subjects":
            name = pattern.tests[0][0] if self.action.beside and len(pattern.tests) == 1 else ""
            shown = {name: TAIL} if name and name != ENTITY else {}
            frame = ROWS if chosen else self.graph
            return f"_distinct({self._shown(frame, {**shown, ENTITY: HEAD})})"
        self._take(pattern.column)
        if chosen:
            self.lines.append(f"{ROWS} = {self._among(ROWS, self._ends(pattern.column)[0])}")
        return self._values(pattern.column)

    def _ends(self, name: str) -> tuple[str, str]:
        """The columns of subjects and of their values."""
        return (ROW, name) if self.rows else (HEAD, TAIL)

    def _take(self, name: str) -> None:
        """Begin with the facts of a relation, or with all rows."""
        test = f"{column(self.graph, RELATION)} == {name!r}"
        kept = "" if self.rows or not name else f"[({test}).fillna(False).astype(bool)]"
        self.lines.append(f"{ROWS} = {self.graph}{kept}")

    def _among(self, frame: str, name: str) -> str:
        """The rows whose column is one of the subjects chosen."""
        return f"{frame}[{column(frame, name)}.isin({CHOSEN}.dropna())]"

    def _keep(self, side: Side, name: str) -> None:
        """Keep the rows of which a column compares with what is given for a side."""
        action, frame = self.action, ROWS
        kind, test = action.kinds.get(side), action.tests.get(side)
        key = as_kind_code(frame, self.table, name, kind)
        if test is not None:
            table = self.table
            if kind is not None:
                table = with_key(self.table, name, kind)
                self.lines.append(f"{frame} = {frame}.assign(**{{{KEY!r}: {key}}})")
                name = KEY
            held = condition_code(test.model_copy(update={"column": name}), table, frame)
            self.lines.append(f"{frame} = {frame}[({held}).fillna(False).astype(bool)]")
            return
        sign = {"tail": action.tail_cmp, "value": action.value_cmp}.get(side, "=")
        members = self._members(side, member_kind(with_key(self.table, name, kind), KEY))
        if side in action.folded:
            key, members = f"_folded({key})", f"_folded({members})"
        self.lines.append(f"{frame} = {frame}[_compares({key}, {sign!r}, {members})]")

    def _members(self, side: Side, kind: ValueKind | None) -> str:
        """The values of a frame that are given for a side."""
        place = getattr(self.action, f"{side}s")
        frame, table = self.at.frames[place], self.at.tables[place]
        if self.rows and side == "head":
            more = f" + {self.action.shift}" if self.action.shift else ""
            return f"{column(frame, ROW)}{more}"
        return as_kind_code(frame, table, table.columns[-1], kind)

    def _choose(self, pattern: Pattern) -> bool:
        """Find the subjects that heads and tests leave; whether there are any such."""
        chosen = False
        if pattern.heads:
            name = self.action.leads(pattern)
            subject, cell = self._ends(name)
            self._take(name)
            self._keep("head", subject)
            if pattern.scope and self.rows:  # the rows that have the same cell
                self.lines.append(f"{CHOSEN} = {column(ROWS, cell)}")
                self.lines.append(f"{ROWS} = {self._among(self.graph, cell)}")
            end = cell if pattern.scope and not self.rows else subject
            self.lines.append(f"{CHOSEN} = {column(ROWS, end)}")
            chosen = True
        for name, side in pattern.tests:
            subject, cell = self._ends(name)
            self._take(name)
            self._keep(side, cell)
            if chosen:
                self.lines.append(f"{ROWS} = {self._among(ROWS, subject)}")
            self.lines.append(f"{CHOSEN} = {column(ROWS, subject)}")
            chosen = True
        return chosen

    def _shown(self, frame: str, names: dict[str, str]) -> str:
        """Columns of a frame under other names."""
        chosen = f"{frame}[{as_code([*names.values()])}]"
        return f"{chosen}.set_axis({as_code([*names])}, axis=1)"

    def _values(self, name: str) -> str:
        """Values under the name of what leads to them."""
        subject, cell = self._ends(name)
        beside = {ROW if self.rows else ENTITY: subject} if self.action.beside else {}
        beside.pop(name, None)
        if self.rows:
            ordered = f"{ROWS}.sort_values({ROW!r}, kind='stable', ignore_index=True)"
            return self._shown(ordered, {**beside, name: cell})
        made = self.action.made
        if made != "once":
            value = as_kind_code(ROWS, self.table, cell, made)
            self.lines.append(f"{ROWS} = {ROWS}.assign(**{{{CELL!r}: {value}}})")
            cell = CELL
        there = f"{ROWS}.dropna(subset=[{cell!r}])"
        order = "_distinct" if made == "once" else "_in_order"
        return f"{order}({self._shown(there, {**beside, name: cell})})"

    def _of_times(self, pattern: Pattern) -> str:
        """Times of facts, or the other side of those whose times compare."""
        action, key = self.action, self.action.key
        self._take(action.relation)
        if pattern.heads:
            self._keep("head", HEAD)
        if action.tail is not None or action.tails is not None:
            self._keep("tail", TAIL)
        start, end = (column(ROWS, name) for name in ENDS[key])
        if pattern.answer == "times":
            if key == "time":
                year = "" if self.table.kind(START) == "number" else ".dt.year.astype('Int64')"
                return f"_years({start}{year}, {end}{year}, {key!r})"
            there = f"{ROWS}[{start}.notna()]"
            return f"_in_order({self._shown(there, {key: ENDS[key][0]})})"
        sign = action.value_cmp
        if action.values is None:
            periods = [[first, last] for first, last in read_periods(action.value, self.table)]
            spans = as_code(periods)
        else:
            members = self._members("value", member_kind(self.table, START))
            spans = f"_bounds({members}, {sign!r})"
        self.lines.append(f"{ROWS} = {ROWS}[_in_time({start}, {end}, {sign!r}, {spans})]")
        if pattern.column == "tail":
            return self._values(action.relation)
        return f"_distinct({self._shown(ROWS, {ENTITY: HEAD})})"
