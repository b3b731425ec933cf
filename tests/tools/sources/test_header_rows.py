"""Headers as wide public files write them: dates, codes above texts, units, quotes, blanks."""

import datetime as dt

import openpyxl
import pytest

from wideleaf.tools.sources.opening import open_catalog
from wideleaf.tools.sources.text.header_rows import DOUBTED
from wideleaf.tools.tables.families import find_families


def opened(folder, text, name="a.csv", denied=()):
    path = folder / name
    path.write_text(text)
    catalog = open_catalog([str(path)], folder / "kept", denied)
    return catalog.all[0], catalog.table(catalog.names[0])


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("country,1/22/20,1/23/20\nIT,0,2\nFR,1,1\n", ("2020-01-22", "2020-01-23")),
        ("a;31.12.2019;01.01.2020\nA;1,5;2\nB;4;5,5\n", ("2019-12-31", "2020-01-01")),
        ("s,2020-01-01,2020-01-02\nN,3.5,4.1\nM,1.0,-1.2\n", ("2020-01-01", "2020-01-02")),
        (
            "s,2021-03-01 00:00,2021-03-01 06:00\nN,1,2\nM,3,4\n",
            ("2021-03-01 00:00", "2021-03-01 06:00"),
        ),
        ("m,day,23:30,00:00\nA,2020-01-01,.1,.2\nB,2020-01-02,.3,.4\n", ("00:00", "23:30")),
        ("k,1:30 pm,10:30 am\nA,1,2\nB,2,3\n", ("10:30", "13:30")),
        ("p;Dec-19;Jan-20\nA;10;12\nB;3;4\n", ("2019-12", "2020-01")),
        ("p,Q4 2019,Q1 2020\nA,10,12\nB,3,4\n", ("2019Q4", "2020Q1")),
        ("1/22/20,1/23/20\n0,2\n1,1\n", ("2020-01-22", "2020-01-23")),
        ("c,1/2/20,2/2/20\nA,1,2\nB,3,4\n", ("1/2/20", "2/2/20")),
    ],
)
def test_dates_as_headers_are_a_family_in_their_order(tmp_path, text, dates):
    _, table = opened(tmp_path, text)
    (family,) = find_families(table.columns)
    assert family.axis == "date"
    assert tuple(value for value, _ in family.members) == dates
    assert all(table.kind(column) == "number" for column in family.columns)
    assert table.count() == 2


def test_dates_and_times_as_headers_of_a_sheet(tmp_path):
    for heads, named in (
        ([dt.datetime(2020, 1, 1), dt.datetime(2020, 2, 1)], ("2020-01-01", "2020-02-01")),
        ([dt.time(0, 0), dt.time(0, 30)], ("00:00", "00:30")),
    ):
        book = openpyxl.Workbook()
        for row in (["site", *heads], ["A", 1, 2], ["B", 3, 4]):
            book.active.append(row)
        book.save(tmp_path / "a.xlsx")
        catalog = open_catalog([str(tmp_path / "a.xlsx")], tmp_path / "kept")
        assert catalog.table(catalog.names[0]).columns == ("site", *named)


SURVEY = 'id,Q1,Q2\nResponse ID,How old are you?,"What, if\nanything, else?"\n'
IDS = '"{""ImportId"":""r""}","{""ImportId"":""a""}","{""ImportId"":""b""}"\n'
ROWS = "R_1,34,\nR_2,45,fine\nR_3,29,good\n"
MEANT = {"id": "Response ID", "Q1": "How old are you?", "Q2": "What, if anything, else?"}


@pytest.mark.parametrize(
    ("text", "about", "rows"),
    [
        (SURVEY + IDS + "R_1,34,5\nR_2,45,3\nR_3,29,1\n", MEANT, 3),
        (
            "Age of person,City of birth,Height today\na,b,c\n1,X,2\n2,Y,3\n",
            {"a": "Age of person", "b": "City of birth", "c": "Height today"},
            2,
        ),
        ("Q1,Q2\nYour sex?,Your land?\nm,IT\nf,FR\nm,IT\n", {"Q1": "Your sex?"}, 3),
        (
            "secs,Q1\nDuration (in seconds),What is your age?\n5,20-29\n7,30-39\n9,20-29\n",
            {"secs": "Duration (in seconds)", "Q1": "What is your age?"},
            3,
        ),
        ("t,x,y\ns,°C,hPa\n0,1.5,7\n1,2.5,8\n", {"t": "unit s", "x": "unit °C"}, 2),
        ("day,rain\n,[mm]\n2020-01-01,1\n2020-01-02,2\n", {"rain": "unit mm"}, 2),
        ("t,lat,sst\nUTC,degrees_north,degree_C\n1,2,3\n2,3,4\n", {"lat": "degrees_north"}, 2),
        (
            "v,w\nWind speed,Wet bulb\nm/s,°C\n1,2\n2,3\n5,6\n",
            {"v": "Wind speed; unit m/s", "w": "Wet bulb; unit °C"},
            3,
        ),
    ],
)
def test_rows_below_the_header_say_what_columns_mean(tmp_path, text, about, rows):
    source, table = opened(tmp_path, text)
    assert table.count() == rows
    assert about.items() <= table.about.items()
    assert set(table.about) <= set(table.columns)
    assert any("Took the row of" in caveat for caveat in source.caveats)


