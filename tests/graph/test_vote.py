"""The strategy vote: who wins, when it ends, what counts for all samples, and what is kept."""

import json
import os
import subprocess
import sys
from threading import Barrier, Thread

import pandas as pd
import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from openai_server import Answer, OpenAIServer
from voters import (
    BROKEN,
    LOST,
    MOREE,
    NOWHERE,
    PERTH,
    QUESTION,
    ROMA,
    SITES,
    number_of,
    only,
    voters,
)  # fmt: skip

import wideleaf as wl
from wideleaf.graph.app import build_graph
from wideleaf.graph.chat import build_chat
from wideleaf.graph.context import Context
from wideleaf.graph.results.result import Result
from wideleaf.graph.shell import shell as cli
from wideleaf.tools.errors import ModelError, SettingsError
from wideleaf.tools.sandbox.protection.protection import protection

needs_wall = pytest.mark.skipif(not protection().wall, reason=protection().why_not or "no wall")


@pytest.fixture
def ask(tmp_path):
    def ask(*samples, **settings):
        model = voters(*samples) if samples else None
        settings = {"strategy": "vote", "folder": str(tmp_path / "w"), "model": model, **settings}
        return wl.ask(QUESTION, {"sites": SITES}, **settings)

    return ask


def requests_of(result):
    return [sample.usage.requests for sample in result.samples]


# --- Who wins -------------------------------------------------------------------------------


def test_the_answer_of_most_samples_wins_with_its_own_tree(ask):
    result = ask(ROMA, PERTH, PERTH, MOREE, PERTH)
    assert (result.status, result.value, result.confidence) == ("answered", "Perth", 0.6)
    assert [sample.value for sample in result.samples] == [
        "Roma",
        "Perth",
        "Perth",
        "Moree",
        "Perth",
    ]
    assert [sample.votes for sample in result.samples] == [1, 3, 3, 1, 3]
    assert result.tree == result.samples[1].tree
    assert result.usage.requests == sum(requests_of(result)) == 15
    assert "3 of 5 samples gave this answer; 1 gave 'Roma', 1 gave 'Moree'." in result.caveats


def test_order_of_rows_and_columns_and_the_writing_of_values_make_no_other_vote(ask):
    both = only("Roma", "Perth", columns=("site", "yield_t"))
    turned = [
        *both[:2],
        ("Turn.", "Sort", {"table": "T2", "by": [{"column": "site"}]}),
        ("Again.", "Select", {"table": "T3", "columns": ["yield_t", "site"]}),
        ("Done.", "Finish", {"table": "T4", "note": "so"}),
    ]
    result = ask(MOREE, both, turned, samples=3)
    assert [sample.votes for sample in result.samples] == [1, 2, 2]
    assert result.samples[1].frame.values.tolist() != result.samples[2].frame.values.tolist()


def test_a_tie_goes_to_the_earliest(ask):
    assert ask(MOREE, PERTH, ROMA, ROMA, PERTH, vote_early=False).value == "Perth"
    assert ask(MOREE, PERTH, samples=2).value == "Moree"


def test_failures_and_empty_answers_never_win(ask):
    result = ask(BROKEN, NOWHERE, NOWHERE, BROKEN, ROMA)
    assert result.value == "Roma"
    assert [sample.status for sample in result.samples] == [
        *("failed", "answered", "answered", "failed", "answered")
    ]
    assert "1 of 5 samples gave this answer" in " ".join(result.caveats)
    assert "2 ended failed" in " ".join(result.caveats)


def test_that_nothing_is_there_is_the_answer_where_no_sample_has_another(ask):
    result = ask(NOWHERE, BROKEN, NOWHERE, samples=3)
    assert (result.status, result.value, result.samples[1].status) == ("answered", [], "failed")


