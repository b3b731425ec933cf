"""A folder of messy files, each with a defect of its own and what should come of it."""

import bz2
import gzip
import json
import lzma
import sqlite3
import zipfile
from datetime import date, datetime
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import pyarrow as pa


class Messy(NamedTuple):
    """A file and what is expected of it.

    `columns` is the whole table as it should be read; `said` are parts of the notes, or of the
    refusal if `columns` is None.
    """

    name: str
    defect: str
    content: bytes
    columns: dict[str, list[Any]] | None
    said: tuple[str, ...] = ()


def _book() -> bytes:
    sink = BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        archive.writestr("xl/workbook.xml", "<x/>")
    return sink.getvalue()


def _zip(**files: bytes) -> bytes:
    sink = BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        for name, content in files.items():
            archive.writestr(f"{name}.csv", content)
    return sink.getvalue()


def _parquet() -> bytes:
    sink = BytesIO()
    pl.DataFrame({"a": [1]}).write_parquet(sink)
    return sink.getvalue()


def _sqlite(folder: Path) -> bytes:
    path = folder / "made.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("create table t (a)")
    connection.close()
    content = path.read_bytes()
    path.unlink()
    return content


def _good(name: str, defect: str, text: str | bytes, columns: dict[str, Any], *said: str) -> Messy:
    return Messy(name, defect, text if isinstance(text, bytes) else text.encode(), columns, said)


def _bad(name: str, defect: str, text: str | bytes, *said: str) -> Messy:
    return Messy(name, defect, text if isinstance(text, bytes) else text.encode(), None, said)


def _cells(name: str, defect: str, cells: list[str], values: list[Any], *said: str) -> Messy:
    lines = "".join(f'r{place};"{cell}"\n' for place, cell in enumerate(cells))
    keys = [f"r{place}" for place in range(len(cells))]
    return _good(name, defect, f"key;x\n{lines}", {"key": keys, "x": values}, *said)


AB = {"a": [1, 3], "b": [2, 4]}
WORDS = [f"{n}" for n in range(98)] + ["two", "many"]


