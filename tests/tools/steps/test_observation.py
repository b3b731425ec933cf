"""What an observation tells of columns, and what a step may tell where cells are kept in."""

import polars as pl
import pytest
from acting import notes, table

from wideleaf.tools.actions.craft import MAX_CHOSEN, MAX_WORDS, Craft
from wideleaf.tools.actions.filter import PARTS_TOLD
from wideleaf.tools.actions.load import Load
from wideleaf.tools.privacy import Policy
from wideleaf.tools.sandbox.program import Limits
from wideleaf.tools.sandbox.protection.protection import protection
from wideleaf.tools.sandbox.registry import choose_sandbox
from wideleaf.tools.steps.observation import columns_text, observe

needs_wall = pytest.mark.skipif(not protection().wall, reason=protection().why_not or "no wall")


def shaped(**kinds):
    return table([], kinds)


def test_a_small_family_of_several_kinds_is_listed_column_by_column():
    mixed = shaped(m1=pl.Int64, m2=pl.String, m3=pl.Date)
    assert columns_text(mixed) == "m1 (number), m2 (text), m3 (date)"
    alike = shaped(m1=pl.Int64, m2=pl.Float64, m3=pl.Int8)
    assert columns_text(alike) == "m{1,2,3} (3 number columns)"


def test_a_large_family_of_several_kinds_tells_how_many_are_of_each():
    kinds = {f"m{n}": pl.String if n == 4 else pl.Float64 for n in range(30)}
    assert columns_text(shaped(**kinds)) == "m{0..29} (29 number and 1 text columns)"


def test_of_a_filter_of_many_parts_a_few_are_counted():
    parts = [{"column": "n", "op": "==", "value": n} for n in range(PARTS_TOLD + 4)]
    told = notes("Filter", table([{"n": 1}, {"n": 2}]), where={"all": parts})[0].text
    assert told.count(" rows") == PARTS_TOLD and told.endswith("; and 4 more parts")


def test_of_a_frame_that_nobody_holds_three_rows_are_told_and_nothing_of_all(monkeypatch):
    monkeypatch.setattr("wideleaf.tools.steps.observation.MAX_CELLS", 7)
    large = table([{"n": n} for n in range(4)], {"n": pl.Int64, "s": pl.String})
    told = observe(Load(source="t"), [], large, Policy(level="samples")).text
    assert told.startswith("4 rows x 2 columns")
    assert told.endswith("n | s\n0 | null\n1 | null\n2 | null")


def headers(code):
    craft = Craft(task="f", signature="f(t) -> table", code=code, function="f", headers="numbers")
    made = craft.resolve(ONE).run_in(choose_sandbox("wall"), Limits(), ONE)
    return made.table.columns


ONE = table([{"n": 3}, {"n": 5}])


@pytest.mark.sandbox
@needs_wall
def test_words_of_code_are_headers_where_they_are_few():
    few = "def f(t):\n    return pd.DataFrame({'low': [t['n'].min()], 'high': [t['n'].max()]})"
    assert headers(few) == ("low", "high")
    words = [f"w{n}" for n in range(MAX_WORDS + 1)]
    choice = f"def f(t):\n    W = {words!r}\n    return pd.DataFrame({{W[t['n'][0]]: [1]}})"
    assert headers(choice) == ("column_1",)
    words = [f"w{n}" for n in range(MAX_CHOSEN + 1)]
    order = f"def f(t):\n    W = {words!r}\n    return pd.DataFrame([W], columns=W)"
    assert headers(order) == tuple(f"column_{n}" for n in range(1, MAX_CHOSEN + 2))
