"""A plan as a pandas script: what it says is what the engine gives, and words stay words."""

import ast
from pathlib import Path
from typing import Any, get_args

import polars as pl
import pytest
from action_examples import EXAMPLES, frames_of
from odd_frames import HOSTILE, random_frame
from pandas_scripts import difference, planned, run_scripts, script_of

from wideleaf.tools.actions.measuring.measure import LISTING, OF_POPULATIONS, MeasureFunction
from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.actions.windowing.functions import WINDOWS
from wideleaf.tools.engines.engine import PolarsEngine
from wideleaf.tools.errors import ActionError, SettingsError
from wideleaf.tools.exports.scripts.script import plan_script, variable_names
from wideleaf.tools.expressions.functions import FUNCTIONS
from wideleaf.tools.plans.plan import Leaf, Plan
from wideleaf.tools.tables.table import Table

CHAINED = 12
"""So many columns one plan adds to a random table, and so many measures it takes at once."""
LIBRARY = {"Describe", "Sample", "Split", "Trend", "PCA", "Anomaly", "Cluster", "Predict",
           "Associate"}  # fmt: skip
UNORDERED = {"Join", "Match", "Union", "Unpivot", "PCA", "Anomaly", "Cluster", "Predict",
             "Correlate", "Associate"}  # fmt: skip
CALLS: dict[str, list[Any]] = {
    "clip": ["x", -1, 1], "round": ["x", 1], "log": ["x", 2], "null if": ["x", 0.5],
    "left": ["t", 1], "right": ["t", 2], "substring": ["t", 2, 1], 
    "position": ["t", {"value": "a"}],
    "replace": ["t", {"value": "a"}, {"value": "$1\\"}],
    "replace pattern": ["t", {"value": "(\\w)[' ](\\w)"}, {"value": "\\2-$1"}],
    "extract": ["t", {"value": "([A-Za-z\\d]+)$"}], "split part": ["t", {"value": " "}, -1],
    "pad left": ["t", 4, {"value": "*"}], "pad right": ["t", 4],
    "date": ["n", "i", 29], "truncate": ["s", {"value": "week"}],
    "format date": ["s", {"value": "D. MMMM YY HH:mm"}], "add days": ["d", "x"],
    "add months": ["s", "n"], "add hours": ["s", "x"], "days between": ["d", "s"],
    "months between": ["s", "d"], "years between": ["d", "s"], "coalesce": ["t", "u"],
    "concat": ["t", "x", "n", "b", "d", "s"], "hour": ["s"], "minute": ["s"], "second": ["s"],
}  # fmt: skip


def expressions() -> list[Any]:
    """Each function once or more, casts, choices and aggregates along the row."""
    made: list[Any] = []
    for op, function in FUNCTIONS.items():
        by_kind = {"number": "x", "text": "t", "date": "d"}
        given = CALLS.get(op) or [by_kind.get(function.takes[0], "s")] * function.least
        made.append({"op": op, "args": [*given[:1], "n"] if given == ["x", "x"] else given})
    casts = [("number", "t"), ("text", "x"), ("text", "b"), ("text", "d"), ("text", "s"),
             ("date", "t"), ("date", "s"), ("datetime", "d"), ("boolean", "t"), ("boolean", "n"),
             ("number", "b"), ("datetime", "t")]  # fmt: skip
    made += [{"cast": to, "of": of} for to, of in casts]
    made += [{"cast": "date", "of": "t", "format": "YYYY-MM-DD"}, 1.5, {"value": "big"}, "f"]
    made += [{"row": row, "columns": ["n", "x", "i"]} for row in
             ("sum", "mean", "min", "max", "count", "std", "which min", "which max", "first",
              "last")]  # fmt: skip
    made += [{"row": "max", "columns": ["d"]}, {"row": "sum", "columns": ["b", "i"]}]
    made += [{"row": "count", "columns": ["n", "i"], "op": ">", "value": 1}]
    test = {
        "any": [{"column": "x", "op": ">", "value": 0}, {"column": "t", "op": "==", "value": "A"}]
    }
    made += [{"if": test, "then": "n", "else": 0}, {"if": test, "then": {"value": "y"}}]
    made += [{"test": {"not": test}}, {"cases": [{"if": test, "then": "d"}]}]
    made += [{"op": "+", "args": ["x", 1, {"op": "*", "args": ["n", -2]}]},
             {"op": "truncate", "args": ["d", {"value": "quarter"}]},
             {"op": "extract", "args": ["t", {"value": "\\b\\w+"}]},
             {"op": "/", "args": [1, "n"]}, {"op": "round", "args": ["x"]}]  # fmt: skip
    return made


