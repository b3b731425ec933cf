"""What a state can hold of an answer; a `Result` has the whole."""

from __future__ import annotations

from wideleaf.agents.answer.excerpt import Size, excerpt, shorten
from wideleaf.graph.state import PlainData


def fit_answer(written: PlainData, frame: str) -> PlainData:
    """Cut an answer to what a state, and whoever reads it, can hold; a `Result` has the whole.

    Args:
        written: What the writer wrote.
        frame: Id of the answer's frame.
    """
    table = written["table"]
    columns = table.get("columns", [])
    value, text = excerpt(written["value"]), shorten(written["answer"], Size().characters)
    names = excerpt(columns)
    rows = excerpt([row[: len(names.kept)] for row in table.get("rows", [])])
    whole = value.whole and text == written["answer"]
    size = f"{table.get('total', 0)} rows x {len(columns)} columns"
    rest = f"this is a part of {size}; the rest is in the frame {frame} (wideleaf.frame)"
    return {
        **written,
        "answer": text,
        "value": value.kept,
        "table": table
        and {**table, "columns": names.kept, "rows": rows.kept, "width": len(columns)},
        "rest": "" if whole else rest,
        "caveats": written["caveats"] if whole else [*written["caveats"], rest],
    }
