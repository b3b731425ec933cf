"""What another agent is told: small whatever the answer, and no cell that its owner keeps in."""

import asyncio
import json
from typing import Annotated, Any

import pandas as pd
import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.prebuilt import ToolNode
from langgraph.types import Command
from typing_extensions import TypedDict

import wideleaf as wl
from wideleaf.agents.answer.excerpt import Size, excerpt, shorten

ROWS = 3_000
EVERY = {"question": "list the name, site and y"}


@pytest.fixture(scope="module")
def plots():
    numbers = range(ROWS)
    return pd.DataFrame(
        {
            "name": [f"Zq{number}" for number in numbers],
            "site": [f"Wz{number % 3}" for number in numbers],
            "y": [700_000 + number for number in numbers],
        }
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return str(tmp_path_factory.mktemp("tool"))


def called(tool, question):
    call = {"type": "tool_call", "id": "1", "name": tool.name, "args": {"question": question}}
    message = tool.invoke(call)
    return message.content, json.loads(message.content), message.artifact


def pivoted(level):
    pivot = {"table": "plots", "columns": "site", "value": "y", "function": "mean"}
    moves = [("Wide.", "Pivot", pivot), ("Done.", "Finish", {"table": "T1", "note": "Wz0 leads"})]
    return {"model": wl.Script(moves), "privacy": level}


QUESTIONS = [
    "What is the mean y for each site?",
    "What is the highest y?",
    "list the name, site and y",
    "which site is named Wz1?",
    "mean y of Wz1",
    "colour of the moon",
    "",
]


@pytest.mark.parametrize("level", ["schema", "statistics"])
def test_no_cell_goes_to_the_outer_model_below_samples(plots, folder, level):
    tool = wl.as_tool({"plots": plots}, privacy=level, folder=folder)
    strict = wl.as_tool({"plots": plots}, privacy="samples", shares=level, folder=folder)
    written = wl.as_tool({"plots": plots}, folder=folder, shares=level, **pivoted("samples"))
    for one, asked in ((tool, QUESTIONS), (strict, QUESTIONS), (written, ["means by site"])):
        for question in asked:
            text, told, artifact = called(one, question)
            for cell in ("Zq", "Wz", "7000", "7015", "7029"):
                assert cell not in text.replace(str(told.get("frame")), ""), (question, text)
            assert "Zq" not in json.dumps(artifact)
            assert "answer" not in told
            assert "preview" not in told
    assert called(written, "means by site")[1]["columns"] == 3


def test_what_is_told_instead_is_the_shape_and_where_the_rest_is(plots, folder):
    tool = wl.as_tool({"plots": plots}, folder=folder)
    _, told, artifact = called(tool, "list the name, site and y")
    assert (told["status"], told["rows"], told["columns"]) == ("answered", ROWS, 3)
    assert told["kinds"] == {"name": "text", "site": "text", "y": "number"}
    assert told["caveats_kept_in"] >= 1
    assert artifact == {"frame": told["frame"], "label": "T1", "folder": folder}
    whole = wl.frame(told["frame"], folder=folder)
    pd.testing.assert_frame_equal(whole[plots.columns], plots, check_dtype=False)


def test_where_cells_are_shared_an_answer_of_any_size_is_small(plots, folder):
    tool = wl.as_tool({"plots": plots}, shares="samples", folder=folder, rows=4)
    text, told, _ = called(tool, "list the name, site and y")
    assert len(text) < 4_000
    assert told["preview"] == plots.head(4).to_dict("records")
    assert told["rest"]
    assert "700" in told["answer"]
    text, told, _ = called(tool, "What is the highest y?")
    assert "702999" in told["answer"]
    assert "preview" not in told


def test_wide_rows_and_long_texts_are_cut(folder):
    wide = pd.DataFrame({f"c{n}": ["x" * 9_000, "y"] for n in range(1_500)})
    moves = [("All.", "Sort", {"table": "wide", "by": ["c0"]})]
    script = wl.Script([*moves, ("Done.", "Finish", {"table": "T1"})])
    given = {"folder": folder, "shares": "samples", "retriever": "words"}
    tool = wl.as_tool({"wide": wide}, model=script, **given)
    text, told, _ = called(tool, "all of it")
    assert told["columns"] == 1_500
    assert len(text) < 12_000


def test_the_tool_takes_a_question_and_names_of_columns_and_runs_in_both_ways(plots, folder):
    tool = wl.as_tool({"plots": plots}, folder=folder, name="plots", description="Of plots.")
    told = (tool.name, tool.description, [*tool.args])
    assert told == ("plots", "Of plots.", ["question", "columns"])

    async def three():
        asked = {"question": "What is the mean y?"}
        return await asyncio.gather(*(tool.ainvoke(asked) for _ in range(3)))

    replies = asyncio.run(three())
    assert [json.loads(reply)["status"] for reply in replies] == ["answered"] * 3


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"shares": "everything"}, "shares='everything' is no level"),
        ({"max_stepz": 3}, "max_stepz"),
    ],
)
def test_what_a_tool_cannot_be_made_of_is_told_at_once(given, words):
    with pytest.raises(wl.SettingsError, match=words):
        wl.as_tool("t.csv", **given)
    with pytest.raises(wl.SettingsError, match="no table was given"):
        wl.as_tool()


