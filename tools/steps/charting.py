"""Charting: the chart of a node that Chart made, drawn anew out of its frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wideleaf.tools.actions.chart import Chart
from wideleaf.tools.steps.step import read_call
from wideleaf.tools.tree.call import Call

if TYPE_CHECKING:
    from wideleaf.tools.charts.chart import Chart as Drawing
    from wideleaf.tools.steps.store import FrameStore


def draw_kept(store: FrameStore, key: str, form: str | None = None) -> Drawing:
    """The chart of a frame that Chart made, as a person reads it: with the headers' own words.

    Args:
        store: Where the frame is.
        key: Its id.
        form: Another form than the one it has.

    Raises:
        KeyError: If no Chart made that frame in this store.
        ActionError: If it cannot be drawn so.
    """
    recipe = store.recipe(key)
    if recipe is None or recipe.name != Chart.__name__:
        raise KeyError(f"{key!r} is no frame that a Chart made")
    arguments = {**recipe.arguments} | ({"form": form} if form else {})
    action = read_call(Call(name=recipe.name, arguments=arguments))
    assert isinstance(action, Chart)
    return action.draw(store.get(key), headers=store.labels(key))
