"""Clarification: asked only where readings differ, with their results, and what an answer does."""

import json

import pandas as pd
import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command

import wideleaf as wl
from wideleaf.graph.app import build_graph
from wideleaf.graph.chat import build_chat
from wideleaf.graph.shell.printing import answer_back

CARS = {"cars": pd.DataFrame({"model": ["zqa", "zqb", "zqc"], "weight": [1.0, 2.0, 6.0]})}


def measure(function, name="weight"):
    measures = [{"function": function, "column": "weight", "name": name}]
    return ("So.", "Aggregate", {"table": "cars", "measures": measures})


def asking(*readings, tables=("T1", "T2")):
    arguments = {"question": "Which one?", "readings": list(readings), "tables": list(tables)}
    return ("Two readings.", "Ask", arguments)


def finish(label, note=""):
    return ("Done.", "Finish", {"table": label, "note": note})


BOTH = [measure("mean"), measure("median"), asking("the mean", "the median")]


@pytest.fixture
def run(tmp_path):
    def run(*moves, **options):
        model = wl.Script(moves)
        options = {"folder": str(tmp_path / "w"), **options}
        result = wl.ask("What is the typical weight?", CARS, model=model, **options)
        return result, model.prompts

    return run


@pytest.mark.parametrize(
    "said", ["2", " 2 ", "the median", "The  Median", "T2", "the median: weight: 2"]
)
def test_the_chosen_reading_is_the_answer_at_once(run, said):
    seen = []

    def answer_back(question, options):
        seen.append((question, options))
        return said

    result, prompts = run(BOTH, answer_back=answer_back)
    assert seen == [("Which one?", ["the mean: weight: 3", "the median: weight: 2"])]
    assert (result.value, result.label, len(prompts)) == (2.0, "T2", 1)
    assert result.caveats == ()


def test_enter_alone_takes_the_first(run):
    result, _ = run(BOTH, answer_back=lambda *_: "")
    assert result.value == 3.0


def test_free_text_goes_to_the_thinker_as_a_note(run):
    moves = [BOTH, measure("max"), finish("T3")]
    result, prompts = run(*moves, answer_back=lambda *_: "the heaviest, of course")
    assert "the person said: the heaviest, of course" in prompts[1]
    assert result.value == 6.0


def test_a_number_that_is_no_option_is_free_text(run):
    result, prompts = run(BOTH, finish("T1"), answer_back=lambda *_: "7")
    assert "the person said: 7" in prompts[1]
    assert result.label == "T1"


def test_readings_of_the_same_result_are_not_asked(run):
    def answer_back(*_):
        raise AssertionError("asked without need")

    same = [measure("median"), measure("median", "middle"), asking("the middle", "the median")]
    result, prompts = run(same, finish("T1"), answer_back=answer_back)
    assert "every reading gives the same result; T1 holds it" in prompts[1]
    assert result.value == 2.0


def test_of_three_readings_the_two_that_agree_are_one_option(run):
    seen = []
    calls = [*BOTH[:2], measure("median", "middle")]
    ask = asking("the mean", "the median", "the middle", tables=("T1", "T2", "T3"))
    run([*calls, ask], answer_back=lambda _, options: seen.append(options) or "1")
    assert seen == [["the mean: weight: 3", "the median: weight: 2"]]


def test_without_a_person_the_first_is_taken_and_the_other_result_told(run):
    result, prompts = run(BOTH)
    assert (result.value, len(prompts)) == (3.0, 1)
    assert result.caveats == ("Read as 'the mean'; read as 'the median' it would be weight: 2.",)


def test_a_reading_of_a_frame_that_the_critic_refuses_goes_back_with_the_choice(run):
    nothing = (
        "No.",
        "Filter",
        {"table": "cars", "where": [{"column": "weight", "op": ">", "value": 9}]},
    )
    calls = [measure("mean"), nothing, asking("the mean", "the heavy ones")]
    result, prompts = run(calls, finish("T1"), second_opinion=False, answer_back=lambda *_: "2")
    assert "the person chose 'the heavy ones', T2" in prompts[1]
    assert "T2 was not accepted: it has no rows" in prompts[1]
    assert result.value == 3.0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"question": "?", "readings": ["a", "b"], "tables": ["T1"]}, "2 readings and 1 tables"),
        (
            {"question": "?", "readings": ["a", "b"], "tables": ["T1", "T9"]},
            "cannot ask about 'T9'",
        ),
        ({"question": "?", "readings": ["a"], "tables": ["T1"]}, "nothing was asked"),
        ({"question": "?", "options": ["a", "b"]}, "nothing was asked"),
    ],
)
def test_an_ask_without_its_frames_is_told_and_asks_nobody(run, arguments, told):
    def answer_back(*_):
        raise AssertionError("asked")

    _, prompts = run(
        measure("mean"), ("?", "Ask", arguments), finish("T1"), answer_back=answer_back
    )
    assert told in prompts[2]


def test_results_of_the_options_are_shown_to_the_person_and_never_to_the_model(run):
    def first(label, order):
        return ("So.", "Sort", {"table": "cars", "by": [order], "limit": 1})

    calls = [first("T1", "weight"), first("T2", "-weight"), asking("the lightest", "the heaviest")]
    seen = []
    _, prompts = run([*calls], finish("T1"), answer_back=lambda _, o: seen.append(o) or "neither")
    assert "zqa" in seen[0][0]
    assert not [p for p in prompts if "zqa" in p or "zqc" in p]


