"""The chat's messages: thoughts as they come, then one message that tells what it is of."""

import pandas as pd
import pytest
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from voters import voters

import wideleaf as wl
from wideleaf.graph.app import ask_graph
from wideleaf.graph.chat import PLANNER, build_chat, wait
from wideleaf.graph.thoughts import PREFIX
from wideleaf.tools.errors import SettingsError

MEANS = "What is the mean yield for each site?"
MEASURE = [{"function": "mean", "column": "yield", "name": "mean of yield"}]
THOUGHT = "The sites side by side."


@pytest.fixture
def context(tmp_path):
    path = tmp_path / "plots.csv"
    frame = pd.DataFrame({"site": list("AABB"), "yield": [1.0, 2.0, 10 / 3, 5.0]})
    frame.to_csv(path, index=False)
    return wl.Context(sources=(str(path),), folder=str(tmp_path / "w"))


def scripted(context):
    group = {"table": "plots", "keys": ["site"], "measures": MEASURE}
    finish = ("Done.", "Finish", {"table": "T1"})
    script = wl.Script([(THOUGHT, "Group", group), finish])
    return context.model_copy(update={"chat_model": script})


def talked(chat, context, *questions, **options):
    config = {"configurable": {"thread_id": "1"}}
    for question in questions:
        said = {"messages": [("user", question)]}
        yield list(chat.stream(said, config, context=context, subgraphs=True, **options))


def on_thread():
    builder = StateGraph(MessagesState, context_schema=wl.Context)
    builder.add_node("chat", build_chat())
    builder.add_edge(START, "chat")
    return builder.compile(InMemorySaver())


def test_the_answer_tells_what_it_is_of(context):
    message = build_chat().invoke({"messages": [("user", MEANS)]}, context=context)["messages"][-1]
    about = message.response_metadata
    assert about["status"] == "answered"
    assert about["model_name"] == PLANNER
    assert about["sources"] == ["plots"]
    assert 0 < about["confidence"] <= 1
    artifact = message.additional_kwargs["artifact"]
    assert artifact["type"] == "table"
    assert artifact["rows"] == [["A", 1.5], ["B", pytest.approx(25 / 6)]]
    assert "| B | 4.16667 |" in message.text
    whole = wl.frame(about["frame"], *context.sources, folder=context.folder)
    assert whole.shape == (2, 2)


def test_a_model_is_named_and_none_of_its_raw_words_are_a_message(context):
    ((*parts,),) = talked(on_thread(), scripted(context), MEANS, stream_mode="messages")
    texts = [message.text for _, (message, _) in parts]
    assert THOUGHT in texts[0]
    assert all("measures" not in text for text in texts)
    final = parts[-1][1][0]
    assert final.response_metadata["model_name"] == "Script"


def test_thoughts_grow_as_one_message_that_is_gone_from_the_thread(context):
    chat = on_thread()
    seen = []
    for parts in talked(chat, scripted(context), MEANS, stream_mode=["messages", "values"]):
        for _, mode, part in parts:
            if mode == "values":
                seen.append([message.id or "" for message in part.get("messages", [])])
        told = [part[0] for _, mode, part in parts if mode == "messages"]
    thoughts = [one for one in told if (one.id or "").startswith(PREFIX)]
    grown = [one for one in thoughts if not isinstance(one, RemoveMessage)]
    assert len({one.id for one in grown}) == 1
    assert "".join(one.text for one in grown).split("\n- ") == [
        f"\n\n{THOUGHT}",
        "T1: Group of plots",
    ]
    # A page takes the values of inner graphs, too: what was said must be in each of them.
    assert all(seen)
    assert any(ids[-1].startswith(PREFIX) for ids in seen)
    kept = chat.get_state({"configurable": {"thread_id": "1"}}).values["messages"]
    assert [message.type for message in kept] == ["human", "ai"]
    assert not kept[-1].id.startswith(PREFIX)


def test_each_question_has_thoughts_of_its_own(context):
    chat, ids = on_thread(), []
    for parts in talked(chat, context, MEANS, "how many rows?", stream_mode="messages"):
        found = {part[0].id for _, part in parts if part[0].type == "AIMessageChunk"}
        ids += sorted(one for one in found if one.startswith(PREFIX))
    assert len(ids) == len({*ids}) == 2
    assert len(chat.get_state({"configurable": {"thread_id": "1"}}).values["messages"]) == 4


def test_samples_of_a_vote_tell_whose_thought_it_is(context):
    answer = [("Rows.", "Aggregate", {"table": "plots", "measures": MEASURE})]
    answer += [("Done.", "Finish", {"table": "T1"})]
    settings = {"strategy": "vote", "samples": 2, "vote_early": False}
    voting = wl.Context(**{**dict(context), **settings, "chat_model": voters(answer, answer)})
    (parts,) = talked(on_thread(), voting, MEANS, stream_mode="messages")
    text = "".join(part[0].text for _, part in parts)
    assert "Sample 1: Rows." in text and "Sample 2: Rows." in text


def test_a_graph_that_is_no_chat_puts_no_thoughts_among_the_messages_around_it(context):
    builder = StateGraph(MessagesState, context_schema=wl.Context)

    def node(state, runtime):
        told = ask_graph().invoke({"question": MEANS}, context=runtime.context)
        return {"messages": [AIMessage(told["answer"])]}

    builder.add_node("node", node)
    builder.add_edge(START, "node")
    (parts,) = talked(builder.compile(), context, MEANS, stream_mode="messages")
    assert [part[0].type for _, part in parts] == ["ai"]


def test_in_process_there_is_no_link(context):
    message = build_chat().invoke({"messages": [("user", MEANS)]}, context=context)["messages"][-1]
    assert message.additional_kwargs["artifact"]["url"] == ""
    assert "](" not in message.text


def test_a_run_that_was_cut_off_says_so_and_shows_its_last_frame_as_a_table(context):
    script = wl.Script(
        [(THOUGHT, "Group", {"table": "plots", "keys": ["site"], "measures": MEASURE})]
    )
    cut = context.model_copy(update={"chat_model": script, "max_steps": 1})
    message = build_chat().invoke({"messages": [("user", MEANS)]}, context=cut)["messages"][-1]
    assert message.response_metadata["status"] == "partial"
    said = message.text.split("\n\n")
    assert said[0].startswith("No finished answer: ") and said[0].endswith("T1:")
    assert said[2].startswith("| site | mean of yield |")


def test_an_address_of_a_model_is_not_told(context):
    from wideleaf.graph.chat import account_of

    secret = context.model_copy(update={"base_url": "http://user:word@inside.example/v1"})
    assert "inside" not in str(account_of({}, secret))


def test_a_question_back_of_an_earlier_version_is_refused_by_a_clear_word():
    with pytest.raises(SettingsError, match="ask the question again"):
        wait({"messages": [HumanMessage("Which?")], "message": "Which?"})
