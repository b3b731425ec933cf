"""CRAFT in the graph: written, approved, run, repaired, kept and replayed."""

import json

import pandas as pd
import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import ParentCommand
from langgraph.types import Command

import wideleaf as wl
from wideleaf.agents.models.script import Script
from wideleaf.graph.app import build_craft, build_graph
from wideleaf.graph.context import Context
from wideleaf.graph.nodes.function_state import is_approval
from wideleaf.graph.run_context import RunContext
from wideleaf.tools.actions.craft import hash_of
from wideleaf.tools.errors import SandboxError, SettingsError
from wideleaf.tools.sandbox.protection.protection import protection

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(not protection().wall, reason=protection().why_not or "no wall"),
]

GAMES = pd.DataFrame({"team": list("AABBABBAAA"), "won": [1, 1, 0, 1, 1, 1, 1, 0, 1, 0]})
ASKED = {
    "tables": ["games"],
    "task": "the longest winning streak of each team",
    "signature": "streaks(games) -> team: text, longest: number",
}
GOOD = """```python
def streaks(games):
    rows = []
    for team, part in games.groupby('team'):
        best = run = 0
        for won in part['won']:
            run = run + 1 if won else 0
            best = max(best, run)
        rows.append({'team': team, 'longest': best})
    return pd.DataFrame(rows)
```"""
WRONG = GOOD.replace("part['won']", "part['wins']")
HOSTILE = GOOD.replace("rows = []", "rows = open('/etc/passwd').read()")
UNFIT = GOOD.replace("'longest'", "'best'")
DONE = ("it is there", "Finish", {"table": "T1"})
GIVEN_UP = ("without it", "Finish", {"table": "games"})


def craft(**changes):
    return ("no action does this", "Craft", {**ASKED, **changes})


def ask(folder, script, question="The longest winning streak of each team?", games=GAMES, **more):
    return wl.ask(question, {"games": games}, model=script, folder=str(folder), **more)


LINE = """```python
from scipy.stats import linregress
from sklearn.linear_model import LinearRegression

def streaks(games):
    number = games.groupby('team').cumcount()
    by_scipy = linregress(number, games['won']).slope
    model = LinearRegression().fit(number.to_frame('n'), games['won'])
    return pd.DataFrame({'team': ['all'], 'longest': [round(by_scipy - model.coef_[0], 9)]})
```"""


def test_a_function_may_use_the_libraries_and_is_exported_with_them(tmp_path):
    result = ask(tmp_path, Script([craft(), DONE], programs={"T1": [LINE]}))
    assert result.frame.to_dict("list") == {"team": ["all"], "longest": [0.0]}
    assert "from sklearn.linear_model import LinearRegression" in result.to_pandas()


def test_a_function_is_written_run_and_stands_in_its_node(tmp_path):
    script = Script([craft(), DONE], programs={"T1": [GOOD]})
    result = ask(tmp_path, script)
    assert result.frame.to_dict("list") == {"team": ["A", "B"], "longest": [3, 3]}
    node = result.tree["T1"]
    assert "def streaks" in node.action.arguments["code"]
    assert any("the model wrote" in caveat for caveat in result.caveats)
    assert result.usage.requests == 3


@pytest.mark.parametrize(
    "first", [WRONG, HOSTILE, UNFIT, "I cannot do that.", "```python\ndef x(:\n```"]
)
def test_a_second_try_is_told_the_error_of_the_first(tmp_path, first):
    events = []
    script = Script([craft(), DONE], programs={"T1": [first, GOOD]})
    result = ask(tmp_path, script, on_event=events.append)
    assert result.frame["longest"].tolist() == [3, 3]
    told = next(e.text for e in events if e.kind == "note" and e.label == "T1")
    assert told.removeprefix("try 1 failed: ")[:40] in script.prompts[2]


def test_the_papers_variant_regenerates_from_the_same_input(tmp_path):
    moves = iter([craft(), WRONG, WRONG, GOOD, DONE])
    script = Script(policy=lambda _: next(moves))
    assert ask(tmp_path, script, verify="paper").frame["longest"].tolist() == [3, 3]
    assert len(script.prompts) == 5
    assert script.prompts[1] == script.prompts[2] == script.prompts[3]


