"""Arrow, Parquet and its parts, packed files, frames in memory: one table on all engines."""

import bz2
import datetime as dt
import gzip
import lzma
from decimal import Decimal
from pathlib import Path

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from acting import tries
from hypothesis import given, settings
from hypothesis import strategies as st
from on_engines import ENGINE_NAMES, engine_for, every_engine
from pyarrow import feather, orc
from reading import read_sources

from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.files.parquet_files import parts_of
from wideleaf.tools.sources.opening import Catalog, Source

MOMENT = dt.datetime(2020, 6, 1, 12, 30, 15, 123456)
LATE = dt.datetime(2020, 6, 1, 22, 30)


def read(folder: Path, given_input: object) -> tuple[Source, dict[str, list[object]]]:
    (source,) = read_sources(given_input, folder / "work")
    return source, pl.read_parquet(source.path).to_dict(as_series=False)


def arrow(values: list[object], dtype: pa.DataType) -> pa.Table:
    return pa.table({"v": pa.array(values, dtype)})


TYPES = {
    "u64 that fits": (arrow([7, None], pa.uint64()), [7, None], ""),
    "u64 beyond": (arrow([2**64 - 1, None], pa.uint64()), [str(2**64 - 1), None], "too many"),
    "float16": (arrow([1.5, None], pa.float16()), [1.5, None], ""),
    "decimal": (arrow([Decimal("1.25"), None], pa.decimal128(10, 2)), [1.25, None], ""),
    "whole decimal": (arrow([Decimal(12), None], pa.decimal128(38, 0)), [12, None], ""),
    "long decimal": (
        arrow([Decimal("1234567890.12345678901"), None], pa.decimal128(38, 11)),
        [1234567890.123456789, None],
        "Rounded to about 15 digits: v.",
    ),
    "long whole": (
        arrow([Decimal(10**20), None], pa.decimal128(38, 0)),
        ["1" + "0" * 20, None],
        "many",
    ),
    "time": (
        arrow([dt.time(1, 2, 3), dt.time(4, 5, 6, 70)], pa.time64("us")),
        ["01:02:03", "04:05:06.000070"],
        "Times of day became text (HH:MM:SS): v.",
    ),
    "duration": (
        arrow([dt.timedelta(minutes=1, microseconds=500000), None], pa.duration("us")),
        [60.5, None],
        "Lengths of time are now in seconds: v.",
    ),
    "nanoseconds": (arrow([MOMENT, None], pa.timestamp("ns")), [MOMENT, None], ""),
    "lost nanoseconds": (
        arrow([1, None], pa.timestamp("ns")),
        [dt.datetime(1970, 1, 1), None],
        "lost their billionths",
    ),
    "UTC": (
        arrow([MOMENT, None], pa.timestamp("us", "UTC")),
        [MOMENT, None],
        "Times are in UTC: v.",
    ),
    "zone": (
        arrow([LATE, None], pa.timestamp("us", "Europe/Berlin")),
        [LATE + dt.timedelta(hours=2), None],
        "Times are what the clock shows in Europe/Berlin: v.",
    ),
    "text in bytes": (arrow(["é".encode(), None], pa.binary()), ["é", None], "read as UTF-8: v."),
    "list": (arrow([[1, None], None], pa.list_(pa.int64())), ["[1,null]", None], "JSON text: v."),
    "nulls": (pa.table({"v": pa.nulls(2)}), [None, None], ""),
    "dictionary": (
        pa.table({"v": pa.array(["a", None]).dictionary_encode()}),
        ["a", None],
        "",
    ),
    "wide decimal": (arrow([Decimal("1.5"), None], pa.decimal256(50, 2)), [1.5, None], ""),
}


@pytest.mark.parametrize("case", TYPES)
@pytest.mark.parametrize("form", ["frame", "feather"])
def test_a_type_that_engines_do_not_share_becomes_one_they_do(tmp_path, case, form):
    table, values, told = TYPES[case]
    content: object = table
    if form == "feather":
        content = tmp_path / "t.feather"
        feather.write_feather(table, str(content))
    source, columns = read(tmp_path, content)
    assert columns == {"v": values}
    assert told in " ".join(source.notes)