def conditions() -> list[Any]:
    """Each operator on each kind, and negations of them."""
    numbers = [("==", 1), ("!=", 0.5), ("<", 1), (">=", 0), ("in", [0, 1.0]), ("not in", [1]),
               ("between", [-1, 1])]  # fmt: skip
    texts = [("==", "A"), ("==", "É "), ("!=", "ß"), ("<", "b"), ("in", ["a", "É"]),
             ("not in", ["zz"]), ("between", ["A", "a"]), ("contains", "A"), ("starts with", "O"),
             ("ends with", "É"), ("matches", "^\\w[b ]?$"), ("like", "%X1_")]  # fmt: skip
    days = [("==", "2024-01"), ("!=", "2024-01-05"), ("<", "2024-02-01"), ("<=", "2024"),
            (">", "2024-01-15"), ("in", ["2024-01", "2024-02-03"]), ("not in", ["2024-W05"]),
            ("between", ["2024-01-02", "2024-01"])]  # fmt: skip
    made: list[Any] = []
    for names, wanted in (("nixf", numbers), ("tu", texts), ("ds", days)):
        for name in names:
            made += [{"column": name, "op": op, "value": value} for op, value in wanted]
    made.append({"column": "s", "op": ">", "value": "2024-02-03T10:15:07"})
    made += [{"column": "f", "op": "==", "value": 0.1}, {"column": "b", "op": "!=", "value": True}]
    made += [{"column": a, "op": op, "other": b} for a, b in ("nx", "tu", "ds", "sd", "xf")
             for op in ("==", "!=", "<")]  # fmt: skip
    made += [{"column": name, "op": op} for name in "ntd" for op in
             ("is null", "is not null", "is empty")]  # fmt: skip
    made += [{"column": "s", "part": part, "op": "in", "value": [1, 4, 5, 22]} for part in
             ("quarter", "month", "week", "day", "weekday", "hour")]  # fmt: skip
    return made + [{"not": one} for one in made] + [{"any": made[:40:9]}, {"all": made[1:30:13]}]


def windows() -> list[dict[str, Any]]:
    made = []
    for function, window in WINDOWS.items():
        columns = ["x", "n", *(["d"] if "date" in window.takes else [])] if window.takes else [None]
        for column in [*columns, *(["t"] if "text" in window.takes else [])]:
            for by in (None, ["b", "t"]):
                one: dict[str, Any] = {"function": function, "by": by, "column": column}
                if window.ordered:
                    one["order"] = ["-d", "i"] if by else "-x"
                if window.counted:
                    one["n"] = 2
                made.append(one)
    return made


def measures() -> list[dict[str, Any]]:
    made = []
    for function in get_args(MeasureFunction):
        for column in ("x", "i", "b", "t", "d", "f"):
            one = {"function": function, "column": column}
            if function == "quantile":
                one["q"] = 0.3
            if function == "weighted mean":
                one["weight"] = "i"
            if function in ("first", "last"):
                one["order"] = ["-n", "u"]
            made.append(one)
            if function in LISTING:
                made.append(one | {"order": ["-n", "u"]})
            if function in OF_POPULATIONS:
                made.append(one | {"population": True})
    return made


def single_steps(frame: pl.DataFrame) -> list[tuple[str, dict[str, Any]]]:
    """Steps on a random frame that resolve; what a column's kind rules out is left."""
    steps = [("Derive", {"name": "r", "expression": one}) for one in expressions()]
    steps += [("Filter", {"where": one}) for one in conditions()]
    steps += [("Window", {**one, "name": "r"}) for one in windows()]
    for one in measures():
        steps += [("Group", {"keys": ["b", "t"], "measures": [one]})]
        steps += [("Aggregate", {"measures": [one]})]
    for by in (["x"], ["-t", "n"], ["-d"], ["b", "-f"]):
        for limit in (None, 4):
            steps += [
                ("Sort", {"by": by, "limit": limit, **more})
                for more in ({}, {"nulls": "smallest"}, {"ties": "cut", "nulls": "smallest"})
            ]
    for columns in ("n", "x", "t", "b", "d", "s", "f"):
        for index in (None, ["u"] if columns == "t" else ["t", "b"][: 1 + (columns != "b")]):
            steps.append(("Pivot", {"columns": columns, "index": index, "value": "i"}))
    for every in ("day", "3 days", "week", "2 weeks", "month", "5 months", "quarter", "year"):
        for fill in ("none", "null", "zero", "previous"):
            steps.append(("Resample", {"time": "d", "every": every, "by": "b", "fill": fill,
                          "measures": [{"function": "sum", "column": "x"}, {"function": "count"},
                                       {"function": "max", "column": "s"}]}))  # fmt: skip
    steps += [
        ("Resample", {"time": "s", "every": every}) for every in ("hour", "7 hours", "minute")
    ]
    return [*steps, ("Distinct", {"columns": ["b", "t"]}), ("Describe", {}), ("Sample", {"n": 5})]


