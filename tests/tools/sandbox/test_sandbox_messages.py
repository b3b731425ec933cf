"""What is told of a program's errors: enough to mend it, and never a cell."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from provoked_errors import CASES, raised

from wideleaf.tools.sandbox.messages import MASK, describe_error, read_table
from wideleaf.tools.sandbox.words import TYPE_NAMES

TEMPLATES = read_table().templates
CANARIES = ("QZXVWKJA", "QZXVWKJB 3", "7301946528", "6.1234987e", "61234.987")
COLUMNS = ("team", "points", "day", "note", "n", "won")


def frame():
    word, other, number, _, real = CANARIES
    return pd.DataFrame(
        {
            "team": [word, other, other],
            "points": [float(real), 2.5, None],
            "day": pd.to_datetime(["2020-01-02"] * 3),
            "note": [word, "17", other],
            "n": [int(number), int(number) + 1, int(number) + 2],
            "won": [True, False, True],
        }
    )


def parts_of(canaries, size=5):
    """Every part of a canary that is long enough to tell it."""
    return {c[place : place + size] for c in canaries for place in range(len(c) - size + 1)}


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_no_part_of_a_cell_is_told_of_a_real_error(case):
    kind, message, line, code = raised(case, frame())
    text, private = describe_error(kind, message, line, code, COLUMNS)
    assert not [part for part in parts_of(CANARIES) if part in text]
    assert text.startswith(f"{kind} in line 2, `")
    whole = message and MASK not in text and "kept in" not in text
    assert bool(private) != bool(whole or not message)


def test_hardly_any_real_message_is_kept_in_whole():
    texts = [describe_error(*raised(case, frame()), COLUMNS)[0] for case in CASES]
    own = [case for case in CASES if case.startswith(("raise", "assert"))]
    kept = [text for text in texts if "kept in" in text]
    assert len(CASES) > 150 and len(kept) <= len(own)


def test_a_cell_in_the_message_goes_to_the_private_part_alone():
    code = "def f(df):\n    return df['note'].astype(float)"
    text, private = describe_error(
        "ValueError", "could not convert string to float: 'secret'", 2, code, []
    )
    assert "could not convert string to float: …" in text and "secret" not in text
    assert 'pd.to_numeric(..., errors="coerce")' in text
    assert private == "The message: could not convert string to float: 'secret'"


def test_a_missing_column_is_told_with_the_nearest_ones():
    code = "def f(df):\n    return df['Teem']"
    text, private = describe_error("KeyError", "'Teem'", 2, code, ["team", "points"])
    assert text == (
        "KeyError in line 2, `return df['Teem']`: 'Teem'. Hint: no column or row label 'Teem'; "
        "the nearest columns are 'team'"
    )
    assert private == ""


def test_a_missing_label_that_may_be_a_cell_is_masked():
    code = "def f(df):\n    return df.set_index('team').loc[df['note'].iloc[0]]"
    text, private = describe_error("KeyError", "'Hugo'", 2, code, ["team", "note"])
    assert "Hugo" not in text and "test with .isin()" in text and "Hugo" in private


def test_of_several_labels_only_the_known_are_shown():
    code = "def f(df):\n    return df[['teem', x]]"
    text, _ = describe_error("KeyError", "\"['teem', 'Hugo'] not in index\"", 2, code, ["team"])
    assert "'teem', … not in index" in text and "Hugo" not in text


@pytest.mark.parametrize(
    ("kind", "message", "code", "hint"),
    [
        ("AttributeError", "'DataFrame' object has no attribute 'append'", "df.append", "concat"),
        ("AttributeError", "'DataFrame' object has no attribute 'teem'", "df.teem", "'team'"),
        ("AttributeError", "'str' object has no attribute 'year'", "x.year", "to_datetime"),
        (
            "AttributeError",
            "Can only use .str accessor with string values, not datetime64",
            "df.day.str",
            "dates are datetime64 already, use .dt",
        ),
        ("ZeroDivisionError", "division by zero", "1/0", "leave those rows out"),
        ("ValueError", "The truth value of a Series is ambiguous. Use a.empty", "x", "by & and |"),
        ("DateParseError", "anything new", "x", "dates are datetime64 already"),
    ],
)
def test_the_commonest_errors_come_with_a_hint(kind, message, code, hint):
    text, _ = describe_error(kind, message, 1, code, ["team"])
    assert " Hint: " in text and hint in text


def test_words_of_the_code_itself_are_shown_and_other_words_are_not():
    code = "def f(df):\n    raise ValueError('no team was found')"
    assert describe_error("ValueError", "no team was found", 2, code, [])[0].endswith(
        ": no team was found"
    )
    text, private = describe_error("ValueError", "Hugo was found", 2, code, [])
    assert "its message is kept in" in text and private == "The message: Hugo was found"


def test_the_name_of_an_error_type_is_shown_only_where_it_is_known():
    assert describe_error("Hugo", "", None, "x = 1", [])[0] == "An exception"
    assert describe_error("Empty", "", None, "class Empty(Exception): pass", [])[0] == "Empty"


def test_a_line_that_is_not_there_is_left_out():
    for line in (None, 0, -1, 3, 10**18):
        assert describe_error("ZeroDivisionError", "division by zero", line, "x = 1/0", [])[
            0
        ].startswith("ZeroDivisionError: division by zero")


def test_code_that_does_not_parse_is_told_of_all_the_same():
    text, _ = describe_error("SyntaxError", "invalid syntax (<program>, line 1)", 1, "def f(:", [])
    assert text == "SyntaxError in line 1, `def f(:`: invalid syntax (…)"


def test_every_hint_serves_a_message_and_every_template_is_reached():
    table = read_table()
    named = {hint for _, hint, _ in TEMPLATES} | {"str", "dt"}
    of_types = {name for name, hint in table.hints.items() if hint in table.of_types.values()}
    assert named | of_types == {name for name in table.hints if not name.startswith(".")}
    for place, (text, _, pattern) in enumerate(TEMPLATES):
        message = text.replace("{c}", "\u0394").replace("{}", "\u0394")
        assert pattern.fullmatch(message)
        assert not [t.text for t in TEMPLATES[:place] if t.pattern.fullmatch(message)]


GREEK = st.text(st.characters(min_codepoint=0x370, max_codepoint=0x3FF), min_size=1, max_size=12)
FILLERS = st.lists(GREEK, min_size=6, max_size=6)
CODE = "def f(df, other):\n    x = df['team'] + 3\n    return x.mean(axis=1)"


@given(
    st.sampled_from(TEMPLATES), FILLERS, st.sampled_from(["KeyError", "ValueError", "TypeError"])
)
def test_a_message_in_any_template_with_any_cells_shows_none(template, cells, kind):
    message, filled = template.text, iter(cells)
    for slot in ("{c}", "{}"):
        while slot in message:
            message = message.replace(slot, next(filled, "σ"), 1)
    for said in (message, repr(message), f"'{message}'"):
        text, _ = describe_error(kind, said, 2, CODE, COLUMNS)
        assert not any(0x370 <= ord(sign) <= 0x3FF for sign in text)


@given(st.text(max_size=200), GREEK, st.text(max_size=200), st.sampled_from(TEMPLATES))
def test_an_arbitrary_message_around_an_arbitrary_cell_does_not_show_it(before, cell, after, some):
    literal = some.text.split("{")[0]
    for said in (f"{before}{cell}{after}", f"{literal}{cell}{after}", f"{literal}'{cell}', 'team'"):
        text, private = describe_error("ValueError", said, 2, CODE, COLUMNS)
        assert not any(sign in text for sign in cell if ord(sign) >= 0x370)
        assert private.startswith("The message: ")


@given(st.text(min_size=1, max_size=60), st.sampled_from(["KeyError", "ValueError", "Hugo"]))
def test_a_message_that_is_all_cell_is_told_only_if_the_code_says_the_same(cell, kind):
    text, _ = describe_error(kind, cell, 2, CODE, COLUMNS)
    other, _ = describe_error(kind, f"{cell}\u0394", 2, CODE, COLUMNS)
    known = {"df", "other", "x", "team", "mean", "axis", "f", "3", "1", "-3", "-1", *COLUMNS}
    plain = " ".join(cell.split()).strip("'\"")
    if plain not in known | TYPE_NAMES and not plain.split("'")[1:]:
        assert text == other or not cell.strip() or _is_template(cell)


def _is_template(cell):
    return any(cell.startswith(t.text.split("{")[0]) for t in TEMPLATES)


def test_long_messages_are_read_without_going_back_over_them():
    for piece in ("'a', ", "Index(['", "could not convert string ", "time data x doesn't match "):
        describe_error("KeyError", piece * 100_000, 2, CODE, COLUMNS)


def test_a_text_is_of_bounded_length():
    columns = [f"team{'x' * 300}{n}" for n in range(50)]
    code = f"def f(df):\n    return df[{'y' * 5000!r}]" + " " * 500
    text, private = describe_error("KeyError", repr("y" * 5000), 2, code, columns)
    assert len(text) < 1_000 and len(private) < 600
