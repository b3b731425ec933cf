"""Runs on random small tables against the same thing in plain Python, and what it refuses."""

from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from acting import Rows, notes, run, table, tries
from hypothesis import example, given, settings
from hypothesis import strategies as st
from on_engines import engine_for, every_engine
from pandas_scripts import difference, planned, run_scripts, script_of
from plan_sql_cases import compare, grown
from pydantic import ValidationError

from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.conditions.nodes import rewrite
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

SCHEMA = {"g": pl.String, "n": pl.Int64, "x": pl.Float64, "t": pl.String, "d": pl.Date}
FIRST = date(2024, 2, 27)
cells = {
    "g": st.sampled_from(["a", "É"]),
    "n": st.integers(-2, 6),
    "x": st.sampled_from([-1.5, 0.0, 0.5, 1.0]),
    "t": st.sampled_from(["a", "A", "b", "é"]),
    "d": st.integers(0, 9).map(lambda days: FIRST + timedelta(days)),
}
row = st.fixed_dictionaries({name: st.none() | cell for name, cell in cells.items()})
rows, some_rows = st.lists(row, max_size=12), st.lists(row, min_size=6, max_size=12)
OF_ENGINE = {"polars": 30, "duckdb": 6, "spark": 3}
ABOVE = {"column": "x", "op": ">", "value": 0}
ASKED: list[dict[str, Any]] = [
    {"order": ["n"], "where": ABOVE},
    {"order": ["-n"], "where": ABOVE, "by": ["g"]},
    {"order": ["d", "-n"], "column": "t", "by": ["g"]},
    {"order": ["n"], "column": "x", "limit": 1},
    {"order": ["d"], "where": {"not": ABOVE}, "steps": "consecutive"},
    {"order": ["-n"], "column": "t", "by": ["g"], "steps": "consecutive", "limit": 2},
    {"order": ["t"], "column": "g"},
]


def open_on(engine: str, given_rows: Rows, folder: Path) -> Table:
    path = folder / "rows.parquet"
    pl.DataFrame(given_rows, schema=SCHEMA).write_parquet(path)
    return Table(engine_for(engine).scan(path))


def in_order(part: Rows, asked: dict[str, Any]) -> Rows:
    """By the keys, then what makes a run, then the other columns, nulls of these first."""
    keys = [key.lstrip("-") for key in asked["order"]]
    value = asked.get("column")
    others = [name for name in SCHEMA if name not in {*keys, *asked.get("by", ()), value}]
    for name in reversed([*([value] if value else ["\0"]), *others]):
        part = sorted(part, key=lambda one: (one[name] is not None, one[name] or least(one[name])))
    for key in reversed(asked["order"]):
        part = sorted(part, key=lambda one: one[key.lstrip("-")], reverse=key[0] == "-")
    return part


def least(cell: Any) -> Any:
    return cell if cell is not None else 0


def holds(one: dict[str, Any], asked: dict[str, Any]) -> bool:
    if "column" in asked:
        return one[asked["column"]] is not None
    above = None if one["x"] is None else one["x"] > 0
    return above is not None and above != ("not" in asked["where"])


def distance(one: Any, other: Any) -> float:
    apart = abs(other - one)
    return float(apart.days if isinstance(apart, timedelta) else apart)


def expected(given_rows: Rows, asked: dict[str, Any]) -> Rows:
    keys, by = [key.lstrip("-") for key in asked["order"]], asked.get("by", [])
    placed = [one | {"\0": int(holds(one, asked))} for one in given_rows
              if all(one[key] is not None for key in keys)]  # fmt: skip
    groups: dict[Any, Rows] = {}
    for one in placed:
        groups.setdefault(tuple(one[name] for name in by), []).append(one)
    ordered = {group: in_order(part, asked) for group, part in groups.items()}
    key = keys[0]
    stepped = "steps" in asked
    apart = [distance(one[key], two[key]) for part in ordered.values()
             for one, two in pairwise(part) if stepped]  # fmt: skip
    step = min((one for one in apart if one > 0), default=None)
    made = []
    for group, part in ordered.items():
        runs: list[Rows] = []
        for one in part:
            last = runs[-1][-1] if runs and runs[-1] else None
            same = last is not None and ("column" not in asked or
                                         last[asked["column"]] == one[asked["column"]])  # fmt: skip
            if last is not None and step is not None:
                same = same and distance(last[key], one[key]) <= 1.5 * step
            if not holds(one, asked):
                runs.append([])
            elif same:
                runs[-1].append(one)
            else:
                runs.append([one])
        runs = [one for one in runs if one]
        most = sorted((len(one) for one in runs), reverse=True)
        edge = most[min(asked.get("limit", 999), len(most)) - 1] if most else 0
        for one in runs:
            if len(one) >= edge:
                told = dict(zip(by, group, strict=True))
                told |= {"value": one[0][asked["column"]]} if "column" in asked else {}
                for name in keys:
                    more = "" if name == key else f"_{name}"
                    told |= {f"start{more}": one[0][name], f"end{more}": one[-1][name]}
                told["length"] = len(one)
                if key == "d":
                    told["days"] = distance(one[0][key], one[-1][key])
                made.append(told)
    return made