@every_engine
def test_parquet_with_such_types_means_the_same_on_every_engine(tmp_path, engine):
    cases = {case: (t["v"], values) for case, (t, values, _) in TYPES.items() if "wide" not in case}
    columns = {case: column for case, (column, _) in cases.items()}
    pq.write_table(pa.table(columns | {"k": pa.array([1, 2])}), tmp_path / "t.parquet")
    sources = read_sources(tmp_path / "t.parquet", tmp_path / "work")
    frame = Catalog(sources, engine_for(engine)).table("t").frame
    found = frame.collect("polars").sort("k").drop("k").to_dict(as_series=False)
    assert found == {case: values for case, (_, values) in cases.items()}


def test_nested_fields_become_columns_and_denying_the_field_denies_them(tmp_path):
    cells = [{"b": {"c": 1, "x": "u"}, "l": [{"y": 1}]}, None]
    source, columns = read(tmp_path, pl.DataFrame({"a": cells, "a.l": [1, 2]}))
    assert columns == {
        "a.b.c": [1, None],
        "a.b.x": ["u", None],
        "a.l": ['[{"y":1}]', None],
        "a.l_2": [1, 2],
    }
    assert Catalog([source], denied=["A"]).table("table").columns == ("a.l_2",)


def test_bytes_that_are_no_text_are_left_out_and_told(tmp_path):
    blobs = [b"\xff\xfe", None]
    frame = pl.DataFrame({"blob": blobs, "blobs": [blobs, None], "k": [1, 2]})
    source, columns = read(tmp_path, frame)
    assert columns == {"k": [1, 2]}
    assert source.notes == ("Columns of bytes were left out: blob, blobs.",)
    with pytest.raises(SourceError, match="has no columns"):
        read(tmp_path, frame.select("blob"))


def test_parquet_is_copied_only_where_a_type_or_a_header_asks_for_it(tmp_path):
    plain = pl.DataFrame({"a": [1], "t": ["1"], "d": [MOMENT], "u": pl.Series([1], dtype=pl.UInt8)})
    plain.write_parquet(tmp_path / "plain.parquet")
    source, columns = read(tmp_path, tmp_path / "plain.parquet")
    assert source.path == tmp_path / "plain.parquet"
    assert columns["t"] == ["1"]  # Parquet has types of its own
    plain.with_columns(t=pl.lit(dt.time(1))).write_parquet(tmp_path / "time.parquet")
    source, columns = read(tmp_path, tmp_path / "time.parquet")
    assert source.path.parent == tmp_path / "work" / "tables"
    assert columns["t"] == ["01:00:00"]


@pytest.mark.parametrize("library", ["pandas", "polars", "lazy", "arrow", "narwhals", "stream"])
def test_text_columns_of_frames_are_read_as_those_of_files_are(tmp_path, library):
    cells = {
        "n": ["1", " 2", "NA"],
        "d": ["2020-01-02", None, "2020-01-03"],
        "code": ["007", "8", None],
        "word": ["NA", "oak", "-"],
        "real": [1.5, None, 2.0],
    }
    frame = pl.DataFrame(cells)
    given_frame = {
        "pandas": lambda: pd.DataFrame(cells),
        "polars": lambda: frame,
        "lazy": lambda: frame.lazy(),
        "arrow": lambda: frame.to_arrow(),
        "narwhals": lambda: nw.from_native(frame),
        "stream": lambda: pa.RecordBatchReader.from_stream(frame.to_arrow()),
    }[library]()
    source, columns = read(tmp_path, given_frame)
    assert columns == {
        "n": [1, 2, None],
        "d": [dt.date(2020, 1, 2), None, dt.date(2020, 1, 3)],
        "code": ["007", "8", None],
        "word": ["NA", "oak", "-"],
        "real": [1.5, None, 2.0],
    }
    told = " ".join(source.notes)
    assert "Read as whole numbers: n." in told
    assert "Read as dates: d." in told
    assert "leading zeros" in told
    assert "oak" not in told


