"""A function that a model wrote, everywhere its step can appear after it was made."""

from __future__ import annotations

import ast
import json
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from pandas_scripts import difference, run_scripts

from wideleaf.tools.action import Call
from wideleaf.tools.craft import Craft
from wideleaf.tools.errors import ActionError
from wideleaf.tools.plan import Plan
from wideleaf.tools.plan_notebook import plan_notebook
from wideleaf.tools.plan_pandas import plan_script
from wideleaf.tools.plan_pandas_craft import program_code
from wideleaf.tools.plan_pandas_words import NotInPandas
from wideleaf.tools.plan_sql import plan_sql
from wideleaf.tools.privacy import Policy
from wideleaf.tools.sources import open_catalog
from wideleaf.tools.step import Wish, perform
from wideleaf.tools.store import FrameStore
from wideleaf.tools.table import Table
from wideleaf.tools.tree import FrameTree

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
    labelled = grown.store.labelled(grown.tree[made].id)
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
    pytest.importorskip("sqlglot")
    grown = Grown(tmp_path, games=GAMES)
    made = grown.do("Craft", CRAFTS["series with an index"], "games")
    made2 = grown.do("Sort", {"by": "-points"}, made)
    with pytest.raises(ActionError, match=rf"step '{made}' \(Craft\).*script.*frame before it"):
        plan_sql(grown.plan(made2), grown.at_hand(made2), dialect)
