"""Threads: each question on one gets its own answer, and a run goes on as what it was."""

import asyncio
import sqlite3
from contextlib import asynccontextmanager, contextmanager
from typing import get_type_hints

import pandas as pd
import pytest
from database_servers import empty_postgresql
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command
from openai_server import Answer as Served
from openai_server import OpenAIServer
from typing_extensions import TypedDict

import wideleaf as wl
from wideleaf.graph import state
from wideleaf.graph.checkpoints.place import THREADS, Place
from wideleaf.graph.checkpoints.shelf import open_shelf
from wideleaf.graph.sessions.run import ask
from wideleaf.tools.errors import ModelError, SettingsError

HIGHEST, LOWEST = "Which site has the highest yield?", "Which site has the lowest yield?"
ROWS = 30
COUNT = {"measures": [{"function": "count"}]}
CONFIG = {"configurable": {"thread_id": "one"}, "recursion_limit": 200}


def table(owner):
    """Each cell of text is the owner's, and told from every other's."""
    return pd.DataFrame({"site": [f"{owner}{n:02}" for n in range(ROWS)], "yield_t": range(ROWS)})


@pytest.fixture
def files(tmp_path):
    paths = {}
    for owner in ("ada", "bob"):
        paths[owner] = tmp_path / owner / "trials.csv"
        paths[owner].parent.mkdir()
        table(owner).to_csv(paths[owner], index=False)
    return paths


# --- Every saver: the graph `ask` on a caller's checkpointer --------------------------------


class Sync:
    """A graph on a saver, asked on one thread."""

    def __init__(self, saver):
        self.graph = wl.build_graph(saver)

    def invoke(self, given, context):
        return self.graph.invoke(given, CONFIG, context=context)

    def state(self):
        return self.graph.get_state(CONFIG).values


class Async(Sync):
    """The same through ainvoke."""

    def __init__(self, loop, saver):
        super().__init__(saver)
        self.loop = loop

    def invoke(self, given, context):
        return self.loop.run_until_complete(self.graph.ainvoke(given, CONFIG, context=context))

    def state(self):
        return self.loop.run_until_complete(self.graph.aget_state(CONFIG)).values


@contextmanager
def on_memory(tmp_path, _):
    yield Sync(InMemorySaver())


@contextmanager
def on_sqlite(tmp_path, _):
    with SqliteSaver.from_conn_string(str(tmp_path / "saver.sqlite")) as saver:
        yield Sync(saver)


@contextmanager
def on_async_sqlite(tmp_path, _):
    @asynccontextmanager
    async def opened():
        async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "saver.sqlite")) as saver:
            yield saver

    with asyncio.Runner() as runner:
        saver = opened()
        loop = runner.get_loop()
        made = loop.run_until_complete(saver.__aenter__())
        try:
            yield Async(loop, made)
        finally:
            loop.run_until_complete(saver.__aexit__(None, None, None))


@contextmanager
def on_postgresql(tmp_path, request):
    from langgraph.checkpoint.postgres import PostgresSaver

    server = request.getfixturevalue("postgresql")
    with PostgresSaver.from_conn_string(server) as saver:
        saver.setup()
        saver.delete_thread(CONFIG["configurable"]["thread_id"])
        yield Sync(saver)


@pytest.fixture(scope="module")
def postgresql():
    with empty_postgresql() as url:
        yield url


SAVERS = {
    "memory": on_memory,
    "sqlite": on_sqlite,
    "async sqlite": on_async_sqlite,
    "postgresql": on_postgresql,
}


@pytest.fixture(
    params=[
        pytest.param(name, marks=pytest.mark.servers if name == "postgresql" else ())
        for name in SAVERS
    ]
)
def thread(request, tmp_path):
    with SAVERS[request.param](tmp_path, request) as made:
        yield made


@pytest.fixture
def context(files, tmp_path):
    def context(owner="ada", **settings):
        given = {"sources": (str(files[owner]),), "folder": str(tmp_path / "w"), **settings}
        return wl.Context(**given)

    return context


