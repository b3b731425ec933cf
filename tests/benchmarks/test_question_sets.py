"""The tables and questions that are kept as data: unpacked they are what was packed."""

import csv
import datetime
import json
import re
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import question_sets
from column_gold import expand

DAY = datetime.datetime(2026, 11, 30, 7, 5)
TABLE = pa.table(
    {
        "site": pa.array(["Roma", None, "1,5"]),
        "yield": pa.array([0.1 + 0.2, 3.0, None]),
        "trees": pa.array([2**60, None, -1], pa.int64()),
        "wet": pa.array([True, False, None]),
        "at": pa.array([DAY, None, DAY], pa.timestamp("us")),
        "none": pa.array([None, None, None], pa.float64()),
    }
)
ANSWERED = ("id", "question", "answers")


def test_what_is_unpacked_is_what_was_packed(tmp_path):
    packed = tmp_path / "packed.parquet"
    question_sets.pack(TABLE, packed)
    assert pq.read_table(packed).num_rows == TABLE.num_columns
    assert question_sets.unpack(packed).equals(TABLE)
    made = question_sets.unpack_to(tmp_path / "table.parquet", packed)
    assert pq.read_table(made).equals(TABLE)


def test_a_csv_file_comes_back_as_it_was(tmp_path):
    text = 'plot,note\n1.50,"wet, cold"\n,\n007,dry\n'
    header, *rows = csv.reader(text.splitlines())
    columns = [[cell or None for cell in column] for column in zip(*rows, strict=True)]
    question_sets.pack(pa.table(columns, names=header), tmp_path / "t.parquet")
    assert question_sets.unpack_to(tmp_path / "t.csv", tmp_path / "t.parquet").read_text() == text


@pytest.mark.parametrize("text", ["", "two\nlines"])
def test_a_table_whose_cells_could_not_be_told_apart_is_refused(tmp_path, text):
    with pytest.raises(ValueError, match="'note' has an empty text or one of two lines"):
        question_sets.pack(pa.table({"note": ["dry", text]}), tmp_path / "t.parquet")


def test_each_field_has_its_table_and_each_question_its_field(tmp_path):
    for part in question_sets.PARTS:
        asked = Counter()
        for name, path, dictionary, file in question_sets.domain_tables(part, tmp_path):
            names = pq.read_schema(path).names
            assert len(set(names)) == len(names) > 700
            if dictionary:
                with open(dictionary, encoding="utf-8", newline="") as lines:
                    assert next(csv.reader(lines))[0] == "column"
            for line in question_sets.lines_of(file, name):
                assert all(line[key] is not None for key in ANSWERED)
                assert line["answers"] or line["unanswerable"]
                asked[file] += 1
        for file in asked:
            assert len(question_sets.read_lines(file)) == asked[file] or file.stem == "questions"


def test_gold_columns_of_fields_stand_in_their_tables(tmp_path):
    columns = {
        name: pq.read_schema(path).names
        for name, path, *_ in question_sets.domain_tables("development", tmp_path)
    }
    lines = question_sets.read_lines(question_sets.HERE / "domains" / "columns.jsonl")
    assert len(lines) == 67
    for line in lines:
        assert expand(line["gold"], columns[line["id"].partition("-")[0]])


def test_each_everyday_question_is_of_a_table_with_a_source():
    sources = question_sets.read_lines(question_sets.HERE / "everyday" / "tables.jsonl")
    for part in question_sets.EVERYDAY:
        named = {one["table"] for one in sources if one["part"] == part}
        lines = question_sets.read_lines(question_sets.HERE / "everyday" / part / "questions.jsonl")
        assert {line["table"] for line in lines} == named
        assert all(re.fullmatch(r"\w+-\d+", line["id"]) for line in lines)


def test_a_set_over_related_tables_names_files_that_are_there(tmp_path):
    folder = tmp_path / "set"
    (folder / "farm").mkdir(parents=True)
    question_sets.pack(pa.table({"plot": ["1", "2"]}), folder / "farm" / "plots.parquet")
    line = {"id": "1", "question": "?", "files": ["farm/plots.csv"], "answers": [[2]]}
    (folder / "questions.jsonl").write_text(json.dumps(line))
    (found,) = question_sets.questions_of(folder)
    assert Path(*found["files"]).read_text() == "plot\n1\n2\n"
