"""No cell leaves the machine: every cell is a canary, in no request, log or trace."""

import datetime as dt
import json
import logging
import re
from contextlib import suppress

import pandas as pd
import pytest

from wideleaf.agents.models.script import Script
from wideleaf.graph.sessions.run import ask
from wideleaf.tools.actions.registry import ACTIONS, MOVES
from wideleaf.tools.errors import PrivacyError, SettingsError
from wideleaf.tools.sandbox.protection.protection import protection
from wideleaf.tools.sources.graphs.handle import KnowledgeGraph
from wideleaf.tools.steps.caveats import plan_caveats

ROWS = 40
TEXT = "Xanary"
NUMBER = 7351940
YEAR = 2931


@pytest.fixture
def tables():
    def column(place):
        return [f"{TEXT}-{place}-{row}" for row in range(ROWS)]

    day = dt.date(YEAR, 1, 1)
    frame = pd.DataFrame(
        {
            "who": column(1),
            "where": column(2),
            "amount": [NUMBER + 0.0217 * row for row in range(ROWS)],
            "count": [NUMBER + 1000 * row for row in range(ROWS)],
            "NDVI_mean_0": [NUMBER + row / 7 for row in range(ROWS)],
            "NDVI_mean_8": [NUMBER + row / 9 for row in range(ROWS)],
            "day": [day + dt.timedelta(days=row) for row in range(ROWS)],
            "mixed": [*column(3)[:-1], str(NUMBER)],
        }
    )
    other = frame[["who", "amount"]].rename(columns={"amount": "other"})
    facts = [
        (f"{TEXT}-4-{row}", relation, tail, YEAR + row, YEAR + row + 1)
        for row in range(ROWS)
        for relation, tail in (
            ("met", f"{TEXT}-5-{row}"),
            ("knows", f"{TEXT}-4-{(row + 1) % ROWS}"),
            ("weighs", str(NUMBER + 1000 * row)),
        )
    ]
    names = ["head", "relation", "tail", "start", "end"]
    graph = KnowledgeGraph(pd.DataFrame(facts, columns=names))
    return {"things": frame, "others": other, "facts": graph}


def where(column, op, value=None):
    return {"table": "things", "where": [{"column": column, "op": op, "value": value}]}


def measures(*functions, column="amount"):
    return [{"function": function, "column": column} for function in functions]


