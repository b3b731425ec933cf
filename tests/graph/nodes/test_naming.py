"""Columns that a program wants: renamed where they can be, told to a model, else no answer."""

import json

import pandas as pd
import pytest

import wideleaf as wl
from wideleaf.graph.doors.mcp.desk import Desk
from wideleaf.graph.nodes.naming import pair_names
from wideleaf.tools.errors import SettingsError

EACH = "What is the total kwh for each region?"


@pytest.fixture
def meters():
    return pd.DataFrame({"region": ["N", "S", "N"], "kwh": [1.0, 2.0, 5.0]})


@pytest.fixture
def asked(meters, tmp_path):
    def ask(question, *columns, **settings):
        return wl.ask(question, meters, folder=str(tmp_path), columns=columns, **settings)

    return ask


def moves(*tables):
    """A model that sums by region, selects the sums alone as T2, and ends with each of some."""
    group = {"keys": ["region"], "measures": [{"function": "sum", "column": "kwh", "name": "s"}]}
    ends = [("Done.", "Finish", {"table": table}) for table in tables]
    alone = {"table": "T1", "columns": ["s"]}
    return wl.Script([("Sum.", "Group", group), ("Alone.", "Select", alone), *ends])


@pytest.mark.parametrize(
    ("there", "wanted", "pairs"),
    [
        (("region", "sum of kwh"), ("total", "region"), "sum of kwh>total region>region"),
        (("a", "b", "c"), ("c", "a"), "c>c a>a"),
        (("Region name", "kwh"), ("kwh_sum", "region"), "kwh>kwh_sum Region name>region"),
        (("x", "y"), ("p", "q"), "x>p y>q"),
        (("x", "y"), ("p",), ""),
    ],
)
def test_a_column_gets_the_name_that_is_its_own_or_says_most_of_it(there, wanted, pairs):
    assert " ".join(f"{old}>{new}" for old, new in pair_names(there, wanted)) == pairs


def test_the_answer_has_the_columns_that_are_wanted_by_a_step_that_can_be_replayed(asked, meters):
    result = asked(EACH, "total", "region")
    assert result.frame.to_dict("list") == {"total": [6.0, 2.0], "region": ["N", "S"]}
    assert "As was wanted, sum of kwh is called total." in result.caveats
    assert [*wl.replay(result.plan, meters).frame.columns] == ["total", "region"]


def test_an_answer_of_other_columns_is_none(asked):
    result = asked("What is the highest kwh?", "peak", "region")
    assert (result.status, result.confidence) == ("unanswered", None)
    assert "has 1 columns, and the 2 that are wanted are peak, region" in result.answer


def test_a_model_is_told_the_columns_and_once_that_they_are_others(asked):
    model = moves("T2", "T1")
    result = asked(EACH, "region", "kwh", model=model)
    assert [*result.frame.columns] == ["region", "kwh"]
    assert "exactly the columns `region`, `kwh`" in model.prompts[0]
    assert "exactly the columns region, kwh: Finish" in model.prompts[-1]
    again = asked(f"{EACH} Again.", "region", "kwh", model=moves("T2", "T2"))
    assert again.status == "unanswered"


def test_each_door_takes_them(meters, tmp_path):
    folder = str(tmp_path)
    tool = wl.as_tool(meters, folder=folder)
    told = json.loads(tool.invoke({"question": EACH, "columns": ["region", "total"]}))
    assert told["kinds"] == {"region": "text", "total": "number"}
    desk = Desk(meters, folder=folder)
    assert desk.ask(EACH, columns=["region", "total"])["kinds"] == told["kinds"]
    answers = wl.batch([EACH], meters, folder=folder, columns=["region", "total"], progress=False)
    assert answers.frame["answer"][0].startswith("region | total")


def test_names_that_do_not_fit_are_refused(asked):
    with pytest.raises(SettingsError, match="each name may stand there once"):
        asked(EACH, "a", "a")
    with pytest.raises(SettingsError, match="columns"):
        asked(EACH, "")