def test_pandas_columns_of_python_objects_keep_their_cells(tmp_path):
    frame = pd.DataFrame(
        {
            "mixed": [1, "2", None],
            "when": pd.to_datetime(["2020-06-01 12:00", None, None]).tz_localize("Europe/Berlin"),
            "long": [dt.timedelta(hours=1), None, None],
            "words": [["a", "b"], None, []],
            "money": [Decimal("1.10"), None, Decimal("2.25")],
            "blank": [np.nan, np.nan, np.nan],
        }
    )
    source, columns = read(tmp_path, frame)
    assert columns == {
        "mixed": [1, 2, None],
        "when": [dt.datetime(2020, 6, 1, 12), None, None],
        "long": [3600.0, None, None],
        "words": ['["a","b"]', None, "[]"],
        "money": [1.1, None, 2.25],
        "blank": [None, None, None],
    }
    assert "Cells of several kinds became text: mixed." in source.notes


@pytest.mark.parametrize(
    ("series", "columns"),
    [
        (pd.Series([1, 2]), {"value": [1, 2]}),
        (pd.Series([1, 2], name="weight"), {"weight": [1, 2]}),
        (pd.Series([1, 2], name=("a", "b")), {"a b": [1, 2]}),
        (
            pd.Series([1, 2], name="n", index=pd.Index(["x", "y"], name="who")),
            {"who": ["x", "y"], "n": [1, 2]},
        ),
        (pl.Series([1, 2]), {"value": [1, 2]}),
        (pl.Series("weight", [1, 2]), {"weight": [1, 2]}),
        (nw.from_native(pl.Series("weight", [1, 2]), series_only=True), {"weight": [1, 2]}),
        (pa.chunked_array([[1], [2]]), {"value": [1, 2]}),
    ],
)
def test_a_series_is_a_table_of_one_column(tmp_path, series, columns):
    assert read(tmp_path, {"t": series})[1] == columns


def test_a_series_whose_index_has_no_name_says_that_it_is_left_out(tmp_path):
    source, columns = read(tmp_path, pd.Series([1, 2], index=["x", "y"]))
    assert (columns, source.notes) == (
        {"value": [1, 2]},
        ("The index has no name and was left out.",),
    )


def without_rows(folder: Path, form: str) -> object:
    if form == "text":
        (folder / "t.csv").write_text("name,salary\n")
        return folder / "t.csv"
    frame = pl.DataFrame(schema={"name": pl.String, "salary": pl.Int64})
    if form == "parquet":
        frame.write_parquet(folder / "t.parquet")
    elif form == "workbook":
        pd.DataFrame(columns=["name", "salary"]).to_excel(folder / "t.xlsx", index=False)
    else:
        return {"t": frame if form == "frame" else pd.DataFrame({"name": [], "salary": []})}
    return next(folder.glob("t.*"))


@pytest.mark.parametrize("form", ["text", "parquet", "workbook", "frame", "pandas"])
@pytest.mark.parametrize("engine", ENGINE_NAMES[:2])
def test_a_table_without_rows_opens_and_says_so(tmp_path, form, engine):
    (source,) = read_sources(without_rows(tmp_path, form), tmp_path / "work")
    assert (source.name, source.rows, source.columns) == ("t", 0, 2)
    assert source.caveats[0] == "The table 't' has no rows."
    table = Catalog([source], engine_for(engine)).table("t")
    assert table.kind("salary") == "number"
    assert table.kind("name") == ("text" if form in ("parquet", "frame") else "number")
    measures = [{"function": "count", "name": "n"}, {"function": "mean", "column": "salary"}]
    made = find_action("Aggregate")(measures=measures).run(table)
    assert list(made.rows(2)[0].values()) == [0, None]


def test_polars_columns_of_python_objects_become_text(tmp_path):
    frame = pl.DataFrame({"o": pl.Series([1, "x", None], dtype=pl.Object), "k": [1, 2, 3]})
    assert read(tmp_path, frame)[1] == {"o": ["1", "x", None], "k": [1, 2, 3]}


