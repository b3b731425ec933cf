"""Editors: settings are completed and checked, and what is listed of a result is ours."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import get_args, get_origin, get_type_hints

import pandas as pd
import pytest

import wideleaf as wl
from wideleaf.graph import keywords
from wideleaf.graph.context import Context
from wideleaf.graph.options.role_models import GivenModels

ROOT = Path(__file__).parents[2]
USER = """
import wideleaf as wl
import wideleaf_evaluation
result = wl.ask("how many?", {"t": object()}, privacy="samples", max_steps=3, denied=["a"])
print(result.answer.upper(), wl.ask("q", "t.csv", dry_run=True).question)
wl.index("t.csv", folder="w", engine="duckdb")
wl.columns("q", "t.csv", retriever="tso")
wl.as_tool("t.csv", model="openai:gpt-4o", shares="samples")
wl.Context(sources=("t.csv",), privacy="statistics")
print(wl.Session("t.csv", privacy="samples", thread="t").ask("q").answer.upper())
print([told.text for told in wl.stream("q", "t.csv") if isinstance(told, wl.Event)])
async def run() -> None:
    session = await wl.Session.aopen("t.csv", max_steps=3)
    print((await session.aask("q")).answer, (await wl.aask("q", "t.csv", engine="duckdb")).value)
wl.ask("q", "t.csv", privcy="samples")  # WRONG
wl.stream("q", "t.csv", privcy="samples")  # WRONG
wl.Session("t.csv", max_steps="3")  # WRONG
wl.ask("q", "t.csv", privacy="everything")  # WRONG
wl.ask("q", "t.csv", max_steps="3")  # WRONG
wl.index("t.csv", engin="duckdb")  # WRONG
wl.columns("q", "t.csv", retriever="magic")  # WRONG
wl.as_tool("t.csv", privcy="samples")  # WRONG
wideleaf_evaluation.generate_questions("t.csv", out="o", privacy="all")  # WRONG
wl.Context(privcy="samples")  # WRONG
"""


def test_keywords_are_the_fields_of_the_settings():
    hints = get_type_hints(Context)
    runs = get_type_hints(keywords.RunKeywords)
    own = {"sources", "chat_model", "interactive", "model", "base_url", "strategy", "privacy"}
    own |= {"attachments"}  # of the chat alone
    assert set(runs) == set(Context.model_fields) - own
    for name, hint in runs.items():
        if get_origin(wanted := hints[name]) is tuple:  # a list will do as well
            wanted = list[get_args(wanted)[0]] | wanted
        if name == "models":  # a mapping is what code writes
            wanted = GivenModels
        if name in ("audit", "dictionary", "folder"):
            wanted |= os.PathLike[str]
        assert hint == wanted, name
    for more in (keywords.AskKeywords, keywords.IndexKeywords, keywords.ToolKeywords):
        for name in set(get_type_hints(more)) - set(runs) & {"strategy", "privacy", "interactive"}:
            if name in ("strategy", "privacy", "interactive"):
                assert get_type_hints(more)[name] == hints[name]


@pytest.mark.timeout(900)
def test_a_user_s_strict_check_passes_right_use_and_tells_wrong_use(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(USER, "utf-8")
    told = subprocess.run(
        # With the options of `make check`, so that one of the two finds what the other has kept.
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary",
         "--config-file", str(ROOT / "pyproject.toml"),
         "--cache-dir", str(ROOT / ".mypy_cache"), str(file)],
        env={**os.environ, "MYPYPATH": str(ROOT / ".types")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    lines = USER.splitlines()
    wrong = {number for number, line in enumerate(lines, 1) if line.endswith("# WRONG")}
    errors = [line for line in told.stdout.splitlines() if ": error:" in line]
    assert {int(line.split(":")[1]) for line in errors} == wrong, told.stdout + told.stderr
    assert all(line.startswith("mine.py:") for line in errors), "the package makes no errors"


def test_editors_are_told_where_the_package_is():
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]
    for path in (*tools["pyright"]["extraPaths"], tools["mypy"]["mypy_path"]):
        assert (ROOT / path / "wideleaf" / "py.typed").exists()


def test_what_is_listed_of_a_result_and_of_the_package_is_ours(tmp_path):
    result = wl.ask("How many rows?", {"t": pd.DataFrame({"a": [1]})}, folder=str(tmp_path))
    listed = [name for name in dir(result) if not name.startswith("_")]
    assert {"answer", "caveats", "tree", "to_sql", "trace"} <= set(listed)
    assert not [name for name in listed if name.startswith("model_")]
    assert not {"dict", "json", "copy", "parse_obj"} & set(listed)
    assert set(wl.__all__) <= set(dir(wl))
    assert all(getattr(wl, name).__doc__ for name in wl.__all__)
