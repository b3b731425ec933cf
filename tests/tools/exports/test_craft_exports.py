"""A function that a model wrote, everywhere its step can appear after it was made."""

from __future__ import annotations

import ast
import json
from datetime import date, datetime
from pathlib import Path
from typing import Any

import narwhals as nw
import pandas as pd
import polars as pl
import pytest
from pandas_scripts import difference, run_scripts

from wideleaf.agents.answer.traceability import literals_of
from wideleaf.agents.critic.critic import review
from wideleaf.agents.critic.findings import Candidate
from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.models.script import Script
from wideleaf.agents.supervisor.supervisor import Supervisor
from wideleaf.agents.supervisor.toolbox import CRAFT, OPEN, tools_for
from wideleaf.agents.turn import Reply, View
from wideleaf.graph.drawings.page import steps_table
from wideleaf.graph.drawings.svg import draw_svg
from wideleaf.graph.drawings.text import codes_text, draw_text
from wideleaf.tools.actions.craft import Craft
from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.craft.columns import program_columns
from wideleaf.tools.craft.names import column_mentions
from wideleaf.tools.errors import ActionError, SourceError
from wideleaf.tools.exports.notebook import plan_notebook
from wideleaf.tools.exports.query import plan_sql
from wideleaf.tools.exports.scripts.crafts import program_code
from wideleaf.tools.exports.scripts.script import plan_script
from wideleaf.tools.exports.scripts.words import NotInPandas
from wideleaf.tools.plans.changes import compare_columns, need_step, renumber_headers
from wideleaf.tools.plans.columns import find_leaf_columns
from wideleaf.tools.plans.plan import Plan, Step
from wideleaf.tools.privacy import Policy
from wideleaf.tools.provenance.provenance import trace_cell
from wideleaf.tools.sources.opening import open_catalog
from wideleaf.tools.steps.step import Wish, perform
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tables.table import Table
from wideleaf.tools.telling.outline import outline
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import FrameTree, Node

pytestmark = pytest.mark.sandbox

GAMES = pl.DataFrame(
    {
        "team": ["a", "a", "b", None, "b", "a", "É"],
        "won": [True, True, False, None, True, False, True],
        "points": [3, 4, None, 1, 0, 7, 2],
        "small": pl.Series([1, 2, 3, 4, 5, 6, 7], dtype=pl.Int8),
        "rate": [0.5, None, 2.25, -1.0, 0.0, 3.5, 1e-9],
        "day": [date(2024, 2, 29), date(2024, 3, 1), None, *[date(2023, 12, 31)] * 4],
        "seen": [datetime(2024, 3, 1, 12, 30), None, *[datetime(2024, 1, 1, 6)] * 5],
    }
)
TEAMS = pl.DataFrame({"team": ["a", "b", "c"], "town": ["Århus", "Bergen", None]})
STREAKS = '''def streaks(df):
    """The longest run of wins.
Told in two lines, the second of which stands at the margin."""
    _load = answer = []
    for team, part in df.dropna(subset=["team"]).groupby("team"):
        longest = run = 0
        for won in part["won"]:
            run = run + 1 if won is True else 0
            longest = max(longest, run)
        answer.append({"team": team, "longest": longest})
    return pd.DataFrame(answer)'''