cells = st.one_of(
    st.lists(st.none() | st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=5),
    st.lists(st.none() | st.floats(allow_nan=False, width=64), min_size=1, max_size=5),
    st.lists(st.none() | st.booleans(), min_size=1, max_size=5),
    st.lists(st.none() | st.dates(dt.date(1, 1, 1)), min_size=1, max_size=5),
    st.lists(st.none() | st.datetimes(dt.datetime(1, 1, 1)), min_size=1, max_size=5),
    st.lists(st.none() | st.text("aäß 漢", min_size=1), min_size=1, max_size=5),
)


@given(cells)
@settings(derandomize=True, max_examples=tries(60))
def test_cells_of_shared_types_stay_as_they_are(tmp_path_factory, values):
    folder = tmp_path_factory.mktemp("cells")
    frame = pl.DataFrame({"v": values, "k": range(len(values))})
    for file, write in (("t.arrow", frame.write_ipc), ("t.parquet", frame.write_parquet)):
        write(folder / file)
        assert read(folder, folder / file)[1]["v"] == values
    assert read(folder, frame)[1]["v"] == values


@pytest.mark.parametrize("form", ["file", "stream", "feather", "zstd", "orc", "avro"])
def test_arrow_files_of_every_form_are_read(tmp_path, form):
    frame = pl.DataFrame({"a": [1, 2], "b": ["x", None], "d": [dt.date(2020, 1, 1), None]})
    path = tmp_path / {"orc": "t.orc", "avro": "t.avro", "feather": "t.feather"}.get(
        form, "t.arrow"
    )
    {
        "file": lambda: frame.write_ipc(path),
        "stream": lambda: frame.write_ipc_stream(path),
        "feather": lambda: feather.write_feather(frame.to_arrow(), str(path)),
        "zstd": lambda: frame.write_ipc(path, compression="zstd"),
        "orc": lambda: orc.write_table(frame.to_arrow().cast(pa.schema(
            [("a", pa.int64()), ("b", pa.string()), ("d", pa.date32())])), str(path)),
        "avro": lambda: frame.write_avro(path),
    }[form]()  # fmt: skip
    source, columns = read(tmp_path, path)
    assert columns == frame.to_dict(as_series=False)
    assert (source.name, source.origin, source.notes) == ("t", str(path), ())


def test_a_stata_file_is_read_by_its_labels(tmp_path):
    frame = pd.DataFrame({
        "plot": [1, 2, 3],
        "crop": pd.Categorical(["wheat", None, "rye"]),
        "sown": pd.to_datetime(["2020-01-01", None, "2021-05-06"]),
        "n": [1.5, None, 2.0],
        "note": ["x", "", "ø"],
    })  # fmt: skip
    path, labels = tmp_path / "t.dta", {"n": "Nitrogen in kg/ha"}
    frame.to_stata(path, write_index=False, version=118, variable_labels=labels)
    source, columns = read(tmp_path, path)
    assert columns["crop"] == ["wheat", None, "rye"]
    assert [day and str(day)[:10] for day in columns["sown"]] == ["2020-01-01", None, "2021-05-06"]
    assert (columns["plot"], columns["n"], columns["note"][2]) == ([1, 2, 3], [1.5, None, 2.0], "ø")
    assert source.about == (("n", "Nitrogen in kg/ha"),)
    codes = {"crop": {1: "wheat", 2: "wheat"}}
    frame.assign(crop=[1, 2, 1]).to_stata(path, write_index=False, value_labels=codes)
    source, columns = read(tmp_path, path)
    assert columns["crop"] == [1, 2, 1]
    assert "Value labels" in " ".join(source.notes)


def test_repeated_headers_of_an_arrow_file_are_kept_apart(tmp_path):
    table = pa.table([pa.array([1]), pa.array([2])], names=["a", "a"])
    with (
        pa.OSFile(str(tmp_path / "t.arrow"), "wb") as file,
        pa.ipc.new_file(file, table.schema) as writer,
    ):
        writer.write_table(table)
    assert read(tmp_path, tmp_path / "t.arrow")[1] == {"a": [1], "a_2": [2]}