def test_without_any_answer_the_run_ends_as_the_sample_that_came_farthest(ask):
    result = ask(BROKEN, LOST, BROKEN, samples=3, max_steps=4)
    assert (result.status, result.label) == ("partial", "")
    assert "None of 3 samples came to an answer: 2 ended failed, 1 ended partial." in result.caveats
    with pytest.raises(ModelError, match="out of order") as error:
        ask(BROKEN, BROKEN, samples=2)
    assert [sample.status for sample in error.value.result.samples] == ["failed", "failed"]


# --- When it ends ---------------------------------------------------------------------------


def test_no_more_samples_are_asked_than_the_vote_is_decided_by(ask):
    early = ask(PERTH, PERTH, PERTH, BROKEN, BROKEN)
    assert (len(early.samples), early.value, early.confidence) == (3, "Perth", 1.0)
    assert len(ask(PERTH, ROMA, PERTH, PERTH, BROKEN).samples) == 4
    whole = ask(PERTH, PERTH, PERTH, ROMA, BROKEN, vote_early=False)
    assert (len(whole.samples), whole.confidence) == (5, 0.6)


def test_samples_wait_for_the_model_side_by_side(tmp_path):
    together = Barrier(3, timeout=60)

    def choose(asked):
        return Answer(calls=(("Finish", {"table": "sites", "note": "all"}),))

    class Together(OpenAIServer):
        def serve(self, http):
            together.wait()  # no reply goes out before three requests are there
            super().serve(http)

    with Together(choose=choose) as server:
        result = wl.ask(
            QUESTION, {"sites": SITES}, model="any", base_url=server.url, strategy="vote",
            folder=str(tmp_path / "w"), second_opinion=False, samples=5,
        )  # fmt: skip
    assert (len(result.samples), result.confidence) == (3, 1.0)
    assert {asked["temperature"] for asked in server.requests} == {1.0}
    assert "This is sample" not in json.dumps(server.requests)


def test_a_model_at_one_temperature_is_told_which_sample_it_is(tmp_path):
    done = Answer(calls=(("Finish", {"table": "sites", "note": "all"}),))
    with OpenAIServer(done) as server:
        settings = {"model": "any", "base_url": server.url, "folder": str(tmp_path / "w")}
        wl.ask(QUESTION, {"sites": SITES}, strategy="vote", vote_temperature=0, **settings)
        plain = len(server.requests)
        wl.ask(QUESTION, {"sites": SITES}, **settings)
    told = [asked["messages"][0]["content"] for asked in server.requests]
    assert {*map(number_of, told[:plain])} == {1, 2, 3}
    assert all("This is sample" not in one for one in told[plain:])
    assert {asked["temperature"] for asked in server.requests} == {0.0}


@pytest.mark.parametrize(
    ("verify", "temperatures"), [("paper", [0, 0.7, 0.7]), ("error", [0, 0, 0])]
)
def test_the_papers_further_tries_are_one_request_sampled_anew(tmp_path, verify, temperatures):
    with OpenAIServer(Answer("I cannot write that.")) as server:
        for _ in range(2):  # the second time all replies are kept ones
            wl.ask(
                QUESTION, {"sites": SITES}, model="any", base_url=server.url, strategy="pandas",
                folder=str(tmp_path / "w"), verify=verify, vote_temperature=0.7,
                second_opinion=False, cache=True,
            )  # fmt: skip
            asked = server.requests
            assert [one["temperature"] for one in asked] == temperatures
        first, *others = [one["messages"] for one in asked]
        assert (others == [first, first]) == (verify == "paper")


# --- A mixture of strategies ----------------------------------------------------------------


@pytest.mark.sandbox
@needs_wall
def test_samples_go_round_the_strategies_that_are_named(tmp_path):
    best = "```python\nresult = df.sort_values('yield_t').tail(1)[['site']]\n```"
    model = voters(PERTH, [], PERTH, programs={"T1": ["", best]})
    result = wl.ask(
        QUESTION, {"sites": SITES}, model=model, strategy="vote", vote_of=("tree", "pandas"),
        samples=3, vote_early=False, folder=str(tmp_path / "w"),
    )  # fmt: skip
    assert [(s.strategy, s.crafted, s.value) for s in result.samples] == [
        *(("tree", False, "Perth"), ("pandas", True, "Perth"), ("tree", False, "Perth"))
    ]
    assert result.confidence == 1.0


