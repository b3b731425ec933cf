"""Workbooks: sheets become tables with the numbers and dates that their cells hold."""

import datetime as dt
import io
import re
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import polars as pl
import pytest
from acting import tries
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.worksheet.worksheet import Worksheet
from reading import read_sources

from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.opening import Source
from wideleaf.tools.sources.stamps import stamps_of

Rows = list[list[Any]]


def fill(sheet: Worksheet, rows: Rows, row: int = 1, column: int = 1) -> None:
    for y, cells in enumerate(rows, start=row):
        for x, value in enumerate(cells, start=column):
            if value is None:
                continue
            cell = sheet.cell(y, x, value)
            if isinstance(value, str) and value.startswith("#"):
                cell.data_type = "e"


def book(
    path: Path, change: Callable[[Worksheet], Any] = lambda sheet: None, **sheets: Rows
) -> Path:
    made = openpyxl.Workbook()
    made.remove(made.active)
    for name, rows in sheets.items():
        fill(made.create_sheet(name), rows)
        change(made[name])
    made.save(path)
    return path


def read_all(path: Path) -> dict[str, tuple[Source, dict[str, list[Any]]]]:
    return {
        source.name: (source, pl.read_parquet(source.path).to_dict(as_series=False))
        for source in read_sources(path, path.parent / "work")
    }


def read(path: Path) -> tuple[Source, dict[str, list[Any]]]:
    (found,) = read_all(path).values()
    return found


def test_cells_keep_their_type_and_numbers_all_their_digits(tmp_path):
    day, moment = dt.date(2020, 2, 29), dt.datetime(2020, 2, 29, 10, 30, 15, 250000)
    rows = [
        [
            "whole",
            "real",
            "tiny",
            "day",
            "moment",
            "clock",
            "span",
            "flag",
            "text",
            "numeral",
            "code",
        ],
        [
            1,
            1 / 3,
            1e-12,
            day,
            moment,
            dt.time(5, 6, 7),
            dt.timedelta(hours=30),
            True,
            "é",
            "1",
            "007",
        ],
        [2, 2.5, -5e-300, None, None, None, dt.timedelta(minutes=1), False, " x ", " 2", "8"],
        [None, None, None, day, moment, dt.time(23, 0), None, None, None, "NA", None],
    ]
    source, columns = read(book(tmp_path / "plots.xlsx", data=rows))
    assert source.name == "plots"
    assert columns == {
        "whole": [1, 2, None],
        "real": [1 / 3, 2.5, None],
        "tiny": [1e-12, -5e-300, None],
        "day": [day, None, day],
        "moment": [moment, None, moment],
        "clock": ["05:06:07", None, "23:00:00"],
        "span": [108_000.0, 60.0, None],
        "flag": [True, False, None],
        "text": ["é", " x ", None],
        "numeral": [1, 2, None],
        "code": ["007", "8", None],
    }
    told = " ".join(source.notes)
    assert "Times of day became text (HH:MM:SS): clock." in told
    assert "Lengths of time are now in seconds: span." in told
    assert "Read as whole numbers: numeral." in told


def test_numbers_beside_text_keep_their_digits_as_text(tmp_path):
    rows = [["v"], ["x"], [1 / 3], [1e-12], [-2 / 3], [12], ["0.5"], ["0.333333333"]]
    _, columns = read(book(tmp_path / "a.xlsx", data=rows))
    found = columns["v"]
    assert [found[0], *found[4:]] == ["x", "12", "0.5", "0.333333333"]
    assert [float(text) for text in found[1:4]] == [1 / 3, 1e-12, -2 / 3]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=6))
@settings(derandomize=True, max_examples=tries(40))
def test_any_number_comes_back(tmp_path_factory, numbers):
    folder = tmp_path_factory.mktemp("numbers")
    rows = [["n", "k"], *([number, "k"] for number in numbers)]
    # openpyxl writes 16 digits of 17.
    wanted = [float(f"{number:.16g}") for number in numbers]
    _, columns = read(book(folder / "a.xlsx", data=rows))
    assert columns["n"] == pytest.approx(wanted, rel=1e-15, abs=0)


