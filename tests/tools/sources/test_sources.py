import os
from datetime import date, datetime
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from reading import read_sources

from wideleaf.tools.errors import ActionError, SourceError
from wideleaf.tools.latest import Latest
from wideleaf.tools.sources.files import parquet_files
from wideleaf.tools.sources.fingerprint import BLOCK_BYTES, file_fingerprint
from wideleaf.tools.sources.naming import table_name
from wideleaf.tools.sources.opening import Catalog, Source


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def read_one(folder: Path, content: str | bytes, name: str = "plots.csv") -> tuple[Source, dict]:
    source = read_sources(written(folder, name, content), folder / "work")[0]
    return source, pl.read_parquet(source.path).to_dict(as_series=False)


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["1", " 2 ", "-3"], [1, 2, -3]),
        (["1", "2.5", "1e3"], [1.0, 2.5, 1000.0]),
        (["1,250", "3", "1,000,000"], [1250, 3, 1_000_000]),
        (["1,250.5", "3", "-2.25"], [1250.5, 3.0, -2.25]),
        (["5", "NA", "N/A", "NaN", "null", "None", "-", ""], [5, *[None] * 7]),
        (["true", "FALSE", "True"], [True, False, True]),
        (["2020-02-29", "NA", "1999-12-31"], [date(2020, 2, 29), None, date(1999, 12, 31)]),
        (
            ["2020-01-05T10:00:01Z", "2020-01-05 10:00"],
            [datetime(2020, 1, 5, 10, 0, 1), datetime(2020, 1, 5, 10)],
        ),
        (["007", "123"], ["007", "123"]),
        (["12345678901234567890", "1.5"], ["12345678901234567890", "1.5"]),
        (["1,25", "3"], [1.25, 3.0]),
        (["2020-02-30", "2020-01-01"], ["2020-02-30", "2020-01-01"]),
        (["1", "2", "three"], ["1", "2", "three"]),
        (["NA", "oak", "-", " elm "], ["NA", "oak", "-", " elm "]),
        (["NA", "NA"], ["NA", "NA"]),
    ],
)
def test_a_column_has_the_type_that_every_cell_has(tmp_path, cells, values):
    lines = "".join(f'{place},"{cell}"\n' for place, cell in enumerate(cells))
    _, columns = read_one(tmp_path, f"place,cell\n{lines}")
    assert columns["cell"] == values
    assert [type(v) for v in columns["cell"]] == [type(v) for v in values]


def test_one_late_word_keeps_a_column_text(tmp_path):
    lines = "".join(f"{place},{place}\n" for place in range(5_000))
    _, columns = read_one(tmp_path, f"a,b\n{lines}1,late\n")
    assert columns["a"][-1] == 1
    assert columns["b"][0] == "0"
    assert columns["b"][-1] == "late"


def test_notes_tell_each_coercion_and_repair_without_cells(tmp_path):
    source, _ = read_one(
        tmp_path, 'id,zip,price,price,,area\n1,04711,"1,250",secretword,x,-\n2,08150,3,b,y,7.5\n'
    )
    told = " ".join(source.notes)
    assert "Named columns without a header: column_5." in source.notes
    assert "Renamed columns whose header was there before: price_2." in source.notes
    assert "Read as whole numbers, thousands separators left out: price." in source.notes
    assert "Words such as NA or - became null: area." in source.notes
    assert "leading zeros or too many digits: zip" in told
    assert not any(cell in told for cell in ("04711", "secretword", "1,250", "7.5"))
    assert (source.rows, source.columns) == (2, 6)


def test_repaired_headers_do_not_collide_with_those_there(tmp_path):
    _, columns = read_one(tmp_path, "a,a_2,a,,column_4\n1,2,3,4,5\n")
    assert list(columns) == ["a", "a_2", "a_3", "column_4_2", "column_4"]
    assert [cells[0] for cells in columns.values()] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_delimiter_and_encoding_are_found(tmp_path, delimiter, encoding):
    text = "ville;café;note\nOrléans;1;a, b\nNîmes;2;c | d\n".replace(";", delimiter)
    quoted = text.replace("a, b", '"a, b"').replace("c | d", '"c | d"')
    _, columns = read_one(tmp_path, quoted.encode(encoding))
    assert columns == {"ville": ["Orléans", "Nîmes"], "café": [1, 2], "note": ["a, b", "c | d"]}