def test_a_strategy_in_the_mixture_needs_what_it_needs_alone(ask):
    with pytest.raises(SettingsError, match="'pandas' needs a model"):
        ask(vote_of=["pandas"])
    with pytest.raises(SettingsError, match="vote_of"):
        ask(vote_of=["vote"])


# --- The embedded planner -------------------------------------------------------------------


def test_samples_of_the_embedded_planner_are_its_best_plans(tmp_path):
    table = pd.DataFrame({"site": list("abc"), "mean_yield": [1, 2, 3], "best_yield": [9, 8, 7]})
    question = "Which site has the highest yield?"
    folder = {"folder": str(tmp_path / "w")}
    result = wl.ask(question, {"t": table}, strategy="vote", vote_early=False, **folder)
    plans = [[node.id for node in s.tree.plan(s.label)] for s in result.samples if s.label]
    assert len({json.dumps(plan) for plan in plans}) == len(plans) >= 2
    alone = wl.ask(question, {"t": table}, **folder)
    assert result.samples[0].confidence == alone.confidence
    again = wl.ask(question, {"t": table}, strategy="vote", vote_early=False, **folder)
    assert again.model_copy(update={"seconds": 0, "samples": ()}) == result.model_copy(
        update={"seconds": 0, "samples": ()}
    )


def test_where_there_is_one_plan_it_is_said_that_one_voted(tmp_path):
    one = pd.DataFrame({"n": [1, 2]})
    result = wl.ask(
        "How many rows are there?", {"t": one}, strategy="vote", folder=str(tmp_path / "w")
    )
    assert (result.value, len(result.samples)) == (2, 1)
    assert any("has 1 plan for this question" in caveat for caveat in result.caveats)


# --- What counts for all samples ------------------------------------------------------------


def test_the_cache_tells_samples_apart_and_serves_each_its_own(ask):
    samples = (ROMA, PERTH, PERTH, MOREE, PERTH)
    first = ask(*samples, cache=True)
    assert (first.usage.requests, first.usage.cached) == (15, 0)
    # The replies are kept for what was sent, not for who sent it.
    second = ask(*samples, cache=True, vote_early=True)
    assert [s.value for s in second.samples] == [s.value for s in first.samples]


def test_the_cache_tells_equal_requests_of_samples_apart(tmp_path):
    def reply(site):
        return [Answer(calls=(m[1:],)) for m in only(site)]

    turns = [a for site in ("Roma", "Perth", "Perth") for a in reply(site)]
    with OpenAIServer(*turns) as server:
        settings = {
            "model": "any", "base_url": server.url, "strategy": "vote", "samples": 3,
            "folder": str(tmp_path / "w"), "cache": True, "max_tokens": 10**6,
        }  # fmt: skip
        first = wl.ask(QUESTION, {"sites": SITES}, **settings)
        second = wl.ask(QUESTION, {"sites": SITES}, **settings)
        assert len(server.requests) == 9
    assert [s.value for s in first.samples] == ["Roma", "Perth", "Perth"]
    assert [s.value for s in second.samples] == ["Roma", "Perth", "Perth"]
    assert (second.usage.requests, second.usage.cached) == (0, 9)


def test_a_budget_counts_all_samples_and_the_votes_that_are_there(ask):
    each = ask(PERTH, samples=1)
    tokens = each.usage.prompt_tokens + each.usage.completion_tokens
    result = ask(PERTH, ROMA, PERTH, PERTH, PERTH, max_tokens=int(tokens * 2.5))
    assert result.status == "partial"
    assert [sample.status for sample in result.samples] == ["answered", "answered", "partial"]
    assert f"{result.answer}".startswith(f"The limit of {int(tokens * 2.5)} tokens was reached")
    assert "after 3 of 5 samples; most of those gave: " in result.answer
    assert "Perth" in result.answer and result.label == "T2"
    assert result.usage.prompt_tokens == sum(s.usage.prompt_tokens for s in result.samples)