@pytest.mark.parametrize("suffix", [".arrow", ".feather", ".orc", ".avro", ".dta"])
@pytest.mark.parametrize("cut", [0.5, 0.95])
def test_a_broken_arrow_file_is_one_clear_error(tmp_path, suffix, cut):
    frame = pl.DataFrame({"a": range(5_000), "b": ["secret"] * 5_000})
    path = tmp_path / f"t{suffix}"
    if suffix == ".orc":
        orc.write_table(
            frame.to_arrow().cast(pa.schema([("a", pa.int64()), ("b", pa.string())])), str(path)
        )
    elif suffix == ".avro":
        frame.write_avro(path)
    elif suffix == ".dta":
        frame.to_pandas().to_stata(path)
    else:
        frame.write_ipc(path)
    whole = path.read_bytes()
    for content in (whole[: int(len(whole) * cut)], b"a,b\nsecret,2\n"):
        path.write_bytes(content)
        with pytest.raises(SourceError, match="is not a whole") as raised:
            read(tmp_path, path)
        assert "secret" not in str(raised.value)
        assert not list(tmp_path.rglob("reading-*"))


def parts(folder: Path, *names: str, **frames: pl.DataFrame) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for place, name in enumerate(names):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        pl.DataFrame({"k": [place], "v": [f"v{place}"]}).write_parquet(folder / name)
    for name, frame in frames.items():
        frame.write_parquet(folder / f"{name}.parquet")
    return folder


@pytest.mark.parametrize(
    "names",
    [
        ("part-00000-8f1c.c000.snappy.parquet", "part-00001-8f1c.c000.snappy.parquet"),
        ("part.0.parquet", "part.1.parquet"),
        ("data_0.parquet", "data_10.parquet"),
        ("0000.parquet", "0001.parquet"),
        ("train-00000-of-00002.parquet", "train-00001-of-00002.parquet"),
        ("3f2b8c1e-0d4a-4c57-9a55-0123456789ab-0.parquet", "ab" * 16 + ".parquet"),
    ],
)
def test_a_folder_of_parts_is_one_table_in_place(tmp_path, names):
    folder = parts(tmp_path / "plots [20] é", *names)
    (folder / "_SUCCESS").touch()
    (folder / "._SUCCESS.crc").touch()
    (source,) = read_sources(folder, tmp_path / "work")
    assert (source.name, source.path, source.rows) == ("plots_20_e", folder, 2)
    assert source.notes == ("Read the folder's 2 Parquet files as one table.",)
    for engine in ENGINE_NAMES[:2]:
        table = Catalog([source], engine_for(engine)).table("plots_20_e")
        assert sorted(row["k"] for row in table.rows(9)) == [0, 1]


@pytest.mark.spark
def test_spark_reads_a_folder_of_parts_as_one_table(tmp_path):
    folder = parts(tmp_path / "plots [20] é", "part.0.parquet", "part.1.parquet")
    (source,) = read_sources(folder, tmp_path / "work")
    table = Catalog([source], engine_for("spark")).table("plots_20_e")
    assert sorted(row["k"] for row in table.rows(9)) == [0, 1]


def test_files_whose_names_differ_in_numbers_are_one_table_in_place(tmp_path):
    folder = parts(tmp_path / "in", "sales_2020.parquet", "sales_2021.parquet")
    (source,) = read_sources(folder, tmp_path)
    assert (source.name, source.rows) == ("sales", 2)
    assert source.path == folder / "sales_202*.parquet"
    (source,) = read_sources(f"all={folder}", tmp_path)
    assert (source.name, source.rows, source.path) == ("all", 2, folder)
    (folder / "_SUCCESS").touch()
    assert [source.name for source in read_sources(folder, tmp_path)] == ["in"]


def test_parts_with_different_columns_are_tables_of_their_own(tmp_path):
    folder = parts(tmp_path / "in", "part-0.parquet", **{"part-1": pl.DataFrame({"k": ["x"]})})
    assert [source.name for source in read_sources(folder, tmp_path)] == ["part_0", "part_1"]
    with pytest.raises(SourceError, match="one name needs one file"):
        read_sources({"all": folder}, tmp_path)