CRAFTS: dict[str, dict[str, Any]] = {
    "number": {"code": "def f(df):\n    return df['points'].max()", "function": "f"},
    "text": {"code": "def f(df):\n    return df['team'].mode()[0]", "function": "f"},
    "truth": {"code": "def f(df):\n    return bool((df['points'] > 3).any())", "function": "f"},
    "day": {"code": "def f(df):\n    return df['day'].max()", "function": "f"},
    "list": {"code": "def f(df):\n    return sorted(df['small'])[::2]", "function": "f"},
    "list of texts and nulls": {"code": "def f(df):\n    return list(df['team'])", "function": "f"},
    "record": {
        "code": "def f(df):\n    return {'rows': len(df), 'best': df['rate'].max()}",
        "function": "f",
    },
    "series with an index": {
        "code": "def f(df):\n    return df.groupby('team')['points'].sum()",
        "function": "f",
    },
    "nested headers": {
        "code": "def f(df):\n    return df.groupby('team').agg({'points': ['min', 'max'], "
        "'rate': 'mean'})",
        "function": "f",
    },
    "two levels of index": {
        "code": "def f(df):\n    return df.groupby(['team', 'day'], dropna=False)['small'].sum()",
        "function": "f",
    },
    "dates and times": {
        "code": "def f(df):\n    df['next'] = df['day'] + pd.Timedelta(days=1)\n"
        "    df['hour'] = df['seen'].dt.hour\n    return df[['day', 'next', 'seen', 'hour']]",
        "function": "f",
    },
    "nulls": {
        "code": "def f(df):\n    df['x'] = df['points'].fillna(-1).astype(int)\n"
        "    df['y'] = df['team'].isna()\n    return df.sort_values('x', kind='stable')",
        "function": "f",
    },
    "streaks, names like the script's": {"code": STREAKS, "function": "streaks"},
    "a program": {
        "code": "import re\nmax = max(df['small'])\nresult = df[df['small'] < max].drop(columns="
        "['won']).reset_index(drop=True)",
    },
    "lower case": {
        "code": "def f(df):\n    return df['team'].tolist()",
        "function": "f",
        "lower_case": True,
    },
    "helpers and modules": {
        "code": "from collections import Counter\nimport math\nRATE = 2\n\n"
        "def helper(n):\n    return n * RATE + math.floor(RATE / 2)\n\n"
        "def f(df):\n    seen = Counter(df['team'].dropna())\n"
        "    return pd.DataFrame([(k, helper(v)) for k, v in sorted(seen.items())], "
        "columns=['team', 'n'])\n",
        "function": "f",
    },
    "random": {
        "code": "import random\ndef f(df):\n    return [random.random() for _ in range(3)]",
        "function": "f",
    },
}
TWO = {
    "code": "def f(games, teams):\n    both = games.merge(teams, on='team', how='left')\n"
    "    return both.groupby('town', dropna=False)['points'].sum().reset_index()",
    "function": "f",
}


class Grown:
    """A tree over tables in a folder, whose code is allowed."""

    def __init__(self, folder: Path, engine: str = "polars", **tables: pl.DataFrame) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name, table in tables.items():
            table.write_parquet(folder / f"{name}.parquet")
        self.paths = {name: str(folder / f"{name}.parquet") for name in tables}
        self.store = FrameStore(
            folder / "kept", open_catalog([*self.paths.values()], folder, engine=engine)
        )
        self.tree = FrameTree()
        for name in tables:
            self.do("Load", {"source": name}, label=name)

    def do(
        self, name: str, arguments: dict[str, Any], *parents: str, label: str = "",
        level: Any = "samples",
    ) -> str:  # fmt: skip
        if name == "Craft":
            arguments = {"task": "what is asked", **arguments}
            self.store.runner.allow(Craft(**arguments).hash)
        wish = Wish(
            Call(name=name, arguments=arguments),
            label or f"T{len(self.tree.nodes)}",
            [(parent, self.tree[parent].id) for parent in parents],
        )
        node = perform(wish, self.store, Policy(level=level))
        assert node.outcome == "ok", node.error
        self.tree = self.tree.grow(node)
        return node.label

    def table(self, label: str) -> Table:
        return self.store.get(self.tree[label].id)

    def plan(self, label: str) -> Plan:
        nodes = self.tree.plan(label)
        tables = {node.label: self.table(node.label) for node in nodes}
        headers = {n.label: self.store.headers(n.id) for n in nodes if n.parents}
        return Plan.of(self.tree, label, "What?", tables=tables, headers=headers)

    def at_hand(self, label: str) -> dict[str, Table]:
        nodes = self.tree.plan(label)
        return {n.label: self.table(n.label) for n in nodes if n.action.name in ("Load", "Craft")}

    def script(self, label: str) -> str:
        return plan_script(self.plan(label), self.at_hand(label), self.paths)


