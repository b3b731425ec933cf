"""Steps of a plan: one for each call, as it was written, also where it was short for several."""

import pandas as pd

import wideleaf as wl
from wideleaf.tools.telling.observations import written_steps
from wideleaf.tools.telling.outline import outline

ABOVE = {"column": "a", "op": ">", "value": {"mean": "a"}}
SOME = {"function": "count", "where": {"column": "a", "op": ">", "value": 20}}


def told(*moves: tuple[str, str, dict]) -> str:
    rows = pd.DataFrame({"a": range(30), "b": [place % 3 for place in range(30)]})
    finish = ("So.", "Finish", {"table": f"T{len(moves)}"})
    tree = wl.ask("How many?", {"rows": rows}, model=wl.Script([*moves, finish])).tree
    steps = [node for node in tree.plan(tree.head) if node.parents]
    assert len(written_steps(steps)) == len(moves) < len(steps)
    return outline(tree)


def test_a_filter_by_an_aggregate_is_told_as_that_filter() -> None:
    text = told(("So.", "Filter", {"table": "rows", "where": ABOVE}))
    assert (
        'T1 = Filter(where={column: "a", op: ">", value: {mean: "a"}}) of rows -> 15 rows' in text
    )
    assert "Select" not in text and "T1a" not in text and "Join" not in text


def test_a_measure_of_some_rows_is_told_as_its_group() -> None:
    text = told(("So.", "Group", {"table": "rows", "keys": ["b"], "measures": [SOME]}))
    measure = '{function: "count", where: {column: "a", op: ">", value: 20}}'
    assert f'T1 = Group(keys=["b"], measures=[{measure}]) of rows -> 3 rows' in text
    assert "T1a" not in text and "cells" not in text


def test_a_table_whose_name_ends_in_a_letter_is_a_table() -> None:
    frame = pd.DataFrame({"a": [1, 2]})
    tree = wl.ask(
        "How many?",
        {"t1": frame, "t1a": frame},
        model=wl.Script([("So.", "Finish", {"table": "t1"})] * 3),
    ).tree
    assert "t1a:\n  2 rows" in outline(tree)


def test_a_share_of_some_rows_is_of_the_group_itself() -> None:
    rows = pd.DataFrame({"b": ["x", "x", "y"], "paid": [1, 0, 1], "price": [1.0, 3.0, 2.0]})
    where = {"column": "paid", "op": "==", "value": 1}
    measures = [
        {"function": "share", "where": where, "name": "rows"},
        {"function": "share", "column": "price", "where": where, "name": "of_price"},
    ]
    moves = [("So.", "Group", {"table": "rows", "keys": ["b"], "measures": measures})]
    finish = ("So.", "Finish", {"table": "T1", "note": "Shares."})
    answer = wl.ask(
        "Which shares are paid?", {"rows": rows}, model=wl.Script([*moves, *[finish] * 3])
    )
    assert answer.value == [
        {"b": "x", "rows": 0.5, "of_price": 0.25},
        {"b": "y", "rows": 1.0, "of_price": 1.0},
    ]