def double_steps() -> list[tuple[str, dict[str, Any]]]:
    steps: list[tuple[str, dict[str, Any]]] = []
    for how in ("inner", "left", "right", "full", "semi", "anti"):
        for on in (["n"], ["t", "b"], [{"left": "n", "right": "x"}], ["d"]):
            steps.append(("Join", {"on": on, "how": how}))
    for direction in ("before", "after", "nearest"):
        for nearest, far in (
            ("n", 1),
            ("x", None),
            ("d", "3 days"),
            ({"left": "d", "right": "s"}, None),
        ):
            steps += [("Join", {"how": "asof", "on": on, "nearest": nearest, "tolerance": far,
                                "direction": direction}) for on in ([], ["b"])]  # fmt: skip
    for name in ("Union", "Intersect", "Difference"):
        steps += [(name, {"distinct": distinct}) for distinct in (True, False)]
    return steps


def fits(table: Table, step: tuple[str, dict[str, Any]]) -> bool:
    """Whether the kinds of a table's columns let a step be."""
    try:
        find_action(step[0]).model_validate(step[1]).resolve(table).run(table)
    except ActionError:
        return False
    return True


def plans_of(frame: pl.DataFrame) -> list[list[tuple[str, dict[str, Any]]]]:
    """The steps on a frame that fit, columns added one after another, measures taken together."""
    table = Table(PolarsEngine().open(frame.lazy()))
    steps = single_steps(frame)
    fitting = [step for step in steps if fits(table, step)]
    assert len(fitting) > 0.6 * len(steps)
    adding, measuring, plans = [], {}, []
    for place, (name, arguments) in enumerate(fitting):
        if name in ("Derive", "Window"):
            adding.append((name, {**arguments, "name": f"r{place}"}))
        elif name in ("Group", "Aggregate"):
            [measure] = arguments["measures"]
            measuring.setdefault(name, []).append({**measure, "name": f"m{place}"})
        else:
            plans.append([(name, arguments)])
    plans += [adding[start : start + CHAINED] for start in range(0, len(adding), CHAINED)]
    for name, measures_ in measuring.items():
        keys = {"keys": ["b", "t"]} if name == "Group" else {}
        for start in range(0, len(measures_), CHAINED):
            plans.append([(name, {**keys, "measures": measures_[start : start + CHAINED]})])
    return plans


def check(
    folder: Path,
    cases: list[tuple[dict[str, pl.DataFrame], list[tuple[str, Any]]]],
    least: float = 0.6,
) -> int:
    """Run all cases' scripts in one process; how many call the library."""
    made = []
    for place, (frames, steps) in enumerate(cases):
        (inside := folder / str(place)).mkdir()
        try:
            made.append((steps, planned(inside, frames, steps)))
        except ActionError:  # the kind of a column rules it out
            continue
    assert len(made) >= least * len(cases)
    scripts = [script_of(*case) for _, case in made]
    wrong = []
    for (steps, case), found in zip(made, run_scripts(folder, scripts), strict=True):
        told = difference(found, case[3], ordered=steps[-1][0] not in UNORDERED)
        if told:
            wrong.append(f"{steps}\n{told[:1500]}")
    assert not wrong, f"{len(wrong)} of {len(made)} differ:\n" + "\n\n".join(wrong[:8])
    return sum("run_action(" in script for script in scripts)


@pytest.mark.sandbox
@pytest.mark.slow
@pytest.mark.parametrize("rows", [None, 0])
def test_each_example_of_each_action_gives_the_engines_frame(
    rows: int | None, tmp_path: Path
) -> None:
    cases = []
    for name, examples in EXAMPLES.items():
        for place, arguments in enumerate(examples):
            given = frames_of(name, place)
            frames = {
                n: f if rows is None else f.head(0) for n, f in zip("abc", given, strict=False)
            }
            cases.append((frames, [(name, arguments)]))
    library = sum(len(EXAMPLES[name]) for name in LIBRARY)
    # Beside these neighbours of Impute and columns of mixed kinds.
    assert check(tmp_path, cases) == library + 2


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1])
def test_steps_on_random_tables_give_the_engines_frame(seed: int, tmp_path: Path) -> None:
    frame = random_frame(seed)
    plans = plans_of(frame)
    check(tmp_path, [({"a": frame}, steps) for steps in plans], least=1.0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3])
def test_steps_on_two_random_tables_give_the_engines_frame(seed: int, tmp_path: Path) -> None:
    frames = {"a": random_frame(seed, 12), "b": random_frame(seed + 100, 9)}
    check(tmp_path, [(frames, [step]) for step in double_steps()])


