"""The whole value of an answer, and the part of it that a state can hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from wideleaf.agents.answer.excerpt import Size, excerpt, shorten
from wideleaf.graph.channels import PlainData
from wideleaf.tools.errors import ActionError, WideleafError
from wideleaf.tools.plain_data import whole

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
    others = (caveat for caveat in result.caveats if caveat not in (rest, *caveats))
    return result.model_copy(update={"value": value, "caveats": (*others, *caveats)})


ROUNDED = "whole numbers beyond 64 bits are the nearest floats in the value"
"""What a checkpoint cannot hold, and JSON not safely."""


def fit_answer(draft: PlainData, frame: str) -> PlainData:
    """Cut an answer to what a state, and whoever reads it, can hold; a `Result` has the whole.

    Args:
        draft: What the writer wrote.
        frame: Id of the answer's frame.
    """
    table = draft["table"]
    columns = table.get("columns", [])
    content = whole(draft["value"])
    rounded = content is not draft["value"] and repr(content) != repr(draft["value"])
    value, text = excerpt(content), shorten(draft["answer"], Size().characters)
    names = excerpt(columns)
    rows = excerpt(whole([row[: len(names.kept)] for row in table.get("rows", [])]))
    where, rest = f"the frame {frame} (wideleaf.frame)", ""
    if not value.whole or text != draft["answer"]:
        size = f"{table.get('total', 0)} rows x {len(columns)} columns"
        rest = f"this is a part of {size}; the rest is in {where}"
    elif rounded:
        rest = f"{ROUNDED}; {where} has all their digits"
    return {
        **draft,
        "answer": text,
        "value": value.kept,
        "table": table
        and {**table, "columns": names.kept, "rows": rows.kept, "width": len(columns)},
        "rest": rest,
        "caveats": [*draft["caveats"], *([rest] if rest else [])],
    }
