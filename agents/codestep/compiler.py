"""The compiler: each step of a program as calls of actions, made when its inputs are there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from wideleaf.agents.codestep.steps import (
    CalculationStep,
    CraftStep,
    GetStep,
    KeepStep,
    NegationStep,
    Ref,
    RowStep,
    SetStep,
    Step,
)
from wideleaf.tools.actions.joining.keys import avoid_clashes
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.lineage import canonical

ROW = "row_number"
"""The first column of rows of a table, see the action Get."""
_SETS: Mapping[str, tuple[str, dict[str, JsonValue]]] = {
    "set_union": ("Union", {"distinct": True}),
    "set_intersection": ("Intersect", {}),
    "set_difference": ("Difference", {}),
}
_AMONG = {"=": "in", "!=": "not in"}
_SHIFTS = {"previous_row": -1, "next_row": 1}
_ENDS = {"head_entity": "head", "tail_entity": "tail"}
"""What the action Get calls the fields of a step otherwise; a frame is given under the plural."""


@dataclass
class Compiler:
    """Turns steps into calls, and gives their frames the labels that the graph will give them.

    Attributes:
        labels: By result of the program the label of its frame, for those that are there.
        tables: Gives the frame of a label.
        first: Number of the next label.
        calls: The calls so far.
        thoughts: Of each call what it does, in words.
    """

    labels: Mapping[str, str]
    tables: Callable[[str], Table]
    first: int
    calls: list[Call] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    _known: dict[str, str] = field(default_factory=dict)
    _made: dict[str, None] = field(default_factory=dict)
    _thought: str = ""

    def compile(self, step: Step, thought: str) -> tuple[str, ...]:
        """Add the calls of a step whose inputs are there.

        Args:
            step: The step.
            thought: What it does, in words.

        Returns:
            The labels of the frames of its calls; the last is that of its result.

        Raises:
            ActionError: If a frame is not what the function works on; says what would be right.
        """
        self._thought, self._made = thought, {}
        match step:
            case GetStep():
                self._call("Get", graph=self.label(step.source), **self._get_arguments(step))
            case SetStep(of=[one]):  # the members of one, each once
                self._call("Distinct", table=self.label(one))
            case SetStep():
                action, more = _SETS[step.function]
                self._chain(action, step.of, **more)
            case NegationStep():
                everything = self._call("Get", graph=self.label(step.source))
                self._call("Difference", left=everything, right=self.label(step.of))
            case CalculationStep():
                column, *_ = [self._column(one, step.function) for one in step.of]
                measure: dict[str, JsonValue] = {"function": step.function}
                measure |= {"column": column} if column else {}
                self._call("Aggregate", table=self._chain("Union", step.of), measures=[measure])
            case KeepStep():
                self._keep(step)
            case RowStep():
                graph, heads = self.label(step.source), self.label(step.of)
                self._call("Get", graph=graph, heads=heads, shift=_SHIFTS[step.function])
            case CraftStep():
                tables: list[JsonValue] = [self.label(one) for one in step.of]
                signature = {"signature": step.signature} if step.signature else {}
                self._call("Craft", task=step.task, tables=tables, **signature)
        return tuple(self._made)

    def _get_arguments(self, step: GetStep) -> dict[str, JsonValue]:
        arguments: dict[str, JsonValue] = {}
        for name in [name for name, one in step.parameters().items() if one.by_name]:
            argument, value = _ENDS.get(name, name), getattr(step, name)
            if isinstance(value, Ref):
                arguments[f"{argument}s"] = self.label(value)
            elif value != GetStep.model_fields[name].default:
                arguments[argument] = list(value) if isinstance(value, tuple) else value
        return arguments

    def _chain(self, action: str, sets: tuple[Ref, ...], **more: JsonValue) -> str:
        """Put sets together two by two; one alone is as it is."""
        label = self.label(sets[0])
        for one in sets[1:]:
            label = self._call(action, left=label, right=self.label(one), **more)
        return label

    def _keep(self, step: KeepStep) -> None:
        """Members compared with constants, or with a result of one row, whose cell is not named."""
        column, value, op = self._column(step.of, "keep"), step.value, str(step.cmp)
        table = self.label(step.of)
        if not isinstance(value, Ref):
            constant: JsonValue = list(value) if isinstance(value, tuple) else value
            if isinstance(constant, list):
                if op not in _AMONG:
                    many = len(constant)
                    raise ActionError(f"keep compares by {op} with one value, not with {many}")
                op = _AMONG[op]
            where: JsonValue = {"column": column, "op": op, "value": constant}
            self._call("Filter", table=table, where=where)
            return
        other = self._column(value, "keep")
        mine, theirs = self.tables(table), self.tables(self.label(value))
        if (count := theirs.count()) != 1:
            raise ActionError(
                f"keep compares with one value, and {value.code} holds {count}; take min(...) or "
                "max(...) of it, or set_intersection(...) for members of both"
            )
        beside = avoid_clashes(mine.columns, theirs.columns)[other]
        both = self._call("Join", left=table, right=self.label(value), how="cross")
        where = {"column": column, "op": op, "other": beside}
        subset = self._call("Filter", table=both, where=where)
        self._call("Select", table=subset, columns=[*mine.columns])

    def label(self, ref: Ref) -> str:
        """The label of a source or of a result's frame."""
        return ref.name if ref.is_source else self.labels[ref.name]

    def _column(self, ref: Ref, function: str) -> str:
        """The column of a result that a function is of: its last; rows are counted whole."""
        columns = self.tables(self.label(ref)).columns
        if not is_rows(columns):
            return columns[-1] if columns else ""
        if function == "count":
            return ""
        raise ActionError(
            f"{ref.code} holds whole rows, of which {function} takes no column; get its values "
            f"first: get(source, relation=..., head_entity={ref.code})"
        )

    def _call(self, name: str, **arguments: JsonValue) -> str:
        """Add a call; what was called before in this reply is not called again."""
        key = canonical([name, arguments])
        if key not in self._known:
            self._known[key] = f"T{self.first + len(self.calls)}"
            self.calls.append(Call(name=name, arguments=arguments))
            self.thoughts.append(self._thought)
        self._made[self._known[key]] = None
        return self._known[key]


def is_rows(columns: tuple[str, ...]) -> bool:
    """Whether a frame holds whole rows of a table, as Get gives them."""
    return len(columns) > 1 and columns[0] == ROW
