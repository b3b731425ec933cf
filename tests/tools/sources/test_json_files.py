"""JSON files: lists, lines, objects, what pandas writes, and what is none of them."""

import json
from datetime import date
from itertools import islice
from pathlib import Path

import pandas as pd
import polars as pl
import pytest
from acting import tries
from hypothesis import given, settings
from hypothesis import strategies as st
from reading import read_sources

from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.files import json_files, json_rows
from wideleaf.tools.sources.opening import Catalog, Source

Columns = dict[str, list[object]]


def read_all(folder: Path, text: str | bytes, name: str = "t.json") -> dict[str, Columns]:
    return {
        source.name: pl.read_parquet(source.path).to_dict(as_series=False)
        for source in sources(folder, text, name)
    }


def sources(folder: Path, text: str | bytes, name: str = "t.json") -> tuple[Source, ...]:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_sources(path, folder / "work")


def read(folder: Path, text: str | bytes, name: str = "t.json") -> Columns:
    return read_all(folder, text, name)["t"]


ROWS = '{"a": 1, "b": "x"}', '{"a": 2, "b": null}'


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (f"[{','.join(ROWS)}]", "t.json"),
        ("\ufeff \n[" + ", \r\n".join(ROWS) + "]\n", "t.json"),
        ("\n".join(ROWS), "t.json"),
        ("\r\n\r\n".join(ROWS) + "\n", "t.jsonl"),
        ("".join(ROWS), "t.ndjson"),
        ('["a", "b"]\n[1, "x"]\n[2, null]', "t.jsonl"),
        ('[["a", "b"], [1, "x"], [2]]', "t.json"),
        ('{"a": [1, 2], "b": ["x", null]}', "t.json"),
        ('{"status": "ok", "data": {"items": [' + ",".join(ROWS) + "]}}", "t.json"),
        (pd.DataFrame({"a": [1, 2], "b": ["x", None]}).to_json(), "t.json"),
        (pd.DataFrame({"a": [1, 2], "b": ["x", None]}).to_json(orient="split"), "t.json"),
        (pd.DataFrame({"a": [1, 2], "b": ["x", None]}).to_json(orient="records"), "t.json"),
        (json.dumps([json.loads(row) for row in ROWS]).encode("utf-16"), "t.json"),
        (json.dumps([json.loads(row) for row in ROWS]).encode("utf-16-le"), "t.json"),
    ],
)
def test_one_table_in_whatever_form(tmp_path, text, name):
    assert read(tmp_path, text, name) == {"a": [1, 2], "b": ["x", None]}


def test_a_named_index_of_pandas_is_kept(tmp_path):
    frame = pd.DataFrame({"a": [1, 2]}, index=["r", "s"])
    assert read(tmp_path, frame.to_json(orient="split")) == {"index": ["r", "s"], "a": [1, 2]}
    assert read(tmp_path, frame.to_json(orient="table")) == {"index": ["r", "s"], "a": [1, 2]}
    assert read(tmp_path, frame.to_json(orient="index")) == {"key": ["r", "s"], "a": [1, 2]}


def test_several_lists_of_objects_are_several_tables(tmp_path):
    document = {
        "version": 3,
        "plots": [{"id": 1, "site": "a"}],
        "season": {"yields": [{"id": 1, "t": 2.5}, {"id": 1, "t": 3}]},
        "none": [],
    }
    found = sources(tmp_path, json.dumps(document), "trial.json")
    assert [source.name for source in found] == ["trial_plots", "trial_season_yields"]
    assert [source.rows for source in found] == [1, 2]
    assert found[0].notes == ("Other keys of the file were left aside: version, none.",)
    assert found[1].origin.endswith("trial.json, 'season_yields'")
    path = tmp_path / "trial.json"
    named = read_sources({"mine": path}, tmp_path / "work")
    assert [source.name for source in named] == ["mine_plots", "mine_season_yields"]


def test_a_file_of_several_tables_is_read_once(tmp_path):
    text = '{"a": [{"x": 1}], "b": [{"x": 2}]}'
    first = sources(tmp_path, text)
    stamps = [source.path.stat().st_mtime_ns for source in first]
    again = sources(tmp_path, text)
    assert [source.path.stat().st_mtime_ns for source in again] == stamps
    first[0].path.unlink()
    assert read_all(tmp_path, text) == {"t_a": {"x": [1]}, "t_b": {"x": [2]}}