def test_an_exported_script_gives_the_frame_of_the_run(tmp_path: Path) -> None:
    cases = []
    for place, (name, arguments) in enumerate(CRAFTS.items()):
        grown = Grown(tmp_path / str(place), games=GAMES)
        made = grown.do("Craft", arguments, "games")
        cases.append((name, grown.script(made), grown.table(made)))
    grown = Grown(tmp_path / "two", games=GAMES, teams=TEAMS)
    made = grown.do("Craft", TWO, "games", "teams")
    cases.append(("two inputs", grown.script(made), grown.table(made)))
    made = grown.do("Filter", {"where": {"column": "points", "op": ">", "value": 0}}, made)
    made = grown.do("Sort", {"by": "-points", "limit": 1}, made)
    cases.append(("steps after it", grown.script(made), grown.table(made)))
    first = grown.do("Filter", {"where": {"column": "small", "op": ">", "value": 2}}, "games")
    made = grown.do("Craft", CRAFTS["nested headers"], first)
    made = grown.do("Craft", {"code": "result = df.shape[1]"}, made)
    cases.append(("a step before it and two functions", grown.script(made), grown.table(made)))
    numbered = {"code": "def f(df):\n    return df.pivot_table(index='won', columns='team', "
                "values='small', aggfunc='sum')", "function": "f"}  # fmt: skip
    made = grown.do("Craft", numbered, "games", level="schema")
    labelled = grown.store.with_labels(grown.tree[made].id)
    assert "column_1" in grown.table(made).columns and "a" in labelled.columns
    cases.append(("numbered headers", grown.script(made), labelled))
    answers = run_scripts(tmp_path, [script for _, script, _ in cases])
    for (name, script, table), found in zip(cases, answers, strict=True):
        assert difference(found, table, ordered=True) == "", f"{name}\n{script}"


def test_the_code_stands_in_the_script_as_it_is_and_is_told_at_its_head(tmp_path: Path) -> None:
    grown = Grown(tmp_path, games=GAMES)
    made = grown.do("Craft", {**CRAFTS["streaks, names like the script's"], "task": "Wins\nin a row"}, "games")  # noqa: E501  # fmt: skip
    script = grown.script(made)
    (outer,) = (n for n in ast.parse(script).body if getattr(n, "name", "") == f"_craft_{made}")
    (inner,) = (n for n in outer.body if isinstance(n, ast.FunctionDef))
    assert ast.dump(inner) == ast.dump(ast.parse(STREAKS).body[0])
    head = script.partition("import")[0]
    hashed = Craft(**grown.tree[made].action.arguments).hash
    assert hashed in head and "code that a model wrote" in head and f"_craft_{made}" in head
    assert "Wins in a row" in head  # in one line, so that it stays a comment
    plain = Grown(tmp_path / "plain", games=GAMES)
    sorted_ = plain.do("Sort", {"by": "small"}, "games")
    assert "model" not in plain.script(sorted_).partition("import")[0]