MOVES_OF = {
    "Load": [{"source": "things"}, {"source": "nothing"}],
    "Describe": [{"table": "things"}],
    "Sample": [{"table": "things", "n": 5}, {"table": "things", "n": -1}],
    "Select": [{"table": "things", "columns": ["who", "NDVI_mean_*"]}],
    "Filter": [
        where("who", "==", "nobody"),
        where("who", "==", "xanary-1-3"),
        where("who", "contains", "anary-1"),
        where("amount", ">", "many"),
        where("amount", "<", 0),
        where("day", "==", "soon"),
        where("who", ">", 3),
        where("whom", "==", "x"),
        where("who", "matches", "^z+$"),
        where("who", "matches", "(a+)+$"),
        where("day", "<", "today - 30 days"),
        where("day", "==", "04/05/2024"),
    ],
    "DropNulls": [
        {"table": "things", "columns": ["who", "NDVI_mean_*"], "how": "all"},
        {"table": "things", "columns": ["whom"]},
    ],
    "Derive": [
        {"table": "things", "name": "n", "expression": {"cast": "number", "of": "mixed"}},
        {"table": "things", "name": "d", "expression": {"cast": "date", "of": "who"}},
        {"table": "things", "name": "m", "expression": {"row": "mean", "columns": ["NDVI_mean_*"]}},
        {"table": "things", "name": "s", "expression": {"op": "+", "args": ["who", "amount"]}},
        {
            "table": "things",
            "name": "w",
            "expression": {"row": "which max", "columns": ["NDVI_mean_*"]},
        },
        {"table": "things", "name": "y", "expression": {"op": "year", "args": ["day"]}},
    ],
    "Sort": [{"table": "things", "by": [{"column": "amount", "descending": True}], "limit": 3}],
    "Chart": [
        {"table": "things", "form": "bar", "x": "who", "y": ["amount"]},
        {"table": "things", "form": "histogram", "y": ["amount"]},
        {"table": "things", "form": "box", "x": "where", "y": ["amount"]},
        {"table": "things", "form": "pie", "x": "who", "y": ["amount"]},
        {"table": "things", "form": "line", "x": "day", "y": ["who"]},
        {"table": "things", "form": "scatter", "x": "amount", "y": ["amount"], "color": "day"},
        {"table": "things"},
    ],
    "Group": [
        {"table": "things", "keys": ["who"], "measures": measures("sum", "max")},
        {"table": "things", "keys": ["who"], "measures": measures("sum", column="where")},
        {"table": "things", "keys": ["day"], "measures": measures("mode", "range", column="who")},
        {"table": "things", "keys": ["where"], "measures": measures("share", "mode")},
    ],
    "Aggregate": [{"table": "things", "measures": measures("min", "max", "median", "mean")}],
    "Join": [
        {"left": "things", "right": "others", "on": [{"left": "who", "right": "who"}]},
        {"left": "things", "right": "others", "on": [{"left": "who", "right": "other"}]},
        {"left": "things", "right": "others", "on": [{"left": "amount", "right": "other"}]},
        {"left": "things", "right": "others"},
        {"left": "things", "right": "others", "how": "cross"},
        {
            "left": "things",
            "right": "others",
            "how": "asof",
            "nearest": {"left": "amount", "right": "other"},
        },
    ],
    "Distinct": [{"table": "things", "columns": ["who"]}],
    "Union": [
        {"left": "things", "right": "things"},
        {"left": "things", "right": "others"},
    ],
    "Intersect": [{"left": "things", "right": "things"}],
    "Difference": [{"left": "things", "right": "things"}],
    "Compare": [{"left": "things", "right": "things", "on": ["who", "day"]}],
    "Pivot": [
        {"table": "things", "columns": "who", "index": ["day"], "value": "amount"},
        {"table": "things", "columns": "amount"},
        {"table": "things", "columns": "day", "value": "who", "function": "sum"},
    ],
    "Unpivot": [
        {"table": "things", "columns": ["NDVI_mean_*"], "keep": ["who"]},
        {"table": "things", "columns": ["who", "amount"]},
    ],
    "FromOneHot": [{"table": "things", "columns": ["count", "amount"], "name": "level"}],
    "Bin": [
        {"table": "things", "column": "amount", "count": 3},
        {"table": "things", "column": "count", "quantiles": 2, "labels": ["low"]},
        {"table": "things", "column": "who", "edges": [0, 1]},
    ],
    "Normalise": [
        {"table": "things", "columns": ["amount", "NDVI_mean_*"]},
        {"table": "things", "columns": ["amount", "who"], "method": "log"},
    ],
    "Impute": [
        {"table": "things", "columns": "amount", "method": "mean", "by": "who"},
        {"table": "things", "columns": ["who"], "method": "mode"},
        {"table": "things", "columns": "day", "method": "value", "value": "soon"},
    ],
    "Split": [
        {"table": "things", "column": "who", "separator": "-"},
        {"table": "things", "column": "where", "separator": "-", "into": "columns"},
    ],
    "Get": [
        {"graph": "facts"},
        {"graph": "facts", "relation": "met"},
        {"graph": "facts", "relation": "meets", "head": "nobody"},
        {"graph": "facts", "relation": "met", "head": "nobody"},
        {"graph": "facts", "relation": "met", "head": "xanary-4-3"},
        {"graph": "facts", "relation": "knows", "tail": "xanary-4-3", "key": "weighs"},
        {"graph": "facts", "relation": "weighs", "tail": 5, "tail_cmp": ">", "beside": True},
        {"graph": "facts", "relation": "weighs", "tail": "many"},
        {"graph": "facts", "head": "xanary-4-3", "key": "time"},
        {"graph": "facts", "head": "xanary-4-3"},
        {"graph": "facts", "relation": "met", "head": "xanary-4-3", "tail": "x"},
        {"graph": "things", "relation": "who", "tail": "nobody"},
        {"graph": "things", "relation": "who", "tail": "xanary-1-3", "key": "amount"},
    ],
    "Position": [{"table": "things", "name": "place"}, {"table": "things", "name": "who"}],
    "Window": [
        {"table": "things", "function": "lag", "column": "who", "order": ["day"]},
        {"table": "things", "function": "share", "column": "amount"},
        {"table": "things", "function": "rank", "by": ["who"], "order": ["-amount"]},
    ],
    "Resample": [
        {"table": "things", "time": "day", "every": "month", "fill": "null"},
        {"table": "things", "time": "who", "every": "month"},
    ],
    "Correlate": [
        {"table": "things", "column": "amount"},
        {"table": "things", "method": "mixed", "by": "day", "with": ["amount", "who"]},
    ],
    "PCA": [{"table": "things", "columns": ["amount", "NDVI_mean_*"]}],
    "Anomaly": [{"table": "things", "columns": ["amount", "NDVI_mean_*"]}],
    "Cluster": [
        {"table": "things", "columns": ["amount", "NDVI_mean_*"], "k": 2},
        {"table": "things", "columns": ["amount", "who"], "k": 2, "result": "profiles"},
    ],
    "Predict": [
        {"table": "things", "target": "amount", "features": ["NDVI_mean_*", "who"]},
        {"table": "things", "target": "who", "features": ["amount", "NDVI_mean_*"]},
        {
            "table": "things",
            "target": "amount",
            "features": ["count", "NDVI_mean_*"],
            "model": "lasso",
            "share": 0.3,
            "result": "coefficients",
        },
        {"table": "things", "target": "amount", "features": ["count"], "time": "day"},
    ],
    "Test": [
        {"table": "things", "test": "t", "columns": ["amount", "count"], "by": ["where"]},
        {
            "table": "things",
            "test": "welch",
            "columns": "amount",
            "between": "who",
            "groups": ["xanary-1-3", "x"],
        },
        {"table": "things", "test": "chi-square", "columns": ["who", "where"]},
        {"table": "things", "test": "shapiro", "columns": ["amount", "NDVI_mean_*"]},
    ],
    "Fit": [
        {"table": "things", "target": "amount", "features": ["NDVI_mean_*", "who"]},
        {"table": "things", "target": "count", "features": ["amount"]},
        {"table": "things", "target": "NDVI_mean_0", "features": ["amount"], "result": "residuals"},
        {"table": "things", "target": "who", "features": "amount", "model": "logistic"},
        {"table": "things", "target": "amount", "model": "distribution"},
    ],
    "Associate": [
        {
            "table": "things",
            "columns": ["who", "count", "NDVI_mean_*"],
            "where": {"column": "amount", "op": ">", "value": 3},
        },
        {"table": "things", "column": "who", "columns": ["amount"]},
    ],
    "Trend": [
        {"table": "things", "time": "day", "column": "amount"},
        {"table": "things", "time": "day", "column": "count", "by": ["who"], "result": "growth"},
        {"table": "things", "time": "amount", "column": "count", "result": "seasonality"},
    ],
    "Runs": [
        {"table": "things", "order": ["day"], "column": "who"},
        {
            "table": "things",
            "order": ["day"],
            "where": {"column": "who", "op": "==", "value": "xanary-1-3"},
        },
        {"table": "things", "order": ["who"], "column": "day", "steps": "consecutive"},
    ],
    "Judge": [
        {"table": "things", "columns": ["who"], "criterion": "good"},
        {"table": "things", "columns": ["who", "amount"], "criterion": "good", "into": "who"},
    ],
    "Label": [
        {"table": "things", "columns": ["who"]},
        {"table": "things", "columns": ["where"], "classes": ["a", "b"]},
    ],
    "Extract": [{"table": "things", "columns": ["mixed"], "fields": ["n"], "quote": True}],
    "Match": [{"left": "things", "right": "others", "columns": ["who"], "other": ["who"]}],
    "Rank": [{"table": "things", "columns": ["who"], "criterion": "good", "n": 3}],
    "Summarise": [{"table": "things", "columns": ["who"], "by": ["day"]}],
    "Craft": [
        {"tables": ["things"], "task": "spread", "signature": "spread(t) -> table"},
        {"tables": ["things", "others"], "task": "fail", "signature": "fail(t, o) -> number"},
    ],
    "Backtrack": [{"to": "things", "reason": "no"}, {"to": "T99", "reason": "no"}],
    "FindColumns": [
        {"words": "who where", "table": "things"},
        {"words": "who where", "table": "things"},
        {"words": "nothing at all"},
        {"words": "amount", "table": "nothing"},
        {"words": ""},
    ],
    "Recall": [{"table": "things", "what": "answer"}, {"table": "nothing", "what": "steps"}],
    "Ask": [
        {"question": "which?", "readings": ["a", "b"], "tables": ["things", "things"]},
        {"question": "which?", "readings": ["a", "b"], "tables": ["things", "T99"]},
        {"question": "which?", "options": ["a", "b"]},
    ],
    "Finish": [{"table": "nothing"}],
}