def test_after_three_tries_the_supervisor_hears_of_it_and_goes_on(tmp_path):
    script = Script([craft(), GIVEN_UP], programs={"T1": [WRONG, UNFIT, WRONG]})
    result = ask(tmp_path, script)
    node = result.tree["T1"]
    assert node.outcome == "failed" and node.error.startswith(
        "3 tries to write it failed; the last:"
    )
    assert "KeyError" in node.error and "part['wins']" in node.action.arguments["code"]
    assert node.error[:60] in script.prompts[-1]
    assert result.status == "answered"


def test_the_number_of_tries_is_a_setting(tmp_path):
    script = Script([craft(), GIVEN_UP], programs={"T1": [WRONG]})
    assert ask(tmp_path, script, tries=1).tree["T1"].outcome == "failed"


def test_what_failed_is_not_written_again_and_what_is_there_is_not_made_again(tmp_path):
    moves = [
        craft(),
        craft(),
        craft(task="streaks"),
        craft(task="streaks"),
        ("", "Finish", {"table": "T3"}),
    ]
    script = Script(moves, programs={"T1": [WRONG] * 3, "T3": [GOOD]})
    result = ask(tmp_path, script)
    assert "this was tried before" in result.tree["T2"].error
    assert [move.kind for move in result.tree.moves][-1] == "repeat"
    assert result.frame["longest"].tolist() == [3, 3]


def test_a_craft_goes_alone_in_its_wave_and_what_stands_on_it_waits(tmp_path):
    best = {"table": "T2", "by": [{"column": "longest", "descending": True}], "limit": 1}
    first = ("", "Select", {"table": "games", "columns": ["team", "won"]})
    other = ("", "Select", {"table": "games", "columns": ["won"]})
    moves = [
        [first, craft(tables=["T1"]), ("", "Sort", best), other],
        ("", "Finish", {"table": "T3"}),
    ]  # fmt: skip
    result = ask(tmp_path, Script(moves, programs={"T2": [GOOD]}))
    assert [node.label for node in result.tree.nodes] == ["games", "T1", "T4", "T2", "T3"]
    assert result.tree["T3"].parents == ("T2",)


def test_a_function_of_two_tables(tmp_path):
    code = "```python\ndef gap(a, b):\n    return a['won'].sum() - b['x'].sum()\n```"
    move = craft(tables=["games", "more"], task="gap", signature="gap(a, b) -> number")
    script = Script([move, DONE], programs={"T1": [code]})
    more = pd.DataFrame({"x": [1, 2]})
    result = wl.ask("gap?", {"games": GAMES, "more": more}, model=script, folder=str(tmp_path))
    assert result.value == 4


def test_an_unknown_table_costs_no_request_for_code(tmp_path):
    script = Script([craft(tables=["nope"]), GIVEN_UP])
    result = ask(tmp_path, script)
    assert "no frame 'nope'" in result.tree["T1"].error and result.usage.requests == 2


def test_code_in_the_arguments_of_a_call_is_not_what_runs(tmp_path):
    move = craft(code="def streaks(games):\n    return games", function="streaks", headers="values")
    result = ask(tmp_path, Script([move, DONE], programs={"T1": [GOOD]}))
    assert result.frame["longest"].tolist() == [3, 3]


SECRETS = pd.DataFrame({"city": ["canary_one", "canary_two"], "x": ["canary_3", "canary_4"]})
SPREAD = """```python
def spread(t):
    return t.pivot_table(index=None, columns='city', values='x', aggfunc='first')
```"""
RAISES = "```python\ndef spread(t):\n    return int(t['x'].iloc[0])\n```"
SAYS = "```python\ndef spread(t):\n    raise ValueError(', '.join(t['x']))\n```"
SHOWS = "```python\ndef spread(t):\n    print(t)\n    return {}[t['city'].iloc[0]]\n```"


@pytest.mark.parametrize("privacy", ["schema", "statistics"])
def test_no_cell_leaves_by_code_that_would_tell_it(tmp_path, privacy):
    move = ("", "Craft", {"tables": ["t"], "task": "spread it", "signature": "spread(t) -> table"})
    script = Script([move, DONE], programs={"T1": [RAISES, SAYS, SHOWS, SPREAD]})
    audit = tmp_path / "audit.jsonl"
    result = wl.ask(
        "Spread?", {"t": SECRETS}, model=script, folder=str(tmp_path / "f"), privacy=privacy,
        tries=4, audit=str(audit),
    )  # fmt: skip
    assert set(result.frame.columns) >= {"canary_one", "canary_two"}
    assert "canary" not in "".join(script.prompts) and "canary" not in audit.read_text()
    tree = result.tree.model_dump_json()
    assert "canary" not in tree and "column_1" in tree