HOSTILE = {
    "names of the script": "answer = T1 = games = pd = 3\nfor _load in [1]:\n    pass\nresult = 1",
    "texts over lines": "text = '''a\n  b\n# Question: x\n'''\nresult = text",
    "a text that ends like a function": 'result = """\n    return None\nimport os\n"""',
    "f-strings over lines": 'n = 3\nresult = f"""\n{n}\n  {n + 1}\n"""',
    "tabs": "if True:\n\tresult = 2",
    "a line that goes on": "result = 1 + \\\n2",
    "carriage returns": "x = '''a\r\nb'''\r\nresult = x",
    "a name that the wrapper would take": "_given = 4\nresult = _given",
    "builtins rebound": "list = list((1, 2))\nsum = sum(list)\nresult = sum",
    "a guard": "result = 0\nif __name__ == '__main__':\n    result = 1",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_program_in_a_function_means_what_it_means_alone(name: str) -> None:
    code = HOSTILE[name]
    alone: dict[str, Any] = {"__name__": "program", "pd": pd, "df": None}
    exec(compile(code, "<alone>", "exec"), alone)
    lines = program_code(Craft(task="t", code=code, names=("df",)), "T1")
    space: dict[str, Any] = {"__name__": "__main__"}
    exec("\n".join(lines), space)
    assert space["_craft_T1"](None) == alone["result"]
    assert set(space) <= {"__builtins__", "__name__", "_craft_T1"}


@pytest.mark.parametrize("code", ["global x\nx = 1\nresult = x", "from math import *\nresult = pi"])
def test_a_program_that_needs_the_module_itself_is_run_by_the_library(code: str) -> None:
    with pytest.raises(NotInPandas, match="global names"):
        program_code(Craft(task="t", code=code, names=("df",)), "T1")


def test_a_plan_whose_code_has_no_frame_at_hand_is_not_exported(tmp_path: Path) -> None:
    grown = Grown(tmp_path, games=GAMES)
    made = grown.do("Craft", CRAFTS["number"], "games")
    tables = {"games": grown.table("games")}
    with pytest.raises(ActionError, match=f"step '{made}' .* does not run it; replay"):
        plan_script(grown.plan(made), tables, grown.paths)


def test_a_notebook_has_the_code_in_a_cell_and_says_whose_it_is(tmp_path: Path) -> None:
    grown = Grown(tmp_path, games=GAMES)
    made = grown.do("Craft", CRAFTS["series with an index"], "games")
    path = plan_notebook(
        grown.plan(made), grown.at_hand(made), grown.paths, tmp_path / "plan.ipynb"
    )
    cells = json.loads(path.read_text())["cells"]
    texts = ["".join(cell["source"]) for cell in cells]
    assert any(f"def _craft_{made}(" in text and "df.groupby" in text for text in texts)
    assert any("a model wrote" in text for text in texts)
    code = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")
    found = run_scripts(tmp_path, [code])
    assert difference(found[0], grown.table(made), ordered=True) == ""


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite"])
def test_sql_refuses_a_function_by_the_name_of_its_step(dialect: str, tmp_path: Path) -> None:
    grown = Grown(tmp_path, games=GAMES)
    made = grown.do("Craft", CRAFTS["series with an index"], "games")
    made2 = grown.do("Sort", {"by": "-points"}, made)
    with pytest.raises(ActionError, match=rf"step '{made}' \(Craft\).*script.*frame before it"):
        plan_sql(grown.plan(made2), grown.at_hand(made2), dialect)


def drawn(tmp_path: Path, **more: Any) -> tuple[Grown, str]:
    grown = Grown(tmp_path, games=GAMES)
    code = (
        "def f(df):\n    x = '<script>alert(1)</script></details>'\n    return df['points'].max()"
    )
    task = "the highest <b>points</b> of any game that was ever played here, whoever played it"
    signature = "f(games) -> number"
    given = {"code": code, "function": "f", "task": task, "signature": signature, **more}
    return grown, grown.do("Craft", given, "games")


def test_text_of_a_tree_has_task_and_signature_and_not_the_code(tmp_path: Path) -> None:
    grown, made = drawn(tmp_path)
    for text in (outline(grown.tree), draw_text(grown.tree, made), draw_svg(grown.tree, made)):
        assert "the highest" in text and "alert" not in text and "return df" not in text
    line = next(one for one in outline(grown.tree).splitlines() if one.startswith(f"{made} = "))
    assert 'signature="f(games) -> number"' in line and len(line) < 260


def test_the_code_is_shown_on_demand_escaped_and_whole(tmp_path: Path) -> None:
    grown, made = drawn(tmp_path)
    plan = grown.plan(made)
    for html in (steps_table(grown.tree, made), plan._repr_html_()):
        assert "<script>" not in html and "</details></pre>" not in html
        assert "<details><summary>Code that a model wrote</summary><pre>def f(df):" in html
        assert html.count("<details>") == html.count("</details>") == 1
    assert "   | def f(df):" in str(plan).splitlines()
    (text,) = codes_text(grown.tree)
    assert text.splitlines()[1] == "  def f(df):" and text.startswith(f"{made} Craft(task=")
    assert grown.tree[made].action.arguments["code"].startswith("def f(df):")


def test_a_sign_that_cannot_be_seen_is_shown_as_its_escape(tmp_path: Path) -> None:
    call = Call(name="Craft", arguments={"task": "t", "code": "x = '\u202e'\x0c\r\ny = 1\u2028"})
    tree = FrameTree.from_sequence([("T1", call, ())])
    (text,) = codes_text(tree)
    assert text.splitlines()[1:] == ["  x = '\\u202e'\\x0c", "  y = 1\\u2028"]


COLUMNS = ["a", "b", "c", "count", "k"]
READS = [
    ("return df['a'].sum()", ["a"]),
    ("return df.a.sum() + len(df) + df.shape[0]", ["a"]),
    ("return df.count", None),
    ("return df", None),
    ("return helper(df)", None),
    ("return df.shape[1]", None),
    ("return [row.a for row in df.itertuples()]", None),
    ("d = df.copy()\nd['x'] = d['a'] * 2\nreturn d['x'].max()", ["a"]),
    ("d = df.copy()\nd['x'] = d['a'] * 2\nreturn d", None),
    ("return df[df['a'] > 1]['b'].mean()", ["a", "b"]),
    ("m = df.a > 1\nreturn df[m]['b'].mean()", ["a", "b"]),
    ("m = df.a > 1\nm = 'c'\nreturn df[m]['b'].mean()", None),
    ("return df['a' + 'b']", None),
    ("return df.groupby('k')['a'].sum()", ["a", "k"]),
    ("return df.groupby('k').sum()", None),
    ("return df.groupby(['k', 'b']).agg(x=('a', 'sum'))", ["a", "b", "k"]),
    ("for key, g in df.sort_values('c').groupby('k'):\n    yield g['a'].iloc[0]", ["a", "c", "k"]),
    ("for key, g in df.groupby('k'):\n    yield g", None),
    ("for pair in df.groupby('k'):\n    yield pair", None),
    ("return df.loc[df.a > 1, ['b', 'c']].sum()", ["a", "b", "c"]),
    ("return df.dropna(subset=['b']).a.sum()", ["a", "b"]),
    ("return df.dropna().a.sum()", None),
    ("df['a'] += 1\nreturn df['a'].max()", ["a"]),
    ("other = [df]\nreturn other[0]['a']", None),
    ("return locals()", None),
    ("return (lambda df=df: df)()['a']", None),
]


@pytest.mark.parametrize(("body", "read"), READS)
def test_the_columns_a_function_reads_are_told_or_all_are(body: str, read: Any) -> None:
    code = "def f(df):\n" + "\n".join(f"    {line}" for line in body.splitlines())
    assert program_columns(code, ["df"], [COLUMNS], "f") == [read]


@pytest.mark.parametrize("name", [n for n in CRAFTS if n != "random"])
def test_a_function_on_the_columns_it_reads_alone_makes_the_same(name: str, tmp_path: Path) -> None:
    grown = Grown(tmp_path, games=GAMES)
    made = grown.do("Craft", CRAFTS[name], "games")
    call = grown.tree[made].action
    (names,) = (
        find_action(call.name).model_validate(call.arguments).column_references(GAMES.columns)
    )
    few = grown.do("Select", {"columns": names or ["small"]}, "games")
    again = grown.do("Craft", CRAFTS[name], few)
    assert grown.table(again).rows(99) == grown.table(made).rows(99)


def test_a_plan_needs_of_its_tables_what_the_code_names(tmp_path: Path) -> None:
    grown = Grown(tmp_path, games=GAMES, teams=TEAMS)
    made = grown.do("Craft", TWO, "games", "teams")  # merged whole
    assert {leaf.label: [*leaf.columns] for leaf in grown.plan(made).leaves} == {
        "games": GAMES.columns,
        "teams": TEAMS.columns,
    }
    code = "def f(g, t):\n    return g['points'].max() + len(t) + t['team'].nunique()"
    few = grown.do("Craft", {"code": code, "function": "f"}, "games", "teams")
    assert {leaf.label: [*leaf.columns] for leaf in grown.plan(few).leaves} == {
        "games": ["points"],
        "teams": ["team"],
    }
    assert find_leaf_columns(grown.tree.plan(few), {}) == {"games": ("points",), "teams": ("team",)}


def test_a_missing_column_is_told_with_the_step_whose_code_names_it(tmp_path: Path) -> None:
    grown = Grown(tmp_path, games=GAMES)
    made = grown.do("Craft", CRAFTS["number"], "games")
    plan = grown.plan(made)
    (leaf,) = plan.leaves
    without = Table(nw.from_native(GAMES.drop("points").lazy()))
    with pytest.raises(SourceError, match=rf"'points' \(nearest: .*; needed by {made} \(Craft\)"):
        compare_columns(leaf, without, plan.steps)
    other = Table(nw.from_native(GAMES.with_columns(points=pl.lit("x")).lazy()))
    assert compare_columns(leaf, other, plan.steps) == [
        "column 'points' of 'games' was number and is text in the new data"
    ]


def test_a_step_of_several_tables_is_a_step_of_a_plan_and_one_of_none_is_not() -> None:
    given = {"task": "t", "code": "result = 1"}
    need_step(Step(label="T1", name="Craft", arguments=given, parents=("a", "b", "c")))
    with pytest.raises(ActionError, match="works on 1 frames"):
        need_step(Step(label="T1", name="Craft", arguments=given))


def test_code_that_names_a_numbered_column_is_not_run_on_another_value() -> None:
    given = {"task": "t", "code": "result = df['n_1'].sum()", "headers": "numbers"}
    step = Step(label="T2", name="Craft", arguments=given, parents=("T1",))
    old, same = {"n_1": "rye", "n_2": "oats"}, {"n_1": "rye", "n_2": "wheat"}
    assert renumber_headers(step, step.call, old, same) == step.call
    with pytest.raises(ActionError, match=r"stood for 'rye'; in the new data .* 'n_2'"):
        renumber_headers(step, step.call, old, {"n_1": "barley", "n_2": "rye"})
    with pytest.raises(ActionError, match="'n_1', which stood for 'rye'; the new data has no"):
        renumber_headers(step, step.call, old, {"n_1": "barley", "n_2": "oats"})
    assert column_mentions("result = df.n_1 + df['n_2']", ["n_2", "n_3", "n_1"]) == ["n_2", "n_1"]


ROWWISE = {
    "a column more": "df['twice'] = df['small'] * 2\nresult = df[['team', 'twice']]",
    "text by text": "result = df['team'].fillna('none').str.upper().tolist()",
    "rows in another order of columns": "result = df[df.columns[::-1]]",
}
WHOLE = {
    "a total": "result = df['small'].sum()",
    "a share": "result = pd.DataFrame({'share': df['small'] / df['small'].sum()})",
    "a running total": "result = pd.DataFrame({'so_far': df['small'].cumsum()})",
    "the row before": "result = pd.DataFrame({'before': df['small'].shift(1)})",
    "sorted": "result = df[['small']].sort_values('small', ascending=False)",
    "a rank": "result = pd.DataFrame({'rank': df['small'].rank()})",
    "a mean of groups": "result = df.groupby('team')['small'].transform('mean').tolist()",
    "a row number": "result = pd.DataFrame({'row': range(len(df))})",
    "rows by chance": "import random\nresult = [random.random() for _ in range(len(df))]",
}


@pytest.mark.parametrize("name", ROWWISE)
def test_a_cell_of_a_function_that_goes_row_by_row_has_one_row_behind_it(
    name: str, tmp_path: Path
) -> None:
    grown = Grown(tmp_path, games=GAMES)
    kept = grown.do("Filter", {"where": {"column": "small", "op": ">", "value": 2}}, "games")
    made = grown.do("Craft", {"code": ROWWISE[name]}, kept)
    for row in range(5):
        trace = trace_cell(grown.tree, made, grown.store, row)
        assert [one.rows for one in trace.leaves] == [(row + 2,)]
        assert trace.reproduced and not trace.note
    assert "row by row of" in str(trace)


@pytest.mark.parametrize("name", WHOLE)
def test_of_any_other_function_all_rows_of_its_inputs_are_behind_a_cell(
    name: str, tmp_path: Path
) -> None:
    grown = Grown(tmp_path, games=GAMES)
    kept = grown.do("Filter", {"where": {"column": "small", "op": ">", "value": 2}}, "games")
    made = grown.do("Craft", {"code": WHOLE[name]}, kept)
    for row in range(grown.tree[made].rows or 0):
        trace = trace_cell(grown.tree, made, grown.store, row)
        assert [one.rows for one in trace.leaves] == [(2, 3, 4, 5, 6)], name
        assert trace.reproduced
        assert f"{made} was made by a function that the model wrote, of all rows of {kept}" in str(
            trace
        )
        if row == 1:
            break


def test_a_trace_goes_on_through_steps_after_a_function_and_several_inputs(tmp_path: Path) -> None:
    grown = Grown(tmp_path, games=GAMES, teams=TEAMS)
    made = grown.do("Craft", TWO, "games", "teams")
    top = grown.do("Sort", {"by": "-points", "limit": 1}, made)
    trace = trace_cell(grown.tree, top, grown.store, 0, "points")
    assert {one.leaf: one.total for one in trace.leaves} == {"games": 7, "teams": 3}
    assert trace.reproduced
    doubled = grown.do("Craft", {"code": ROWWISE["a column more"]}, "games")
    groups = grown.do("Group", {"keys": "team", "measures": [{"function": "sum", "column": "twice"}]}, doubled)  # noqa: E501  # fmt: skip
    rows = grown.table(groups).rows(9)
    place = next(n for n, row in enumerate(rows) if row["team"] == "b")
    trace = trace_cell(grown.tree, groups, grown.store, place)
    assert [one.rows for one in trace.leaves] == [(2, 4)] and trace.reproduced


def test_a_trace_without_leave_to_run_the_code_says_so_and_lists_all_rows(tmp_path: Path) -> None:
    grown = Grown(tmp_path, games=GAMES)
    made = grown.do("Craft", {"code": ROWWISE["a column more"]}, "games")
    other = FrameStore(grown.store.folder, grown.store.catalog)
    trace = trace_cell(grown.tree, made, other, 0)
    assert trace.leaves[0].total == 7 and trace.reproduced is None
    assert "not run once more: its code was not allowed here" in str(trace)
    assert "too many" not in str(trace)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_engines_trace_a_function_alike(engine: str, tmp_path: Path) -> None:
    grown = Grown(tmp_path, engine, games=GAMES)
    made = grown.do("Craft", {"code": ROWWISE["a column more"]}, "games")
    trace = trace_cell(grown.tree, made, grown.store, 3)
    assert [one.rows for one in trace.leaves] == [(3,)] and trace.reproduced


VIEW = View(question="How many?", tree=FrameTree())


def names(tools: list[dict[str, Any]]) -> set[str]:
    return {tool["function"]["name"] for tool in tools}


def test_a_model_is_told_of_functions_only_where_they_may_be_written() -> None:
    question = "What is the longest streak of consecutive wins? Use Craft."
    there = tools_for(question, FrameTree())
    assert CRAFT in names(there)
    for tree in (FrameTree(), FrameTree.from_sequence([("T1", Call(name=CRAFT), ())])):
        tools = tools_for(question, tree, opened=[CRAFT], crafts=False)
        assert CRAFT not in json.dumps(tools)
    view = VIEW.model_copy(update={"question": question})
    for crafts in (True, False):
        supervisor = Supervisor(Gateway(Script(), Policy()), crafts=crafts)
        sent = json.dumps(supervisor._tools(view, [CRAFT]))
        assert (CRAFT in sent) is crafts


def test_a_model_hears_of_functions_by_more_in_a_few_words() -> None:
    more = tools_for("How many?", FrameTree())[-1]["function"]
    assert f"Where none fits, {CRAFT} has a function written" in more["description"]
    assert CRAFT in more["parameters"]["properties"]["actions"]["items"]["enum"]
    without = tools_for("How many?", FrameTree(), crafts=False)[-1]["function"]
    assert len(json.dumps(more)) - len(json.dumps(without)) < 80


def test_a_model_that_asks_for_functions_where_there_are_none_is_told_so() -> None:
    class Asking(Gateway):
        def ask(self, *given: Any, **more: Any) -> Reply:
            return Reply(calls=(Call(name=OPEN, arguments={"actions": [CRAFT]}),))

    made = Supervisor(Asking(Script(), Policy()), crafts=False).think(VIEW)
    assert "opened nothing new" in made.problem
    assert not Supervisor(Asking(Script(), Policy())).think(VIEW).calls


def test_a_schema_of_a_function_holds_nothing_that_a_model_could_fill_with_code() -> None:
    (tool,) = (t for t in tools_for("Use Craft.", FrameTree()) if t["function"]["name"] == CRAFT)
    assert [*tool["function"]["parameters"]["properties"]] == ["tables", "task", "signature"]


def case(grown: Grown, label: str, question: str) -> list[str]:
    return [d.text for d in review(Candidate(question, grown.tree, label, grown.table))]


TOP = "result = df.dropna(subset=['team']).groupby('team')['small'].sum().nlargest(2).reset_index()"


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("Which two teams have the highest total?", TOP),
        ("List the teams with their totals, largest first",
         "result = df.groupby('team')['small'].sum().sort_values(ascending=False)"),
        ("How many games were won in a row?", "result = 3"),
        ("Is a the best team?", "result = True"),
        ("Which are the top 3 teams?",  # ties kept by its own code
         "result = df['won'].value_counts(dropna=False).add(1).mul(0).nlargest(3, keep='all')"
         ".reset_index().assign(team='x')[['team', 'won']].loc[[0, 1, 2, 0]]"),
        ("Which team has the longest streak?", "result = 'a'"),
        ("What is the average number of days between games?", "result = sum([2, 3]) / 2"),
        ("Show all teams in the order of their first win",
         "result = df.dropna(subset=['team'])['team'].drop_duplicates().tolist()"),
    ],
)  # fmt: skip
def test_a_good_answer_of_a_function_meets_no_objection(
    question: str, code: str, tmp_path: Path
) -> None:
    grown = Grown(tmp_path, games=GAMES)
    made = grown.do("Craft", {"code": code}, "games")
    found = review(Candidate(question, grown.tree, made, grown.table))
    assert [doubt.text for doubt in found if doubt.objects] == []


