"""Split against Python and pandas, the lists that it reads, and what it refuses and says."""

import ast
import json
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from acting import Rows, few, notes, run, table
from hypothesis import given
from hypothesis import strategies as st
from on_engines import engine_for, every_engine

from wideleaf.tools.actions.preparing.parts import list_items
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table

TAGS = ["wet; dry", "wet", "", None, " dry;wet ;cold", "a;;b", ";", " x "]
SCHEMA = {"row": pl.Int64, "t": pl.String}


def open_on(engine: str, cells: list[str | None], folder: Path) -> Table:
    path = folder / "rows.parquet"
    pl.DataFrame({"row": range(len(cells)), "t": cells}, schema=SCHEMA).write_parquet(path)
    return Table(engine_for(engine).scan(path))


def tags(cells: list[Any] = TAGS) -> Table:
    return table([{"row": n, "t": cell} for n, cell in enumerate(cells)], SCHEMA)


def pairs(made: Table) -> list[tuple[int, str | None]]:
    return [(one["row"], one["t"]) for one in made.rows(1000)]


@every_engine
@pytest.mark.parametrize("strip", [True, False])
def test_rows_are_those_of_pandas_split_and_explode(
    engine: str, strip: bool, tmp_path: Path
) -> None:
    frame = pd.DataFrame({"row": range(len(TAGS)), "t": TAGS})
    long = frame.assign(t=frame["t"].str.split(";")).explode("t", ignore_index=True)
    long["t"] = long["t"].str.strip() if strip else long["t"]
    long = long[(long["t"] != "") & long["t"].notna()]
    gone = [(row, None) for row in range(len(TAGS)) if row not in {*long["row"]}]
    made = run("Split", open_on(engine, TAGS, tmp_path), column="t", separator=";", strip=strip)
    assert sorted(pairs(made), key=repr) == sorted(
        [*zip(long["row"], long["t"], strict=True), *gone], key=repr
    )


@every_engine
@pytest.mark.parametrize("count", [1, 2, 5])
def test_columns_are_those_of_pandas_split(engine: str, count: int, tmp_path: Path) -> None:
    made = run("Split", open_on(engine, TAGS, tmp_path), column="t", separator=";", count=count)
    names = [f"t_{n}" for n in range(1, count + 1)]
    assert made.columns == ("row", "t", *names)
    # A count of splits is one less than one of parts, and pandas takes 0 for all of them.
    parts = [None if cell is None else cell.split(";", count - 1) for cell in TAGS]
    split = pd.Series(TAGS).str.split(";", n=count - 1, expand=True) if count > 1 else None
    for number, (cell, one) in enumerate(zip(parts, made.rows(100), strict=True)):
        for place, name in enumerate(names):
            part = cell[place].strip() if cell and place < len(cell) else ""
            assert one[name] == (part or None)
            if split is not None and place < split.shape[1] and cell:
                told = split.iloc[number, place]
                assert (told.strip() if isinstance(told, str) else "") == part


@every_engine
def test_blanks_part_words_as_in_python(engine: str, tmp_path: Path) -> None:
    cells = ["Ada  King\tLovelace", "Bo", " ", None, "Cy\nDee "]
    made = run("Split", open_on(engine, cells, tmp_path), column="t", separator="whitespace")
    expected = [
        (n, part) for n, cell in enumerate(cells) for part in (cell or "").split() or [None]
    ]
    assert pairs(made) == expected


@every_engine
def test_places_of_parts_stand_beside_them(engine: str, tmp_path: Path) -> None:
    wish: dict[str, Any] = {"separator": ";", "name": "tag", "place": "number"}
    made = run("Split", open_on(engine, TAGS, tmp_path), column="t", **wish)
    assert made.columns == ("row", "t", "tag", "number")
    found = [
        (one["t"], one["tag"], one["number"]) for one in made.rows(100) if one["row"] in (3, 4, 5)
    ]
    assert found == [
        (None, None, None),
        (" dry;wet ;cold", "dry", 1), (" dry;wet ;cold", "wet", 2), (" dry;wet ;cold", "cold", 3),
        ("a;;b", "a", 1), ("a;;b", "b", 2),
    ]  # fmt: skip


texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=6)
plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)


@few
@given(st.lists(texts | plain, max_size=5))
def test_lists_as_python_and_json_write_them_are_read_as_both_do(items: list[Any]) -> None:
    written = [(repr(items), ast.literal_eval), (json.dumps(items), json.loads)]
    written.append((json.dumps(items, ensure_ascii=False, indent=1), json.loads))
    for text, reader in written:
        read = reader(text)
        found = list_items(text)
        assert found is not None and len(found) == len(read)
        for one, other in zip(found, read, strict=True):
            if isinstance(other, (int, float)) and not isinstance(other, bool):
                assert one is not None and float(one) == float(other)
            elif isinstance(other, str):
                assert one == other
            else:
                assert one == (None if other is None else str(other)) or one == str(other).lower()


@pytest.mark.parametrize(
    "text",
    ["", "x", "[", "]", "['a' 'b']", "[[1], 2]", "{'a': 1}", "['a'", "[,]", "['a'b]", "[1](2)"],
)
def test_what_is_no_flat_list_is_none(text: str) -> None:
    assert list_items(text) is None


@pytest.mark.parametrize(
    "text", ["[" + "[" * 100_000, "['" + "\\" * 100_001, "[" + "a " * 50_000 + "("]
)
def test_texts_that_would_strain_a_parser_are_no_lists(text: str) -> None:
    assert list_items(text) is None and list_items(f"{text}]") is None


