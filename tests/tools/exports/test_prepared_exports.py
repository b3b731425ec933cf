"""Prepared columns as pandas scripts and as SQL: on odd tables they are what the engine gives."""

from pathlib import Path
from typing import Any

import pytest
from odd_frames import random_frame
from pandas_scripts import difference, planned, run_scripts, script_of
from plan_sql_cases import compare, grown

from wideleaf.tools.errors import ActionError

STEPS: list[tuple[str, dict[str, Any]]] = [
    *(("Bin", {"column": column, "name": "r", "number": True, **way, "closed": closed})
      for column in "nxif"
      for way in ({"count": 4}, {"quantiles": 3}, {"edges": [None, 0, 0.5, 2]}, {"edges": [-1, 1]})
      for closed in ("left", "right")),
    *(("Normalise", {"columns": columns, "method": method, "by": by})
      for columns in (["x", "n"], ["i", "f", "b"])
      for method in ("z-score", "min-max", "robust", "max-abs", "rank")
      for by in (None, ["t"])),
    *(("Normalise", {"columns": "x", "method": method, "replace": True})
      for method in ("log", "log10", "log1p")),
    ("Normalise", {"columns": ["x", "i"], "by": "b", "population": True}),
    *(("Impute", {"columns": ["x", "n", "f"], "method": method, "by": by, "fallback": fallback})
      for method in ("mean", "median", "mode")
      for by, fallback in ((None, True), (["t"], True), (["t"], False))),
    ("Impute", {"columns": ["t", "u", "b", "d", "s"], "method": "mode", "by": "n"}),
    *(("Impute", {"columns": ["x", "t", "b", "d", "s"], "method": method, "order": order, "by": by})
      for method in ("previous", "next")
      for order in (["-n"], ["i", "-u"])
      for by in (None, ["f"])),
    *(("Impute", {"columns": ["x", "n"], "method": "interpolate", "order": order, "by": by})
      for order in (["i"], ["-d"], ["s"], ["u", "i"])
      for by in (None, ["b"])),
    ("Impute", {"columns": ["x", "n"], "method": "knn", "with": "i", "neighbours": 2}),
    *(("Impute", {"columns": columns, "method": "value", "value": value})
      for columns, value in ((["x", "n"], 0), (["i", "n"], 0.5), (["t", "u"], "?"), ("b", False),
                             ("d", "2024-01-05"), ("s", "2024-01-05T10:00"))),
    *(("Split", {"column": column, "separator": separator, **more})
      for column in "tu"
      for separator in ("A", "whitespace", "list")
      for more in ({}, {"place": "p", "name": "r"}, {"count": 2}, {"count": 2, "strip": False})),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_pandas_scripts_give_the_engines_frame(seed: int, tmp_path: Path) -> None:
    frame, made = random_frame(seed), []
    for place, step in enumerate(STEPS):
        (inside := tmp_path / str(place)).mkdir()
        made.append(planned(inside, {"a": frame}, [step]))
    found = run_scripts(tmp_path, [script_of(*case) for case in made])
    wrong = [
        f"{step}\n{told}"
        for step, case, one in zip(STEPS, made, found, strict=True)
        if (told := difference(one, case[3], ordered=True))
    ]
    assert not wrong, "\n\n".join(wrong[:5])


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["duckdb", "sqlite"])
@pytest.mark.parametrize("seed", [1, 2])
def test_queries_give_the_engines_frame(seed: int, dialect: str) -> None:
    frames, refused = {"rows": random_frame(seed)}, 0
    for name, arguments in STEPS:
        plan, answer = grown(frames, [(name, arguments, ["rows"])])
        try:
            assert compare(plan, answer, frames, dialect) == "", arguments
        except ActionError as error:
            assert error.kind == "sql"
            refused += 1
    assert refused == {"duckdb": 25, "sqlite": 37}[dialect]


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite"])
def test_the_order_of_a_sort_outlives_prepared_columns(dialect: str) -> None:
    frames = {"rows": random_frame(4)}
    steps = [
        ("Sort", {"by": ["-n", "x"], "limit": 5}, ["rows"]),
        ("Bin", {"column": "x", "edges": [None, 0, None]}, ["T1"]),
        ("Normalise", {"columns": "i", "method": "min-max", "replace": True}, ["T2"]),
        ("Impute", {"columns": "n", "method": "mode"}, ["T3"]),
        ("Select", {"columns": ["x_bin", "i"]}, ["T4"]),
    ]
    plan, answer = grown(frames, steps)
    assert compare(plan, answer, frames, dialect) == ""
