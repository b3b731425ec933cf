"""The prompts: pinned word for word, and bounded however wide the table and long the run."""

import json
from pathlib import Path
from random import Random

import narwhals as nw
import pandas as pd
import polars as pl
import pytest
from acting import tries
from grown import add, long
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage, SystemMessage
from work import calls_in

from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.models.script import Script
from wideleaf.agents.models.tools_in_prompt import signatures, word_messages
from wideleaf.agents.requests import cut_question, shorten_question
from wideleaf.agents.supervisor.supervisor import Supervisor
from wideleaf.agents.supervisor.toolbox import tools_for
from wideleaf.agents.turn import View
from wideleaf.graph.selection import COLUMNS_CHARACTERS
from wideleaf.graph.sessions.run import ask
from wideleaf.prompts import render
from wideleaf.retrieval.descent import IndexRetriever
from wideleaf.tools.actions.registry import ACTIONS
from wideleaf.tools.privacy import LEVELS, Policy
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.tree import FrameTree

CHARACTERS_A_TOKEN = 4
MAX_TOKENS = 4000


@pytest.mark.parametrize("level", LEVELS)
def test_the_prompt_of_a_turn_is_its_golden_file(golden, tmp_path, level):
    trials = pd.DataFrame({"site": list("abc") * 10, "yield": [float(n) for n in range(30)]})
    where = [{"column": "site", "op": "==", "value": "A"}]
    moves = [
        ("Only a.", "Filter", {"table": "trials", "where": where}),
        ("Wrong.", "Select", {"table": "T1", "columns": ["town"]}),
        ("Back.", "Backtrack", {"to": "trials", "reason": "b was meant"}),
        ("Done.", "Finish", {"table": "T1"}),
    ]
    model = Script(moves)
    ask("How many?", {"trials": trials}, model=model, privacy=level, folder=str(tmp_path))
    golden(f"prompt_{level}.txt", model.prompts[3])


def test_the_text_form_is_its_golden_file(golden):
    golden("prompt_text_form.txt", render("text_form", tools=signatures(tools_for("", long(1)))))


def compact(tools):
    """The tools as they are sent: JSON without blanks."""
    return json.dumps(tools, separators=(",", ":"))