CODE_OF = {  # tries that fail with cells in what they say, and one that makes headers of cells
    "spread": [
        "def spread(t):\n    return int(t['who'].iloc[0])",
        "def spread(t):\n    print(t)\n    raise ValueError(str(t.iloc[0].tolist()))",
        "def spread(t):\n    return t.pivot_table(columns='who', values='amount', aggfunc='sum')",
    ],
    "fail": [
        "def fail(t, o):\n    return {}[t['where'].iloc[1]]",
        "def fail(t, o):\n    return o['who'].iloc[0]",
        "def fail(t, o):\n    return t.set_index('who')['amount']",
    ],
}


def programs():
    """The code of each Craft by the label it gets: actions are counted, moves are not."""
    named = [
        arguments.get("task")
        for name, tries in MOVES_OF.items()
        if name not in {move.__name__ for move in MOVES}
        for arguments in tries
    ]
    found = {f"T{n}": CODE_OF[task] for n, task in enumerate(named, 1) if task in CODE_OF}
    return {label: [f"```python\n{code}\n```" for code in tries] for label, tries in found.items()}


def script():
    moves = [("Look.", name, arguments) for name, tries in MOVES_OF.items() for arguments in tries]
    for place in range(len(moves) - 1, len(moves) - 12, -2):  # moves alone would end the run
        moves.insert(place, ("Look.", "Sample", {"table": "things", "n": place}))
    return [*moves, "no move at all", ("Done.", "Finish", {"table": "things"})]


