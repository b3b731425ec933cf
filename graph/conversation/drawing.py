"""Charts of answers: of an earlier one that is to be drawn, and beside one that has just come."""

from __future__ import annotations

from wideleaf.agents.conversation.charts import read_drawing, read_form, read_other_form
from wideleaf.agents.turn import Exchange
from wideleaf.graph.conversation.record import Record
from wideleaf.graph.results.chart_parts import chart_artifact
from wideleaf.graph.state import PlainData
from wideleaf.tools.charts.chart import Chart
from wideleaf.tools.charts.forms import FORMS
from wideleaf.tools.errors import ActionError
from wideleaf.tools.steps.store import FrameStore


def chart_answer(record: Record, meant: Exchange, store: FrameStore, said: str) -> PlainData:
    """An answer's frame as a chart, in the form that was asked for or that suits it.

    Args:
        record: The conversation.
        meant: Which answer.
        store: Where its frame is.
        said: The words that ask for it; where they name no form, it is drawn as it was before.
    """
    title = record.question(meant.label)
    wanted = said if read_form(said) or read_other_form(said) else meant.drawn or said
    try:
        chart = _drawn(
            read_drawing(title).removeprefix("show ") or title,
            record.tree[meant.label].id,
            wanted,
            store,
        )
    except ActionError as error:
        return {"status": "unanswered", "answer": f"No chart was drawn: {error.text}."}
    points = len(chart.spec["data"]["values"])
    return {
        "answer": f"A {chart.form} chart of {chart.title}, {points} points.",
        "chart": chart_artifact(chart),
        "caveats": list(chart.caveats),
    }


def draw_answer(title: str, key: str, said: str, store: FrameStore) -> PlainData:
    """The chart that a question asked for beside its answer.

    Args:
        title: What the answer is of.
        key: The id of its frame.
        said: The words that ask for a chart.
        store: Where the frame is.

    Returns:
        The channel ``chart``, if it could be drawn, and ``caveats``.
    """
    try:
        chart = _drawn(title, key, said, store)
    except ActionError as error:
        return {"caveats": [f"No chart was drawn: {error.text}."]}
    return {"chart": chart_artifact(chart), "caveats": list(chart.caveats)}


def _drawn(title: str, key: str, said: str, store: FrameStore) -> Chart:
    from wideleaf.tools.charts.drawing import draw_chart

    if other := read_other_form(said):
        raise ActionError(f"no {other} is drawn here; ask for one of: {', '.join(FORMS)}")
    return draw_chart(store.with_labels(key).to_pandas(), read_form(said), title)