def test_at_samples_a_model_is_told_what_its_code_said(tmp_path):
    move = ("", "Craft", {"tables": ["t"], "task": "spread it", "signature": "spread(t) -> table"})
    script = Script([move, DONE], programs={"T1": [RAISES, SPREAD]})
    wl.ask("Spread?", {"t": SECRETS}, model=script, folder=str(tmp_path), privacy="samples")
    assert "canary_3" in script.prompts[2]


def test_statistics_of_what_code_made_are_kept_in(tmp_path):
    games = pd.DataFrame({"v": [float(n) for n in range(30)]})
    code = (
        "```python\ndef f(t):\n    return pd.DataFrame({'v': [t['v'].iloc[7] + 777000] * 30})\n```"
    )
    moves = [
        ("", "Craft", {"tables": ["games"], "task": "f", "signature": "f(t) -> table"}),
        ("", "Select", {"table": "T1", "columns": ["v"]}),
        ("", "Finish", {"table": "T2"}),
    ]
    script = Script(moves, programs={"T1": [code]})
    ask(tmp_path, script, games=games, privacy="statistics")
    assert "mean" in script.prompts[0] and "777007" not in script.prompts[-1]
    assert "7.77e+05" not in script.prompts[-1]


def test_switched_off_a_craft_is_refused_and_no_code_is_asked_for(tmp_path):
    script = Script([craft(), GIVEN_UP])
    result = ask(tmp_path, script, craft="off")
    assert result.tree.by_label.get("T1") is None or "off" in result.tree["T1"].error
    assert result.usage.requests == 2 and "Craft" not in script.prompts[0]


def test_a_person_approves_what_is_run_and_a_refusal_is_told(tmp_path):
    seen = []

    def answer_back(said):
        return lambda question, options: seen.append((question, options)) or said

    script = Script([craft(), DONE], programs={"T1": [GOOD]})
    result = ask(tmp_path / "a", script, craft="ask", answer_back=answer_back("2"))
    assert result.frame["longest"].tolist() == [3, 3]
    assert "def streaks(games):" in seen[0][0] and seen[0][1][0].startswith("do not run it")
    for said, words in (("", "did not approve"), ("not on Sundays", "not on Sundays")):
        script = Script([craft(), GIVEN_UP], programs={"T1": [GOOD]})
        result = ask(
            tmp_path / f"b{len(words)}", script, craft="ask", answer_back=answer_back(said)
        )
        assert words in result.tree["T1"].error and words in script.prompts[-1]


def test_signs_that_nobody_sees_are_written_out_where_code_is_to_be_approved(tmp_path):
    seen = []
    hidden = GOOD.replace("'longest': best", "'longest': best, 'x': '\u202e'")
    script = Script([craft(), GIVEN_UP], programs={"T1": [hidden]})
    ask(tmp_path, script, craft="ask", answer_back=lambda q, o: seen.append(q) or "no")
    assert "\\u202e" in seen[0] and "\u202e" not in seen[0]


def test_without_a_person_nothing_that_asks_is_run(tmp_path):
    script = Script([craft(), GIVEN_UP], programs={"T1": [GOOD]})
    assert "nobody is there to approve" in ask(tmp_path, script, craft="ask").tree["T1"].error


def graph_at_approval(folder):
    script = Script([craft(), DONE], programs={"T1": [GOOD]})
    GAMES.to_csv(folder / "games.csv", index=False)
    context = Context(
        sources=(str(folder / "games.csv"),), chat_model=script, folder=str(folder / "f"),
        craft="ask", interactive=True,
    )  # fmt: skip
    graph = build_graph(InMemorySaver())
    config = {"configurable": {"thread_id": "1"}}
    paused = graph.invoke({"question": "streaks?"}, config, context=context)
    return graph, config, context, paused["__interrupt__"][0].value


def test_the_interrupt_shows_code_and_hash_and_is_resumed_by_the_hash(tmp_path):
    graph, config, context, shown = graph_at_approval(tmp_path)
    approve = shown["approve"]
    assert approve["sha256"] == hash_of(approve["code"], "streaks")
    json.dumps(shown)
    ended = graph.invoke(Command(resume={"approve": approve["sha256"]}), config, context=context)
    assert ended["status"] == "answered" and ended["table"]["rows"] == [["A", 3], ["B", 3]]