# Ids of requests, calls, frames and files: random or hashed, so they may hold any digits.
IDS = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|(?:\b|_)[0-9a-f]{32,}\b")


def canaries_in(text):
    text = IDS.sub("", text)
    # The script itself says "xanary-1-3" and "xanary-4-3", in lower case, and "anary-1".
    others = [f"{TEXT.lower()}-{end}" for end in ("2", "1-4", "4-4", "5")]
    words = (TEXT, *others, str(NUMBER)[:5])
    year = re.findall(rf"(?<![0-9a-f]){YEAR}(?![0-9a-f])", text)
    return [word for word in words if word in text] + year


def test_an_id_is_no_canary_and_a_cell_beside_one_is():
    uuid = f"a{NUMBER}-a1f3-72a0-939b-53bd581d4d55"
    digest = f"{NUMBER}a".ljust(32, "0")
    assert canaries_in(f"{uuid} call_{digest} {digest * 2}") == []
    assert canaries_in(f"{uuid} {NUMBER}.0217") == [str(NUMBER)[:5]]
    assert canaries_in(f"{NUMBER}000000000000000000000000") == [str(NUMBER)[:5]]


def test_every_action_and_move_is_tried():
    # An Abstain ends the run, and reads nothing: its words are the model's own.
    assert {*MOVES_OF, "Abstain"} == {action.__name__ for action in (*ACTIONS, *MOVES)}


@pytest.mark.sandbox
@pytest.mark.parametrize(("privacy", "text"), [("schema", True), ("statistics", False)])
def test_no_request_log_or_step_holds_a_cell(tables, tmp_path, caplog, capfd, privacy, text):
    caplog.set_level(logging.DEBUG)
    model = Script(script(), text=text, programs=programs())
    audit = tmp_path / "audit.jsonl"
    events = []
    result = ask(
        "What is the highest amount?",
        tables,
        model=model,
        privacy=privacy,
        folder=str(tmp_path / "w"),
        audit=str(audit),
        on_event=events.append,
        max_steps=200,
    )
    written = sum(map(len, programs().values())) if protection().wall else 0
    again = 1  # the planner's other answer is told, and the raw table finished with again
    again += sum("how it is called is shown now" in prompt for prompt in model.prompts)
    assert len(model.prompts) == len(script()) + written + again
    assert len(result.tree.nodes) > 15
    assert canaries_in("\n".join(model.prompts)) == []
    assert canaries_in(audit.read_text()) == []
    assert canaries_in("\n".join(event.text for event in events)) == []
    assert canaries_in(json.dumps(result.tree.model_dump(mode="json"))) == []
    assert canaries_in(caplog.text) == []
    assert canaries_in("".join(capfd.readouterr())) == []