def test_several_steps_follow_each_other(tmp_path: Path) -> None:
    frames = {"plots": random_frame(6), "T0 x": random_frame(7)}
    steps = [
        ("Join", {"on": ["n"], "how": "left"}),
        ("Derive", {"name": "r", "expression": {"op": "/", "args": ["x", "i"]}}),
        ("Filter", {"where": {"not": {"column": "r", "op": "<", "value": 0}}}),
        ("Group", {"keys": "t", "measures": [{"function": "sum", "column": "x_right"}]}),
        ("Sort", {"by": "-sum_x_right", "limit": 2}),
    ]
    check(tmp_path, [(frames, steps)])


def test_words_of_others_never_become_code(tmp_path: Path) -> None:
    with pytest.raises(ActionError, match="holds a null character"):
        script_of(*planned(tmp_path, {"a": pl.DataFrame({HOSTILE: [1]})}, [("Distinct", {})]))
    header = HOSTILE.replace("\0", "")
    columns = [header, "a{b}", "')]; os.abort() #", "\\", '"', "\u202ename", "T1", "answer"]
    cells = [HOSTILE, "", "\\'", "{x}", '"""', None]
    frame = pl.DataFrame({name: cells for name in columns})
    leaves = {HOSTILE: frame}
    ask = {"thought": HOSTILE, "question": f"# -*- coding: utf-7 -*-{HOSTILE}"}
    made = []
    for place, steps in enumerate((
        [("Filter", {"where": {"column": header, "op": "==", "value": HOSTILE}})],
        [("Filter", {"where": {"column": header, "op": "contains", "value": '"""'}})],
        [("Derive", {"name": header + "2", "expression": {"value": HOSTILE}})],
        [("Group", {"keys": [header], "measures": [
            {"function": "max", "column": "\\", "name": header + "3"}]})],
        [("Pivot", {"columns": "\\", "index": ["a{b}"]})],
        [("Unpivot", {"columns": columns[:4], "name": "\n", "value": "'"})],
        [("Window", {"function": "lag", "column": '"', "order": ["\\"], "name": header + "4"})],
        [("Distinct", {"columns": [header, "answer"]})],
    )):  # fmt: skip
        (inside := tmp_path / str(place)).mkdir()
        made.append(planned(inside, leaves, steps, **ask))
    scripts = [script_of(*case) for case in made]
    for script in scripts:
        said = {node.id for node in ast.walk(ast.parse(script)) if isinstance(node, ast.Name)}
        assert "os" not in said and "abort" not in said
        assert "\x00" not in script and "\u2028" not in script
    for case, found in zip(made, run_scripts(tmp_path, scripts), strict=True):
        assert difference(found, case[3], ordered=False) == ""


def test_names_of_frames_are_unlike_and_no_names_of_the_script() -> None:
    labels = ["T1", "T 1", "pd", "list", "class", "1", "", "é", "answer", "a", "a_key", "A-b"]
    names = variable_names(labels)
    assert len(set(names.values())) == len(labels)
    assert all(name.isidentifier() and not name.startswith("_") for name in names.values())
    assert not {"pd", "list", "class", "answer"} & set(names.values())
    assert "a_key" not in {name for label, name in names.items() if label != "a_key"}


def test_a_numbered_pivot_is_told_under_its_real_headers(tmp_path: Path) -> None:
    steps = [("Pivot", {"columns": "b", "index": "t", "value": "x", "headers": "numbers"})]
    plan, tables, sources, made = planned(tmp_path, {"a": random_frame(8)}, steps)
    headers = dict(zip(made.columns[1:], ["no", "yes", "?"], strict=False))
    step = plan.steps[0].model_copy(update={"headers": headers})
    named = plan.model_copy(update={"steps": (step,)})
    [(columns, _)] = run_scripts(tmp_path, [plan_script(named, tables, sources)])
    assert columns == ["t", *headers.values()]


def test_columns_that_the_table_lacks_are_not_read(tmp_path: Path) -> None:
    plan, tables, sources, _ = planned(tmp_path, {"a": random_frame(9)}, [("Describe", {})])
    fewer = {"a": Table(tables["a"].frame.drop("t"))}
    plain = plan.model_copy(update={"steps": (), "answer": "a"})
    script = plan_script(plain, fewer, sources)
    [(columns, rows)] = run_scripts(tmp_path, [script])
    assert difference((columns, rows), fewer["a"], ordered=True) == ""
    assert "'t'" not in script


@pytest.mark.parametrize(
    ("path", "words"),
    [("x.duckdb::plots", "held by a database"), ("x.csv", "no Parquet file")],
)
def test_a_source_that_would_be_read_otherwise_is_refused(
    path: str, words: str, tmp_path: Path
) -> None:
    plan, tables, _, _ = planned(tmp_path, {"a": random_frame(9)}, [("Describe", {})])
    with pytest.raises(SettingsError, match=words):
        plan_script(plan, tables, {"a": path})
    with pytest.raises(SettingsError, match="not handed in"):
        plan_script(Plan(answer="b", leaves=(Leaf(label="b", source="b"),)), tables, {})