def test_code_that_was_changed_after_it_was_written_is_not_run(tmp_path):
    graph, config, context, shown = graph_at_approval(tmp_path)
    inner = graph.get_state(config, subgraphs=True)
    while inner.tasks[0].state is not None:  # ask, its run, and in that the craft
        inner = inner.tasks[0].state
    state = inner.values["crafting"]
    other = {
        **state,
        "code": state["code"].replace("max(", "min("),
        "approved": shown["approve"]["sha256"],
    }
    begun = Command(goto="run", update={**inner.values, "crafting": other})
    with pytest.raises(ParentCommand) as left:
        build_craft().invoke(begun, context=RunContext(context))
    assert "is not the one that was approved" in str(left.value.args[0].update["tree"])


@pytest.mark.parametrize(
    "said", ["2", "run it", "Run it: in the sandbox", "yes", "Y", "abc", {"approve": "abc"}]
)
def test_an_approval_is_a_clear_yes(said):
    assert is_approval(said, "abc")


@pytest.mark.parametrize(
    "said", ["1", "", "no", "maybe yes", "do not run it", {"approve": "abd"}, {}, None, True]
)
def test_anything_else_is_none(said):
    assert not is_approval(said, "abc")


def test_a_run_that_was_cut_off_goes_on_with_the_code_that_was_written(tmp_path):
    class Stop(Exception):
        pass

    def stop(event):
        if event.kind == "code":
            raise Stop

    script = Script([craft(), DONE], programs={"T1": [GOOD]})
    with pytest.raises(Stop):
        ask(tmp_path, script, thread="t", on_event=stop)
    result = ask(tmp_path, Script([craft(), DONE], programs={"T1": [GOOD]}), thread="t")
    assert result.frame["longest"].tolist() == [3, 3]


def test_a_plan_with_a_function_is_replayed_on_new_data(tmp_path):
    result = ask(tmp_path, Script([craft(), DONE], programs={"T1": [GOOD]}))
    again = wl.replay(result.plan, {"games": GAMES}, folder=str(tmp_path))
    assert again.tree["T1"].id == result.tree["T1"].id
    new = pd.DataFrame({"team": ["C", "C", "C"], "won": [1, 1, 0]})
    made = wl.replay(result.plan, {"games": new}, folder=str(tmp_path))
    assert made.frame.to_dict("list") == {"team": ["C"], "longest": [2]}


def test_without_a_sandbox_a_craft_fails_and_says_what_would_allow_it(tmp_path, monkeypatch):
    from wideleaf.tools.sandbox.protection import protection as sandbox_protection

    def none(*_):
        raise SandboxError("there is no wall here; sandbox='unwalled' would run code without one")

    monkeypatch.setattr(sandbox_protection, "choose", none)
    script = Script([craft(), GIVEN_UP], programs={"T1": [GOOD]})
    result = ask(tmp_path, script)
    assert "sandbox='unwalled'" in result.tree["T1"].error and result.usage.requests == 2
    with pytest.raises(SandboxError, match="unwalled"):
        ask(tmp_path, Script([]), strategy="pandas")


def test_the_strategy_pandas_answers_with_one_program(tmp_path):
    reply = "[PYTHON]\nresult = df.groupby('team')['won'].mean()\n[/PYTHON]"
    script = Script([], programs={"T1": ["result = df['nope']", reply]})
    result = ask(tmp_path, script, "What share did each win?", strategy="pandas")
    assert result.frame["won"].tolist() == [GAMES.won[GAMES.team == t].mean() for t in "AB"]
    assert result.usage.requests == 2 and result.tree["T1"].parents == ("games",)
    script = Script([], programs={"T1": ["result = df['nope']"] * 3})
    result = ask(tmp_path, script, "What share?", strategy="pandas")
    assert result.status == "unanswered" and "nope" in result.answer


@pytest.mark.parametrize("more", [{}, {"model": Script([]), "craft": "off"}])
def test_the_strategy_pandas_needs_a_model_and_code(tmp_path, more):
    with pytest.raises(SettingsError, match="pandas"):
        wl.ask("q", {"games": GAMES}, strategy="pandas", folder=str(tmp_path), **more)


def test_an_answer_made_without_a_wall_says_so(tmp_path):
    script = Script([craft(), DONE], programs={"T1": [GOOD]})
    result = ask(tmp_path, script, sandbox="unwalled")
    assert result.frame["longest"].tolist() == [3, 3]
    assert any("without a wall" in caveat for caveat in result.caveats)