def bag(found: Rows) -> list[str]:
    return sorted(repr(list(one.items())) for one in found)


@every_engine
@pytest.mark.parametrize("asked", ASKED)
def test_runs_are_those_of_plain_python(engine: str, asked: dict[str, Any], tmp_path: Path) -> None:
    @settings(derandomize=True, max_examples=tries(OF_ENGINE[engine]))
    @given(rows)
    def check(given_rows: Rows) -> None:
        made = run("Runs", open_on(engine, given_rows, tmp_path), **asked)
        found = made.rows(100)
        assert bag(found) == bag(expected(given_rows, asked))
        lengths = [one["length"] for one in found]
        assert lengths == sorted(lengths, reverse=True)

    check()


SEASON: Rows = [
    {"g": g, "n": n, "x": x, "t": t, "d": FIRST + timedelta(n or 0)}
    for g, n, x, t in [
        ("a", 1, 1.0, "W"), ("a", 2, 1.0, "W"), ("a", 3, None, None), ("a", 4, 1.0, "w"),
        ("a", 6, 1.0, "W"), ("a", 7, 1.0, "W"), ("b", 1, -1.5, "L"), ("b", 2, 1.0, "W"),
        ("b", 2, 1.0, "W"), ("b", None, 1.0, "W"),
    ]
]  # fmt: skip


def test_a_null_a_miss_and_a_missing_step_end_a_run() -> None:
    season = table(SEASON, SCHEMA)
    asked: dict[str, Any] = {"order": "n", "where": ABOVE, "by": "g"}
    assert [tuple(one.values()) for one in run("Runs", season, **asked).rows(9)] == [
        ("a", 4, 7, 3), ("a", 1, 2, 2), ("b", 2, 2, 2),
    ]  # fmt: skip
    strict = run("Runs", season, **asked, steps="consecutive").rows(9)
    assert [tuple(one.values()) for one in strict] == [
        ("a", 1, 2, 2), ("a", 6, 7, 2), ("b", 2, 2, 2), ("a", 4, 4, 1),
    ]  # fmt: skip


def test_the_longest_are_kept_with_ties_in_each_group() -> None:
    asked: dict[str, Any] = {"order": "n", "where": ABOVE, "steps": "consecutive", "limit": 1}
    made = run("Runs", table(SEASON, SCHEMA), by="g", **asked).rows(9)
    assert [(one["g"], one["start"]) for one in made] == [("a", 1), ("a", 6), ("b", 2)]