def test_each_question_of_a_thread_gets_its_own_answer(thread, context, files):
    questions = [
        (HIGHEST, context(), "ada29"),
        (HIGHEST, context(), "ada29"),  # the same again
        (LOWEST, context(), "ada00"),
        (HIGHEST, context("bob"), "bob29"),  # other sources
        ("How many rows are there?", context("bob"), ROWS),
        (HIGHEST, context(privacy="samples"), "ada29"),  # another level
    ]
    for question, settings, value in questions:
        given = thread.invoke({"question": question}, settings)
        assert (given["status"], given["value"]) == ("answered", value)
        assert "bob" not in str(thread.state()) or settings.sources == context("bob").sources
    table("eve").to_csv(files["ada"], index=False)  # the file changed
    assert thread.invoke({"question": HIGHEST}, context())["value"] == "eve29"
    denied = thread.invoke({"question": HIGHEST}, context(denied=("site",)))
    assert "eve" not in str(denied)


def test_a_question_that_fails_gives_nothing_of_the_one_before(thread, context):
    assert thread.invoke({"question": HIGHEST}, context())["value"] == "ada29"
    failed = thread.invoke({"question": LOWEST}, wl.Context(sources=("nowhere.csv",)))
    assert failed["status"] == "failed"
    assert (failed["value"], failed["table"], failed["label"]) == (None, {}, "")
    assert "ada" not in str(failed)
    unknown = thread.invoke({"question": "Who painted the moon?"}, context())
    assert (unknown["status"], unknown["value"], unknown["error"]) == ("unanswered", None, {})


def moves(*labels):
    """Two filters in a row, then the answer."""
    rows = {"column": "yield_t", "op": ">", "value": 3}
    steps = [("Look.", "Filter", {"table": label, "where": [rows]}) for label in labels]
    return [*steps, ("Done.", "Finish", {"table": "T1", "note": "so"})]


def test_steps_labels_and_budgets_are_counted_for_each_question(thread, context):
    model = wl.Script(moves("trials"))
    for _ in range(3):
        thread.invoke({"question": HIGHEST}, context(chat_model=model, max_steps=2))
        kept = thread.state()
        tree = kept["tree"]
        assert (kept["memory"]["step"], tree["minted"]) == (2, 1)
        assert list(tree["nodes"]) == ["trials", "T1"]
        assert kept["spent"]["usage"]["requests"] == 2
    assert all(prompt.count("T1") for prompt in model.prompts[1::2])
    assert model.prompts[0] == model.prompts[2] == model.prompts[4]


def test_no_cell_told_at_one_level_is_told_again_at_another(thread, context):
    open_ = wl.Script(moves("trials"))
    thread.invoke({"question": HIGHEST}, context(chat_model=open_, privacy="samples"))
    assert any("ada0" in prompt for prompt in open_.prompts)
    for level in ("schema", "statistics"):
        strict = wl.Script(moves("trials"))
        thread.invoke({"question": LOWEST}, context(chat_model=strict, privacy=level))
        assert strict.prompts
        assert not [prompt for prompt in strict.prompts if "ada" in prompt]


ASKS = [
    [
        (
            "So?",
            "Aggregate",
            {"table": "trials", "measures": [{"function": f, "column": "yield_t"}]},
        )
        for f in ("mean", "max")
    ],
    (
        "Which?",
        "Ask",
        {"question": "Which?", "readings": ["mean", "most"], "tables": ["T1", "T2"]},
    ),
]
OTHERWISE = {
    "privacy": ({"privacy": "schema"}, "begun with privacy='samples', not 'schema'"),
    "denied": ({"denied": ("site",)}, r"begun with denied=\(\), not \('site',\)"),
    "tables": ({"owner": "bob"}, "about a table 'trials' with other cells"),
    "profile": ({"profile": "sql"}, "begun with profile='standard', not 'sql'"),
    "engine": ({"engine": "duckdb"}, "begun with engine='polars', not 'duckdb'"),
    "craft": ({"craft": "off"}, "begun with craft='on', not 'off'"),
    "sandbox": ({"sandbox": "container"}, "begun with sandbox='auto', not 'container'"),
}