def test_the_pause_is_plain_data_and_another_process_can_go_on(tmp_path):
    path = tmp_path / "cars.csv"
    CARS["cars"].to_csv(path, index=False)
    context = wl.Context(
        sources=(str(path),),
        chat_model=wl.Script([BOTH]),
        interactive=True,
        folder=str(tmp_path / "w"),
    )
    graph = build_graph(InMemorySaver())
    config = {"configurable": {"thread_id": "1"}}
    state = graph.invoke({"question": "What is the weight?"}, config, context=context)
    payload = state["__interrupt__"][0].value
    assert json.loads(json.dumps(payload)) == payload
    assert payload["question"] == "Which one?"
    assert payload["options"] == [
        {"reading": "the mean", "result": "weight: 3", "label": "T1"},
        {"reading": "the median", "result": "weight: 2", "label": "T2"},
    ]
    done = graph.invoke(Command(resume="2"), config, context=context)
    assert done["value"] == 2.0


def test_the_shell_shows_options_without_their_control_characters(monkeypatch, capsys):
    monkeypatch.setattr("builtins.input", lambda _: "2")
    said = answer_back("Which?", ["a: \x1b[31mred", "b: 2"])
    assert said == "b: 2"
    assert "\x1b" not in capsys.readouterr().out


def test_a_chat_pauses_with_the_options_and_goes_on(tmp_path):
    path = tmp_path / "cars.csv"
    CARS["cars"].to_csv(path, index=False)
    builder = StateGraph(MessagesState, context_schema=wl.Context)
    builder.add_node("chat", build_chat())
    builder.add_edge(START, "chat")
    chat = builder.compile(InMemorySaver())
    context = wl.Context(
        sources=(str(path),),
        chat_model=wl.Script([BOTH]),
        interactive=True,
        folder=str(tmp_path / "w"),
    )
    config = {"configurable": {"thread_id": "1"}}
    said = {"messages": [("user", "What is the weight?")]}
    state = chat.invoke(said, config, context=context)
    options = state["__interrupt__"][0].value["options"]
    assert [option["reading"] for option in options] == ["the mean", "the median"]
    done = chat.invoke(Command(resume="the median"), config, context=context)
    text = done["messages"][-1].text
    assert text.startswith("weight: 2\n") and text.endswith("\n> Read as: the median.")


@pytest.fixture
def paused_chat(tmp_path):
    """A chat on a thread that a question back has paused, and what says a further message."""
    path = tmp_path / "cars.csv"
    CARS["cars"].to_csv(path, index=False)
    context = wl.Context(
        sources=(str(path),),
        chat_model=wl.Script([BOTH]),
        interactive=True,
        folder=str(tmp_path / "w"),
    )
    chat = build_chat().copy({"checkpointer": InMemorySaver()})
    config = {"configurable": {"thread_id": "1"}}

    def say(text, **settings):
        under = context.model_copy(update=settings)
        return chat.invoke({"messages": [("user", text)]}, config, context=under)

    assert "__interrupt__" in say("What is the weight?")
    say.values = lambda: chat.get_state(config).values
    return say


def test_the_question_and_its_options_are_a_message_before_the_pause(paused_chat):
    (asked, told) = paused_chat.values()["messages"]
    assert (asked.type, told.type) == ("human", "ai")
    lines = ["Which one?", "", "1. the mean: weight: 3", "2. the median: weight: 2"]
    assert told.text.splitlines()[:4] == lines
    assert told.response_metadata["status"] == "asks"


def test_the_run_that_asked_goes_on_and_no_model_is_asked_again(paused_chat):
    silent = wl.Script([])
    state = paused_chat("2", chat_model=silent)
    assert state["messages"][-1].text.startswith("weight: 2\n")
    assert not silent.prompts
    assert [one.type for one in state["messages"]] == ["human", "ai", "human", "ai"]
    assert not paused_chat.values()["person"].get("asked")


@pytest.mark.parametrize(
    "typed",
    [
        "2",
        "the second",
        "2.",
        "the second one please",
        "number 2",
        "the median",
        "I meant the median",
    ],
)
def test_an_answer_that_is_typed_as_a_message_is_taken(paused_chat, typed):
    state = paused_chat(typed, chat_model=wl.Script([BOTH]))
    assert "__interrupt__" not in state
    assert state["messages"][-1].text.startswith("weight: 2")
    (one,) = paused_chat.values()["conversation"]["exchanges"]
    assert (one["said"], one["reading"], one["label"]) == (
        "What is the weight?",
        "the median",
        "T2",
    )


@pytest.mark.parametrize("typed", ["4", "12."])
def test_a_number_that_no_option_has_is_asked_for_again_and_nothing_is_lost(paused_chat, typed):
    state = paused_chat(typed, chat_model=wl.Script([BOTH]))
    assert state["__interrupt__"][0].value["question"] == "Which one?"
    assert state["messages"][-1].text.startswith(f"**'{typed}' is none of the 2 readings**")
    state = paused_chat("2", chat_model=wl.Script([BOTH]))
    assert state["messages"][-1].text.startswith("weight: 2")


def test_another_message_is_a_message_of_its_own(paused_chat):
    script = wl.Script([measure("max"), finish("T1")])
    state = paused_chat("What is the highest weight?", chat_model=script)
    assert state["messages"][-1].text.startswith("weight: 6")
    assert paused_chat.values()["message"] == "What is the highest weight?"


def test_a_number_after_an_answer_is_no_answer_to_it(paused_chat):
    paused_chat("1", chat_model=wl.Script([BOTH]))
    paused_chat("2", chat_model=wl.Script([measure("max"), finish("T3")]))
    assert paused_chat.values()["message"] == "2"
