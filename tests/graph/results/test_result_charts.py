"""Charts of answers, and in messages."""

import base64
import json
import re
import shutil
from xml.dom import minidom

import pandas as pd
import pytest
from langchain_core.messages import AIMessage, messages_from_dict, messages_to_dict

import wideleaf as wl
from wideleaf.graph.results.chart_parts import chart_artifact, chart_message_part
from wideleaf.tools.charts.chart import Chart

HOMES = pd.DataFrame(
    {
        "heating": ["gas", "oil", "gas", "pump", "oil"],
        "built": [1999, 2005, 2005, 2011, 2011],
        "use.kwh[day]": [4.0, 6.0, 8.0, 5.0, 2.0],
    }
)


@pytest.fixture
def result(tmp_path):
    question = "What is the mean use.kwh[day] for each heating?"
    return wl.ask(question, {"homes": HOMES}, folder=str(tmp_path / "w"))


def values(chart):
    return [(row["x"], row["y"]) for row in chart.spec["data"]["values"]]


def test_the_chart_of_an_answer_is_its_frame(result):
    made = result.chart()
    assert made.form == "bar" and made.title == result.question
    assert values(made) == [tuple(row) for row in result.frame.itertuples(index=False)]
    assert made.x == "heating" and made.y == ("mean of use.kwh[day]",)
    assert minidom.parseString(made.svg())


def test_a_form_may_be_asked_for(result):
    assert result.chart("pie chart").form == "pie"
    assert result.chart("line").form == "line"
    with pytest.raises(wl.SettingsError, match="no radar is drawn here; the nearest is 'bar'"):
        result.chart("radar")


def test_an_answer_that_cannot_be_drawn_says_what_would_be_right(tmp_path):
    folder = str(tmp_path / "w")
    one = wl.ask("How many homes have gas heating?", {"homes": HOMES}, folder=folder)
    assert one.value == 2
    with pytest.raises(wl.SettingsError, match=r"single value.*ask for it by a group"):
        one.chart()
    none = wl.ask("Why is the sky blue?", {"homes": HOMES}, folder=folder)
    with pytest.raises(wl.SettingsError, match="made no answer"):
        none.chart()


def test_a_chart_of_an_answer_whose_table_is_gone_is_refused(result, tmp_path):
    shutil.rmtree(tmp_path / "w")
    with pytest.raises(wl.SourceError):
        result.chart()


def test_no_model_hears_of_a_chart(tmp_path):
    moves = [("Put in order.", "Sort", {"table": "homes", "by": ["built"]}),
             ("Done.", "Finish", {"table": "T1"})]  # fmt: skip
    script = wl.Script(moves)
    table = {"homes": HOMES[["built", "use.kwh[day]"]].drop_duplicates("built")}
    result = wl.ask("use by year", table, model=script, folder=str(tmp_path / "w"))
    heard = len(script.prompts)
    assert heard and result.chart().form == "line"
    assert len(script.prompts) == heard


def test_a_message_shows_the_picture(result):
    made = result.chart()
    part = chart_message_part(made)
    message = AIMessage([{"type": "text", "text": result.answer}, part])
    (again,) = messages_from_dict(json.loads(json.dumps(messages_to_dict([message]))))
    assert again.text == result.answer
    shown = again.content_blocks[1]
    assert (shown["type"], shown["mime_type"]) == ("image", "image/png")
    picture = base64.b64decode(shown["base64"])
    # Two renderings may differ in a pixel's edge; what must be the same is signature and size.
    assert picture[:24] == made.png(1.5)[:24] and picture[:4] == b"\x89PNG"


def test_the_artifact_is_plain_data_that_draws_the_same(result):
    made = result.chart()
    plain = json.loads(json.dumps(chart_artifact(made), allow_nan=False))
    assert plain.pop("type") == "wideleaf.chart/1"
    assert Chart.model_validate(plain).svg() == made.svg()


DRAW = "Draw a pie chart of the mean use.kwh[day] for each heating"


@pytest.fixture
def drawn(tmp_path):
    return wl.ask(DRAW, {"homes": HOMES}, folder=str(tmp_path / "w"))


def test_one_question_may_be_answered_by_a_chart(drawn):
    assert drawn.question == DRAW
    assert drawn.tree[drawn.label].action.name == "Chart"
    assert drawn.drawn["form"] == "pie" and drawn.chart().form == "pie"
    assert drawn.drawn["spec"] == drawn.chart().spec
    assert drawn.chart("bar").form == "bar"
    assert list(drawn.frame.columns) == ["heating", "mean of use.kwh[day]"]


