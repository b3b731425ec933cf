"""Steps as calls of actions: labels, chains of small actions, and what cannot be compiled."""

import narwhals as nw
import polars as pl
import pytest

from wideleaf.agents.codestep.compiler import Compiler
from wideleaf.agents.codestep.replies import read_program
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

FRAMES = {
    "T1": pl.LazyFrame({"Points": [118, 79, 75]}),
    "T2": pl.LazyFrame({"row_number": [1], "Artist": ["Anna"], "Points": [118]}),
    "T3": pl.LazyFrame({"Points": [79]}),
    "T4": pl.LazyFrame({"team": ["a"], "longest": [3]}),
}
LABELS = {"values": "T1", "rows": "T2", "one": "T3", "teams": "T4"}
HEAD = "values = get('a')\nrows = get('b')\none = get('c')\nteams = get('d')\n"


def compiled(call):
    """The calls of one step, as pairs of name and arguments, and its labels."""
    step = read_program(f"{HEAD}w = {call}", ["songs"]).steps[-1]
    compiler = Compiler(LABELS, lambda label: Table(nw.from_native(FRAMES[label])), 7)
    labels = compiler.compile(step, "so")
    assert compiler.thoughts == ["so"] * len(compiler.calls)
    return [(call.name, call.arguments) for call in compiler.calls], labels


CASES = {
    "get('Points')": [("Get", {"graph": "songs", "relation": "Points"})],
    "get('Points', head_entity=rows)": [
        ("Get", {"graph": "songs", "relation": "Points", "heads": "T2"})
    ],
    "get(relation='Points', tail_entity=one, tail_cmp='>=', key='Year', value=[1, 2])": [
        (
            "Get",
            {
                "graph": "songs",
                "relation": "Points",
                "key": "Year",
                "tails": "T3",
                "value": [1, 2],
                "tail_cmp": ">=",
            },
        )
    ],
    "set_union(values, one, values)": [
        ("Union", {"left": "T1", "right": "T3", "distinct": True}),
        ("Union", {"left": "T7", "right": "T1", "distinct": True}),
    ],
    "set_union(values)": [("Distinct", {"table": "T1"})],
    "set_difference(values, one)": [("Difference", {"left": "T1", "right": "T3"})],
    "set_negation(songs, rows)": [
        ("Get", {"graph": "songs"}),
        ("Difference", {"left": "T7", "right": "T2"}),
    ],
    "max(values)": [
        ("Aggregate", {"table": "T1", "measures": [{"function": "max", "column": "Points"}]})
    ],
    "sum(teams)": [
        ("Aggregate", {"table": "T4", "measures": [{"function": "sum", "column": "longest"}]})
    ],
    "count(rows)": [("Aggregate", {"table": "T2", "measures": [{"function": "count"}]})],
    "mean(values, one)": [
        ("Union", {"left": "T1", "right": "T3"}),
        ("Aggregate", {"table": "T7", "measures": [{"function": "mean", "column": "Points"}]}),
    ],
    "keep(values, ['a', 'b'], '!=')": [
        (
            "Filter",
            {"table": "T1", "where": {"column": "Points", "op": "not in", "value": ["a", "b"]}},
        )
    ],
    "keep(values, one, '>')": [
        ("Join", {"left": "T1", "right": "T3", "how": "cross"}),
        (
            "Filter",
            {"table": "T7", "where": {"column": "Points", "op": ">", "other": "Points_right"}},
        ),
        ("Select", {"table": "T8", "columns": ["Points"]}),
    ],
    "next_row(rows)": [("Get", {"graph": "songs", "heads": "T2", "shift": 1})],
    "craft('Do it', [values, rows], 'f(a, b) -> number')": [
        ("Craft", {"task": "Do it", "tables": ["T1", "T2"], "signature": "f(a, b) -> number"})
    ],
}


@pytest.mark.parametrize("call", CASES)
def test_a_step_is_these_calls_under_the_labels_that_the_graph_gives_out(call):
    calls, labels = compiled(call)
    assert calls == CASES[call]
    assert labels == tuple(f"T{7 + place}" for place in range(len(calls)))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("max(rows)", "rows holds whole rows, of which max takes no column"),
        ("keep(rows, 3)", "get(source, relation=..., head_entity=rows)"),
        ("keep(values, values, '>')", "values holds 3"),
        ("keep(values, [1, 2], '<')", "with one value, not with 2"),
    ],
)
def test_what_a_function_does_not_work_on_is_refused(call, words):
    with pytest.raises(ActionError) as error:
        compiled(call)
    assert words in error.value.text


def test_a_call_that_two_steps_share_is_made_once():
    program = read_program("a = get('x')\nb = get('x')\nc = get('y')", ["songs"])
    compiler = Compiler({}, lambda label: Table(nw.from_native(FRAMES[label])), 1)
    assert [compiler.compile(step, "") for step in program.steps] == [("T1",), ("T1",), ("T2",)]
    assert len(compiler.calls) == 2