ROLES = ("selector", "describer", "critic", "writer")
STARTS = {
    "You select": '{"relevant": [1, 2, 3]}',
    "You describe frames": '{"descriptions": {"T1": "The things.", "T2": "Their means."}}',
    "You check": '{"objections": ["The question asks for more."]}',
    "You word": '{"answer": "It is {who}."}',
    "You answer": "",
}
"""How the prompt of each role begins, and what a model says that takes it."""
SEVERAL_ROWS = [
    ("Long.", "Filter", where("amount", ">", 1)),
    ("Wide.", "Pivot", {"table": "T1", "columns": "who", "value": "amount", "function": "max"}),
]


def taking_roles(moves):
    """A model of every role; of the steps it takes one after the other, and finishes."""
    turns = []

    def reply(messages):
        (said,) = (said for start, said in STARTS.items() if messages[0].text.startswith(start))
        if said:
            return said
        turns.append(messages)
        done = ("Done.", "Finish", {"table": f"T{len(moves)}"})
        return moves[len(turns) - 1] if len(turns) <= len(moves) else done

    return Script(policy=reply)


def read_all(messages):
    """What a reader says: of each text the same, in the form that is asked for."""
    ids = [json.loads(line)["id"] for line in messages[-1].text.splitlines()]
    said = [True, 0.9]
    if "Give each" in messages[0].text:
        said = ["a", 0.9]
    elif "Take these" in messages[0].text:
        said = [{"n": "Xanary-1-1"}, 0.9, "Xanary-1"]
    elif "Sum up" in messages[0].text:
        said = ["They are Xanary-1-1.", 0.9]
    return json.dumps(dict.fromkeys(ids, said))


@pytest.mark.parametrize("privacy", ["schema", "statistics"])
def test_a_shared_column_is_read_by_the_reader_and_by_nobody_else(tables, tmp_path, privacy):
    one = {"table": "things", "columns": ["who"]}
    moves = [
        ("", "Judge", {**one, "criterion": "good", "into": "fine", "quote": True}),
        ("", "Select", {"table": "T1", "columns": [{"who": "renamed"}, "fine", "where"]}),
        ("", "Label", {"table": "T2", "columns": ["renamed"], "classes": ["a", "b"]}),
        ("", "Extract", {"table": "T3", "columns": ["renamed"], "fields": ["n"], "quote": True}),
        ("", "Summarise", {"table": "T4", "columns": ["renamed"], "by": ["n"]}),
        ("", "Judge", {"table": "T2", "columns": ["where"], "criterion": "good"}),
        ("", "Judge", {"table": "T2", "columns": ["renamed", "where"], "criterion": "good"}),
        ("", "Derive", {"table": "T2", "name": "x", "expression": {"op": "concat",
                                                                  "args": ["renamed", "where"]}}),
        ("", "Judge", {"table": "T8", "columns": ["x"], "criterion": "good"}),
        ("", "Label", {"table": "T2", "columns": ["renamed"]}),
        ("", "Finish", {"table": "T5"}),
    ]  # fmt: skip
    supervisor, reader = Script(moves), Script(policy=read_all)
    result = ask(
        "What do they say?",
        tables,
        model=supervisor,
        models={"reader": reader},
        privacy=privacy,
        shared=["things.who"],
        folder=str(tmp_path / "w"),
    )
    assert canaries_in("\n".join(supervisor.prompts)) == []
    assert canaries_in(json.dumps(result.tree.model_dump(mode="json"))) == []
    read = "\n".join(reader.prompts)
    assert f"{TEXT}-1-39" in read and not re.search(rf"{TEXT}-[2345]", read)
    failed = {n.label: n.kind for n in result.tree.nodes if n.outcome == "failed"}
    assert failed == {"T6": "not shared", "T7": "not shared", "T9": "not shared",
                      "T10": "argument classes"}  # fmt: skip
    assert "shared=['things.where']" in result.tree["T6"].error
    assert str(result.frame["summary"].iloc[0]) == "They are Xanary-1-1."