def test_a_cell_that_ends_with_a_question_mark_is_no_question(tmp_path):
    _, table = opened(tmp_path, "mood\nhuh?\nfine\nfine\n")
    assert table.count() == 3


def test_a_denied_column_is_not_described(tmp_path):
    _, table = opened(tmp_path, SURVEY + "R_1,34,5\nR_2,45,3\n", denied=["q1"])
    assert dict(table.about) == {name: MEANT[name] for name in ("id", "Q2")}


def test_a_header_over_several_columns_is_joined_with_what_stands_below(tmp_path):
    text = "id,Rate,,Again\n,Price,Taste,Answer\n1,4,5,Yes\n2,2,3,No\n"
    _, table = opened(tmp_path, text)
    assert table.columns == ("id", "Rate Price", "Rate Taste", "Again Answer")
    assert table.kind("Again Answer") == "boolean"
    heads = "club,year,cup,cup,all,all\nclub,year,apps,goals,apps,goals\n"
    text = f"{heads}X,1946,1,0,1,0\nY,1947,2,3,4,5\n"
    _, table = opened(tmp_path, text, "b.csv")
    assert table.columns == ("club", "year", "cup apps", "cup goals", "all apps", "all goals")


def test_a_header_that_is_repeated_is_no_row(tmp_path):
    source, table = opened(tmp_path, "who,where\nwho,where\nAnn,Graz\nBob,Linz\n")
    assert table.count() == 2
    assert "Left out the header where it stands a second time." in source.notes


@pytest.mark.parametrize(
    ("row", "doubted"),
    [
        ("X,late,n.d.", True),
        ("X,<5,<2", True),
        ("X,late,late", True),
        ("B,late,early", True),
        ("North,North,North", False),
        ("X,1,late", False),
    ],
)
def test_a_row_that_may_be_data_is_kept(tmp_path, row, doubted):
    text = f"k,x,y\n{row}\nA,1,2\nB,3,4\nC,5,6\nD,7,8\n"
    source, table = opened(tmp_path, text)
    assert table.count() == 5
    assert not table.about
    assert (f"{DOUBTED}." in source.caveats) == doubted


@pytest.mark.parametrize("mark", [", ", ";  ", "\t "])
def test_quoted_headers_behind_blanks_lose_their_quotes(tmp_path, mark):
    rows = [['"id"', '"last, first"', '"n"'], ["1", '"Doe, Jane"', "5"], ["2", "Roe", "6"]]
    _, table = opened(tmp_path, "".join(f"{mark.join(row)}\n" for row in rows))
    assert table.columns == ("id", "last, first", "n")
    assert table.rows(1) == [{"id": 1, "last, first": "Doe, Jane", "n": 5}]


@pytest.mark.parametrize(
    "text",
    [
        "ort   wert   anteil\nGraz  1,5    0,25\nLinz  12,75  3\n",
        " ort        wert   anteil\n Graz       1,5    0,25\n Bad Ischl  12,75  3,0\n",
        "ort wert anteil\nGraz -1,5 1.000,25\nLinz 12 3,5\n",
    ],
)
def test_runs_of_blanks_may_stand_between_decimal_commas(tmp_path, text):
    _, table = opened(tmp_path, text, "a.txt")
    assert table.columns == ("ort", "wert", "anteil")
    assert [table.kind(column) for column in table.columns] == ["text", "number", "number"]


def test_a_loggers_own_line_stands_above_the_header(tmp_path):
    rows = "".join(f"2020-01-01 00:0{n}:00,{n},{n}.5,87\n" for n in range(10))
    text = f"TOA5,CR1000,CR1000,1234,Std.27,prog,5678,Table1\nTIME,NO,Air,RH\nTS,RN,Deg C,%\n{rows}"
    _, table = opened(tmp_path, text)
    assert table.columns == ("TIME", "NO", "Air", "RH")
    assert dict(table.about) == {"TIME": "TS", "NO": "RN", "Air": "Deg C", "RH": "%"}
    assert table.count() == 10