@pytest.mark.parametrize("name", OTHERWISE)
def test_a_paused_run_goes_on_only_as_it_was_begun(thread, context, name):
    settings = {"chat_model": wl.Script(ASKS), "privacy": "samples", "interactive": True}
    paused = thread.invoke({"question": "What is the yield?"}, context(**settings))
    assert paused["__interrupt__"]
    other, told = OTHERWISE[name]
    silent = wl.Script([])
    with pytest.raises(SettingsError, match=f"this run (was|is) {told}; resume it as it was begun"):
        thread.invoke(Command(resume="2"), context(**{**settings, "chat_model": silent, **other}))
    assert silent.prompts == []
    assert thread.invoke(Command(resume="2"), context(**settings))["value"] == ROWS - 1


def test_a_paused_run_goes_on_as_it_was_begun(thread, context):
    settings = context(chat_model=wl.Script(ASKS), privacy="samples", interactive=True)
    thread.invoke({"question": "What is the yield?"}, settings)
    assert thread.invoke(Command(resume="2"), settings)["value"] == ROWS - 1


def test_a_new_question_leaves_a_paused_one(thread, context):
    settings = context(chat_model=wl.Script(ASKS), interactive=True)
    thread.invoke({"question": "What is the yield?"}, settings)
    assert thread.invoke({"question": LOWEST}, context())["value"] == "ada00"


# --- Graphs around it ------------------------------------------------------------------------


def test_a_question_goes_on_from_a_frame_of_the_one_before(thread, context):
    model = wl.Script(moves("trials", "T1"))
    assert thread.invoke({"question": HIGHEST}, context(chat_model=model))["label"] == "T1"
    wrong = thread.invoke({"question": LOWEST, "start": "T7"}, context(chat_model=model))
    assert wrong["status"] == "failed" and wrong["value"] is None
    assert "no frame 'T7' to go on from; the frames are trials, T1, T2" in wrong["answer"]
    further = wl.Script([("Count.", "Aggregate", COUNT), ("Done.", "Finish", {})])
    given = {"question": "how many rows?", "start": "t2"}
    answer = thread.invoke(given, context(chat_model=further))
    assert answer["status"] == "answered"
    nodes = thread.state()["tree"]["nodes"]
    assert nodes[answer["label"]]["parents"] == ["T2"]
    assert HIGHEST not in str(answer) and "T2" in further.prompts[0]


def test_nothing_is_gone_on_from_at_a_level_that_shows_less(thread, context):
    model = wl.Script(moves("trials"))
    thread.invoke({"question": HIGHEST}, context(chat_model=model, privacy="samples"))
    closed = wl.Script(moves("trials"))
    given = {"question": LOWEST, "start": "T1"}
    answer = thread.invoke(given, context(chat_model=closed))
    assert "ada0" not in "".join(closed.prompts)
    assert any("Nothing that was asked before was used" in one for one in answer["caveats"])


class Outer(TypedDict, total=False):
    question: str
    status: str
    value: object
    table: dict


def test_a_graph_around_it_keeps_no_value_of_the_question_before(context):
    builder = StateGraph(Outer, context_schema=wl.Context)
    builder.add_node("tables", wl.build_graph())
    builder.add_edge(START, "tables")
    builder.add_edge("tables", END)
    outer = builder.compile(InMemorySaver())
    assert outer.invoke({"question": HIGHEST}, CONFIG, context=context())["value"] == "ada29"
    failed = outer.invoke({"question": LOWEST}, CONFIG, context=wl.Context(sources=("no.csv",)))
    assert (failed["status"], failed["value"], failed["table"]) == ("failed", None, {})


def test_a_question_begins_with_a_value_of_its_own_in_every_channel():
    fresh = state.begin_question({})
    assert get_type_hints(state.AskState).keys() == {"question"} | fresh.keys()
    assert [name for name, value in fresh.items() if value] == ["form"]


def test_a_run_and_its_graph_have_few_channels():
    assert len(get_type_hints(state.RunState)) <= 25
    assert len(get_type_hints(state.AskState)) <= 25