@pytest.mark.parametrize("privacy", ["schema", "statistics", "samples"])
@pytest.mark.parametrize("moves", [SEVERAL_ROWS[:1], SEVERAL_ROWS])
def test_below_samples_no_role_is_shown_a_cell(tables, tmp_path, privacy, moves):
    model, events = taking_roles(moves), []
    result = ask(
        "Which who and where are there?",
        {"things": tables["things"]},
        model=model,
        privacy=privacy,
        folder=str(tmp_path / "w"),
        on_event=events.append,
        **dict.fromkeys(ROLES, "model"),
    )
    asked = {start for start in STARTS for shown in model.prompts if shown.startswith(start)}
    assert asked == {*STARTS}
    told = ["\n".join(model.prompts), "\n".join(event.text for event in events)]
    told.append(json.dumps(result.tree.model_dump(mode="json")))
    assert [canaries_in(text) != [] for text in told] == [privacy == "samples"] * 3
    written = [shown for shown in model.prompts if shown.startswith("You word")]
    assert (canaries_in(written[0]) != []) == (privacy == "samples")


@pytest.mark.parametrize("privacy", ["schema", "statistics"])
def test_no_role_is_told_a_cell_that_the_embedded_planner_wrote(tables, tmp_path, privacy):
    models = {role: taking_roles([]) for role in ROLES}
    question = "What is the amount of the things with who xanary-1-3?"
    result = ask(
        question,
        {"things": tables["things"]},
        models=models,
        privacy=privacy,
        folder=str(tmp_path / "w"),
        **dict.fromkeys(ROLES, "model"),
    )
    assert result.value == pytest.approx(NUMBER + 0.0217 * 3)
    for role, model in models.items():
        assert len(model.prompts) >= 1, role
        # Its literals, even those that the question has, stay where they are.
        told = "\n".join(model.prompts).replace(question, "")
        assert canaries_in(told) == [] and "xanary" not in told, role


class Cut(BaseException):
    pass


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("privacy", "until", "moves"),
    [("schema", 1, 12), ("statistics", 30, 42), ("schema", 10_000, 10_000)],
)
def test_a_run_begun_at_samples_tells_no_cell_when_its_thread_is_asked_again(
    tables, tmp_path, privacy, until, moves
):
    steps = 0
    finish = ("Done.", "Finish", {"table": "things"})
    planned = script() if moves > len(script()) else [*script()[:moves], finish]

    def cut(event):
        nonlocal steps
        steps += event.kind == "action"
        if steps == until:
            raise Cut

    first = Script(planned, programs=programs())
    models = {"reader": Script(policy=read_all)}
    settings = {"thread": "t", "folder": str(tmp_path / "w"), "max_steps": 200, "models": models}
    with suppress(Cut):
        ask("Which is the most?", tables, model=first, privacy="samples", on_event=cut, **settings)
    assert until == 1 or canaries_in("\n".join(first.prompts)) != []
    second, events = Script(planned, programs=programs()), []
    result = ask(
        "Which is the most?",
        tables,
        model=second,
        privacy=privacy,
        audit=str(tmp_path / "audit.jsonl"),
        on_event=events.append,
        **settings,
    )
    assert "begun with privacy='samples'" in result.caveats[0]
    assert len(second.prompts) >= len(planned)
    assert canaries_in("\n".join(second.prompts)) == []
    assert canaries_in((tmp_path / "audit.jsonl").read_text()) == []
    assert canaries_in("\n".join(event.text for event in events)) == []
    assert canaries_in(json.dumps(result.tree.model_dump(mode="json"))) == []


