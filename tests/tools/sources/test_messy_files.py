import csv
from datetime import date
from decimal import Decimal
from pathlib import Path

import messy_files
import polars as pl
import pytest
from acting import tries
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from wideleaf.tools.cells.coerce import find_forms
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.normalise import normalise_file
from wideleaf.tools.sources.text import lines as line_survey
from wideleaf.tools.sources.text.layout import GUESSED, find_table

MADE = [
    *messy_files.layouts(),
    *messy_files.writings(),
    *messy_files.numbers(),
    *messy_files.dates(),
]


def type_text(text: pl.LazyFrame):
    """The columns with the types that are found for them, and what was changed in their cells."""
    reads, repairs = find_forms(text)
    return text.with_columns(reads), repairs


@pytest.fixture(scope="module")
def disguised(tmp_path_factory):
    folder = tmp_path_factory.mktemp("disguised")
    return {messy.name: messy for messy in messy_files.disguises(folder)}


def check(messy: messy_files.Messy, folder: Path) -> None:
    path = folder / messy.name
    path.write_bytes(messy.content)
    if messy.columns is None:
        with pytest.raises(SourceError) as raised:
            normalise_file(path, folder / "tables")
        told = str(raised.value)
        assert raised.value.__cause__ is None
    else:
        normal = normalise_file(path, folder / "tables")
        columns = pl.read_parquet(normal.path).to_dict(as_series=False)
        assert columns == messy.columns
        for name, values in messy.columns.items():
            assert [type(v) for v in columns[name]] == [type(v) for v in values]
        told = " ".join(repair.sentence() for repair in normal.repairs)
    assert "secret" not in told
    for words in messy.said:
        assert words in told
    if messy.columns is not None and not messy.said:
        unusual = [r for r in normal.repairs if not r.ordinary]
        assert not [r for r in unusual if not r.columns]
    assert not list(folder.rglob("reading-*"))


@pytest.mark.slow
@pytest.mark.parametrize("messy", MADE, ids=lambda messy: messy.name)
def test_a_messy_file_is_read_as_expected_or_refused(messy, tmp_path):
    check(messy, tmp_path)


@pytest.mark.parametrize(
    "name",
    [
        "packed.csv.gz",
        "packed.tsv.gz",
        "packed.csv.bz2",
        "packed.csv.xz",
        "packed.csv.zst",
        "packed.csv.zip",
        "two.csv.zip",
        "cut.csv.zip",
        "cut.csv.gz",
        "gzip.csv",
        "web.csv",
        "xml.csv",
        "json.csv",
        "lines.csv",
        "book.csv",
        "old_book.csv",
        "parquet.csv",
        "sqlite.csv",
        "pdf.csv",
    ],
)
def test_a_file_that_is_something_else_is_unpacked_or_named(name, disguised, tmp_path):
    check(disguised[name], tmp_path)


CELL = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=6).map(
    lambda text: f"x{text}"
)