def layouts() -> list[Messy]:
    """Where the table is in the file."""
    return [
        _good("clean.csv", "none", "a,b\n1,2\n3,4\n", AB),
        _good(
            "title.csv",
            "title lines above the header",
            "Trial report, 2020\nall sites\n\na,b,c\n1,2,x\n3,4,y\n",
            AB | {"c": ["x", "y"]},
            "Left out lines above the header (2)",
        ),
        _good(
            "station.csv",
            "keys and values above the header",
            "Station;Wien\nHeight;203\nday;rain;wind;sun\n2020-01-01;1,5;2;3\n2020-01-02;0,5;3;4\n",
            {
                "day": [date(2020, 1, 1), date(2020, 1, 2)],
                "rain": [1.5, 0.5],
                "wind": [2, 3],
                "sun": [3, 4],
            },
            "Left out lines above the header (2)",
            "commas as decimal points: rain",
        ),
        _good(
            "units_row.csv",
            "a row of units below the header",
            "plot,yield,rain\n,t/ha,mm\nA,5.5,10\nB,6.5,12\n",
            {"plot": ["A", "B"], "yield": [5.5, 6.5], "rain": [10, 12]},
            "Took the row of units below the header as the units of the columns, such as t/ha, mm",
        ),
        _good(
            "two_headers.csv",
            "two rows of headers",
            ",2019,,2020,\nsite,area,yield,area,yield\nA,1,2,3,4\nB,5,6,7,8\n",
            {
                "site": ["A", "B"],
                "2019 area": [1, 5],
                "2019 yield": [2, 6],
                "2020 area": [3, 7],
                "2020 yield": [4, 8],
            },
            "Joined the two rows of headers",
        ),
        _good(
            "no_header.csv",
            "no header",
            "5.1,3.5,setosa\n4.9,3.0,setosa\n6.3,3.3,virginica\n",
            {
                "column_1": [5.1, 4.9, 6.3],
                "column_2": [3.5, 3.0, 3.3],
                "column_3": ["setosa", "setosa", "virginica"],
            },
            "Found no header and named the columns: column_1, column_2, column_3",
        ),
        _good(
            "years.csv",
            "years as headers",
            "land,2019,2020\nA,5,6\nB,7,8\n",
            {"land": ["A", "B"], "2019": [5, 7], "2020": [6, 8]},
        ),
        _good(
            "comments.csv",
            "comment lines",
            "# made by hand, twice\n# units: t\na,b\n1,2\n# a pause\n3,4\n",
            AB,
            "Left out comment lines above the header (2)",
            "Left out comment lines (1)",
        ),
        _good(
            "marked_header.tsv",
            "a header behind a #",
            "##version 4\n#chrom\tpos\nx\t1\ny\t2\n",
            {"chrom": ["x", "y"], "pos": [1, 2]},
            "Left out comment lines above the header (1)",
        ),
        _good(
            "total.csv",
            "a total in the last row",
            "city,x,y\nA,1,2.5\nB,3,4.5\nTotal,4,7.0\n",
            {"city": ["A", "B"], "x": [1, 3], "y": [2.5, 4.5]},
            "Left out the last row, which is the total of the others",
        ),
        _good(
            "false_total.csv",
            "a last row called total that is none",
            "city,x\nA,1\nB,3\nTotal,9\n",
            {"city": ["A", "B", "Total"], "x": [1, 3, 9]},
            "labelled as a total but is not the sum of the others; it was kept",
        ),
        _good(
            "inner_totals.csv",
            "totals between the rows",
            "city,x\nA,1\nTotal,1\nB,3\nTotal,3\nC,4\n",
            {"city": ["A", "Total", "B", "Total", "C"], "x": [1, 1, 3, 3, 4]},
            "Rows labelled as totals among the others were kept (2)",
        ),
        _good(
            "notes_below.csv",
            "a total and a source below the table",
            "city,x,y\nA,1,2\nB,3,4\nSumme,4,6\n\nSource: the office\n",
            {"city": ["A", "B"], "x": [1, 3], "y": [2, 4]},
            "Left out lines of notes below the table (1)",
            "the total of the others",
        ),
        _good(
            "short_lines.csv",
            "lines with fewer fields",
            "a,b,c\n1,2,3\n4\n5,6\n",
            {"a": [1, 4, 5], "b": [2, None, 6], "c": [3, None, None]},
            "Lines with fewer fields than the others (2); what they lack is null",
        ),
        _good(
            "trailing.csv",
            "a delimiter at the end of each line",
            "a,b\n1,2,\n3,4,\n",
            AB,
            "Left out empty fields at the ends of lines (2)",
        ),
        _good(
            "empty_columns.csv",
            "columns without header and value",
            "a,b,,\n1,2,,\n3,4,,\n",
            AB,
            "Left out columns without a header and without a value (2)",
        ),
        _good(
            "row_names.csv",
            "row names without a header",
            "a,b\nr1,1,2\nr2,3,4\n",
            {"column_1": ["r1", "r2"], **AB},
            "Named columns without a header: column_1",
        ),
        _bad(
            "long_line.csv",
            "a line with more fields",
            "a,b\n1,2\n\n3,4\n5,secret,6\n7,8,9,9\n",
            "line 5 has 3 fields, more fields than the 2 headers",
            "1 other lines",
        ),
        _good("blank_lines.csv", "blank lines", "\n\na,b\n1,2\n\n,\n3,4\n\n", AB, "(3)"),
        _good("header_only.csv", "a header only", "a,b\n", {"a": [], "b": []}, "no row that would"),
        _bad("empty.csv", "an empty file", "", "is empty (0 bytes)"),
        _bad("blank.csv", "nothing but blanks", " \n\n \n", "is empty"),
        _good("one_row.csv", "one row", "a,b\nx,2", {"a": ["x"], "b": [2]}),
        _good("one_column.csv", "one column", "a\n1\n2\n", {"a": [1, 2]}),
        _good(
            "one_text_column.csv",
            "one column with commas in it",
            "name\nSmith; J.\nMeyer\nHuber, K., M.\nMaier\nBauer\n",
            {"name": ["Smith; J.", "Meyer", "Huber, K., M.", "Maier", "Bauer"]},
        ),
        _good(
            "messy_headers.csv",
            "headers with blanks, breaks and unseen characters",
            '\ufeff" a ","b\nc","\u200bd",e\u00a0f,a\n1,2,3,4,5\n',
            {"a": [1], "b c": [2], "d": [3], "e f": [4], "a_2": [5]},
            "Tidied headers",
            "Renamed columns whose header was there before: a_2",
        ),
        _good(
            "wide.csv",
            "10,000 columns",
            ",".join(f"v{n}" for n in range(10_000)) + "\n" + ",".join(["1"] * 10_000) + "\n",
            {f"v{n}": [1] for n in range(10_000)},
        ),
    ]


