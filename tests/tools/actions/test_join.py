"""Joins on random small tables against the same in plain Python, and how keys are found."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import narwhals as nw
import polars as pl
import pytest
from acting import Rows, bag, notes, run, table, tries
from hypothesis import given, settings
from hypothesis import strategies as st
from on_engines import ENGINE_NAMES, engine_for
from pydantic import ValidationError

from wideleaf.tools.actions.join import Join
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

DAY = datetime(2024, 2, 27)
NAN = float("nan")
groups = st.none() | st.sampled_from(["a", "A", " a", "É"])
moments = st.none() | st.integers(0, 12).map(lambda n: DAY + timedelta(hours=6 * n))
days = st.none() | st.integers(0, 3).map(lambda n: DAY.date() + timedelta(n))
quarters = st.none() | st.sampled_from([NAN, *(one / 4 for one in range(-6, 7))])
whole = st.none() | st.integers(-2, 2)
LEFT = {"g": pl.String, "n": pl.Int8, "x": pl.Float64, "at": pl.Datetime("ms"), "v": pl.Int64}
RIGHT = {"g": pl.String, "k": pl.Float64, "day": pl.Date, "at": pl.Datetime("us"), "v": pl.String}
lefts = st.lists(
    st.fixed_dictionaries({"g": groups, "n": whole, "x": quarters, "at": moments, "v": whole}),
    max_size=8,
)
rights = st.lists(
    st.fixed_dictionaries({"g": groups, "k": quarters, "day": days, "at": moments, "v": groups}),
    max_size=8,
)
asked = st.fixed_dictionaries(
    {
        "direction": st.sampled_from(["before", "after", "nearest"]),
        "nearest": st.sampled_from([("n", "k"), ("x", "k"), ("at", "day"), ("at", "at")]),
        "apart": st.sampled_from([None, 0.25, 1]),
        "on": st.sampled_from([[], ["g"]]),
    }
)


def known(given_rows: Rows) -> Rows:
    """The rows as an engine opens them: NaN is null."""
    return [{k: None if v != v else v for k, v in one.items()} for one in given_rows]


def open_on(engine: str, folder: Path, left: Rows, right: Rows) -> tuple[Table, Table]:
    made = []
    for name, given_rows, schema in (("left", left, LEFT), ("right", right, RIGHT)):
        path = folder / f"{name}.parquet"
        pl.DataFrame(given_rows, schema=schema).write_parquet(path)
        made.append(Table(engine_for(engine).scan(path)))
    return made[0], made[1]


def as_time(cell: Any) -> Any:
    return datetime(cell.year, cell.month, cell.day) if type(cell) is date else cell


def distance(one: Any, other: Any) -> float:
    between = as_time(one) - as_time(other)
    return between.total_seconds() / 86_400 if isinstance(between, timedelta) else float(between)


def partner(one: dict[str, Any], right: Rows, ask: dict[str, Any]) -> dict[str, Any] | None:
    """The right row that an as-of join takes for a left one."""
    ours, theirs = ask["nearest"]
    best: tuple[Any, ...] | None = None
    for other in right:
        if any(one[name] is None or one[name] != other[name] for name in ask["on"]):
            continue
        if one[ours] is None or other[theirs] is None:
            continue
        past = distance(one[ours], other[theirs])
        if (past < 0 and ask["direction"] == "before") or (
            past > 0 and ask["direction"] == "after"
        ):
            continue
        if ask["apart"] is not None and abs(past) > ask["apart"]:
            continue
        cells = tuple((other[name] is not None, other[name] or 0) for name in RIGHT)
        rank = (abs(past), past < 0, cells)
        if best is None or rank < best[:3]:
            best = (*rank, other)
    return best[3] if best else None


def asof_arguments(ask: dict[str, Any]) -> dict[str, Any]:
    ours, theirs = ask["nearest"]
    apart = ask["apart"]
    if apart is not None and ours == "at":
        apart = f"{24 * apart:.0f} hours"
    return {
        "how": "asof", "on": ask["on"], "nearest": {"left": ours, "right": theirs},
        "direction": ask["direction"], "tolerance": apart,
    }  # fmt: skip


def check_asof(engine: str, folder: Path, left: Rows, right: Rows, ask: dict[str, Any]) -> None:
    tables = open_on(engine, folder, left, right)
    made = run("Join", *tables, **asof_arguments(ask))
    names = {name: name + "_right" * (name in LEFT) for name in RIGHT if name not in ask["on"]}
    expected = []
    for one in known(left):
        other = partner(one, known(right), ask)
        expected.append(one | {new: other and other[old] for old, new in names.items()})
    assert made.columns == (*LEFT, *names.values())
    assert bag(made.rows(100)) == bag(expected)
    rows, matched = len(left), sum(partner(o, known(right), ask) is not None for o in known(left))
    first = notes("Join", *tables, **asof_arguments(ask))[0]
    text = f"{matched} of {rows} rows of the left table have a match in the right, "
    text += f"{rows - matched} have none, but nulls"
    assert first.text == text and first.caveat == (rows > matched)


@pytest.mark.slow
@given(lefts, rights, asked)
@settings(derandomize=True, max_examples=tries(60))
def test_an_asof_join_takes_the_nearest_row(
    tmp_path: Path, left: Rows, right: Rows, ask: dict[str, Any]
) -> None:
    check_asof("polars", tmp_path, left, right, ask)


@pytest.mark.slow
@given(lefts, rights, asked)
@settings(derandomize=True, max_examples=tries(20))
def test_an_asof_join_takes_the_same_row_on_duckdb(
    tmp_path: Path, left: Rows, right: Rows, ask: dict[str, Any]
) -> None:
    check_asof("duckdb", tmp_path, left, right, ask)


@pytest.mark.spark
@given(lefts.filter(lambda made: len(made) > 4), rights.filter(lambda made: len(made) > 4), asked)
@settings(derandomize=True, max_examples=tries(4))
def test_an_asof_join_takes_the_same_row_on_spark(
    tmp_path: Path, left: Rows, right: Rows, ask: dict[str, Any]
) -> None:
    check_asof("spark", tmp_path, left, right, ask)


def check_outer(engine: str, folder: Path, left: Rows, right: Rows) -> None:
    tables = open_on(engine, folder, left, right)
    ours, theirs = known(left), known(right)
    on = [{"left": "g", "right": "g"}, {"left": "n", "right": "k"}]
    alone, pairs = dict.fromkeys(LEFT), []
    for other in theirs:
        cells = {"day": other["day"], "at_right": other["at"], "v_right": other["v"]}
        equal = [o for o in ours if None not in (o["g"], o["n"])
                 and (o["g"], o["n"]) == (other["g"], other["k"])]  # fmt: skip
        pairs += [o | {"n": float(o["n"])} | cells for o in equal]
        if not equal:
            pairs.append(alone | {"g": other["g"], "n": other["k"]} | cells)
    made = run("Join", *tables, on=on, how="right")
    assert bag(made.rows(100)) == bag(pairs)
    crossed = run("Join", *tables, how="cross")
    names = {name: name + "_right" * (name in LEFT) for name in RIGHT}
    expected = [o | {new: t[old] for old, new in names.items()} for o in ours for t in theirs]
    assert bag(crossed.rows(100)) == bag(expected)


@given(lefts, rights)
@settings(derandomize=True, max_examples=tries(20))
def test_a_right_join_keeps_the_right_rows_and_a_cross_join_pairs_all(
    tmp_path: Path, left: Rows, right: Rows
) -> None:
    check_outer("polars", tmp_path, left, right)
    check_outer("duckdb", tmp_path, left, right)


def frames(left: dict[str, list[Any]], right: dict[str, list[Any]]) -> tuple[Table, Table]:
    made = [Table(nw.from_native(pl.DataFrame(one).lazy())) for one in (left, right)]
    return made[0], made[1]


@pytest.mark.parametrize("how", ["inner", "left", "right", "full"])
def test_tables_of_the_same_headers_are_joined_across_them(how: str) -> None:
    ours = frames({"x": [1.0, 2.0], "n": [2, 3]}, {"x": [1.0, 2.0], "n": [2, 3]})
    made = run("Join", *ours, on=[{"left": "x", "right": "n"}], how=how)
    assert made.columns == ("x", "n", "x_right")
    alone = {"left": [{"x": 1.0, "n": 2, "x_right": None}],
             "right": [{"x": 3.0, "n": None, "x_right": 2.0}]}  # fmt: skip
    both = [row for side in alone if how in (side, "full") for row in alone[side]]
    assert bag(made.rows(9)) == bag([{"x": 2.0, "n": 3, "x_right": 1.0}, *both])
    top = run("Sort", made, by=["x_right", "-x_right"], limit=1)
    assert top.rows(9)[0]["x_right"] == 1.0


PEOPLE = {"id": [1, 2, 3, 4], "name": ["Ann", "Bo", "Cy", "Di"], "city": ["x", "y", "x", "z"]}
FOUND: list[tuple[dict[str, list[Any]], dict[str, list[Any]], list[tuple[str, str]], str]] = [
    ({"id": [1, 2, 9, 8, 7], "customer_id": [1, 1, 2, 4, 4]}, PEOPLE, [("customer_id", "id")],
     "name and overlap"),
    ({"CustomerID": [1, 2], "z": [1, 2]}, PEOPLE, [("CustomerID", "id")], "name and overlap"),
    ({"Customer": [7, 8, 8]}, {"customer_id": [7, 8], "n": [1, 2]},
     [("Customer", "customer_id")], "name and overlap"),
    ({"site": ["a", "a", "b"], "year": [1, 2, 1], "x": [.1, .2, .3]},
     {"Site ": ["a", "a", "b", "b"], "year": [1, 2, 1, 2]}, [("site", "Site "), ("year", "year")],
     "names and overlap"),
    ({"author": ["Ann", "Bo", "Ann"], "n": [1, 2, 3]}, PEOPLE, [("author", "name")], "overlap"),
    ({"day": [date(2024, 1, 1)] * 2}, {"day": [date(2024, 1, 1), date(2024, 1, 2)]},
     [("day", "day")], "name and overlap"),
]  # fmt: skip


@pytest.mark.parametrize(("left", "right", "pairs", "by"), FOUND)
@pytest.mark.parametrize("engine", ENGINE_NAMES[:2])
def test_keys_are_found_and_told(
    engine: str, left: dict[str, Any], right: dict[str, Any], pairs: Any, by: str, tmp_path: Path
) -> None:
    tables = []
    for name, columns in (("left", left), ("right", right)):
        pl.DataFrame(columns).write_parquet(tmp_path / f"{name}.parquet")
        tables.append(Table(engine_for(engine).scan(tmp_path / f"{name}.parquet")))
    resolved = Join().resolve(*tables)
    assert [(key.left, key.right) for key in resolved.on] == pairs
    assert resolved.resolve(*tables) == resolved
    first = resolved.notes(tables, resolved.run(*tables))[0]
    text = ", ".join(f"{a} = {b}" for a, b in pairs)
    assert first.text == f"Joined on {text}, found by {by}" and first.caveat


@pytest.mark.spark
def test_keys_are_found_on_spark(tmp_path: Path) -> None:
    left, right, pairs, _ = FOUND[0]
    tables = []
    for name, columns in (("left", left), ("right", right)):
        pl.DataFrame(columns).write_parquet(tmp_path / f"{name}.parquet")
        tables.append(Table(engine_for("spark").scan(tmp_path / f"{name}.parquet")))
    assert [(key.left, key.right) for key in Join().resolve(*tables).on] == pairs


NOT_FOUND: list[tuple[dict[str, list[Any]], dict[str, list[Any]], str, str]] = [
    ({"n": [1, 2], "name": ["Ann", "Bo"], "city": ["x", "y"]},
     {"name": ["Ann", "Bo"], "city": ["x", "y"]},
     "several keys would do: 'name' = 'name'; 'city' = 'city'", "100% overlap"),
    ({"year": [1, 1, 2]}, {"year": [1, 1, 2], "x": [1, 2, 3]},
     "'year' = 'year' repeat on both sides", "100% overlap"),
    ({"name": ["Ann"]}, {"name": ["Zoe"]}, "hardly a value in common", "0% overlap"),
    ({"n": [1, 2, 3]}, {"m": [1, 2, 3]}, "have like names and kinds", ""),
    ({"name": [1, 2]}, {"name": ["1", "2"]}, "have like names and kinds", ""),
]  # fmt: skip


@pytest.mark.parametrize(("left", "right", "words", "private"), NOT_FOUND)
def test_a_key_that_is_not_clear_is_asked_for(
    left: dict[str, Any], right: dict[str, Any], words: str, private: str
) -> None:
    with pytest.raises(ActionError) as caught:
        Join().resolve(*frames(left, right))
    assert words in caught.value.text and caught.value.kind == "no key"
    assert private in caught.value.private and "%" not in caught.value.text


def test_of_a_table_without_rows_one_name_alone_tells_the_key() -> None:
    none = frames({"plot": [1], "x": [2]}, {"plot": [1]})[0]
    empty = Table(none.frame.head(0))
    resolved = Join().resolve(empty, frames({}, {"plot": [1], "y": [2]})[1])
    assert [(key.left, key.right) for key in resolved.on] == [("plot", "plot")]
    assert resolved.found == "name"


def test_what_would_match_folded_is_told_and_not_done() -> None:
    tables = frames({"t": ["Oslo", "oslo ", "OSLO", None, "Bergen"]}, {"t": ["Oslo", "Rome"]})
    assert run("Join", *tables, on="t").count() == 1
    facts = notes("Join", *tables, on="t")
    assert [fact.text for fact in facts] == [
        "1 of 5 rows of the left table have a match in the right, 4 have none",
        "2 more would match without regard to case and blanks",
    ]
    assert facts[1].caveat
    exact = frames({"t": ["Oslo", "x"]}, {"t": ["Oslo"]})
    assert len(notes("Join", *exact, on="t")) == 1


def test_a_right_join_tells_what_did_not_match_and_how_rows_multiplied() -> None:
    tables = frames({"k": [1, 2, None]}, {"k": [1, 1, 3]})
    assert [fact.text for fact in notes("Join", *tables, on="k", how="right")] == [
        "1 of 3 rows of the left table have a match in the right, 2 have none",
        "1 rows of the right table have no match",
        "Rows are repeated (a fan-out): each matched row of the left table meets 2 rows of the "
        "right one on average",
    ]


def test_equal_nearest_keys_are_told() -> None:
    tables = frames({"n": [1, 5]}, {"n": [1, 1, 4], "v": ["b", "a", "c"]})
    made = run("Join", *tables, how="asof", nearest="n")
    assert [one["v"] for one in made.rows(10)] == ["a", "c"]
    told = notes("Join", *tables, how="asof", nearest="n")[1]
    assert told.caveat
    assert told.text == (
        "2 rows of the right table have the keys of another one; of such rows the first by the "
        "order of their cells is taken"
    )


def test_a_cross_join_of_a_billion_rows_is_refused_with_the_numbers() -> None:
    many = Table(nw.from_native(pl.LazyFrame({"k": range(40_000)})))
    with pytest.raises(ActionError) as caught:
        run("Join", many, many, how="cross")
    assert "40000 left and 40000 right rows makes 1600000000" in caught.value.text
    assert caught.value.kind == "too large"


def test_a_number_beside_text_is_refused_with_the_cast_that_helps() -> None:
    tables = frames({"k": [1, 2]}, {"k": ["1", " 2 ", "x", None]})
    with pytest.raises(ActionError) as caught:
        run("Join", *tables, on="k")
    assert '{"cast": "number", "of": "k"}' in caught.value.text
    assert "right table" in caught.value.text
    assert caught.value.private == "2 of 3 cells of 'k' read as numbers"


def test_a_time_in_a_zone_is_not_joined_with_one_in_none() -> None:
    tables = frames({"at": [DAY]}, {"at": [DAY.replace(tzinfo=UTC)]})
    for arguments in ({"on": "at"}, {"how": "asof", "nearest": "at"}):
        with pytest.raises(ActionError, match="no time zone"):
            run("Join", *tables, **arguments)


def test_times_of_other_units_and_zones_are_one_moment() -> None:
    left = pl.DataFrame({"at": [DAY.replace(tzinfo=UTC)]}, schema={"at": pl.Datetime("ms", "UTC")})
    right = left.with_columns(
        pl.col("at").dt.convert_time_zone("Asia/Tokyo").cast(pl.Datetime("us", "Asia/Tokyo")), n=1
    )
    tables = [Table(nw.from_native(one.lazy())) for one in (left, right)]
    assert run("Join", *tables, on="at").count() == 1
    assert run("Join", *tables, how="asof", nearest="at", tolerance="1 second").rows(1)[0]["n"] == 1


def test_a_column_of_a_hidden_name_is_kept() -> None:
    tables = frames({"k": [1], "__key_0": ["a"]}, {"k": [1], "__copy_0": ["b"]})
    assert run("Join", *tables, on="k").rows(1) == [{"k": 1, "__key_0": "a", "__copy_0": "b"}]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"how": "cross", "on": "k"}, "takes no on"),
        ({"how": "asof", "on": "k"}, "asof needs nearest"),
        ({"on": "k", "nearest": "k"}, "for how asof alone"),
        ({"on": "k", "direction": "after"}, "for how asof alone"),
        ({"how": "outer", "on": "k"}, "Input should be 'inner'"),
    ],
)
def test_a_join_of_the_wrong_shape_is_refused(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Join.model_validate(arguments)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"nearest": "t"}, "nearest needs a number or date or datetime column, but 't' is text"),
        ({"nearest": {"left": "n", "right": "at"}}, "left 'n' is number and right 'at' is"),
        ({"nearest": "n", "tolerance": "3 days"}, "no distance of numbers"),
        ({"nearest": "n", "tolerance": -1}, "no distance of numbers"),
        ({"nearest": "at", "tolerance": 3}, "no distance of times"),
        ({"nearest": "at", "tolerance": "1 month"}, "no distance of times"),
        ({"nearest": "at", "tolerance": "soon"}, "no distance of times"),
        ({"nearest": "nn"}, "no column 'nn'"),
    ],
)
def test_an_asof_join_that_does_not_fit_is_refused(arguments: dict[str, Any], words: str) -> None:
    one = table([], {"n": pl.Int64, "t": pl.String, "at": pl.Datetime})
    with pytest.raises(ActionError) as caught:
        run("Join", one, one, how="asof", **arguments)
    assert words in caught.value.text


SIDES = {
    "left": {"k": [3, 1, 2, None, 1, 9, 3] * 300, "n": list(range(2_100))},
    "right": {"k": [2, 1, 7, 3, 1], "w": [0, 1, 2, 3, 4]},
}


def opened(engine: str, folder: Path) -> list[Table]:
    for name, columns in SIDES.items():
        pl.DataFrame(columns).write_parquet(folder / f"{name}.parquet")
    return [Table(engine_for(engine).scan(folder / f"{name}.parquet")) for name in SIDES]


@pytest.mark.parametrize("engine", ENGINE_NAMES[:2])
@pytest.mark.parametrize("how", ["inner", "left", "right", "full", "semi", "anti", "cross", "asof"])
def test_rows_keep_the_order_of_their_side(engine: str, how: str, tmp_path: Path) -> None:
    tables = opened(engine, tmp_path)
    asked: dict[str, Any] = {"how": how} | ({} if how == "cross" else {"on": ["k"]})
    if how == "asof":
        asked |= {"nearest": {"left": "n", "right": "w"}}
    joined = run("Join", *tables, **asked)
    made = joined.rows(100_000)
    missing = 10**6  # rows of one side alone come last
    places = [(row["n"], row.get("w")) for row in made]
    if how == "right":
        places = [(w, n) for n, w in places]
    assert len(made) > 300 and places == sorted(
        places, key=lambda pair: tuple(missing if one is None else one for one in pair)
    )
    assert joined.columns == run("Join", *tables, **asked).columns
    assert not any(name.startswith("__") for name in joined.columns)


@pytest.mark.spark
def test_a_join_on_spark_says_that_its_rows_stand_in_no_order(tmp_path: Path) -> None:
    tables = opened("spark", tmp_path)
    for asked in ({"on": ["k"]}, {"how": "cross"}):
        texts = [fact.text for fact in notes("Join", *tables, **asked)]
        assert any("stand in no order" in text for text in texts)