def test_the_table_is_found_among_titles_blanks_and_totals(tmp_path):
    made = openpyxl.Workbook()
    fill(made.active, [["Yields of 2020"], [None], ["id", None, "t/ha"], [1, None, 2.5]], 3, 2)
    fill(made.active, [[None], [2, None, 3.5], [None], ["Total:", None, 6]], 7, 2)
    made.save(tmp_path / "a.xlsx")
    source, columns = read(tmp_path / "a.xlsx")
    assert columns == {"id": [1, 2], "t/ha": [2.5, 3.5]}
    told = " ".join(source.caveats)
    assert "Left out lines above the header (1)." in told
    assert "Left out rows of totals at the end (1)." in told
    assert "Left out rows without any value (2)." in told


def test_a_table_of_nothing_but_totals_keeps_them(tmp_path):
    rows = [["what", "n"], ["Total", 1], ["Total", 2]]
    assert read(book(tmp_path / "a.xlsx", data=rows))[1]["n"] == [1, 2]


def test_cells_with_errors_are_null_and_counted(tmp_path):
    rows = [
        ["n", "name", "text", "fine"],
        [1, "#NAME?", "a", 1],
        ["#N/A", "#NAME?", "#REF!", 2],
        [3, 5, "b", 3],
    ]
    source, columns = read(book(tmp_path / "a.xlsx", data=rows))
    assert columns == {
        "n": [1, None, 3],
        "name": [None, None, 5],
        "text": ["a", None, "b"],
        "fine": [1, 2, 3],
    }
    assert "Cells with an error such as #N/A became null (4): n, name, text." in source.caveats


def test_columns_of_several_kinds_are_text_and_spans_beside_others_are_told(tmp_path):
    rows = [
        ["kinds", "span", "late"],
        [1, dt.timedelta(hours=1), dt.date(2020, 1, 1)],
        ["a", "secret", "NA"],
        [dt.datetime(2020, 1, 2), dt.timedelta(hours=2), dt.date(2020, 1, 3)],
    ]
    source, columns = read(book(tmp_path / "a.xlsx", data=rows))
    assert columns["kinds"] == ["1", "a", "2020-01-02 00:00:00"]
    assert columns["span"] == [3600.0, None, 7200.0]
    assert columns["late"] == [dt.date(2020, 1, 1), None, dt.date(2020, 1, 3)]
    assert "Cells that are no length of time became null (1): span." in source.caveats
    assert "Words such as NA became null (1): late." in source.caveats
    assert "secret" not in " ".join(source.notes)


def test_one_late_word_keeps_a_column_text(tmp_path):
    rows = [["a", "b"], *([n, n] for n in range(3_000)), [1, "late"]]
    _, columns = read(book(tmp_path / "a.xlsx", data=rows))
    assert columns["a"][-2:] == [2_999, 1]
    assert columns["b"][-2:] == ["2999", "late"]


def test_cells_merged_downwards_share_their_value(tmp_path):
    rows = [
        ["region", "n", "when"],
        ["north", 1, dt.date(2020, 1, 1)],
        [None, 2],
        ["south", 3],
        [None, 4],
    ]

    def merge(sheet: Worksheet) -> None:
        sheet.merge_cells("A2:A3")
        sheet.merge_cells("C2:C4")
        sheet.merge_cells("B1:B1")

    source, columns = read(book(tmp_path / "a.xlsx", merge, data=rows))
    day = dt.date(2020, 1, 1)
    assert columns == {
        "region": ["north", "north", "south", None],
        "n": [1, 2, 3, 4],
        "when": [day, day, day, None],
    }
    assert "Merged cells were filled down: region, when." in source.caveats


def test_formulas_give_the_values_that_were_saved(tmp_path):
    path = book(tmp_path / "a.xlsx", data=[["a", "b"], [1, 77], [2, 88]])
    with zipfile.ZipFile(path) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    name = "xl/worksheets/sheet1.xml"
    parts[name] = parts[name].replace(b"<v>77</v>", b"<f>A2*77</f><v>77</v>")
    assert b"<f>A2*77" in parts[name]
    with zipfile.ZipFile(path, "w") as new:
        for part, content in parts.items():
            new.writestr(part, content)
    assert read(path)[1] == {"a": [1, 2], "b": [77, 88]}