@pytest.mark.parametrize(
    ("question", "code", "said"),
    [
        ("How many games were won?", "result = df[['small']]", "Aggregate gives one"),
        ("Is a the best team?", "result = 'a'", "no single boolean"),
        ("List the different teams", "result = ['a', 'a', 'b']", "Distinct"),
        ("What are the top 2 teams?", "result = df.groupby('team')['small'].sum()", "asks for 2"),
    ],
)
def test_a_bad_answer_of_a_function_is_doubted_like_any_other(
    question: str, code: str, said: str, tmp_path: Path
) -> None:
    grown = Grown(tmp_path, games=GAMES)
    made = grown.do("Craft", {"code": code}, "games")
    assert any(said in text for text in case(grown, made, question))


def test_a_number_of_a_note_is_traced_to_the_numbers_of_code_and_not_to_its_comments() -> None:
    code = '# the answer is 17\ndef f(df):\n    """Of 18."""\n    return df[\'a\'].nlargest(3)'
    node = Node(
        label="T1", id="x", action=Call(name="Craft", arguments={"task": "t", "code": code})
    )
    found = " ".join(literals_of([node]))
    assert "3" in found and "17" not in found and "18" not in found


def test_what_code_names_is_no_rival_of_what_is_shown(tmp_path: Path) -> None:
    frame = pl.DataFrame({"home points": [1, 2], "away points": [3, 4]})
    grown = Grown(tmp_path, games=frame)
    one = grown.do("Craft", {"code": "result = df[['home points']]"}, "games")
    both = grown.do("Craft", {"code": "df['away points']\nresult = df[['home points']]"}, "games")
    question = "Show the points"
    assert any("could mean" in text for text in case(grown, one, question))
    assert not any("could mean" in text for text in case(grown, both, question))