class Talk(TypedDict):
    messages: Annotated[list[Any], add_messages]


def by_hand(tool, call):
    """A graph that calls the tool once."""
    builder = StateGraph(Talk)
    builder.add_node("think", lambda _: {"messages": [AIMessage("", tool_calls=[call])]})
    builder.add_node("tools", ToolNode([tool]))
    builder.add_edge(START, "think")
    builder.add_edge("think", "tools")
    builder.add_edge("tools", END)
    return builder.compile(checkpointer=InMemorySaver())


def as_agent(tool, call):
    """LangChain's agent, whose model calls the tool once and then ends."""

    def choose(messages):
        done = messages[-1].type == "tool"
        return AIMessage("Done.") if done else AIMessage("", tool_calls=[call])

    return create_agent(wl.Script(policy=choose), tools=[tool], checkpointer=InMemorySaver())


@pytest.mark.parametrize("around", [by_hand, as_agent])
def test_a_question_back_passes_through_the_graph_around_it(folder, around):
    cars = pd.DataFrame({"model": ["zqa", "zqb", "zqc"], "weight": [1.0, 2.0, 6.0]})

    def measured(function):
        measures = [{"function": function, "column": "weight", "name": "weight"}]
        return ("So.", "Aggregate", {"table": "cars", "measures": measures})

    asked = {"question": "Which?", "readings": ["mean", "median"], "tables": ["T1", "T2"]}
    script = wl.Script([[measured("mean"), measured("median"), ("Two.", "Ask", asked)]])
    tool = wl.as_tool(
        {"cars": cars}, model=script, interactive=True, folder=folder, shares="samples"
    )
    call = {"name": tool.name, "args": {"question": "What is typical?"}, "id": "1"}
    graph = around(tool, call)
    config = {"configurable": {"thread_id": "1"}}
    (interrupt,) = graph.invoke({"messages": [("user", "Typical?")]}, config)["__interrupt__"]
    assert [one["reading"] for one in interrupt.value["options"]] == ["mean", "median"]
    said = graph.invoke(Command(resume="2"), config)["messages"]
    (last,) = (message for message in said if message.type == "tool")
    assert json.loads(last.content)["answer"] == "weight: 2"
    assert [*last.artifact] == ["frame", "label", "folder"]


def test_the_state_of_a_graph_holds_a_part_and_a_result_the_whole(plots, folder):
    result = wl.ask(EVERY["question"], {"plots": plots}, folder=folder)
    assert len(result.value) == ROWS
    assert result.value[-1] == plots.iloc[-1].to_dict()
    assert not [caveat for caveat in result.caveats if "part" in caveat]
    context = wl.Context(sources=result.sources, folder=folder)
    state = wl.build_graph().invoke(EVERY, context=context)
    assert state["value"] == result.value[: len(state["value"])]
    assert 300 <= len(state["value"]) <= 334
    assert (state["table"]["total"], state["table"]["width"]) == (ROWS, 3)
    assert state["rest"] in state["caveats"]
    assert f"{ROWS} rows x 3 columns" in state["rest"]
    assert len(json.dumps(state)) < 60_000
    assert len(wl.frame(state["frame"], *result.sources, folder=folder)) == ROWS
    small = wl.build_graph().invoke({"question": "What is the mean y?"}, context=context)
    assert (small["rest"], small["value"]) == ("", plots["y"].mean())


def test_a_frame_is_read_by_its_id_alone_or_by_its_tables(plots, tmp_path):
    result = wl.ask("What is the mean y for each site?", {"plots": plots}, folder=str(tmp_path))
    id = result.tree[result.label].id
    assert len(wl.frame(id, *result.sources, folder=tmp_path)) == 3
    for wrong in ("../secret", "0" * 23, f"{id}/", id.upper() if id != id.upper() else "x", ""):
        with pytest.raises(wl.SettingsError, match="no id of a frame"):
            wl.frame(wrong, folder=tmp_path)
    with pytest.raises(wl.SourceError, match="cannot be made again"):
        wl.frame("0" * 24, folder=tmp_path)