def test_formulas_without_a_saved_value_are_told(tmp_path):
    made = openpyxl.Workbook()
    made.active.title = "data"
    fill(made.active, [["a", "double", "c"], [1, "=A2*2", 5], [2, "=A3*2", "=A3"]])
    made.save(tmp_path / "a.xlsx")
    source, columns = read(tmp_path / "a.xlsx")
    assert columns == {"a": [1, 2], "double": [None, None], "c": [5, None]}
    [told] = [caveat for caveat in source.caveats if "Formulas" in caveat]
    assert told.startswith("Formulas that were saved without their values are null (3 cells)")
    assert told.endswith(": double, c.")


def test_a_formula_whose_value_is_no_text_at_all_is_not_told(tmp_path):
    path = book(tmp_path / "a.xlsx", data=[["a", "b"], [1, 77], [2, 88]])
    with zipfile.ZipFile(path) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    name = "xl/worksheets/sheet1.xml"
    cell = re.compile(rb'<c r="B2"[^>]*><v>77</v></c>')
    assert cell.search(parts[name])
    parts[name] = cell.sub(b'<c r="B2" t="str"><f>""</f><v></v></c>', parts[name])
    with zipfile.ZipFile(path, "w") as new:
        for part, content in parts.items():
            new.writestr(part, content)
    source, _ = read(path)
    assert not any("Formulas" in caveat for caveat in source.caveats)


def test_every_sheet_that_shows_and_holds_rows_is_a_table(tmp_path):
    made = openpyxl.Workbook()
    made.active.title = "Plots 2020"
    fill(made.active, [["a"], [1]])
    for name in ("notes", "notes!", "数据", "hidden", "head", "blank"):
        fill(made.create_sheet(name), [["a"], [2]] if name != "blank" else [])
    made["hidden"].sheet_state = "hidden"
    made["head"].delete_rows(2)
    made.create_chartsheet("chart")
    made.save(tmp_path / "plots.xlsx")
    found = read_all(tmp_path / "plots.xlsx")
    assert [*found] == ["Plots_2020", "plots_notes", "plots_notes_2", "plots_table"]
    source, columns = found["plots_notes_2"]
    assert columns == {"a": [2]}
    assert source.origin.endswith("plots.xlsx, 'notes!'")
    assert source.notes == (
        "Left aside because they have no rows: 'head'.",
        "Hidden sheets of the workbook were left aside ('hidden').",
    )
    named = read_sources({"mine": tmp_path / "plots.xlsx"}, tmp_path / "work")
    assert [source.name for source in named][:2] == ["mine_Plots_2020", "mine_notes"]


def test_a_sheet_is_named_as_a_table_of_a_database_is(tmp_path):
    path = book(tmp_path / "farm.xlsx", **{"Plots": [["a"], [1]], "Sites 2020": [["b"], [2], [3]]})
    (plots,) = read_sources(f"{path}::Plots", tmp_path / "work")
    (sites,) = read_sources({"s": f"{path}::sites 2020"}, tmp_path / "work")
    (bare,) = read_sources(f"{path}::Sites 2020", tmp_path / "work")
    assert [(one.name, one.rows) for one in (plots, sites, bare)] == [
        *(("Plots", 1), ("s", 2), ("Sites_2020", 2))
    ]
    assert bare.notes[0] == "Called 'Sites 2020' in its file."
    with pytest.raises(SourceError, match=r"has no table 'Plts'; the nearest of 2 are 'Plots'"):
        read_sources(f"{path}::Plts", tmp_path / "work")
    alone = book(tmp_path / "one.xlsx", Data=[["a"], [1]])
    assert [s.name for s in read_sources(f"{alone}::data", tmp_path / "work")] == ["Data"]
    assert [s.name for s in read_sources(alone, tmp_path / "work")] == ["one"]
    before = stamps_of([f"s={path}::Plots"])
    book(path, Plots=[["a"], [1], [2]])
    assert stamps_of([f"s={path}::Plots"]) != before