def wide_table():
    stems = [f"SatDom_{a}{b}_index_{c}" for a in "ABCDEFGH" for b in "xyz" for c in "pq"]
    names = [f"{stem}_{day}" for stem in stems for day in range(20)]
    names += [f"{'long_' * 30}{n}_{'abcdefgh'[n % 8] * (n % 40)}" for n in range(120)]
    cells = {name: [1.0, 2.0] for name in dict.fromkeys(names)}
    return pd.DataFrame(cells | {"site": ["a", "b"]})


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A folder that keeps what is read and embedded of the wide table."""
    return tmp_path_factory.mktemp("kept")


@pytest.mark.embeds
@pytest.mark.parametrize("text", [False, True])
def test_no_request_passes_four_thousand_tokens_on_a_wide_table(kept, text):
    total = {"row": "sum", "columns": ["SatDom_*"]}
    moves = [
        ("Think. " * 60, "Derive", {"table": "wide", "name": f"x{n}" * 20, "expression": total})
        for n in range(6)
    ]
    moves.append(("Done.", "Finish", {"table": "T1"}))
    model = Script(moves, text=text)
    question = "Which long SatDom index abcdefgh of p or q has the largest sum at a site? " * 4
    ask(question, {"wide": wide_table()}, model=model, folder=str(kept))
    tools = 0 if text else len(compact(tools_for(question, long(1))))
    largest = max(len(prompt) for prompt in model.prompts) + tools
    assert largest / CHARACTERS_A_TOKEN < MAX_TOKENS


def test_no_request_passes_four_thousand_tokens_in_a_long_run():
    shown = "c" * COLUMNS_CHARACTERS
    view = View(question="Which? " * 30, tree=long(200), columns=shown, notes=("n" * 300,))
    assert size_of(view) / CHARACTERS_A_TOKEN < MAX_TOKENS


def size_of(view, opened=(), level="schema", text=False):
    """Characters of one request as it is sent: messages and tools as compact JSON."""
    form = "text" if text else "tools"
    supervisor = Supervisor(Gateway(Script(), Policy(level=level), reply_form=form))
    tools = tools_for(view.question, view.tree, opened)
    system, human = supervisor.prompt(view, tools)
    if text:
        messages = word_messages([SystemMessage(system), HumanMessage(human)], tools)
        system, human = (message.text for message in messages)
    messages = [{"role": "system", "content": system}, {"role": "user", "content": human}]
    sent = {"messages": messages, "tools": [] if text else tools}
    return len(json.dumps(sent, separators=(",", ":"), ensure_ascii=False))


WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=20)
LONG = st.builds(lambda word, times: word * times, WORDS, st.integers(0, 400))
NAMES = [action.__name__ for action in ACTIONS]
ARGUMENTS = st.dictionaries(WORDS, st.lists(WORDS, max_size=6) | LONG, max_size=4)


@st.composite
def trees(draw):
    """Any leaves, steps, failures and moves, with long and odd texts in every place."""
    tree = FrameTree()
    for place in range(draw(st.integers(0, 60))):
        labels = [node.label for node in tree.nodes if node.outcome == "ok"]
        parents = [draw(st.sampled_from(labels))] if labels and draw(st.booleans()) else []
        failed = bool(parents) and draw(st.integers(0, 3)) == 0
        tree = add(
            tree,
            f"T{place}" if parents else f"{draw(LONG)[:200]}{place}",
            draw(st.sampled_from(NAMES)) if parents else "Load",
            draw(ARGUMENTS),
            parents,
            thought=draw(LONG),
            observation=draw(LONG),
            error=draw(LONG) or "wrong" if failed else "",
        )
        labels = [node.label for node in tree.nodes if node.outcome == "ok"]
        if draw(st.integers(0, 4)) == 0:
            tree = tree.back(draw(st.sampled_from(labels)), draw(LONG), "back")
    return tree


@settings(max_examples=tries(60))
@given(
    trees(),
    st.one_of(LONG, st.integers(0, 40_000).map(lambda size: "per month " * (size // 10))),
    LONG,
    st.lists(LONG, max_size=8),
    st.lists(st.sampled_from(NAMES), max_size=20),
    st.sampled_from(LEVELS),
    st.booleans(),
)
def test_no_request_passes_four_thousand_tokens_whatever_was_done(
    tree, question, columns, notes, opened, level, text
):
    view = View(question=question, tree=tree, columns=columns, notes=tuple(notes), step=1000)
    assert size_of(view, opened, level, text) <= MAX_TOKENS * CHARACTERS_A_TOKEN


def test_the_room_holds_though_everything_is_as_long_as_it_may_be():
    quotes = '"\\' * 20_000
    tree = add(FrameTree(), quotes[:200], "Load", {"source": quotes}, observation=quotes)
    for place in range(60):
        tree = add(
            tree,
            f"T{place}",
            "Window",
            {"by": [quotes] * 9},
            [tree.head],
            thought=quotes,
            observation=quotes,
        )
    for opened in ((), NAMES, ["Window", "Resample", "Anomaly", "Pivot"]):
        view = View(question=quotes, tree=tree, columns=quotes, notes=(quotes,) * 9)
        assert size_of(view, opened) <= MAX_TOKENS * CHARACTERS_A_TOKEN


def test_a_question_of_few_characters_takes_its_room_as_json():
    opened = ["Derive", "Intersect", "Get", "DropNulls", "Union", "Impute", "Bin", "Fit", "Test"]
    tree = FrameTree()
    few, many = (
        len(compact(tools_for(question, tree, opened)))
        for question in ("\x1d\x89" * 314, "a\x89" * 314)
    )
    assert few < many


def test_a_question_of_five_thousand_words_is_shown_by_its_ends_and_that_is_said(tmp_path):
    trials = pd.DataFrame({"site": list("abc"), "yield": [1.0, 2.0, 3.0]})
    question = f"How many {' '.join(f'word{n}' for n in range(5000))} trials are there at the end?"
    count = {"table": "trials", "measures": [{"function": "count"}]}
    model = Script([("Count.", "Aggregate", count), ("Done.", "Finish", {"table": "T1"})])
    tables = {"trials": trials}
    result = ask(question, tables, model=model, second_opinion=False, folder=str(tmp_path))
    assert result.value == 3
    shown = model.prompts[0]
    assert "Question: How many word0 word1" in shown
    assert "trials are there at the end?" in shown
    assert "characters left out here" in shown and "word2500" not in shown
    tools = len(compact(tools_for(question, long(1))))
    assert (len(shown) + tools) / CHARACTERS_A_TOKEN < MAX_TOKENS
    assert result.usage.largest < MAX_TOKENS
    told = f"The question has {len(question)} characters; the model was shown its first 1400"
    assert any(caveat.startswith(told) for caveat in result.caveats)


@given(st.text(min_size=2001, max_size=9000))
def test_a_long_question_keeps_its_ends_and_says_how_much_is_left_out(question):
    shown = shorten_question(question)
    start, _, rest = shown.partition("\n[... ")
    left = int(rest.split(" ", 1)[0])
    assert question.startswith(start) and question.endswith(rest.partition("...]\n")[2])
    assert len(start) + left + len(rest.partition("...]\n")[2]) == len(question)
    assert len(shown) < 2100


@given(st.text(st.characters(categories=["L", "N", "P", "Zs"]), max_size=1000))
def test_a_question_of_usual_length_is_shown_as_it_is(question):
    assert shorten_question(question) == question
    assert cut_question(question) == ""


def test_the_work_of_choosing_columns_grows_no_faster_than_the_words_of_a_question():
    random = Random(1)

    def word():
        return "".join(random.choices("abcdefghijklmnoprstu", k=8))

    names = [f"{word()} {word()}" for _ in range(3000)]
    wide = Table(nw.from_native(pl.LazyFrame({name: [1.0] for name in names})))
    retriever = IndexRetriever(Path("nowhere"))

    def choose(words):
        question = f"{' '.join(word() for _ in range(words))} {names[2321]}"
        assert retriever.select(question, {"wide": wide}).picks[0].reference == names[2321]

    choose(5000)
    assert calls_in(lambda: choose(1000)) < 3 * calls_in(lambda: choose(500))


def test_sixty_tables_with_long_names_and_headers_stay_within_the_room(tmp_path):
    tables = {
        f"{'table_' * 30}{n}": pd.DataFrame({f"{'header ' * 28}{c}": [1.0] for c in range(40)})
        for n in range(60)
    }
    model = Script([("Done.", "Finish", {"table": f"{'table_' * 30}0"})])
    question = "How many header 7 are in table 3 per month?"
    ask(question, tables, model=model, second_opinion=False, folder=str(tmp_path))
    tools = compact(tools_for(question, long(1), asks=False))
    assert len(tools) + len(model.prompts[0]) < 16_000
    assert "Not opened, Load brings them in" in model.prompts[0]


def test_what_is_said_of_tables_stays_where_columns_have_no_room():
    columns = "\n".join(f"table{t}: 40 columns\n  " + "\n  ".join("c" * 60) for t in range(27))
    columns += "\nForeign keys: a.b = c.d\nNot opened, Load brings them in: more"
    view = View(question="q" * 1200, tree=long(200), columns=columns, notes=("n" * 900,))
    supervisor = Supervisor(Gateway(Script(), Policy()))
    human = supervisor.prompt(view, tools_for(view.question, view.tree, ["Window", "Pivot"]))[1]
    assert "Foreign keys: a.b = c.d\nNot opened, Load brings them in: more\n(more is" in human
    assert "table26: 40 columns" in human and human.count("\n  c") < 27 * 60
    assert "HEAD:" in human and "LAST OBSERVATIONS" in human