def test_nested_objects_are_columns_and_lists_text_and_both_are_told(tmp_path):
    text = '[{"a": {"b": {"c": 1}, "d": "é"}, "l": [1, {"x": "ä"}]}, {"a": {"b": {"c": 2}}}]'
    (source,) = sources(tmp_path, text)
    assert pl.read_parquet(source.path).to_dict(as_series=False) == {
        "a.b.c": [1, 2],
        "a.d": ["é", None],
        "l": ['[1, {"x": "ä"}]', None],
    }
    assert source.notes == (
        "Nested fields became columns: a.b.c, a.d.",
        "Lists are kept as JSON text: l.",
    )
    assert source.caveats == source.notes[1:]
    assert Catalog([source], denied=["a"]).table("t").columns == ("l",)


def test_objects_nested_beyond_the_depth_are_text(tmp_path):
    deep = json_rows.DEPTH + 3
    text = "[" + '{"a":' * deep + "1" + "}" * deep + "]"
    (source,) = sources(tmp_path, text)
    inner = '{"a": {"a": 1}}'
    name = ".".join(["a"] * (json_rows.DEPTH + 1))
    assert pl.read_parquet(source.path).to_dict(as_series=False) == {name: [inner]}
    assert "nested deeper than 5" in " ".join(source.caveats)


def test_a_key_that_is_dotted_and_one_that_is_nested_stay_apart(tmp_path):
    assert read(tmp_path, '[{"a.b": 1, "a": {"b": 2}}]') == {"a.b": [1], "a.b_2": [2]}


def test_keys_that_come_late_are_columns(tmp_path, monkeypatch):
    monkeypatch.setattr(json_rows, "PART_CELLS", 50)
    monkeypatch.setattr(json_files, "BLOCK_CHARS", 64)
    lines = [json.dumps({"a": place}) for place in range(1_000)]
    lines[900] = '{"b": {"c": "ü"}, "a": 900}'
    lines[950] = '{"a": 950.5}'
    found = read(tmp_path, "\n".join(lines), "t.jsonl")
    assert found["a"] == [*range(950), 950.5, *range(951, 1_000)]
    assert found["b.c"] == [*[None] * 900, "ü", *[None] * 99]


@pytest.mark.parametrize(
    ("cells", "values", "told"),
    [
        (["1", "2"], [1, 2], ""),
        (["1", "2.5"], [1.0, 2.5], ""),
        (["true", "null"], [True, None], ""),
        (["1", '"x"', "true", "[1]"], ["1", "x", "true", "[1]"], "Cells of several kinds"),
        (["1", '"2"'], [1, 2], "Cells of several kinds"),
        (['"2020-01-02"', "null"], [date(2020, 1, 2), None], "Read as dates: v."),
        (['"007"', '"8"'], ["007", "8"], "leading zeros"),
        (["NaN", "1.5"], [None, 1.5], ""),
        (["Infinity", "-Infinity"], [float("inf"), float("-inf")], ""),
        (["9223372036854775807", "-9223372036854775808"], [2**63 - 1, -(2**63)], ""),
        (["9223372036854775808", "1"], ["9223372036854775808", "1"], "too many digits"),
        (["1" * 5_000, "1"], ["1" * 5_000, "1"], "too many digits"),
        (["9007199254740993", "0.5"], [9007199254740992.0, 0.5], "Rounded to about 15 digits: v."),
        (["1e400", "1"], [float("inf"), 1.0], ""),
        (['"\\ud83c\\udf3e \\u0000"', '""'], ["🌾 \0", ""], ""),
        (["{}", '{"x": 1}'], None, ""),
    ],
)
def test_cells_get_the_type_that_all_of_a_key_have(tmp_path, cells, values, told):
    text = "[" + ",".join(f'{{"k": {n}, "v": {cell}}}' for n, cell in enumerate(cells)) + "]"
    (source,) = sources(tmp_path, text)
    found = pl.read_parquet(source.path).to_dict(as_series=False)
    assert found.get("v", None) == values
    assert told in " ".join(source.notes)
    assert "🌾" not in " ".join(source.notes)


def test_of_a_key_that_stands_twice_the_last_counts_and_that_is_told(tmp_path):
    (source,) = sources(tmp_path, '[{"a": 1, "a": 2}, {"a": 3, "b": {"c": 1, "c": 4}}]')
    assert pl.read_parquet(source.path).to_dict(as_series=False) == {"a": [2, 3], "b.c": [None, 4]}
    assert source.caveats == ("Of keys that stand twice in one object, the last was taken: a, c.",)