def test_hidden_sheets_are_read_if_there_is_no_other(tmp_path):
    made = openpyxl.Workbook()
    made.active.title = "cover"
    fill(made.create_sheet("data"), [["a"], [1]])
    made["data"].sheet_state = "veryHidden"
    made.save(tmp_path / "a.xlsx")
    assert read(tmp_path / "a.xlsx")[1] == {"a": [1]}


def test_headers_may_be_broken_missing_or_dates(tmp_path):
    rows = [["plot\n id ", None, dt.date(2020, 5, 1), 2021, "x", "x"], [1, "b", "c", "d", 5, 6]]
    source, columns = read(book(tmp_path / "a.xlsx", data=rows))
    assert [*columns] == ["plot id", "column_2", "2020-05-01", "2021", "x", "x_2"]
    assert "Named columns without a header: column_2." in source.notes


def test_a_workbook_is_known_by_its_first_bytes_not_by_its_name(tmp_path):
    path = book(tmp_path / "a.xlsx", data=[["a"], [1]])
    assert read(path.rename(tmp_path / "a.xls"))[1] == {"a": [1]}


ODS = """<?xml version="1.0"?><office:document-content
 xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.2">
<office:body><office:spreadsheet><table:table table:name="data">{}</table:table>
</office:spreadsheet></office:body></office:document-content>"""


def ods(path: Path, *rows: str) -> Path:
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        body = "".join(f"<table:table-row>{row}</table:table-row>" for row in rows)
        file.writestr("content.xml", ODS.format(body))
        space = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
        file.writestr("META-INF/manifest.xml", f'<m:manifest xmlns:m="{space}"/>')
    return path


def test_open_document_sheets_are_read(tmp_path):
    def cell(kind: str, value: str, text: str = "") -> str:
        name = {"date": "date-value", "float": "value"}.get(kind, "string-value")
        return (
            f'<table:table-cell office:value-type="{kind}" office:{name}="{value}">'
            f"<text:p>{text or value}</text:p></table:table-cell>"
        )

    header = cell("string", "a") + cell("string", "day") + cell("string", "t")
    row = cell("float", "1.25") + cell("date", "2020-01-02") + cell("string", "é")
    _, columns = read(ods(tmp_path / "a.ods", header, row, row))
    assert columns == {"a": [1.25] * 2, "day": [dt.date(2020, 1, 2)] * 2, "t": ["é"] * 2}


def old_workbook(rows: Rows) -> bytes:
    """A BIFF8 workbook, as .xls files hold it, in a compound file of its own."""

    def record(kind: int, body: bytes) -> bytes:
        return struct.pack("<HH", kind, len(body)) + body

    start = record(0x809, struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 0))
    name = b"data"
    formats = b"".join(
        record(0xE0, struct.pack("<HH", 0, number) + bytes(16)) for number in (0, 14)
    )
    sheet_at = len(start) + len(formats) + 4 + 8 + len(name) + 4
    bound = record(0x85, struct.pack("<IHBB", sheet_at, 0, len(name), 0) + name)
    sheet = record(0x809, struct.pack("<HHHHII", 0x600, 0x10, 0, 0, 0, 0))
    width = max(map(len, rows))
    sheet += record(0x200, struct.pack("<IIHHH", 0, len(rows), 0, width, 0))
    for y, row in enumerate(rows):
        for x, value in enumerate(row):
            if isinstance(value, str):
                text = struct.pack("<HB", len(value), 1) + value.encode("utf-16-le")
                sheet += record(0x204, struct.pack("<HHH", y, x, 0) + text)
            elif isinstance(value, dt.date):
                days = float((value - dt.date(1899, 12, 30)).days)
                sheet += record(0x203, struct.pack("<HHHd", y, x, 1, days))
            elif value is not None:
                sheet += record(0x203, struct.pack("<HHHd", y, x, 0, value))
    end = record(0x0A, b"")
    stream = start + formats + bound + end + sheet + end
    return compound("Workbook", stream)