@pytest.mark.parametrize(
    ("value", "kept", "whole"),
    [
        (5, 5, True),
        (None, None, True),
        ("abc", "abc", True),
        ("a" * 30, "a" * 17 + "...", False),
        ([1, 2, 3], [1, 2, 3], True),
        ([1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6], False),
        ([{"a": 1, "b": 2}] * 4, [{"a": 1, "b": 2}] * 3, False),
        ({"abc"[n % 3] * (n + 1): n for n in range(3)}, {"a": 0, "bb": 1, "ccc": 2}, True),
        ([[1, 2, 3, 4, 5, 6, 7, 8]] * 2, [[1, 2, 3, 4, 5, 6]], False),
        (["x" * 19] * 5, ["x" * 19] * 2, False),
        ([], [], True),
    ],
)
def test_an_excerpt_keeps_whole_rows_first(value, kept, whole):
    assert excerpt(value, Size(cells=6, characters=40, cell=20)) == (kept, whole)


def test_a_text_is_cut_to_its_length():
    assert (shorten("abcdef", 6), shorten("abcdefg", 6)) == ("abcdef", "abc...")


def test_two_agents_with_two_tools_mix_nothing(plots, folder):
    """Tools side by side, each over tables of its own, called in one reply."""
    tools = [
        wl.as_tool({"plots": plots.head(n)}, name=f"ask_{n}", folder=folder, shares="samples")
        for n in (10, 20)
    ]

    def choose(messages):
        if messages[-1].type == "tool":
            return AIMessage("Done.")
        asked = {"question": "What is the highest y?"}
        calls = [{"name": tool.name, "args": asked, "id": tool.name} for tool in tools]
        return AIMessage("", tool_calls=calls)

    agent = create_agent(wl.Script(policy=choose), tools=tools)
    said = agent.invoke({"messages": [("user", "How high?")]})["messages"]
    answers = {one.name: json.loads(one.content)["answer"] for one in said if one.type == "tool"}
    assert ("700009" in answers["ask_10"], "700019" in answers["ask_20"]) == (True, True)


def test_the_outer_model_is_told_tables_and_columns_but_no_cell(plots, folder):
    wide = pd.DataFrame({f"NDVI_{day}": [1.5] for day in range(300)})
    many = pd.DataFrame({f"{a}{b}x": ["Zq"] for a in "abcdefg" for b in "hijklmn"})
    tables = {"plots": plots, "wide": wide, "many": many}
    tables |= {f"more_{number}": many for number in range(19)}
    told = wl.as_tool(tables, folder=folder, denied=["y"]).description
    assert "\n- plots: name, site\n- wide: NDVI_{0..299}\n- many: ahx, aix" in told
    assert "egx" not in told
    assert "and 19 more\n" in told
    assert told.endswith("\nand 2 more tables")
    assert "Zq" not in told
    assert "Wz" not in told
    assert len(told) < 7_000


def test_a_file_that_was_written_since_is_read_again(folder, tmp_path):
    path = tmp_path / "t.csv"
    tool = wl.as_tool(str(path), shares="samples", folder=folder)
    for value in (1, 2):
        path.write_text(f"y\n{value}\n")
        assert f": {value}" in called(tool, "What is the highest y?")[1]["answer"]
    path.unlink()
    assert called(tool, "What is the highest y?")[1]["status"] == "failed"


@pytest.mark.parametrize("shares", ["schema", "samples"])
def test_a_refusal_gives_what_can_be_asked_as_data(plots, folder, shares):
    tool = wl.as_tool({"plots": plots}, folder=folder, shares=shares)
    text, told, _ = called(tool, "What is the colour of Wz1?")
    assert told["status"] == "unanswered"
    assert "model" not in text
    told = told["suggestions"]
    assert "colour" in " ".join(told["nearest"])
    assert {n for names in told["nearest"].values() for n in names} <= {*plots.columns}
    assert all(one["confidence"] < 0.25 for one in told["readings"])
    assert all({*one["columns"]} <= {*plots.columns} for one in told["readings"])
    assert any("reading" in one for one in told["readings"]) == (shares == "samples")
    assert ("Wz1" in text) == (shares == "samples")
    assert told["questions"]
    for question in told["questions"]:
        assert called(tool, question)[1]["status"] == "answered"


def test_what_tables_there_are_is_told_within_the_level(plots, folder):
    for shares, rows in (("schema", {}), ("statistics", {"rows": ROWS})):
        tool = wl.as_tool({"plots": plots}, folder=folder, shares=shares)
        told = called(tool, "what tables do you have?")[1]
        table = {"name": "plots", "width": 3, "columns": ["name", "site", "y"]}
        assert told["suggestions"]["tables"] == [table | rows]
        assert "answer" not in told