def writings() -> list[Messy]:
    """How the text is written."""
    text = "ville;n\nOrléans;1\nNîmes;2\n"
    table = {"ville": ["Orléans", "Nîmes"], "n": [1, 2]}
    damaged = ("näme;n\n" + "ä;1\n" * 20).encode() + b"\xff;2\n"
    return [
        _good("bom.csv", "a byte order mark", text.encode("utf-8-sig"), table),
        _good("utf16.csv", "UTF-16", text.encode("utf-16"), table, "Read as utf-16 text"),
        _good(
            "utf16_unmarked.csv",
            "UTF-16 without a mark",
            text.encode("utf-16-le"),
            table,
            "Read as utf-16-le text",
        ),
        _good("cp1252.csv", "Windows-1252", text.encode("cp1252"), table, "Read as cp1252 text"),
        _good(
            "damaged.csv",
            "one damaged byte in UTF-8",
            damaged,
            {"näme": ["ä"] * 20 + ["\ufffd"], "n": [1] * 20 + [2]},
            "Damaged characters became \ufffd (1)",
        ),
        _good(
            "nul.csv",
            "NUL bytes",
            "a,b\n1,x\x00\n" + "3,yyyyyyyyyy\n" * 9,
            {"a": [1] + [3] * 9, "b": ["x"] + ["yyyyyyyyyy"] * 9},
            "Left out control characters (1)",
        ),
        _bad("binary.csv", "bytes that are no text", b"a,b\n\0\1\2\3\4", "not a text file"),
        _good(
            "mixed_ends.csv",
            "mixed line ends",
            b"a,b\r\n1,2\r3,4\n",
            AB,
            "Read lines with several kinds of ends",
        ),
        _good("mac_ends.csv", "carriage returns only", b"a,b\r1,2\r3,4\r", AB),
        _good(
            "separator.csv",
            "a line that names the delimiter",
            "sep=|\na|b\n1|2\n3|4\n",
            AB,
        ),
        _good("carets.txt", "an unusual delimiter", "a^b\n1^2\n3^4\n", AB),
        _good("ctrl_a.txt", "control character 1 as delimiter", "a\x01b\n1\x012\n3\x014\n", AB),
        _good(
            "columns.txt",
            "columns apart by blanks",
            "site    x     y\nA     1.5     2\nBB   10.5    33\n",
            {"site": ["A", "BB"], "x": [1.5, 10.5], "y": [2, 33]},
            "Read runs of blanks as delimiters",
        ),
        _good(
            "quotes.csv",
            "delimiters, breaks and quotes in quotes",
            'a,b\n1,"x, ""y""\nz"\n3,""\n',
            {"a": [1, 3], "b": ['x, "y"\nz', ""]},
        ),
        _good(
            "backslash.csv",
            "quotes after a backslash",
            'a,b\n1,"say \\"hi\\", all"\n3,"C:\\temp"\n',
            {"a": [1, 3], "b": ['say "hi", all', "C:\\temp"]},
            "Read a quote after a backslash as part of its field",
        ),
        _good(
            "inches.csv",
            "quotes within plain fields",
            'a,b\n1,5" pipe\n3,6" pipe\n4,"x, y"\n',
            {"a": [1, 3, 4], "b": ['5" pipe', '6" pipe', "x, y"]},
            "Read quotes within fields as they stand",
        ),
        _good(
            "spaced_quotes.csv",
            "blanks before quotes",
            'a, b\n1, "x, y"\n3, "z"\n',
            {"a": [1, 3], "b": ["x, y", "z"]},
            "Left out blanks before quoted fields",
        ),
        _bad(
            "unclosed.csv",
            "a quote that is never closed",
            'a,b\n1,2\n3,"secret\n5,6\n7,"x"\n',
            "line 3 has a quote that is opened and never closed",
        ),
        _bad(
            "unclosed_last.csv",
            "a quote that is open at the end",
            'a,b\n1,2\n"secret,4\n5,6\n',
            "line 3 has a quote that is opened and never closed",
        ),
        _good(
            "long_cell.csv",
            "a cell of 10 MB",
            'a,b\n1,"' + "x" * 10_000_000 + '"\n3,y\n',
            {"a": [1, 3], "b": ["x" * 10_000_000, "y"]},
        ),
    ]