def test_a_chart_is_kept_with_its_run_and_drawn_anew_of_other_rows(drawn, tmp_path):
    kept = wl.Result.load(drawn.save(tmp_path / "run.json"))
    assert kept.drawn == drawn.drawn and kept.chart().spec == drawn.chart().spec
    more = HOMES.assign(**{"use.kwh[day]": HOMES["use.kwh[day]"] * 2})
    again = wl.replay(drawn.plan, {"homes": more}, folder=str(tmp_path / "w2"))
    assert again.drawn["form"] == "pie"
    before, after = ([row["y"] for row in one.chart().spec["data"]["values"]]
                     for one in (drawn, again))  # fmt: skip
    assert after == [2 * number for number in before]


def test_a_chart_whose_new_rows_cannot_be_drawn_fails_by_name(drawn, tmp_path):
    loss = HOMES.assign(**{"use.kwh[day]": -HOMES["use.kwh[day]"]})
    with pytest.raises(wl.SourceError, match=r"Chart.*below zero"):
        wl.replay(drawn.plan, {"homes": loss}, folder=str(tmp_path / "w2"))


def test_exports_say_what_the_chart_was_drawn_of(drawn, tmp_path):
    assert '"heating"' in drawn.to_sql() and "Chart" in drawn.to_sql()
    assert "Chart(form=" in drawn.to_pandas()
    cells = json.loads(drawn.to_notebook(tmp_path / "n.ipynb").read_text())["cells"]
    shown = [cell for cell in cells if cell.get("outputs")]
    (output,) = shown[0]["outputs"]
    assert base64.b64decode(output["data"]["image/png"]).startswith(b"\x89PNG")
    assert output["data"]["application/vnd.vegalite.v6+json"] == drawn.chart().spec


def test_a_page_shows_the_chart_as_an_image_that_can_do_nothing(drawn):
    page = drawn._repr_html_()
    assert page.count("<img ") == 1 and 'src="data:image/svg+xml;base64,' in page
    data = re.search(r'base64,([^"]+)"', page)
    assert minidom.parseString(base64.b64decode(data[1]))
    assert (
        "<img "
        not in wl.ask("How many homes?", {"homes": HOMES}, folder=drawn.folder)._repr_html_()
    )


def test_a_question_whose_answer_cannot_be_drawn_is_answered_all_the_same(tmp_path):
    result = wl.ask("How many homes are there, as a chart?", {"homes": HOMES},
                    folder=str(tmp_path / "w"))  # fmt: skip
    assert result.value == 5 and not result.drawn
    assert any("No chart was drawn: 'count' is a single value" in note for note in result.caveats)
    assert result.confidence is None or result.confidence <= 0.5


def test_a_form_that_is_not_drawn_has_its_nearest_and_that_is_said(tmp_path):
    result = wl.ask("a radar chart of the mean use.kwh[day] for each heating", {"homes": HOMES},
                    folder=str(tmp_path / "w"))  # fmt: skip
    assert result.drawn["form"] == "bar"
    assert any("No radar chart is drawn here" in note for note in result.caveats)


def test_a_model_draws_by_the_action_and_its_places_stand(tmp_path):
    keys = [{"function": "mean", "column": "use.kwh[day]", "name": "use"}]
    moves = [
        ("Mean.", "Group", {"table": "homes", "keys": ["heating"], "measures": keys}),
        ("Draw.", "Chart", {"table": "T1", "form": "bar", "x": "heating", "y": ["use"],
                            "title": "Use"}),
        ("Done.", "Finish", {"table": "T2"}),
    ]  # fmt: skip
    model = wl.Script(moves)
    result = wl.ask(DRAW, {"homes": HOMES}, model=model, folder=str(tmp_path / "w"))
    assert result.label == "T2" and result.drawn["title"] == "Use" and result.drawn["form"] == "bar"
    assert "A chart is wanted" in model.prompts[0]


def test_what_a_model_leaves_undrawn_is_drawn_for_it(tmp_path):
    keys = [{"function": "mean", "column": "use.kwh[day]", "name": "use"}]
    group = {"table": "homes", "keys": ["heating"], "measures": keys}
    moves = [("Mean.", "Group", group), ("Done.", "Finish", {"table": "T1"})]
    result = wl.ask(DRAW, {"homes": HOMES}, model=wl.Script(moves), folder=str(tmp_path / "w"))
    assert result.drawn["form"] == "pie" and result.tree[result.label].parents == ("T1",)
