"""Correlate against the textbook's sums in exact arithmetic, and what it refuses."""

from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from acting import Rows, notes, run, table, tries
from hypothesis import given, settings
from hypothesis import strategies as st
from on_engines import engine_for

from wideleaf.tools.actions.inference import reading
from wideleaf.tools.actions.inference.correlate import Correlate
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

SCHEMA = {"a": pl.Float64, "b": pl.Int8, "c d": pl.Float64, "0": pl.Float32, "t": pl.String}
NAN = float("nan")
quarters = st.sampled_from([NAN, *(one / 4 for one in range(-5, 6))])
cells = {
    "a": quarters,
    "b": st.sampled_from([-128, 0, 1, 127]),
    "c d": quarters.map(lambda one: one + 1e9),
    "0": quarters,
    "t": st.sampled_from(["1", "2"]),
}
rows = st.lists(
    st.fixed_dictionaries({name: st.none() | cell for name, cell in cells.items()}), max_size=9
)


def ranks(values: list[Fraction]) -> list[Fraction]:
    """Ranks, those of equal values averaged."""
    return [
        Fraction(2 * sum(o < v for o in values) + sum(o == v for o in values) + 1, 2)
        for v in values
    ]


def reference(given_rows: Rows, method: str) -> Rows:
    made = []
    for name in ("b", "c d", "0"):
        pairs = [(one["a"], one[name]) for one in given_rows]
        pairs = [(x, y) for x, y in pairs if None not in (x, y) and x == x and y == y]
        left, right = [Fraction(x) for x, _ in pairs], [Fraction(y) for _, y in pairs]
        if method == "spearman":
            left, right = ranks(left), ranks(right)
        found = None
        if len(pairs) >= 3 and len(set(left)) > 1 and len(set(right)) > 1:
            x, y = sum(left) / len(left), sum(right) / len(right)
            both = sum((a - x) * (b - y) for a, b in zip(left, right, strict=True))
            sizes = sum((a - x) ** 2 for a in left) * sum((b - y) ** 2 for b in right)
            found = float(both) / sqrt(sizes)
        made.append({"column": name, "correlation": found, "rows": len(pairs)})
    return made


def check_rows(found: Rows, given_rows: Rows, method: str) -> None:
    wanted = {one["column"]: one for one in reference(given_rows, method)}
    assert {one["column"] for one in found} == {*wanted}
    for one in found:
        expected = wanted[one["column"]]
        assert one["rows"] == expected["rows"]
        r = expected["correlation"]
        assert one["correlation"] == (r if r is None else pytest.approx(r, abs=1e-6))
    sizes = [-1 if one["correlation"] is None else abs(one["correlation"]) for one in found]
    assert sizes == sorted(sizes, reverse=True)


def open_on(engine: str, given_rows: Rows, folder: Path) -> Table:
    path = folder / "rows.parquet"
    pl.DataFrame(given_rows, schema=SCHEMA).write_parquet(path)
    return Table(engine_for(engine).scan(path))


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("method", ["pearson", "spearman"])
def test_it_is_that_of_the_rows_with_both(engine: str, method: str, tmp_path: Path) -> None:
    @settings(
        derandomize=True,
        max_examples=tries(50),
    )
    @given(rows)
    def check(given_rows: Rows) -> None:
        opened = open_on(engine, given_rows, tmp_path)
        made = run("Correlate", opened, column="a", method=method).rows(10)
        check_rows(made, given_rows, method)

    check()


FIXED: Rows = [
    {"a": a, "b": b, "c d": c, "0": c - 1e9 if c else None, "t": "1"}
    for a, b, c in [
        (1.0, 1, 1e9),
        (2.5, None, 1e9 + 1),
        (NAN, 3, None),
        (0.5, 0, 1e9),
        (3.0, 2, 1e9),
    ]
]


@pytest.mark.spark
@pytest.mark.parametrize("method", ["pearson", "spearman"])
def test_spark_says_the_same(method: str, tmp_path: Path) -> None:
    made = run("Correlate", open_on("spark", FIXED, tmp_path), column="a", method=method)
    check_rows(made.rows(10), FIXED, method)


def test_chunks_of_columns_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"x{one}" for one in range(7)]
    wide = [{n: float((i * (p + 3)) % 11) for p, n in enumerate(names)} for i in range(30)]
    shared = table(wide, dict.fromkeys(names, pl.Float64))
    whole = run("Correlate", shared, column="x3").rows(10)
    monkeypatch.setattr(reading, "COLUMNS_AT_ONCE", 2)
    assert run("Correlate", shared, column="x3").rows(10) == whole
    assert len(whole) == 6


def test_a_constant_that_no_float_holds_exactly_has_no_correlation() -> None:
    same = [{"a": float(one), "c": 0.1} for one in range(10)]
    made = run("Correlate", table(same, {"a": pl.Float64, "c": pl.Float64}), column="a").rows(1)
    assert made == [{"column": "c", "correlation": None, "p_value": None, "rows": 10}]


def test_far_from_zero_nothing_is_lost() -> None:
    far = [{"a": 1e15 + one, "c": 1e300 * (one - 5)} for one in range(10)]
    made = run("Correlate", table(far, {"a": pl.Float64, "c": pl.Float64}), column="a").rows(1)
    assert made[0]["correlation"] == pytest.approx(1)


def test_columns_without_a_correlation_and_rows_left_out_are_told() -> None:
    clean = table(
        [one | {"a": one["a"] if one["a"] == one["a"] else None} for one in FIXED], SCHEMA
    )
    told = notes("Correlate", clean, column="a", **{"with": ["b", "c d"]})
    assert [fact.text for fact in told if fact.caveat and fact.matter == "names"] == [
        "2 correlations leave out rows of 5, where a cell is null",
        "2 correlations are of under 30 rows, where chance alone makes large ones",
    ]
    few = table(FIXED[:2], SCHEMA)
    assert "3 columns have no correlation" in notes("Correlate", few, column="a")[0].text


def test_with_is_written_as_it_is_read() -> None:
    action = Correlate.model_validate({"column": "a", "with": "b"})
    assert action.arguments() == {"column": "a", "with": ["b"]}
    assert Correlate.model_validate(action.arguments()) == action
    assert "with" in Correlate.model_json_schema()["properties"]


BAD: list[tuple[dict[str, Any], str]] = [
    ({"column": "t"}, "Correlate needs a number or boolean column, but 't' is text"),
    ({"column": "a", "with": ["b", "t"]}, "but 't' is text"),
    ({"column": "a", "with": "a"}, "no number column beside 'a'"),
    ({"column": "aa"}, "no column 'aa'"),
]


@pytest.mark.parametrize(("wish", "text"), BAD)
def test_what_does_not_fit_is_refused(wish: dict[str, Any], text: str) -> None:
    with pytest.raises(ActionError) as caught:
        run("Correlate", table(FIXED, SCHEMA), **wish)
    assert text in caught.value.text
