"""An earlier plan as it can be changed: its calls along their first inputs, from a table on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from pydantic import JsonValue

from wideleaf.agents.planner.scopes.derivation import Use
from wideleaf.tools.errors import ActionError
from wideleaf.tools.steps.step import read_call
from wideleaf.tools.steps.trial import INPUTS
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import FrameTree, Node

SUMMARIES = (
    "Group", "Aggregate", "Pivot", "Resample", "Describe", "Correlate", "PCA", "Cluster", "Predict",
    "Associate", "Test", "Fit", "Trend", "Runs",
)  # fmt: skip
"""What makes other rows out of rows."""
Calls = tuple[Call, ...]
NAMED = 0.45
"""How well a column must be named to take the place of another."""
COLUMNS = 3


class Earlier(NamedTuple):
    """An earlier plan along its first inputs; other inputs are named by their labels.

    Attributes:
        said: The words that were answered by it.
        leaf: The node that it starts from.
        nodes: The nodes of its steps, in order.
        calls: Their calls without the first input.
        others: Labels of other frames that the calls name.
    """

    said: str
    leaf: Node
    nodes: tuple[Node, ...]
    calls: Calls
    others: tuple[str, ...]


def read_earlier(tree: FrameTree, label: str, text: str) -> Earlier | None:
    """The plan of a node; None where it cannot be told as calls along first inputs."""
    if label not in tree.by_label or tree[label].outcome != "ok":
        return None
    leaf, *nodes = tree.path(label)
    calls: list[Call] = []
    others: list[str] = []
    for node in nodes:
        try:
            inputs = type(read_call(node.action)).inputs
        except ActionError:
            return None
        if not inputs or not {*inputs} <= {*INPUTS} or len(node.parents) > len(inputs):
            return None
        beside: dict[str, JsonValue] = dict(zip(inputs[1:], node.parents[1:], strict=False))
        others += node.parents[1:]
        calls.append(Call(name=node.action.name, arguments={**node.action.arguments, **beside}))
    return Earlier(text, leaf, tuple(nodes), tuple(calls), tuple(others))


def first_input(call: Call) -> str:
    """The name under which a call takes the frame before it."""
    return "left" if "right" in call.arguments else "table"


def summary_place(calls: Calls) -> int:
    """Where rows first become other rows; the number of calls if they never do."""
    return next((p for p, call in enumerate(calls) if call.name in SUMMARIES), len(calls))


def rows_end(calls: Calls) -> int:
    """Where a further condition on rows goes: after joins, before what hangs on which there are."""
    end = summary_place(calls)
    for place in range(end):
        call = calls[place]
        cut = call.name == "Sort" and call.arguments.get("limit") is not None
        later = any(one.name in ("Join", "Filter") for one in calls[place + 1 : end])
        if cut or call.name in ("Distinct", "Sample") or (call.name == "Select" and not later):
            return place
    return end


def columns_in(value: Any) -> Iterator[str]:
    """Columns that a condition compares."""
    if isinstance(value, dict):
        if isinstance(value.get("column"), str):
            yield value["column"]
        for one in value.values():
            yield from columns_in(one)
    elif isinstance(value, list):
        for one in value:
            yield from columns_in(one)


def items_of(where: Any) -> list[Any]:
    """The parts of a condition that must all hold."""
    if isinstance(where, list):
        return where
    if isinstance(where, dict) and {*where} == {"all"}:
        return list(where["all"])
    return [where] if where else []


def conditions_of(calls: Calls) -> list[tuple[int, Any]]:
    """The conditions on rows, each with the place of its call; of a share those counted, too."""
    conditions = []
    for place, call in enumerate(calls[: rows_end(calls)]):
        where = call.arguments.get("where") if call.name == "Filter" else share_test(call)
        conditions += [(place, item) for item in items_of(where)]
    return conditions


def share_test(call: Call) -> Any:
    """The condition of a column that is one where it holds and else none; None of other calls."""
    expression = call.arguments.get("expression") if call.name == "Derive" else None
    if isinstance(expression, dict) and expression.get("then") == 1 and expression.get("else") == 0:
        return expression.get("if")
    return None


def measures_of(calls: Calls) -> list[dict[str, Any]]:
    """What is measured where rows first become other rows."""
    place = summary_place(calls)
    items = calls[place].arguments.get("measures") if place < len(calls) else None
    return [dict(one) for one in items if isinstance(one, dict)] if isinstance(items, list) else []


def keys_of(calls: Calls) -> list[str]:
    """The columns that rows are grouped by."""
    place = summary_place(calls)
    items = calls[place].arguments.get("keys") if place < len(calls) else None
    return [str(key) for key in items] if isinstance(items, list) else []


class Change(NamedTuple):
    """An earlier plan with something otherwise.

    Attributes:
        calls: The plan now.
        uses: What of the message is explained.
        rules: Names of the changes made.
        likely: How likely they are meant, 0 to 1, by what they are.
    """

    calls: Calls
    uses: tuple[Use, ...] = ()
    rules: tuple[str, ...] = ()
    likely: float = 1.0

    def by(
        self, rule: str, calls: Calls | None, *uses: Use, likely: float = 1.0
    ) -> Iterator[Change]:
        """The plan with one more change; nothing if it cannot be made."""
        if calls is not None and calls != self.calls:
            yield Change(calls, (*self.uses, *uses), (*self.rules, rule), min(self.likely, likely))