def test_months_are_consecutive_however_long_they_are() -> None:
    months = [date(2023 + m // 12, m % 12 + 1, 1) for m in range(24) if m not in (7, 8)]
    frame = table([{"d": one, "x": 1.0} for one in months], {"d": pl.Date, "x": pl.Float64})
    made = run("Runs", frame, order="d", where=ABOVE, steps="consecutive").rows(9)
    assert [(one["start"], one["end"], one["length"]) for one in made] == [
        (date(2023, 10, 1), date(2024, 12, 1), 15),
        (date(2023, 1, 1), date(2023, 7, 1), 7),
    ]
    assert made[1]["days"] == 181
    told = [f.text for f in notes("Runs", frame, order="d", where=ABOVE, steps="consecutive")]
    assert any(text.startswith("A step of 'd' is 28 days") for text in told)


def test_text_compares_as_filter_does() -> None:
    asked: dict[str, Any] = {"order": "n", "by": "g"}
    wins = {"column": "t", "op": "==", "value": "W"}
    folded = {"column": "t", "op": "==", "value": " l "}
    made = run("Runs", table(SEASON, SCHEMA), where=wins, **asked).rows(9)
    assert [one["length"] for one in made] == [3, 2, 2]  # the small one is one, too
    assert [
        one["length"] for one in run("Runs", table(SEASON, SCHEMA), where=folded, **asked).rows(9)
    ] == [1]
    told = [fact.text for fact in notes("Runs", table(SEASON, SCHEMA), where=folded, **asked)]
    assert "Matched without regard to case and blanks: t == ' l '" in told


def test_what_runs_are_and_what_ends_them_is_told() -> None:
    facts = notes("Runs", table(SEASON, SCHEMA), order="n", where=ABOVE, by="g")
    told = [fact.text for fact in facts]
    assert told[0] == "3 runs; the longest has 3 rows"
    assert "1 rows, in which the condition is unknown, end a run" in told
    assert "1 rows with a null 'n' have no place in the order and are left out" in told
    assert any(t.startswith("2 rows have the same 'g', 'n' as another row") for t in told)
    none = notes("Runs", table(SEASON, SCHEMA), order="n",
                 where={"column": "x", "op": ">", "value": 9})  # fmt: skip
    assert any(fact.text == "No row has x > 9" for fact in none)
    column = [fact.text for fact in notes("Runs", table(SEASON, SCHEMA), order="n", column="t")]
    assert "1 rows, in which 't' is null, end a run" in column


def test_names_that_are_taken_get_others() -> None:
    taken = table(
        [{"start": "a", "n": 1, "x": 1.0}], {"start": pl.String, "n": pl.Int64, "x": pl.Float64}
    )
    made = run("Runs", taken, order="n", where=ABOVE, by="start")
    assert made.columns == ("start", "start_right", "end", "length")


def test_a_resolved_step_is_kept_when_it_is_read_again() -> None:
    season = table(SEASON, SCHEMA)
    action = find_action("Runs").model_validate(
        {"order": "n", "where": ABOVE, "by": "g", "steps": "consecutive"}
    )
    resolved = action.resolve(season)
    assert resolved.arguments()["step"] == 1
    assert find_action("Runs").model_validate(resolved.arguments()) == resolved
    assert rewrite(resolved, lambda model: model) == resolved


BAD: list[tuple[dict[str, Any], str]] = [
    ({"order": "m", "where": ABOVE}, "no column 'm'"),
    ({"order": "n", "column": "tt"}, "no column 'tt'"),
    ({"order": "n", "where": {"column": "x", "op": ">", "value": "many"}}, "many"),
    ({"order": "t", "column": "g", "steps": "consecutive"}, "are of one order of numbers or dates"),
    ({"order": ["n", "d"], "column": "g", "steps": "consecutive"}, "not of 'n', 'd'"),
    ({"order": "n", "where": {"column": "x", "op": ">", "value": {"mean": "x"}}}, "no value here"),
]


@pytest.mark.parametrize(("wish", "text"), BAD)
def test_what_does_not_fit_is_refused(wish: dict[str, Any], text: str) -> None:
    with pytest.raises(ActionError) as caught:
        run("Runs", table(SEASON, SCHEMA), **wish)
    assert text in caught.value.text


@pytest.mark.parametrize("wish", [{}, {"where": ABOVE, "column": "x"}])
def test_either_a_condition_or_a_column_is_given(wish: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="give where"):
        find_action("Runs").model_validate({"order": "n", **wish})


@pytest.mark.sandbox
@pytest.mark.parametrize("dialect", ["duckdb", "sqlite"])
@pytest.mark.parametrize("asked", ASKED)
def test_the_query_gives_the_same_runs(asked: dict[str, Any], dialect: str) -> None:
    @settings(derandomize=True, max_examples=tries(2))
    @given(some_rows)
    @example(SEASON)
    def check(given_rows: Rows) -> None:
        frames = {"rows": pl.DataFrame(given_rows, schema=SCHEMA)}
        plan, answer = grown(frames, [("Runs", asked, ["rows"])])
        assert compare(plan, answer, frames, dialect) == ""

    check()


def test_the_script_gives_the_same_runs(tmp_path: Path) -> None:
    made = []
    strategy = st.lists(some_rows, min_size=2, max_size=2)

    @settings(derandomize=True, max_examples=1)
    @given(strategy)
    def draw(tables: list[Rows]) -> None:
        for given_rows in [*tables, SEASON]:
            for asked in ASKED:
                (inside := tmp_path / str(len(made))).mkdir()
                frame = pl.DataFrame(given_rows, schema=SCHEMA)
                made.append(planned(inside, {"a": frame}, [("Runs", asked)]))

    draw()
    found = run_scripts(tmp_path, [script_of(*one) for one in made])
    for one, answer in zip(made, found, strict=True):
        assert difference(answer, one[3], ordered=True) == ""