def test_updates_side_by_side_are_folded_field_by_field():
    one = {"tree": {"nodes": {"T1": {}}, "head": "T1", "moves": [1]}, "spent": {"seconds": 1.0}}
    other = {"tree": {"nodes": {"T2": {}}, "head": "T2", "moves": [2]}, "spent": {"seconds": 2.0}}
    both = state.combine(one, other, {"memory": {"step": 1}}, {"memory": {"notes": ["n"]}})
    assert both["tree"] == {"nodes": {"T1": {}, "T2": {}}, "head": "T2", "moves": [1, 2]}
    assert (both["spent"], both["memory"]) == ({"seconds": 3.0}, {"step": 1, "notes": ["n"]})


# --- Named threads of `ask` -------------------------------------------------------------------


PLACES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.servers)]


@pytest.fixture(params=PLACES)
def place(request):
    """The setting of either place."""
    return request.param if request.param == "sqlite" else request.getfixturevalue("postgresql")


@pytest.fixture
def named(tmp_path, files, place):
    def named(question=HIGHEST, owner="ada", **settings):
        given = {"thread": "t", "folder": str(tmp_path / "w"), "checkpoints": place, **settings}
        return ask(question, str(files[owner]), **given)

    return named


class Cut(BaseException):
    pass


def cut_at(kind, number=1):
    left = number

    def listen(event):
        nonlocal left
        left -= event.kind == kind
        if not left:
            raise Cut

    return listen


def test_a_named_thread_gives_its_answer_again_to_its_own_question_alone(named, files):
    first = named()
    assert named() == first
    with pytest.raises(SettingsError, match="thread 't' is of the question 'Which site has the hi"):
        named(LOWEST)
    with pytest.raises(SettingsError, match="thread 't' is about a table 'trials' with other cell"):
        named(owner="bob")
    table("eve").to_csv(files["ada"], index=False)
    with pytest.raises(SettingsError, match="thread 't' is about a table 'trials' with other cell"):
        named()
    table("ada").to_csv(files["ada"], index=False)
    assert named() == first


class EarlierState(TypedDict, total=False):
    question: str
    form: str
    nodes: dict


def test_a_named_thread_of_an_earlier_version_is_refused(named, tmp_path):
    builder = StateGraph(EarlierState)
    builder.add_node("begin", lambda _: {"form": state.ANSWER_FORM, "nodes": {"T1": {}}})
    builder.add_edge(START, "begin")
    with open_shelf(Place(tmp_path / "w")) as shelf:
        config = {"configurable": {"thread_id": "t"}}
        builder.compile(shelf.saver).invoke({"question": HIGHEST}, config)
    with pytest.raises(SettingsError, match="'t' was kept by an earlier version of Wideleaf"):
        named(checkpoints="sqlite")


@pytest.mark.parametrize(
    "name", [name for name in OTHERWISE if name not in ("privacy", "denied", "tables")]
)
def test_a_named_thread_is_bound_to_what_its_actions_meant(named, name):
    named()
    other, told = OTHERWISE[name]
    with pytest.raises(SettingsError, match=f"thread 't' was {told}; name another thread"):
        named(**other)


def test_other_tables_are_named(named, place, tmp_path):
    named()
    with pytest.raises(SettingsError, match="is about the tables 'trials', not 'a', 'b'; name"):
        frames = {"a": table("a"), "b": table("b")}
        ask(HIGHEST, frames, thread="t", folder=str(tmp_path / "w"), checkpoints=place)


@pytest.mark.parametrize("before", ["statistics", "samples"])
@pytest.mark.parametrize("cut", [True, False], ids=["cut off", "ended"])
def test_at_another_level_a_named_thread_is_asked_anew_and_says_so(named, before, cut):
    first = wl.Script(moves("trials", "T1")[:-1] + [("Done.", "Finish", {"table": "T2"})] * 2)
    settings = {"model": first, "privacy": before}
    if cut:
        with pytest.raises(Cut):
            named(on_event=cut_at("observation", 3), **settings)
    else:
        named(**settings)
    told = "quartiles" if before == "statistics" else "ada"
    assert any(told in prompt for prompt in first.prompts)
    second = wl.Script(moves("trials"))
    result = named(model=second, privacy="schema")
    assert result.status == "answered"
    assert f"Thread 't' was begun with privacy={before!r}, not 'schema'" in result.caveats[0]
    assert "Step 1 of" in second.prompts[0]
    assert not [p for p in second.prompts if "quartiles" in p or "ada" in p]
    assert "quartiles" not in result.tree.model_dump_json()
    assert named(model=wl.Script([]), privacy="schema").value == result.value