def test_half_a_character_becomes_a_whole_one() -> None:
    assert list_items(r"['\UFFFFFFFF', '\x41\u00e9\U0001F600', '\x4', 'a\nb']") == [
        "\U0010ffff", "A\u00e9\U0001f600", "x4", "a\nb"
    ]  # fmt: skip
    assert list_items(r"['\ud83d\ude00', '\ud83d']") == ["\U0001f600", "\ufffd"]


@every_engine
def test_lists_are_read_where_all_cells_look_so(engine: str, tmp_path: Path) -> None:
    cells = ["['a', \"it's\"]", "[1, 2.5]", "[]", None, " [None, 'b'] ", ""]
    made = run("Split", open_on(engine, cells, tmp_path), column="t")
    assert pairs(made) == [
        (0, "a"), (0, "it's"), (1, "1"), (1, "2.5"), (2, None), (3, None), (4, "b"), (5, None)
    ]  # fmt: skip
    made = run("Split", open_on(engine, [*cells, "x,y"], tmp_path), column="t")
    assert pairs(made)[-2:] == [(6, "x"), (6, "y")]
    assert (0, "['a'") in pairs(made)


def test_a_list_has_as_many_columns_as_its_longest() -> None:
    cells = ["['a', 'b', 'c']", "[None, 'd']", "x"]
    made = run("Split", tags(cells), column="t", separator="list", into="columns").rows(9)
    assert [[one[f"t_{n}"] for n in (1, 2, 3)] for one in made] == [
        ["a", "b", "c"], [None, "d", None], ["x", None, None]
    ]  # fmt: skip
    made = run("Split", tags(cells), column="t", separator="list", names=["one", "rest"]).rows(9)
    assert [one["rest"] for one in made] == ["b, c", "d", None]


def test_what_became_of_rows_and_parts_is_told() -> None:
    told = {f.text: f.caveat for f in notes("Split", tags(), column="t", separator=";")}
    assert told == {
        "12 rows came of 8, 3 of a text at most; the other cells repeat": True,
        "3 rows have no part: null": True,
    }
    told = {f.text: f.caveat for f in notes("Split", tags(), column="t", separator=";", count=2)}
    assert told == {
        "A text has 3 parts at most, for 2 columns": False,
        "2 texts have fewer parts than columns: the last are null": True,
        "2 texts have more parts than columns: the last column holds the rest": True,
    }
    told = {f.text: f.caveat for f in notes("Split", tags(["a|b"]), column="t")}
    assert told["no text has more than one part; the separator is ','"]
    told = {
        f.text: f.caveat for f in notes("Split", tags(["[1]", "x"]), column="t", separator="json")
    }
    assert told["1 texts are no list and stay whole"]


def test_separators_may_be_said_in_words() -> None:
    for said, sign in (("comma", ","), ("tab", "\t"), ("newline", "\n"), ("Pipe", "|")):
        assert pairs(run("Split", tags([f"a{sign}b"]), column="t", separator=said))[1] == (0, "b")
    assert pairs(run("Split", tags(["a.b"]), column="t", separator="."))[1] == (0, "b")


def test_no_rows_and_no_cells_are_split_into_none() -> None:
    assert pairs(run("Split", tags([]), column="t")) == []
    assert pairs(run("Split", tags([None, None]), column="t")) == [(0, None), (1, None)]
    made = run("Split", tags([None]), column="t", into="columns")
    assert made.rows(9) == [{"row": 0, "t": None, "t_1": None}]


def test_new_names_that_are_taken_get_others_or_are_refused() -> None:
    schema = {"t": pl.String, "t_1": pl.String}
    cells: Rows = [{"t": "a,b", "t_1": "x"}]
    assert run("Split", table(cells, schema), column="t", count=1).columns == (
        "t",
        "t_1",
        "t_1_right",
    )


BAD: list[tuple[dict[str, Any], str]] = [
    ({"column": "row"}, "but 'row' is number"),
    ({"column": "t", "name": "row"}, "there is a column 'row' already"),
    ({"column": "t", "place": "row"}, "there is a column 'row' already"),
    ({"column": "t", "place": "t"}, "there is a column 't' already"),
    ({"column": "t", "names": ["a", "a"]}, "there is a column 'a' already"),
    ({"column": "t", "names": ["a"], "count": 2}, "1 names and a count of 2"),
    ({"column": "t", "names": ["a"], "into": "rows"}, "into rows takes no names"),
    ({"column": "t", "count": 2, "place": "n"}, "into columns takes no place"),
    ({"column": "tt"}, "no column 'tt'"),
]


@pytest.mark.parametrize(("wish", "text"), BAD)
def test_what_does_not_fit_is_refused(wish: dict[str, Any], text: str) -> None:
    with pytest.raises(ActionError) as caught:
        run("Split", tags(), **wish)
    assert text in caught.value.text


def test_too_many_parts_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ActionError, match="has 1001 parts, more than 1000 columns"):
        run("Split", tags([",".join("a" * 1001)]), column="t", into="columns")
    monkeypatch.setattr("wideleaf.tools.actions.preparing.split.MAX_CELLS", 10)
    with pytest.raises(ActionError, match="6 rows x 3 columns would be made, more than 10 cells"):
        run("Split", tags(["a,b,c", "d,e,f"]), column="t")
