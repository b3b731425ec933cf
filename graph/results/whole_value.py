"""The whole value of an answer, of which a state holds a part, or rounded numbers, only."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from wideleaf.tools.errors import ActionError, WideleafError

if TYPE_CHECKING:
    from wideleaf.graph.results.result import Result

ResultT = TypeVar("ResultT", bound="Result")


def with_whole_value(result: ResultT, rest: str) -> ResultT:
    """The same with the value out of the frame; as it is, where that cannot be opened.

    Args:
        result: The result.
        rest: The caveat that says that it holds a part; empty if it does not.
    """
    from wideleaf.agents.answer.writer import whole_value

    if not rest or result.status != "answered":
        return result
    try:
        store = result.store()
        with store.reading("the answer"):
            node = result.tree[result.label]
            value, caveats = whole_value(store.with_labels(node.id), node.rows)
    except (WideleafError, ActionError, KeyError, OSError):
        return result
    kept = (caveat for caveat in result.caveats if caveat not in (rest, *caveats))
    return result.model_copy(update={"value": value, "caveats": (*kept, *caveats)})