def test_with_other_columns_denied_a_named_thread_is_asked_anew(named):
    with pytest.raises(Cut):
        named(model=wl.Script(moves("trials")), on_event=cut_at("observation", 2))
    second = wl.Script(moves("trials"))
    result = named(model=second, denied=("site",))
    assert result.caveats[0].startswith("Thread 't' was begun with denied=(), not ('site',), so")
    assert not [prompt for prompt in second.prompts if "site (text)" in prompt]


def test_a_run_that_an_outage_ended_goes_on_when_the_server_is_back(named):
    where = {"table": "trials", "where": [{"column": "yield_t", "op": ">", "value": 3}]}
    up, down = Served(calls=(("Filter", where),)), Served("down", status=401)
    with OpenAIServer(up, down) as server:
        settings = {"model": "local", "base_url": server.url}
        with pytest.raises(ModelError, match="refuses the key") as failed:
            named(**settings)
        assert [node.label for node in failed.value.result.tree.nodes] == ["trials", "T1"]
        with pytest.raises(ModelError):  # still down: asked, and the same again
            named(**settings)
        assert len(server.requests) == 3
        done = Served(calls=(("Finish", {"table": "T1", "note": "so"}),))
        server.answers = (done,)
        result = named(**settings)
        assert (result.status, result.label) == ("answered", "T1")
        assert len(server.requests) >= 4  # the critic may have sent it back
        assert result.steps == len(server.requests) - 2
        assert result.usage.requests == result.steps
        assert named(**settings) == result


def test_a_run_that_a_budget_ended_goes_on_with_a_larger_one(named):
    model = wl.Script([*moves("trials", "T1")[:2], ("Done.", "Finish", {"table": "T2"})] * 2)
    short = named(model=model, max_steps=1)
    assert short.status == "partial"
    assert named(model=model, max_steps=1) == short
    whole = named(model=model, max_steps=10)
    assert (whole.status, whole.label) == ("answered", "T2")
    assert [node.label for node in whole.tree.nodes] == ["trials", "T1", "T2"]


def test_a_run_that_ended_in_useless_replies_is_not_asked_again(named):
    model = wl.Script(["Hm."] * 9)
    first = named(model=model)
    assert (first.status, len(model.prompts)) == ("partial", 3)
    assert named(model=model) == first
    assert len(model.prompts) == 3


def test_a_frame_is_never_made_of_another_table_of_the_same_name(tmp_path, files):
    from wideleaf.tools.sources.opening import open_catalog
    from wideleaf.tools.steps.store import FrameStore

    first = ask(HIGHEST, str(files["ada"]), folder=str(tmp_path / "w"))
    catalog = open_catalog([str(files["bob"])], tmp_path / "w")
    store = FrameStore(tmp_path / "w", catalog)
    with pytest.raises(wl.SourceError, match="'trials' is another one than this frame was made"):
        store.get(first.tree[first.label].id)


def test_a_file_of_threads_that_is_none_is_told_with_its_path(files, tmp_path):
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / THREADS).write_bytes(b"no database at all" * 100)
    with pytest.raises(SettingsError, match=r"threads\.sqlite' cannot be used \(file is not a"):
        ask(HIGHEST, str(files["ada"]), thread="t", folder=str(tmp_path / "w"))


def test_a_file_of_threads_that_another_holds_is_waited_for_then_told(tmp_path, monkeypatch):
    monkeypatch.setattr("wideleaf.graph.checkpoints.shelf.PATIENCE", 0.2)
    with open_shelf(Place(tmp_path)):
        pass
    with sqlite3.connect(tmp_path / THREADS) as other:
        other.execute("BEGIN EXCLUSIVE")
        told = pytest.raises(SettingsError, match=r"cannot be used .*no other run holds it")
        with told, open_shelf(Place(tmp_path)) as shelf:
            shelf.remove("b")
    other.close()