def test_a_budget_that_ends_a_decided_vote_leaves_its_answer(ask):
    each = ask(PERTH, samples=1)
    tokens = each.usage.prompt_tokens + each.usage.completion_tokens
    settings = {"vote_early": False, "max_tokens": int(tokens * 3.5)}
    result = ask(PERTH, PERTH, PERTH, ROMA, ROMA, **settings)
    assert (result.status, result.value, len(result.samples)) == ("answered", "Perth", 4)


def test_steps_are_counted_for_each_sample(ask):
    result = ask(PERTH, PERTH, PERTH, max_steps=3)
    assert (result.status, result.value, result.steps) == ("answered", "Perth", 3)


# --- Going on -------------------------------------------------------------------------------

KILLED = """
import json, os, sys
import voters as t
import wideleaf as wl
import wideleaf.graph.sessions.run
def ask(folder, after, budget):
    asked = 0
    def move(messages):
        nonlocal asked
        asked += 1
        if asked > after:
            os._exit(9)
        return whole.policy(messages)
    whole = t.voters(t.ROMA, t.PERTH, t.PERTH)
    wl.ask(t.QUESTION, {"sites": t.SITES}, model=wl.Script(policy=move), strategy="vote", samples=3,
           folder=folder, thread="one", max_tokens=budget)
ends = []
for case in json.loads(sys.argv[1]):
    fork = os.fork()
    if fork == 0:
        try:
            ask(*case)
        finally:
            os._exit(1)
    ends.append(os.waitstatus_to_exitcode(os.waitpid(fork, 0)[1]))
print(json.dumps(ends))
"""
AFTER = (0, 2, 4, 8)
BUDGETS = (10**6, None)  # one sample after another, or side by side


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """Folders of votes whose process ended at a request: forks of one that has imported all."""
    place = tmp_path_factory.mktemp("killed")
    cases = {(after, budget): place / f"{after}-{budget}" for after in AFTER for budget in BUDGETS}
    asked = json.dumps([(str(folder), *case) for case, folder in cases.items()])
    path = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    words = [sys.executable, "-c", KILLED, asked]
    done = subprocess.run(words, env=path, check=True, capture_output=True, text=True)
    assert json.loads(done.stdout) == [9] * len(cases), done.stderr[-2000:]
    return cases


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("after", AFTER)
def test_a_vote_killed_in_a_sample_goes_on_with_what_is_missing(killed, ask, after, budget):
    model = voters(ROMA, PERTH, PERTH)
    folder = str(killed[after, budget])
    result = ask(model=model, samples=3, thread="one", max_tokens=budget, folder=folder)
    assert [sample.value for sample in result.samples] == ["Roma", "Perth", "Perth"]
    assert (result.value, result.usage.requests) == ("Perth", 9)
    # A thought that was kept, in whichever sample, is not had again.
    if budget:
        assert len(model.prompts) == 9 - after
    assert 9 - after <= len(model.prompts) <= 9


def test_a_vote_that_a_budget_ended_goes_on_with_a_larger_one(ask):
    each = ask(PERTH, samples=1)
    tokens = each.usage.prompt_tokens + each.usage.completion_tokens
    samples = (PERTH, ROMA, MOREE, MOREE, MOREE)
    cut = ask(*samples, thread="one", max_tokens=int(tokens * 2.5))
    assert (cut.status, len(cut.samples)) == ("partial", 3)
    whole = ask(*samples, thread="one", max_tokens=10**6)
    assert (whole.status, whole.value) == ("answered", "Moree")
    assert [sample.status for sample in whole.samples] == ["answered"] * 5