def test_the_embedded_planner_keeps_the_questions_own_spelling(tables, tmp_path):
    events = []
    question = "What is the amount of the things with who xanary-1-3?"
    folder = str(tmp_path / "w")
    result = ask(question, {"things": tables["things"]}, folder=folder, on_event=events.append)
    assert result.value == pytest.approx(NUMBER + 0.0217 * 3)
    steps = [event.text for event in events] + [result.tree.model_dump_json()]
    assert canaries_in("\n".join(steps)) == []


@pytest.mark.parametrize("privacy", ["schema", "statistics"])
def test_the_person_is_told_what_no_request_holds(tables, tmp_path, privacy):
    things = tables["things"].assign(who=["Narrabri", "Dubbo"] * (ROWS // 2))
    steps = [
        ("Few.", "Filter", where("who", "==", "Narabri")),
        ("Axes.", "PCA", {"table": "T1", "columns": ["amount", "NDVI_mean_*"]}),
        ("Done.", "Finish", {"table": "T2"}),
    ]
    model, folder, events = Script(steps), str(tmp_path / "w"), []
    audit = tmp_path / "audit.jsonl"
    settings = {"model": model, "privacy": privacy, "folder": folder, "audit": str(audit)}
    question = "What are the axes of amount and NDVI mean of the things with who Narabri?"
    result = ask(question, {"things": things}, on_event=events.append, **settings)
    told = "\n".join(result.caveats)
    assert "taken 'Narrabri' for 'Narabri'" in told
    assert "PC1 explains 1 of the variance; its largest loadings: +" in told
    steps_told = [text for node in result.tree.nodes for text in (node.observation, *node.caveats)]
    texts = [*model.prompts, audit.read_text(), *(event.text for event in events), *steps_told]
    for words in ("Narrabri", "explains", "loadings: ")[: 3 if privacy == "schema" else 1]:
        assert words not in "\n".join(texts)
    store = result.store()  # another process: what was told is noted again
    own = [caveat for caveat in result.caveats if not caveat.startswith("At privacy")]
    assert plan_caveats(result.tree, result.label, store) == own


def test_at_samples_the_rows_are_shown(tables, tmp_path):
    model = Script([("Look.", "Sample", {"table": "things"}), ("Done.", "Finish", {"table": "T1"})])
    ask("q", tables, model=model, privacy="samples", folder=str(tmp_path / "w"))
    assert canaries_in(model.prompts[1]) != []


def test_a_denied_column_is_not_there_for_any_action(tables, tmp_path):
    look = ("Look.", "Filter", where("who", "==", "x"))
    model = Script([look, ("Done.", "Finish", {"table": "things"})])
    result = ask("q", tables, model=model, denied=("who",), folder=str(tmp_path / "w"))
    assert "no column 'who'" in result.tree["T1"].error
    assert "who (" not in model.prompts[0]


def test_a_denied_name_that_no_table_has_is_refused_with_the_nearest(tables, tmp_path):
    with pytest.raises(SettingsError, match="denied column 'amonut'; the nearest are 'amount'"):
        ask("q", tables, denied=("amonut",), folder=str(tmp_path / "w"))


@pytest.mark.parametrize("model", [None, Script(script())])
def test_tracing_to_an_outside_service_is_refused(tables, tmp_path, monkeypatch, model):
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    with pytest.raises(PrivacyError, match="LANGSMITH_TRACING"):
        ask("q", tables, model=model, folder=str(tmp_path / "w"))


@pytest.mark.parametrize("privacy", ["schema", "samples"])
def test_a_pivots_headers_are_cells_that_only_the_answer_has(tmp_path, privacy):
    rain = pd.DataFrame({"town": ["Moree", "Roma", "Moree"], "rain": [1.0, 2.0, 4.0]})
    pivot = {"table": "rain", "columns": "town", "value": "rain", "function": "max"}
    model = Script([("Wide.", "Pivot", pivot), ("Done.", "Finish", {"table": "T1"})])
    folder = str(tmp_path / "w")
    result = ask("The most rain?", {"rain": rain}, model=model, privacy=privacy, folder=folder)
    assert result.value == {"Moree": 4.0, "Roma": 2.0}
    assert list(result.frame.columns) == ["Moree", "Roma"]
    told = model.prompts[1] + json.dumps(result.tree.model_dump(mode="json"))
    assert ("Moree" in told) == (privacy == "samples")
    assert ("rain_1" in told) == (privacy == "schema")
