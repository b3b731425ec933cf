"""What a state can hold of an answer; a `Result` has the whole."""

from __future__ import annotations

from wideleaf.agents.answer.excerpt import Size, excerpt, shorten
from wideleaf.graph.state import PlainData
from wideleaf.tools.plain_data import whole

ROUNDED = "whole numbers beyond 64 bits are the nearest floats in the value"
"""What a checkpoint cannot hold, and JSON not safely."""


def fit_answer(written: PlainData, frame: str) -> PlainData:
    """Cut an answer to what a state, and whoever reads it, can hold; a `Result` has the whole.

    Args:
        written: What the writer wrote.
        frame: Id of the answer's frame.
    """
    table = written["table"]
    columns = table.get("columns", [])
    held = whole(written["value"])
    rounded = held is not written["value"] and repr(held) != repr(written["value"])
    value, text = excerpt(held), shorten(written["answer"], Size().characters)
    names = excerpt(columns)
    rows = excerpt(whole([row[: len(names.kept)] for row in table.get("rows", [])]))
    uncut = value.whole and text == written["answer"]
    size = f"{table.get('total', 0)} rows x {len(columns)} columns"
    rest = f"this is a part of {size}; the rest is in the frame {frame} (wideleaf.frame)"
    if uncut and rounded:
        rest = f"{ROUNDED}; the frame {frame} (wideleaf.frame) has all their digits"
    complete = uncut and not rounded
    return {
        **written,
        "answer": text,
        "value": value.kept,
        "table": table
        and {**table, "columns": names.kept, "rows": rows.kept, "width": len(columns)},
        "rest": "" if complete else rest,
        "caveats": written["caveats"] if complete else [*written["caveats"], rest],
    }