def test_samples_that_failed_are_asked_anew_as_the_settings_are_now(ask):
    with pytest.raises(ModelError):
        ask(BROKEN, BROKEN, samples=2, thread="one", vote_of=["tree"])
    again = ask(PERTH, PERTH, samples=2, thread="one", vote_of=["auto"])
    assert [sample.strategy for sample in again.samples] == ["auto"] * len(again.samples)


def test_two_votes_at_once_do_not_mix(tmp_path):
    results = {}

    def run(name, moves):
        results[name] = wl.ask(
            QUESTION, {"sites": SITES}, model=voters(*[moves] * 5), strategy="vote",
            folder=str(tmp_path / "w"), thread=name, vote_early=False,
        )  # fmt: skip

    threads = [Thread(target=run, args=(n, m)) for n, m in (("a", ROMA), ("b", PERTH))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [[s.value for s in results[name].samples] for name in "ab"] == [
        *(["Roma"] * 5, ["Perth"] * 5)
    ]


# --- Asking a person ------------------------------------------------------------------------


def measure(function):
    measures = [{"function": function, "column": "yield_t", "name": "typical"}]
    return ("So.", "Aggregate", {"table": "sites", "measures": measures})


def unclear(*functions):
    asked = {
        "question": "Which?",
        "readings": [f"the {f}" for f in functions],
        "tables": ["T1", "T2"],
    }
    return [[*map(measure, functions), ("Two readings.", "Ask", asked)]]


def test_what_a_person_chose_holds_for_all_samples(ask):
    seen = []

    def answer_back(question, options):
        seen.append(options)
        return "2"

    result = ask(
        unclear("min", "max"), unclear("max", "mean"), unclear("min", "max"),
        samples=3, vote_early=False, answer_back=answer_back,
    )  # fmt: skip
    assert seen == [["the min: typical: 2", "the max: typical: 4"]]
    assert [sample.value for sample in result.samples] == [4.0, 4.0, 4.0]


def test_another_question_of_a_sample_is_asked(ask):
    seen = []

    def answer_back(question, options):
        seen.append(options[0])
        return "1"

    ask(unclear("max", "mean"), unclear("min", "sum"), samples=2, answer_back=answer_back,
        vote_early=False)  # fmt: skip
    assert seen == ["the max: typical: 4", "the min: typical: 2"]


CODE = "```python\ndef best(sites):\n    return sites.nlargest(1, 'yield_t')[['site']]\n```"
CRAFTED = [
    (
        "no action does this",
        "Craft",
        {"tables": ["sites"], "task": "the best", "signature": "best(sites) -> site: text"},
    ),
    ("Done.", "Finish", {"table": "T1", "note": ""}),
]
WITHOUT = ("Done.", "Finish", {"table": "sites", "note": "all of them"})


@pytest.mark.sandbox
@needs_wall
@pytest.mark.parametrize(("said", "value"), [("2", "Perth"), ("1", None)])
def test_the_same_code_is_approved_or_declined_once(tmp_path, said, value):
    seen = []

    def answer_back(question, options):
        seen.append(question)
        return said

    moves = [CRAFTED[0], CRAFTED[1] if said == "2" else WITHOUT]
    result = wl.ask(
        QUESTION, {"sites": SITES}, model=voters(*[moves] * 3, programs={"T1": [CODE] * 3}),
        strategy="vote", samples=3, vote_early=False, craft="ask", answer_back=answer_back,
        folder=str(tmp_path / "w"), second_opinion=False,
    )  # fmt: skip
    assert len(seen) == 1
    assert [sample.crafted for sample in result.samples] == [said == "2"] * 3
    if value:
        assert result.value == value


def test_a_caller_of_the_graph_resumes_a_sample(tmp_path):
    graph = build_graph(InMemorySaver())
    SITES.to_csv(tmp_path / "sites.csv", index=False)
    context = Context(
        sources=(str(tmp_path / "sites.csv"),), strategy="vote", samples=3, interactive=True,
        chat_model=voters(*[unclear("min", "max")] * 3), folder=str(tmp_path / "w"),
    )  # fmt: skip
    config = {"configurable": {"thread_id": "1"}}
    paused = graph.invoke({"question": QUESTION}, config, context=context)
    assert paused["__interrupt__"][0].value["question"] == "Which?"
    given = graph.invoke(Command(resume="2"), config, context=context)
    assert (given["status"], given["value"], given["confidence"]) == ("answered", 4.0, 1.0)
    assert [s["votes"] for s in given["samples"]] == [2, 2]


# --- What is kept ---------------------------------------------------------------------------


def test_each_sample_is_a_result_that_is_shown_saved_and_replayed(ask, tmp_path):
    result = ask(ROMA, PERTH, PERTH, MOREE, PERTH)
    assert result.samples[0].frame["site"].tolist() == ["Roma"]
    assert "  2. 3 votes (auto) answered: site: Perth" in str(result).splitlines()
    assert "All 5 samples" in result._repr_html_()
    again = Result.load(result.save(tmp_path / "run.json"))
    assert again == result
    assert again.samples[3].plan.steps == result.samples[3].plan.steps
    assert wl.replay(result.plan, {"sites": SITES}, folder=str(tmp_path / "v")).value == "Perth"
    assert [leaf.leaf for leaf in result.trace().leaves] == ["sites"]
    assert "Perth" in result.to_sql()


def test_the_chat_says_how_the_vote_went(tmp_path):
    SITES.to_csv(tmp_path / "sites.csv", index=False)
    context = Context(
        sources=(str(tmp_path / "sites.csv"),), strategy="vote", folder=str(tmp_path / "w"),
        chat_model=voters(ROMA, PERTH, PERTH, MOREE, PERTH),
    )  # fmt: skip
    said = build_chat().invoke({"messages": [("user", QUESTION)]}, context=context)
    text = said["messages"][-1].text
    assert "Perth" in text and "Confidence: 60%" in text
    assert "3 of 5 samples gave this answer" in text


def test_events_say_of_which_sample_they_are(ask):
    events = []
    ask(PERTH, PERTH, samples=2, vote_early=False, on_event=events.append)
    assert {event.sample for event in events if event.kind == "action"} == {1, 2}
    assert events[-1].text == "2 of 2 samples gave the answer"


def test_a_dry_run_reckons_with_all_samples(ask):
    one = ask(PERTH, dry_run=True, strategy="tree")
    five = ask(PERTH, dry_run=True)
    assert (five.turns, five.run_tokens, five.most_tokens) == (
        *(5 * one.turns, 5 * one.run_tokens, 5 * one.most_tokens),
    )


def test_a_run_goes_on_under_settings_that_want_no_vote(ask):
    class Out(Exception):
        pass

    def stop(event):
        if event.sample == 2:
            raise Out

    samples = (ROMA, PERTH, PERTH)
    with pytest.raises(Out):
        ask(*samples, thread="one", max_tokens=10**6, on_event=stop)
    result = ask(*samples, thread="one", strategy="auto")
    assert (result.status, result.value, len(result.samples)) == ("answered", "Roma", 2)


def test_the_shell_tells_the_samples(tmp_path, capsys):
    SITES.to_csv(tmp_path / "sites.csv", index=False)
    given = ["ask", QUESTION, str(tmp_path / "sites.csv")]
    flags = ["--strategy", "vote", "--no-vote-early", "--folder", str(tmp_path / "w")]
    assert cli.main([*given, *flags, "--samples", "2", "--vote-of", "tree", "--steps"]) == 0
    said = capsys.readouterr()
    assert "Samples:\n  1. 1 vote (tree) answered: site: Perth\n  2. 1 vote" in said.out
    assert "Thought (sample 2): " in said.err