def compound(name: str, stream: bytes) -> bytes:
    """A compound file (OLE) of one stream."""
    stream = stream.ljust(max(4096, -(-len(stream) // 512) * 512), b"\0")
    sectors = len(stream) // 512

    def entry(title: str, kind: int, child: int, first: int, size: int) -> bytes:
        label = (title + "\0").encode("utf-16-le")
        body = label.ljust(64, b"\0") + struct.pack("<HBB", len(label), kind, 1)
        body += struct.pack("<III", 0xFFFFFFFF, 0xFFFFFFFF, child) + bytes(16 + 4 + 16)
        return body + struct.pack("<IQ", first, size)

    table = [0xFFFFFFFD, 0xFFFFFFFE, *range(3, sectors + 2), 0xFFFFFFFE]
    table += [0xFFFFFFFF] * (128 - len(table))
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    header += struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    header += struct.pack("<IIIIIIIIII", 0, 1, 1, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0, 0)
    header += struct.pack("<108I", *[0xFFFFFFFF] * 108)
    empty = bytes(64) + struct.pack("<HBBIII", 0, 0, 0, *[0xFFFFFFFF] * 3) + bytes(48)
    directory = entry("Root Entry", 5, 1, 0xFFFFFFFE, 0) + entry(
        name, 2, 0xFFFFFFFF, 2, len(stream)
    )
    return header + struct.pack("<128I", *table) + directory + empty * 2 + stream


def test_old_workbooks_are_read(tmp_path):
    path = tmp_path / "old.xls"
    day = dt.date(2020, 2, 29)
    path.write_bytes(old_workbook([["a", "day", "t"], [1 / 3, day, "é"], [2, day, None]]))
    assert read(path)[1] == {"a": [1 / 3, 2.0], "day": [day, day], "t": ["é", None]}


def bad(folder: Path, case: str) -> Path:
    whole = book(folder / "whole.xlsx", data=[["a"], ["secret"]]).read_bytes()
    blank = io.BytesIO()
    openpyxl.Workbook().save(blank)
    content, suffix = {
        "encrypted": (compound("EncryptedPackage", b"x"), ".xlsx"),
        "cut": (whole[:-300], ".xlsx"),
        "half a sheet": (whole.replace(b"sheet1.xml", b"sheet2.xml"), ".xlsx"),
        "old cut": (old_workbook([["a"], [1]])[:1500], ".xls"),
        "html": (b"\n<HTML><table><tr><td>secret</td></tr></table>", ".xls"),
        "xml": (b'\xef\xbb\xbf<?xml version="1.0"?><Workbook/>', ".xls"),
        "text": (b"a\tb\nsecret\t2\n", ".xls"),
        "bytes": (b"\x01\x02\x00secret", ".xlsb"),
        "zip": (zipped(), ".xlsx"),
        "blank": (blank.getvalue(), ".xlsx"),
        "error": (book(folder / "error.xlsx", data=[["a"], ["#SPILL!"]]).read_bytes(), ".xlsx"),
    }[case]
    path = folder / f"bad{suffix}"
    path.write_bytes(content)
    return path


def zipped() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("secret.txt", "x")
    return file.getvalue()


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ("encrypted", "is encrypted; save it without a password"),
        ("cut", "broken or cut short"),
        ("half a sheet", "broken or cut short"),
        ("old cut", "broken or cut short"),
        ("html", "is a web page or XML; open it in a spreadsheet"),
        ("xml", "is a web page or XML"),
        ("text", "it is text; name it .csv or .tsv"),
        ("bytes", "none of the known kinds"),
        ("zip", "broken or cut short"),
        ("blank", "holds no sheet with a cell"),
        ("error", "a cell holds the error #SPILL!"),
    ],
)
def test_what_is_no_workbook_is_one_clear_error(tmp_path, case, words, capfd):
    with pytest.raises(SourceError) as raised:
        read_all(bad(tmp_path, case))
    assert words in str(raised.value)
    assert "secret" not in str(raised.value)
    assert raised.value.__cause__ is None
    assert not list(tmp_path.rglob("reading-*"))
    assert capfd.readouterr().out == ""


def test_without_the_reader_the_error_says_what_to_install(tmp_path, monkeypatch):
    path = book(tmp_path / "a.xlsx", data=[["a"], [1]])
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(SourceError, match="pip install fastexcel"):
        read(path)