@settings(max_examples=tries(40))
@given(data=st.data())
def test_whatever_a_csv_writer_writes_is_read_again(data, tmp_path_factory):
    width = data.draw(st.integers(1, 4))
    breaks = st.sampled_from(["", "", "", "\n", "\r\n", '"', '""', ",", ";", "\t", "#", " "])
    cell = st.tuples(CELL, breaks, CELL).map("".join)
    rows = data.draw(st.lists(st.lists(cell, min_size=width, max_size=width), min_size=1))
    options = {
        "delimiter": data.draw(st.sampled_from(",;\t|")),
        "quoting": data.draw(st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL])),
        "lineterminator": data.draw(st.sampled_from(["\n", "\r\n"])),
    }
    folder = tmp_path_factory.mktemp("written")
    names = [f"name_{place}" for place in range(width)]
    with (folder / "a.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, **options)
        writer.writerow(names)
        writer.writerows(rows)
    assume(width > 1 or not any(mark in "".join(map("".join, rows)) for mark in ",;\t|^~"))
    normal = normalise_file(folder / "a.csv", folder / "tables")
    assert pl.read_parquet(normal.path).rows() == [tuple(row) for row in rows]


NUMBER = st.one_of(
    st.integers(-(10**9), 10**9), st.decimals(-(10**6), 10**6, allow_nan=False, places=2)
)
WAYS = {
    "plain": (lambda n: f"{n}", ""),
    "commas": (lambda n: f"{n:,}", "thousands separators left out"),
    "points": (lambda n: f"{n:,}".translate(str.maketrans(",.", ".,")), "commas as decimal"),
    "blanks": (lambda n: f"{n:,}".translate(str.maketrans(",.", "\u202f,")), "commas as decimal"),
    "swiss": (lambda n: f"{n:,}".replace(",", "'"), "apostrophes"),
    "brackets": (lambda n: f"({-n:,})" if n < 0 else f"{n:,}", "as negative"),
    "behind": (lambda n: f"{-n}-" if n < 0 else f"{n}", "as negative"),
    "dollars": (lambda n: f"-${-n:,}" if n < 0 else f"${n:,}", "numbers in $"),
    "euros": (lambda n: f"{n:,} €".translate(str.maketrans(",.", ".,")), "in €"),
    "percent": (lambda n: f"{n:,} %", "percent"),
    "kilograms": (lambda n: f"{n} kg", "unit kg"),
}


@settings(max_examples=tries(40))
@given(
    numbers=st.lists(NUMBER, min_size=1, max_size=20),
    way=st.sampled_from(sorted(WAYS)),
    nulls=st.lists(st.sampled_from(["", "NA", "-", "?"]), max_size=3),
)
def test_numbers_are_read_in_any_writing_or_stay_text(numbers, way, nulls):
    write, told = WAYS[way]
    # With these two, no cell leaves open what its points and commas mean.
    # The last is never in brackets, as all cells of a column then would be.
    numbers = [Decimal("-1234567.25"), Decimal("-1234567.5"), *numbers, Decimal("1234567.25")]
    cells = [*map(write, numbers), *nulls]
    typed, repairs = type_text(pl.LazyFrame({"x": cells}, schema={"x": pl.String}))
    assert typed.collect()["x"].to_list() == [*map(float, numbers), *[None] * len(nulls)]
    assert told in " ".join(repair.text for repair in repairs)


DATE = st.dates(date(1970, 1, 1), date(2069, 12, 31))


@settings(max_examples=tries(40))
@given(
    dates=st.lists(DATE, min_size=1, max_size=20),
    form=st.sampled_from(["%d/%m/%Y", "%m/%d/%Y", "%d-%m-%y", "%d.%m.%Y", "%d %b %Y", "%B %d, %Y"]),
)
def test_dates_are_read_rightly_or_stay_text(dates, form):
    cells = [day.strftime(form) for day in dates]
    typed, repairs = type_text(pl.LazyFrame({"x": cells}))
    values = typed.collect()["x"].to_list()
    swapped = [cell for day, cell in zip(dates, cells, strict=True) if day.day > 12]
    doubtful = not swapped and any(day.day != day.month for day in dates)
    if form[0:2] + form[3:5] in ("%d%m", "%m%d") and form[2] != "." and doubtful:
        assert values == cells
        assert "the day or the month first" in repairs[0].text
    elif form == "%d-%m-%y" and not swapped:
        assert values in (dates, cells)
    else:
        assert values == dates


def test_a_late_cell_decides_over_a_sample(tmp_path):
    lines = "".join(f"{n};01/02/2020;1,234\n" for n in range(2_000))
    path = tmp_path / "a.csv"
    path.write_text(f"n;day;x\n{lines}2001;31/12/2020;1,5\n")
    table = pl.read_parquet(normalise_file(path, tmp_path / "tables").path)
    assert table["day"].unique().sort().to_list() == [date(2020, 2, 1), date(2020, 12, 31)]
    assert table["x"].max() == 1.5


def test_a_column_whose_first_cells_are_empty_is_typed_by_the_others(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("n,x\n" + "1,\n" * 500 + "1,2.5\n" * 3)
    assert pl.read_parquet(normalise_file(path, tmp_path / "tables").path)["x"].sum() == 7.5


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Anna,34\nBob,28\nCy,31\n", ["column_1", "column_2"]),
        ("12\n15\n11\n", ["column_1"]),
        ("1,2,3\n4,5,6\n7,8,9\n", ["column_1", "column_2", "column_3"]),
        ("sample,101,102,205\nA,0.5,1.5,2.5\nB,3.5,1.5,2\n", ["sample", "101", "102", "205"]),
        ("plot,0,8,16\nA,5,6,7\nB,7,8,1\n", ["plot", "0", "8", "16"]),
        (",name,score\nr1,Bob,miss\nr2,Al,3\nr3,X,4\n", ["column_1", "name", "score"]),
        ("a,b,c\nx,y,z\nu,v,w\n", ["a", "b", "c"]),
        ("x\na,5\nb,6\n", ["column_1", "x"]),
    ],
)
def test_a_first_row_is_the_header_unless_it_is_surely_data(tmp_path, text, names):
    path = tmp_path / "a.csv"
    path.write_text(text)
    table = pl.read_parquet(normalise_file(path, tmp_path / "tables").path)
    assert table.columns == names