def numbers() -> list[Messy]:
    """How numbers are written; delimited by semicolons."""
    return [
        _cells("thousands.csv", "thousands commas", ["1,250", "3"], [1250, 3], "thousands sep"),
        _cells(
            "decimal_commas.csv",
            "decimal commas, points between thousands",
            ["1.234,50", "3", "-2,5"],
            [1234.5, 3.0, -2.5],
            "commas as decimal points: x",
        ),
        _cells(
            "blank_thousands.csv",
            "blanks between thousands",
            ["1 234,5", "1\u00a0000", "7"],
            [1234.5, 1000.0, 7.0],
        ),
        _cells("swiss.csv", "apostrophes between thousands", ["1'234.5", "2"], [1234.5, 2.0]),
        _good(
            "commas_alike.csv",
            "1,234 beside columns with decimal commas",
            "a;b;c\n1,5;1,234;2.500\n2,25;2,345;7\n",
            {"a": [1.5, 2.25], "b": [1.234, 2.345], "c": [2500, 7]},
            "as other columns have them: b",
            "as other columns have them: c",
        ),
        _cells("percent.csv", "percent signs", ["12 %", "3.5%"], [12.0, 3.5], "(12 % is 12): x"),
        _cells("dollars.csv", "dollars", ["$1,234.50", "-$5"], [1234.5, -5.0], "numbers in $: x"),
        _cells("euros.csv", "euros", ["€ 1.234,50", "3,20 €", "-1 €"], [1234.5, 3.2, -1.0], "in €"),
        _cells("crowns.csv", "crowns", ["1 234,50 kr", "5 kr"], [1234.5, 5.0], "in kr"),
        _cells(
            "doubtful_euros.csv",
            "a point that may be either",
            ["€ 1.234", "€ 2.500"],
            ["€ 1.234", "€ 2.500"],
            "Kept as text because a point may stand for thousands or for decimals",
        ),
        _cells("units.csv", "one unit in all cells", ["12 kg", "3.5kg"], [12.0, 3.5], "unit kg"),
        _cells("two_units.csv", "several units", ["12 kg", "3 g"], ["12 kg", "3 g"]),
        _cells("accounting.csv", "negatives in brackets", ["(1,234)", "5"], [-1234, 5], "(5)"),
        _cells("minus_after.csv", "minus behind", ["5-", "17.5"], [-5.0, 17.5], "5- as negative"),
        _cells("real_minus.csv", "a typographic minus", ["−5", "4"], [-5, 4]),
        _cells("exponents.csv", "scientific notation", ["1e3", "2.5E-1"], [1000.0, 0.25]),
        _cells("codes.csv", "leading zeros", ["007", "12"], ["007", "12"], "leading zeros"),
        _cells(
            "nulls.csv",
            "words for no value",
            ["5", "n.a.", "?", "--", "missing", "#N/A", ".", "nan", "#DIV/0!", "\\N"],
            [5, *[None] * 9],
            "Words such as NA or - became null: x",
        ),
        _cells("null_words_in_text.csv", "the same in text", ["oak", "-", "?"], ["oak", "-", "?"]),
        _cells(
            "mixed.csv",
            "a few words among numbers",
            WORDS,
            WORDS,
            "Kept as text because of 2 cells; the other 98% read as numbers: x",
        ),
        _cells("yes_no.csv", "yes and no", ["yes", "No", "N/A", "-"], [True, False, None, None]),
        _cells("booleans.csv", "true and false", ["TRUE", "false"], [True, False]),
    ]