def test_an_object_of_scalars_is_one_row_and_null_entries_are_left_out(tmp_path):
    assert read(tmp_path, '{"a": 1, "b": [1, 2]}') == {"a": [1], "b": ["[1, 2]"]}
    assert read(tmp_path, '[null, {"a": 1, "b": 2}, null]') == {"a": [1], "b": [2]}
    assert read(tmp_path, "[1, null, 3]") == {"value": [1, None, 3]}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty (0 bytes)"),
        (" \n ", "is empty; a list"),
        ("42", "holds a single value"),
        ('"secret"', "holds a single value"),
        ("[]", "has no rows"),
        ("[{}, {}]", "has no rows"),
        ('[{"a": 1}, {"a": "secret', "line 1, column 18: the file ends within a value"),
        ('[{"a": 1},\n{"a": 2}', "line 2, column 9: the file ends within the list"),
        ('[{"a": 1}\n {"a": 2}]', "line 2, column 2: a comma or the list's end is missing"),
        ('[{"a": 1,}]', "line 1, column 10"),
        ("[{'a': 'secret'}]", "line 1, column 3"),
        ('[{"a": secret}]', "line 1, column 8: Expecting value"),
        ('[{"a": 1}] secret', "line 1, column 12: there is more text after the list's end"),
        ('[{"a": "\\q"}]', "column 9: Invalid"),
        ('[{"a": "x\ny"}]', "column 10: Invalid control character"),
        ('{"a": 1}\n{"a": secret}\n{"a": 3}', "line 2, column 7"),
        ('[{"a": 1}, 5]', "entry 2 is of another sort"),
        ('[["a"], {"a": 5}]', "entry 2 is of another sort"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        ("<html>secret</html>", "no JSON at line 1, column 1"),
        ('[{"a": "é"}]'.encode("latin-1"), "not UTF-8 text"),
        (b"\x00\x01\x02", "no JSON at line 1"),
    ],
)
def test_what_is_no_table_is_one_clear_error_with_its_place(tmp_path, text, words):
    with pytest.raises(SourceError) as raised:
        sources(tmp_path, text)
    assert words in str(raised.value)
    assert "secret" not in str(raised.value)
    assert raised.value.__cause__ is None
    assert not list(tmp_path.rglob("reading-*"))


def test_too_many_keys_are_refused_before_they_fill_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(json_rows, "MAX_COLUMNS", 100)
    with pytest.raises(SourceError, match="more than 100 different keys"):
        sources(tmp_path, json.dumps([{f"k{n}": 1} for n in range(200)]))


names = st.sampled_from(["a", "b", "a.b", "É", "", " "])
scalars = st.one_of(
    st.none(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(), st.text("aé\"\\\n\t🌾{}[],:", max_size=4),
)  # fmt: skip
rows = st.lists(st.dictionaries(names, scalars, max_size=4), min_size=1, max_size=8)


@given(rows, st.sampled_from([1, 3, 7, 64, 10_000]), st.booleans(), st.integers(0, 2))
@settings(derandomize=True, max_examples=tries(150))
def test_values_come_back_however_the_text_is_cut_into_blocks(entries, size, lines, indent):
    """Reading in blocks gives what reading at once gives, in lines and in lists."""
    import io

    if lines:
        text = "\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries)
    else:
        text = json.dumps(entries, ensure_ascii=bool(indent), indent=indent or None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_files, "BLOCK_CHARS", size)
        stream = json_files._Stream(io.StringIO(text), "t")
        found = [*stream.values()] if lines else [*_elements(stream)]
    assert found == entries


def _elements(stream: json_files._Stream) -> list[object]:
    assert stream.peek() == "["
    return [*islice(stream.elements(), 100)]


@given(rows, st.sampled_from([1, 5, 1_000]))
@settings(derandomize=True, max_examples=tries(60))
def test_every_value_of_random_rows_is_in_its_column(tmp_path_factory, entries, cells):
    folder = tmp_path_factory.mktemp("rows")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_rows, "PART_CELLS", cells)
        frame, _ = json_rows.tabulate_objects(entries, folder, "t")
    found = frame.collect() if entries != [{}] * len(entries) else pl.DataFrame()
    keys = list(dict.fromkeys(key for entry in entries for key in entry))
    assert found.width == len(keys)
    for key, column in zip(keys, found, strict=True):
        values = [entry.get(key) for entry in entries]
        kinds = {type(value) for value in values} - {type(None)}
        if kinds <= {int, float} or len(kinds) == 1:
            real = float in kinds
            assert column.to_list() == [float(v) if real and v is not None else v for v in values]
        else:
            texts = [v if v is None or isinstance(v, str) else json.dumps(v) for v in values]
            assert [_same(cell) for cell in column] == [_same(text) for text in texts]


def _same(text: str | None) -> object:
    """Numbers that were told as text in two ways are the same."""
    try:
        return float(text) if text is not None else None
    except ValueError:
        return text