def rows_of(text):
    return [line.split(",") for line in text.splitlines()]


@pytest.mark.parametrize(
    ("header", "row", "said"),
    [
        ("anna-0,berg-0", "anna-{n},berg-{n}", True),
        ("anna-0,berg-0,tal", "anna-{n},berg-{n},tal", True),
        ("name,town", "anna-{n},berg-{n}", False),
        ("who,how many", "anna,{n}", False),
        ("first_name,last_name", "Anna,Berg", False),
        ("sex,answer", "male,yes", False),
    ],
)
def test_a_header_of_which_nothing_is_evidence_is_said_to_be_guessed(header, row, said):
    text = "\n".join([header, *(row.format(n=n) for n in range(1, 40))])
    repairs = {repair.text for repair in find_table(rows_of(text)).repairs}
    assert (GUESSED in repairs) == said


@settings(max_examples=tries(40))
@given(data=st.data())
def test_a_survey_of_lines_agrees_with_a_csv_reader_whatever_the_blocks(data, tmp_path_factory):
    piece = st.sampled_from(["", "a", "b c", ",", "\n", "\r\n", '"', "é", "x" * 9])
    cell = st.lists(piece, max_size=4).map("".join)
    rows = data.draw(st.lists(st.lists(cell, min_size=1, max_size=4), min_size=1, max_size=12))
    end = data.draw(st.sampled_from(["\n", "\r\n"]))
    path = tmp_path_factory.mktemp("lines") / "a.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator=end).writerows([["h", "i", "j"], *rows])
    wide_line, wide_fields = 0, 0
    widths = []
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        next(reader)
        before = reader.line_num
        for row in reader:
            if row:
                widths.append(len(row))
                if len(row) > 3 and not wide_line:
                    wide_line, wide_fields = before + 1, len(row)
            before = reader.line_num
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(line_survey, "BLOCK_BYTES", data.draw(st.integers(1, 40)))
        found = line_survey.survey_lines(path, ",", 3, 2, quotes=True, origin="a.csv")
    assert found == line_survey.LineSurvey(
        lines=len(widths),
        narrow=sum(width < 3 for width in widths),
        wide=sum(width > 3 for width in widths),
        widest=max(widths, default=0),
        wide_line=wide_line,
        wide_fields=wide_fields,
    )


@settings(max_examples=tries(50))
@given(place=st.integers(0, 30), block=st.integers(1, 60), tail=st.sampled_from(["z", '"']))
def test_the_line_of_a_bad_quote_is_told_whatever_the_blocks(place, block, tail, tmp_path_factory):
    lines = ['"a\nb",c'] * 30
    lines.insert(place, f'"x"y{tail},c')
    path = tmp_path_factory.mktemp("quotes") / "a.csv"
    path.write_text("h,i\n" + "\n".join(lines) + "\n")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(line_survey, "BLOCK_BYTES", block)
        found = line_survey.survey_lines(path, ",", 2, 2, quotes=True, origin="a.csv")
    assert found.bad_quote == 2 + 2 * place
    with pytest.raises(SourceError, match=f"line {2 + 2 * place} has a quote"):
        normalise_file(path, path.parent / "tables")


def test_the_same_bytes_are_another_table_under_another_suffix(tmp_path):
    for suffix, columns in ((".csv", ["a", "b"]), (".tsv", ["a,b"])):
        path = tmp_path / f"x{suffix}"
        path.write_text("a,b\n1,x\n")
        assert pl.read_parquet(normalise_file(path, tmp_path / "tables").path).columns == columns


def test_a_letter_before_a_number_is_a_code_and_no_unit() -> None:
    codes = pl.LazyFrame({"a": ["G1", "G513"], "b": ["T7", "T415"], "c": ["5 g", "7 g"]})
    typed, _ = type_text(codes)
    assert [dtype.is_numeric() for dtype in typed.collect_schema().dtypes()] == [False, False, True]


def test_brackets_around_every_number_are_no_minus() -> None:
    goals = pl.LazyFrame({"goals": ["(5)", "(1)", None], "profit": ["(5)", "12", "3"]})
    typed, _ = type_text(goals)
    assert typed.collect().to_dict(as_series=False) == {
        "goals": ["(5)", "(1)", None],
        "profit": [-5, 12, 3],
    }