def test_line_ends_quoted_breaks_and_blank_lines_are_read(tmp_path):
    for end in ("\n", "\r\n", "\r"):
        text = end.join(["a,b", '1,"x, ""y"""', "", "2,z", "", ""])
        _, columns = read_one(tmp_path, text)
        assert columns == {"a": [1, 2], "b": ['x, "y"', "z"]}
    _, columns = read_one(tmp_path, '"a\nb",c\n1,"two\nlines"\n')
    assert columns == {"a b": [1], "c": ["two\nlines"]}


def test_row_names_without_a_header_become_a_column(tmp_path):
    _, columns = read_one(tmp_path, "a,b\nr1,1,2\nr2,3,4\n")
    assert columns == {"column_1": ["r1", "r2"], "a": [1, 3], "b": [2, 4]}


def test_a_file_is_normalised_once_and_by_content(tmp_path):
    first = written(tmp_path, "a.csv", "x\n1\n")
    told: list[str] = []
    (source,) = read_sources(first, tmp_path, progress=told.append)
    stamp = source.path.stat().st_mtime_ns
    (again,) = read_sources({"b": written(tmp_path, "b.csv", "x\n1\n")}, tmp_path, (), told.append)
    assert (again.path, again.name, again.path.stat().st_mtime_ns) == (source.path, "b", stamp)
    assert again.notes == source.notes
    assert told == ["reading a.csv (0.0 MB)"]
    (other,) = read_sources(written(tmp_path, "a.csv", "x\n2\n"), tmp_path)
    assert other.fingerprint != source.fingerprint
    assert sorted(p.suffix for p in (tmp_path / "tables").iterdir()) == [".parquet", ".parquet"]


def test_a_normalised_file_handed_on_by_its_path_is_the_same_source(tmp_path):
    (source,) = read_sources(written(tmp_path, "a.csv", "x,x\n1,2\n"), tmp_path)
    (again,) = read_sources(f"a={source.path}", tmp_path)
    assert again == source.model_copy(update={"origin": str(source.path)})
    assert Catalog([again], denied=["x"]).table("a").columns == ()


def test_parquet_is_used_where_it_is(tmp_path, monkeypatch):
    path = tmp_path / "trials.parquet"
    pl.DataFrame({"a": [1, 2]}).write_parquet(path)
    for _ in range(2):
        (source,) = read_sources(path, tmp_path / "work")
        assert (source.path, source.rows, source.columns, source.notes) == (path, 2, 1, ())
        assert not [*(tmp_path / "work").rglob("*.parquet")]
        monkeypatch.setattr(parquet_files, "_in_place", Latest(1))  # as in another process


@pytest.mark.parametrize("kept", ["", "{", '{"rows": 2}'])
def test_what_a_folder_keeps_of_a_whole_file_is_written_anew_where_it_is_broken(
    tmp_path, kept, monkeypatch
):
    path = tmp_path / "trials.parquet"
    pl.DataFrame({"a": [1, 2]}).write_parquet(path)
    first = read_sources(path, tmp_path / "work")
    (note,) = (tmp_path / "work").rglob("*.json")
    text = note.read_text()
    note.write_text(kept)
    monkeypatch.setattr(parquet_files, "_in_place", Latest(1))
    assert read_sources(path, tmp_path / "work") == first
    assert note.read_text() == text


def test_a_parquet_file_that_was_cut_after_it_was_found_whole_is_refused(tmp_path):
    path = tmp_path / "trials.parquet"
    pl.DataFrame({"a": [1, 2]}).write_parquet(path)
    read_sources(path, tmp_path / "work")
    path.write_bytes(path.read_bytes()[:-4])
    with pytest.raises(SourceError, match="not a whole Parquet file"):
        read_sources(path, tmp_path / "work")


def test_a_pandas_frame_is_taken_over_and_stays_as_it_is(tmp_path):
    frame = pd.DataFrame(
        {"x": [1.5, np.nan], "mixed": ["a", 1], "kind": pd.Categorical(["u", "v"]), 7: [1, 2]},
        index=pd.Index(["p", "q"], name="plot"),
    )
    before = frame.copy(deep=True)
    (source,) = read_sources(frame, tmp_path)
    pd.testing.assert_frame_equal(frame, before)
    assert source.name == "table"
    assert Catalog([source]).table("table").rows(2) == [
        {"plot": "p", "x": 1.5, "mixed": "a", "kind": "u", "7": 1},
        {"plot": "q", "x": None, "mixed": "1", "kind": "v", "7": 2},
    ]
    assert source.notes == (
        "The named index became columns.",
        "Cells of several kinds became text: mixed.",
    )
    filtered = frame.reset_index(drop=True).iloc[[1]]
    assert read_sources(filtered, tmp_path)[0].notes[0].startswith("The index has no name")