def test_key_value_folders_become_columns(tmp_path):
    folder = parts(tmp_path / "t", "year=2020/part-0.parquet", "year=2021/part-0.parquet")
    source, columns = read(tmp_path, folder)
    assert columns == {"k": [0, 1], "v": ["v0", "v1"], "year": [2020, 2021]}
    assert "Names of folders became columns: year." in source.notes


def test_folders_of_parts_inside_a_folder_are_its_tables(tmp_path):
    parts(tmp_path / "lake" / "plots.parquet", "part-0.parquet", "part-1.parquet")
    (tmp_path / "lake" / "sites.csv").write_text("a\n1\n")
    sources = read_sources(tmp_path / "lake", tmp_path / "work")
    assert {source.name: source.rows for source in sources} == {"plots": 2, "sites": 1}


def test_parts_of_types_that_are_not_shared_are_copied(tmp_path):
    folder = tmp_path / "t"
    folder.mkdir()
    for place in range(2):
        pl.DataFrame({"t": [dt.time(place)]}).write_parquet(folder / f"part-{place}.parquet")
    columns = read(tmp_path, folder)[1]
    assert columns == {"t": ["00:00:00", "01:00:00"]}
    pl.DataFrame({"t": [dt.time(5)]}).write_parquet(folder / "part-1.parquet")
    assert read(tmp_path, folder)[1] == {"t": ["00:00:00", "05:00:00"]}
    assert len(parts_of(folder)) == 2


@pytest.mark.parametrize("damage", ["pages", "end", "text"])
def test_broken_parquet_that_must_be_copied_is_one_clear_error(tmp_path, damage):
    path = tmp_path / "t.parquet"
    frame = pl.DataFrame({"t": [dt.time(1)] * 9_999, "x": np.random.default_rng(1).random(9_999)})
    frame.write_parquet(path)
    whole = path.read_bytes()
    content = {
        "pages": whole[:8] + b"\x99" * 200 + whole[208:],
        "end": whole[:-9],
        "text": b"t,x\nsecret,1\n",
    }[damage]
    path.write_bytes(content)
    with pytest.raises(SourceError, match=r"is broken inside|is not a whole Parquet") as raised:
        read(tmp_path, path)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(("suffix", "pack"), [("gz", gzip), ("bz2", bz2), ("xz", lzma)])
def test_packed_text_is_read_as_what_it_is(tmp_path, suffix, pack):
    path = tmp_path / f"plots.tsv.{suffix}"
    path.write_bytes(pack.compress(b"a\tb\n1\tx,y\n"))
    source, columns = read(tmp_path, path)
    assert (source.name, columns) == ("plots", {"a": [1], "b": ["x,y"]})
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(SourceError, match="cannot be unpacked"):
        read(tmp_path, path)
    path.write_bytes(pack.compress(b""))
    with pytest.raises(SourceError, match="is empty inside"):
        read(tmp_path, path)


def test_parquet_that_lacks_a_piece_is_refused_before_it_is_used(tmp_path):
    path = tmp_path / "t.parquet"
    pl.DataFrame({"x": np.random.default_rng(1).random(9_999)}).write_parquet(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:20_000] + whole[30_000:])
    with pytest.raises(SourceError, match="is broken inside"):
        read(tmp_path, path)
    (tmp_path / "t").mkdir()
    path.rename(tmp_path / "t" / "part-0.parquet")
    with pytest.raises(SourceError, match="is broken inside"):
        read(tmp_path, tmp_path / "t")


def test_only_text_may_be_packed(tmp_path):
    path = tmp_path / "t.parquet.gz"
    path.write_bytes(gzip.compress(b"x"))
    with pytest.raises(SourceError, match=r"unknown type '\.gz'"):
        read(tmp_path, path)


def test_two_files_of_one_name_are_told_apart_by_the_user(tmp_path):
    (tmp_path / "a.csv").write_text("x\n1\n")
    (tmp_path / "a.json").write_text('[{"x": 1}]')
    with pytest.raises(SourceError, match="two tables are called 'a'"):
        read_sources([tmp_path / "a.csv", tmp_path / "a.json"], tmp_path / "work")