def dates() -> list[Messy]:
    """How dates and times are written; delimited by semicolons."""
    feb, may = date(2020, 2, 29), date(2021, 5, 1)
    return [
        _cells("iso.csv", "ISO dates", ["2020-02-29", "2021-05-01"], [feb, may], "Read as dates"),
        _cells("points.csv", "days first, points", ["29.2.2020", "1.5.2021"], [feb, may]),
        _cells(
            "day_first.csv",
            "days first, as one cell shows",
            ["29/02/2020", "01/05/2021"],
            [feb, may],
            "Read as dates, day first: x",
        ),
        _cells(
            "month_first.csv",
            "months first, as one cell shows",
            ["02/29/2020", "05/01/2021"],
            [feb, may],
            "Read as dates, month first: x",
        ),
        _cells(
            "doubtful_dates.csv",
            "days or months first",
            ["01/02/2020", "05/01/2021"],
            ["01/02/2020", "05/01/2021"],
            "Kept as text because the dates may have the day or the month first: x",
        ),
        _cells("short_years.csv", "short years", ["29.2.20", "1.5.21"], [feb, may], "two digits"),
        _cells(
            "months.csv",
            "names of months",
            ["29 Feb 2020", "May 1, 2021"],
            ["29 Feb 2020", "May 1, 2021"],
        ),
        _cells("month_names.csv", "names of months", ["29 Feb 2020", "1. Mai 2021"], [feb, may]),
        _cells(
            "us_months.csv", "names of months first", ["Feb 29, 2020", "May 1 2021"], [feb, may]
        ),
        _cells(
            "times.csv",
            "dates with times",
            ["29.2.2020 10:05", "1.5.2021, 7:30:15"],
            [datetime(2020, 2, 29, 10, 5), datetime(2021, 5, 1, 7, 30, 15)],
        ),
        _cells(
            "fractions.csv",
            "parts of a second",
            ["29/02/2020 10:05:01.25", "01/05/2021 07:30:15,5"],
            [datetime(2020, 2, 29, 10, 5, 1, 250_000), datetime(2021, 5, 1, 7, 30, 15, 500_000)],
        ),
        _cells(
            "year_first.csv",
            "years first, slashes and points",
            ["2020/2/29 10:05", "2021.5.1 07:30:15.5"],
            [datetime(2020, 2, 29, 10, 5), datetime(2021, 5, 1, 7, 30, 15, 500_000)],
        ),
        _cells(
            "pm.csv",
            "twelve hours",
            ["2/29/2020 10:05 PM", "5/1/2021 1:00 am"],
            [datetime(2020, 2, 29, 22, 5), datetime(2021, 5, 1, 1)],
        ),
        _cells(
            "zones.csv",
            "time zones",
            ["2020-02-29T10:00:00+02:00", "2021-05-01 10:00:00Z"],
            [datetime(2020, 2, 29, 8), datetime(2021, 5, 1, 10)],
            "Read as times, converted to UTC: x",
        ),
        _cells(
            "midnight.csv",
            "some dates without a time",
            ["2020-02-29 10:00", "2021-05-01"],
            [datetime(2020, 2, 29, 10), datetime(2021, 5, 1)],
            "dates without one as midnight: x",
        ),
        _cells("no_date.csv", "no such day", ["30.2.2020", "1.5.2021"], ["30.2.2020", "1.5.2021"]),
        _cells("clock.csv", "times of day", ["10:05", "23:59"], ["10:05", "23:59"]),
    ]


def disguises(folder: Path) -> list[Messy]:
    """Packed files, and files that are not what they are called."""
    text = b"a,b\n1,2\n3,4\n"
    whole = gzip.compress(b"a,b\n" + b"1,2\n" * 10_000)
    return [
        _good("packed.csv.gz", "gzip", gzip.compress(text), AB),
        _good("packed.tsv.gz", "gzip", gzip.compress(text.replace(b",", b"\t")), AB),
        _good("packed.csv.bz2", "bzip2", bz2.compress(text), AB),
        _good("packed.csv.xz", "xz", lzma.compress(text), AB),
        _good("packed.csv.zst", "zstd", pa.compress(text, codec="zstd", asbytes=True), AB),
        _good("packed.csv.zip", "ZIP of one file", _zip(a=text), AB),
        _bad("two.csv.zip", "ZIP of two files", _zip(a=text, b=text), "holds 2 files"),
        _bad("cut.csv.zip", "ZIP that is cut short", _zip(a=text)[:-9], "cut short"),
        _bad("cut.csv.gz", "gzip that is cut short", whole[:-20], "cut short"),
        _bad("gzip.csv", "gzip under another name", gzip.compress(text), "packed by gzip"),
        _bad("web.csv", "a web page", "<!DOCTYPE html><html><table></table></html>", "HTML"),
        _bad("xml.csv", "XML", "<?xml version='1.0'?><a><b>1</b></a>", "XML"),
        _bad("json.csv", "JSON", json.dumps([{"a": 1}]), "JSON"),
        _bad("lines.csv", "JSON lines", '{"a": 1}\n{"a": 2}\n', "JSON"),
        _bad("book.csv", "an Excel workbook", _book(), "Excel workbook; name it .xlsx"),
        _bad("old_book.csv", "an old workbook", b"\xd0\xcf\x11\xe0" + bytes(600), ".xls"),
        _bad("parquet.csv", "Parquet", _parquet(), "a Parquet file; name it .parquet"),
        _bad("sqlite.csv", "SQLite", _sqlite(folder), "an SQLite database"),
        _bad("pdf.csv", "PDF", b"%PDF-1.7\n...", "a PDF document"),
    ]


def write_messy_files(folder: Path) -> list[Messy]:
    """Write them all into a folder."""
    made = [*layouts(), *writings(), *numbers(), *dates(), *disguises(folder)]
    assert len({messy.name for messy in made}) == len(made)
    for messy in made:
        (folder / messy.name).write_bytes(messy.content)
    return made