@pytest.mark.parametrize(
    ("cells", "kind", "first"),
    [
        (pd.period_range("2020", periods=2, freq="M"), "text", "2020-01"),
        (pd.interval_range(0, 2), "text", "(0, 1]"),
        (pd.array([1, None], dtype="Int64"), "number", 1),
        (pd.arrays.SparseArray([3, 0]), "number", 3),
        ([None, None], "text", None),
        ([date(2020, 1, 1), None], "date", date(2020, 1, 1)),
        ([True, None], "boolean", True),
    ],
)
def test_pandas_types_become_those_of_the_table(tmp_path, cells, kind, first):
    table = Catalog(read_sources(pd.DataFrame({"a": cells}), tmp_path)).table("table")
    assert (table.kind("a"), table.rows(1)[0]["a"]) == (kind, first)


def test_frames_of_any_library_give_the_same_table(tmp_path):
    frames = {
        "pandas": pd.DataFrame({"a": [1.0, np.nan], "b": ["x", "y"]}),
        "polars": pl.DataFrame({"a": [1.0, float("nan")], "b": ["x", "y"]}),
        "lazy": pl.LazyFrame({"a": [1.0, None], "b": ["x", "y"]}),
        "arrow": pl.DataFrame({"a": [1.0, None], "b": ["x", "y"]}).to_arrow(),
    }
    catalog = Catalog(read_sources(frames, tmp_path))
    rows = [{"a": 1.0, "b": "x"}, {"a": None, "b": "y"}]
    assert [catalog.table(name).rows(2) for name in frames] == [rows] * 4


def test_a_frame_with_repeated_columns_keeps_them_apart(tmp_path):
    frame = pd.DataFrame([[1, 2]], columns=["a", "a"])
    (source,) = read_sources(frame, tmp_path)
    assert pl.read_parquet(source.path).to_dicts() == [{"a": 1, "a_2": 2}]


def test_a_folder_gives_its_tables_and_tells_the_rest(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    written(folder, "b.csv", "x\n1\n")
    written(folder, "a.tsv", "x\ty\n1\t2\n")
    written(folder, "readme.md", "hello")
    sources = read_sources(folder, tmp_path / "work")
    assert [source.name for source in sources] == ["a", "b"]
    assert sources[0].notes[0] == "Other files of the folder were left aside: readme.md."


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("my trials-2020", "my_trials_2020"),
        ("2020", "table_2020"),
        ("T1", "table_T1"),
        ("t12", "table_t12"),
        ("T1x", "T1x"),
        ("Années", "Annees"),
        ("###", "table"),
    ],
)
def test_a_table_gets_a_plain_name(given, name):
    assert table_name(given) == name


def test_names_can_be_given(tmp_path):
    path = written(tmp_path, "a=b.csv", "x\n1\n")
    other = written(tmp_path, "c.csv", "x\n2\n")
    sources = read_sources([path, f"mine={other}", {"theirs": str(other)}], tmp_path)
    assert [source.name for source in sources] == ["a_b", "mine", "theirs"]


