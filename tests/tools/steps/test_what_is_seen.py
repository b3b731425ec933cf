"""What a model sees of frames: rows by room, totals and headers among them, what is in no cell."""

import narwhals as nw
import polars as pl
import pytest
from acting import notes, table

from wideleaf.tools.actions.load import Load
from wideleaf.tools.privacy import LEVELS, Policy
from wideleaf.tools.steps.observation import observe
from wideleaf.tools.steps.preview import CHARACTERS
from wideleaf.tools.tables.table import Table

CITIES = [f"city {n}" for n in range(8)]


def seen(frame: pl.DataFrame, level: str = "samples") -> str:
    held = Table(nw.from_native(frame.lazy()))
    return observe(Load(source="t"), [held], held, Policy(level=level)).text


def test_a_small_frame_is_shown_whole_however_many_rows_it_has():
    text = seen(pl.DataFrame({"n": range(30)}))
    assert text.splitlines()[1:] == ["n", *map(str, range(30))]


def test_of_a_larger_frame_the_last_rows_are_shown_too_within_the_room():
    text = seen(pl.DataFrame({"n": range(1000), "word": [f"word {n} " * 5 for n in range(1000)]}))
    lines = text.splitlines()
    assert lines[2].startswith("0 | 'word 0")
    between = next(n for n, line in enumerate(lines) if "rows between" in line)
    assert [line.split(" | ")[0] for line in lines[between + 1 : between + 3]] == ["998", "999"]
    assert sum(map(len, lines[1 : between + 3])) <= CHARACTERS + 60
    assert any(line.startswith("n: 0% null, 1000 distinct") for line in lines)


def test_a_long_text_is_shown_longer_where_there_are_few_columns():
    words = "one two three four five six seven eight nine ten eleven twelve thirteen"
    assert words in seen(pl.DataFrame({"note": [words]}))
    many = pl.DataFrame({f"note {n}": [words] for n in range(12)})
    assert words not in seen(many)


def test_few_different_texts_are_listed():
    text = seen(pl.DataFrame({"sex": ["m", "f"] * 500, "n": range(1000)}))
    assert "sex: 0% null, 2 distinct: f, m" in text
    assert "2 distinct" not in seen(pl.DataFrame({"sex": ["m", "f"] * 500}), "schema")


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        (["03/14/2024", "3/4/2024", "unknown", *["11/12/2023"] * 9], "dates, written 99/99/9999"),
        (["5 Mar 2024", "12 Mar 2023", "1 May 2020"], "dates, written 99 aaa 9999"),
        (["2024-03-01 10:15", "2024-03-01 9:15"] * 3, "dates, written 9999-99-99 99:99"),
        (["$1,234.50", "$3,100.10", "$9,999.00", "n.k."] * 3, ""),  # too many that are none
        (["$1,234.50", "$3,100.10", "$71,999.00"], "numbers, written $9,999.99"),
        (["1.234,5 €", "7.234,5 €", "1.834,5 €"], "numbers, written 9.999,9 €"),
        (["12", "13", "x"] * 9, ""),
        (["1950", "1961", "1972"], "numbers"),
        (["EUR 5,20", "EUR 7,30", "EUR 1,40"], "numbers, written a 9,99"),
        (["99999", "10115", "04555", "80331", "80333", "20095"] * 9, ""),
        (["12", "13"], ""),  # so few that a shape is one cell's
        (["01234", "99999", "04555"] * 9, ""),  # codes
        (["123-45-6789", "555-123-4567"] * 9, ""),
        (["2024-01-05 10:00 secret"] * 9, ""),
        (["12 Main Street", "4 May John"] * 9, ""),
    ],
)
def test_text_that_reads_as_dates_or_numbers_is_told_by_its_shape_at_every_level(cells, told):
    frame = pl.DataFrame({"n": range(len(cells)), "c": cells})
    line = f"c is text that reads as {told}" if told else ""
    for level in LEVELS:
        assert [one for one in seen(frame, level).splitlines() if "reads as" in one] == [
            line
        ] * bool(told)


@pytest.mark.parametrize(
    ("rows", "total"),
    [
        ({"city": [*CITIES, "All of them"], "n": [*range(8), 28]}, "Row 9 (All of them)"),
        ({"city": ["x", *CITIES], "n": [28, *range(8)]}, "Row 1 (x)"),
        ({"city": ["a", "Total", *CITIES], "n": [1, None, *range(8)]}, "Row 2 (a)"),
        ({"city": ["x", *CITIES], "n": [281, 1, *range(10, 80, 10)]}, "Row 1 (x)"),
        ({"city": ["x", *CITIES], "n": [2811, 10, *range(100, 800, 100)]}, ""),
        ({"city": CITIES, "n": [1, 2, 3, 40, 5, 6, 7, 8]}, ""),
        ({"city": CITIES, "year": [2001, 2002, 2003, 2004, 2005, 2006, 2007, 2008]}, ""),
    ],
)
def test_a_row_that_is_the_sum_of_the_others_is_told(rows, total):
    text = seen(pl.DataFrame(rows, strict=False))
    assert ("looks like a total" in text) == bool(total)
    if total and "Total" not in rows["city"]:
        assert f"{total} looks like a total of the others" in text


def test_a_header_in_the_first_row_is_told():
    frame = pl.DataFrame({"a": ["Pos", "1", "2", "3"], "b": ["Gap", "0", "+3.1", "4"]})
    assert "Row 1 looks like a header: Pos, Gap" in seen(frame)
    assert "header" not in seen(frame.slice(1))
    assert "Row 1 looks like a header" in (told := seen(frame, "schema")) and "Gap" not in told


def test_of_texts_in_no_cell_it_is_told_that_they_are_not_there():
    rows = [{"state": "Ohio"}, {"state": "Iowa"}, {"state": None}]
    absent = {"not": {"column": "state", "op": "==", "value": "New Mexico"}}
    held = table(rows, {"state": pl.String})
    told = notes("Filter", held, where=absent)
    assert "No cell of 'state' is 'New Mexico'; it has 2 different texts" in [f.text for f in told]
    there = {"column": "state", "op": "in", "value": ["ohio", "Utah"]}
    texts = [fact.text for fact in notes("Filter", held, where=there)]
    assert any("is 'Utah'; it has 2" in text for text in texts)
    assert not any("'ohio'" in text and "No cell" in text for text in texts)
    private = [fact for fact in told if fact.matter == "values"]
    assert not any("Ohio" in fact.text for fact in told if fact not in private)
