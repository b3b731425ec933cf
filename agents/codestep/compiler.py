"""The compiler: each step of a program as calls of actions, made when its inputs are there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import singledispatchmethod
from typing import Any

from pydantic import JsonValue

from wideleaf.agents.codestep.steps import (
    Calculation,
    CalculationStep,
    CraftStep,
    GetStep,
    KeepStep,
    NegationStep,
    Ref,
    RowStep,
    SetFunction,
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
_SETS: Mapping[SetFunction, tuple[str, dict[str, JsonValue]]] = {
    "set_union": ("Union", {"distinct": True}),
    "set_intersection": ("Intersect", {}),
    "set_difference": ("Difference", {}),
}
_SHIFTS = {"previous_row": -1, "next_row": 1}


class Compiler:
    """Turns steps into calls, and gives their frames the labels that the graph will give them.

    Args:
        labels: By result of the program the label of its frame, for those that are there.
        tables: Gives the frame of a label.
        first: Number of the next label.
    """

    def __init__(
        self, labels: Mapping[str, str], tables: Callable[[str], Table], first: int
    ) -> None:
        self.labels = labels
        self.tables = tables
        self.first = first
        self.calls: list[Call] = []
        self.thoughts: list[str] = []
        self._known: dict[str, str] = {}
        self._thought = ""

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
        self._thought = thought
        made: list[str] = []
        self._made = made
        self._add_step(step)
        return tuple(dict.fromkeys(made))

    @singledispatchmethod
    def _add_step(self, step: Any) -> str:
        raise NotImplementedError

    @_add_step.register
    def _add_get(self, step: GetStep) -> str:
        arguments: dict[str, Any] = {"graph": self.label(step.source)}
        for name in ("relation", "key"):
            if (value := getattr(step, name)) is not None:
                arguments[name] = value
        for field, literal in (("head_entity", "head"), ("tail_entity", "tail"), ("value",) * 2):
            value = getattr(step, field)
            if isinstance(value, Ref):
                arguments[f"{literal}s"] = self.label(value)
            elif value is not None:
                arguments[literal] = list(value) if isinstance(value, tuple) else value
        for name in ("tail_cmp", "value_cmp"):
            if (compared := getattr(step, name)) != "=":
                arguments[name] = compared
        return self._call("Get", arguments)

    @_add_step.register
    def _add_set(self, step: SetStep) -> str:
        action, more = _SETS[step.function]
        label = self.label(step.of[0])
        if len(step.of) == 1:  # the members of one, each once
            return self._call("Distinct", {"table": label})
        for one in step.of[1:]:
            label = self._call(action, {"left": label, "right": self.label(one), **more})
        return label

    @_add_step.register
    def _add_negation(self, step: NegationStep) -> str:
        everything = self._call("Get", {"graph": self.label(step.source)})
        return self._call("Difference", {"left": everything, "right": self.label(step.of)})

    @_add_step.register
    def _add_calculation(self, step: CalculationStep) -> str:
        columns = [self._column(one, step.function) for one in step.of]
        label = self.label(step.of[0])
        for one in step.of[1:]:
            label = self._call("Union", {"left": label, "right": self.label(one)})
        measure: dict[str, JsonValue] = {"function": step.function}
        if columns[0]:
            measure["column"] = columns[0]
        return self._call("Aggregate", {"table": label, "measures": [measure]})

    @_add_step.register
    def _add_keep(self, step: KeepStep) -> str:
        column, label = self._column(step.of, "keep"), self.label(step.of)
        if isinstance(step.value, Ref):
            return self._keep_by_result(step, column, step.value)
        op: str = step.cmp
        value: Any = step.value
        if isinstance(value, tuple):
            if op not in ("=", "!="):
                raise ActionError(f"keep compares by {op} with one value, not with {len(value)}")
            op, value = ("in" if op == "=" else "not in"), list(value)
        return self._call(
            "Filter", {"table": label, "where": {"column": column, "op": op, "value": value}}
        )

    @_add_step.register
    def _add_row(self, step: RowStep) -> str:
        shift = _SHIFTS[step.function]
        return self._call(
            "Get",
            {"graph": self.label(step.source), "heads": self.label(step.of), "shift": shift},
        )

    @_add_step.register
    def _add_craft(self, step: CraftStep) -> str:
        arguments: dict[str, JsonValue] = {
            "task": step.task,
            "tables": [self.label(one) for one in step.of],
        }
        if step.signature:
            arguments["signature"] = step.signature
        return self._call("Craft", arguments)

    def label(self, ref: Ref) -> str:
        """The label of a source or of a result's frame."""
        return ref.name if ref.is_source else self.labels[ref.name]

    def _column(self, ref: Ref, function: Calculation | str) -> str:
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

    def _keep_by_result(self, step: KeepStep, column: str, value: Ref) -> str:
        """Members compared with a result of one row, whose cell no call may name."""
        other = self._column(value, "keep")
        mine, theirs = self.tables(self.label(step.of)), self.tables(self.label(value))
        if (count := theirs.count()) != 1:
            raise ActionError(
                f"keep compares with one value, and {value.code} holds {count}; take min(...) or "
                "max(...) of it, or set_intersection(...) for members of both"
            )
        beside = avoid_clashes(mine.columns, theirs.columns)[other]
        pairs = {"left": self.label(step.of), "right": self.label(value), "how": "cross"}
        both = self._call("Join", {**pairs})
        where: dict[str, JsonValue] = {"column": column, "op": step.cmp, "other": beside}
        kept = self._call("Filter", {"table": both, "where": where})
        return self._call("Select", {"table": kept, "columns": [*mine.columns]})

    def _call(self, name: str, arguments: dict[str, JsonValue]) -> str:
        """Add a call; what was called before in this reply is not called again."""
        key = canonical([name, arguments])
        if key not in self._known:
            self._known[key] = f"T{self.first + len(self.calls)}"
            self.calls.append(Call(name=name, arguments=arguments))
            self.thoughts.append(self._thought)
        self._made.append(self._known[key])
        return self._known[key]


def is_rows(columns: tuple[str, ...]) -> bool:
    """Whether a frame holds whole rows of a table, as Get gives them."""
    return len(columns) > 1 and columns[0] == ROW
