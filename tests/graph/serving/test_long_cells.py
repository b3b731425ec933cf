"""One long cell, line or header: a moment's work, or one clear line, and never a server's minute.

No test here measures time: work that grows with the square of these sizes ends at pytest's limit.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import wideleaf as wl
from wideleaf.graph.results.text import escape
from wideleaf.tools.cells.number_forms import find_mark
from wideleaf.tools.cells.repairs import LONGEST_HEADER
from wideleaf.tools.dictionary.forms import entries_of
from wideleaf.tools.dictionary.synonyms import split_synonyms
from wideleaf.tools.errors import SourceError
from wideleaf.tools.expressions.casting import read_number_form
from wideleaf.tools.sources.opening import open_catalog
from wideleaf.tools.sources.text.evidence import is_typed

LONG = 1_000_000


def test_brackets_without_end_are_escaped_in_one_pass() -> None:
    assert escape("[" * LONG) == "[" * LONG
    assert escape("[" * LONG + "](x)") == "\\[" * LONG + "](x)"
    assert escape("[a](b) [c] [d][e] [f]") == r"\[a](b) \[c] \[d][e] [f]"


@pytest.mark.parametrize(
    "cell",
    [f"({' ' * LONG}x", f"{'1' * LONG}(", f"({'1 ' * LONG}", f"1{chr(9) * LONG}{'x' * 999}"],
    ids=["blanks", "digits", "spaced digits", "tabs"],
)
def test_a_long_cell_is_no_number(cell: str) -> None:
    assert not is_typed(cell)
    assert find_mark([cell]) == ""
    with pytest.raises(ValueError, match="shows no number"):
        read_number_form(cell)


def test_blanks_within_a_number_are_as_one() -> None:
    assert is_typed("( 1     000 )")
    assert find_mark(["5     kg", "6 kg"]) == find_mark(["5 kg"]) == "kg"


@pytest.mark.parametrize(
    "line",
    [chr(9) * LONG + "x", "x" + chr(9) * LONG, "--" + " " * LONG + "|x", "#" * LONG + " a b",
     "table" + " " * LONG + "a b", "a: b" + " " * LONG + "c"],
)  # fmt: skip
def test_a_long_line_of_a_dictionary_is_read_once(line: str) -> None:
    found = entries_of(f"price: what is paid\n{line}\nrow: of the house\n", ".txt").entries
    assert found[0].name == "price"
    assert found[0].text.startswith("what is paid")


def test_a_long_description_is_cut_into_names_once() -> None:
    assert len(split_synonyms(f"pay, wage{' ' * LONG}x y z and more words", frozenset())) == 1


def test_a_table_of_long_cells_is_asked_of(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(
        "note,n\n" + f"({' ' * 100_000}x,1\n" * 20 + f"a{' ' * 100_000},2\n" * 20
        + f"{'1' * 100_000}(,3\n" * 20
    )  # fmt: skip
    assert wl.ask("How many rows?", tmp_path / "t.csv", folder=tmp_path / "run").value == 60


@pytest.mark.parametrize(
    "text",
    ['"' + "a" * LONG, 'a,"b\n1,2\n3,4\n', '"a,b\n1,2\n', 'title\n\na,"b\n1,2\n'],
    ids=["one quote", "last header", "first header", "under a title"],
)
def test_a_quote_that_a_header_opens_and_nothing_closes(text: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(SourceError, match="a quote that is opened and never closed"):
        open_catalog(tmp_path / "t.csv", tmp_path / "run")


@pytest.mark.parametrize("text", ['"a","b"\n', '"a ""x""",b\n', '5" pipe,b\n'])
def test_a_header_alone_may_have_quotes(text: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(text)
    assert len(open_catalog(tmp_path / "t.csv", tmp_path / "run").table("t").columns) == 2


def test_a_long_header_is_cut_and_that_is_said(tmp_path: Path) -> None:
    long = "q" * 300_000
    (tmp_path / "t.csv").write_text(f"{long},{long}x,b\n1,2,3\n")
    catalog = open_catalog(tmp_path / "t.csv", tmp_path / "run")
    name = "q" * LONGEST_HEADER
    assert list(catalog.table("t").columns) == [name, f"{name}_2", "b"]
    assert "Cut headers of more than 1,000 characters" in str(catalog.find("t").notes)