def bad(folder: Path, case: str) -> object:
    (folder / "none").mkdir(exist_ok=True)
    written(folder / "none", "notes.md", "x")
    good = written(folder, "plots.csv", "x\n1\n")
    cases: dict[str, object] = {
        "missing": folder / "plot.csv",
        "empty": written(folder, "empty.csv", ""),
        "frame without columns": pd.DataFrame(index=[0, 1]),
        "unknown type": written(folder, "photo.png", "x"),
        "corrupt": written(folder, "broken.parquet", b"PAR1 secret PAR1"),
        "binary": written(folder, "binary.csv", b"a,b\n\0\1\2"),
        "ragged": written(folder, "ragged.csv", "a,b\n1,2\n3,4\n5,secret,6\n"),
        "quote": written(folder, "quote.csv", 'a,b\n1,2\n"secret,4\n'),
        "no table in it": folder / "none",
        "twice": [good, {"PLOTS": good}],
        "a folder with a name": {"all": folder / "none"},
        "a number": 7,
        "nothing": [],
    }
    return cases[case]


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ("missing", "plot.csv'; its folder has 'plots.csv'"),
        ("empty", "is empty (0 bytes)"),
        ("frame without columns", "has no columns"),
        ("unknown type", "unknown type '.png'; a table is one of .parquet"),
        ("corrupt", "is not a whole Parquet file"),
        ("binary", "not a text file"),
        ("ragged", "more fields than the 2 headers"),
        ("quote", "a quote that is opened and never closed"),
        ("no table in it", "holds no table (1 other files)"),
        ("twice", "two tables are called 'PLOTS'"),
        ("a folder with a name", "one name needs one file"),
        ("a number", "a table of type 'int' cannot be read"),
        ("nothing", "no table was handed in"),
    ],
)
def test_bad_input_is_one_clear_error(tmp_path, case, words):
    with pytest.raises(SourceError) as raised:
        read_sources(bad(tmp_path, case), tmp_path / "work")
    assert words in str(raised.value)
    assert "secret" not in str(raised.value)
    assert raised.value.__cause__ is None
    assert not list(tmp_path.rglob("reading-*"))


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_the_right_to_read_it_is_said(tmp_path):
    path = written(tmp_path, "plots.csv", "x\n1\n")
    path.chmod(0)
    with pytest.raises(SourceError, match="may not be read"):
        read_sources(path, tmp_path / "work")


def test_the_catalog_finds_whatever_the_case_and_names_the_nearest(tmp_path):
    catalog = Catalog(read_sources({"Trials": pd.DataFrame({"a": [1]})}, tmp_path))
    assert catalog.find(" tRIALS ").name == "Trials"
    assert catalog.names == ("Trials",)
    with pytest.raises(ActionError, match="no table 'trails'; the nearest of 1 are 'Trials'"):
        catalog.find("trails")


def test_denied_columns_are_dropped_untold_and_change_the_fingerprint(tmp_path):
    path = written(tmp_path, "people.csv", "id,Ssn,ssn,ssn,age\n1,2,3,4,5\n")
    sources = read_sources(path, tmp_path, denied=["SSN "])
    catalog = Catalog(sources, denied=["SSN "])
    assert catalog.table("people").columns == ("id", "age")
    assert "ssn" not in " ".join(sources[0].notes).casefold()
    assert Catalog(sources).table("people").columns == ("id", "Ssn", "ssn", "ssn_2", "age")
    ids = {Catalog(sources, denied=d).find("people").fingerprint for d in ([], ["ssn"], ["age"])}
    assert len(ids) == 3


def test_a_large_file_is_known_by_its_blocks(tmp_path):
    path = tmp_path / "large.bin"
    with path.open("wb") as file:
        file.truncate(65 * BLOCK_BYTES)
    first = file_fingerprint(path)
    assert first == file_fingerprint(path)
    with path.open("r+b") as file:
        file.seek(-1, 2)
        file.write(b"x")
    assert file_fingerprint(path) != first


def test_ten_thousand_columns_are_read(tmp_path):
    names = [f"x_{place}" for place in range(10_000)]
    row = ",".join(map(str, range(10_000)))
    source, columns = read_one(tmp_path, f"{','.join(names)}\n{row}\n{row}\n")
    assert source.columns == 10_000
    assert columns["x_9999"] == [9999, 9999]
    assert source.notes[0].endswith("x_19 and 9980 more.")
    assert len(source.notes[0]) < 300


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("yields.csv", "'yield.csv'"),
        ("Yield.xlsx", "'yield.parquet'"),
        ("yeld.parquet", "'yield.parquet'"),
        ("nosuch.csv", None),
        ("notes.txt", None),
        ("script.csv", None),
    ],
)
def test_of_a_file_that_is_not_there_only_a_near_table_is_named(tmp_path, name, near):
    for other in ("yield.csv", "yield.parquet", "x.csv", "script.py", "notes.md"):
        (tmp_path / other).write_text("a\n1\n")
    with pytest.raises(SourceError, match="no file") as raised:
        read_sources([tmp_path / name], tmp_path / "work")
    told = str(raised.value)
    assert f"its folder has {near}" in told if near else "its folder has" not in told
