"""What is loaded when: the import is light, and heavy packages wait until they are needed."""

import json
import subprocess
import sys

import pytest

HEAVY = (
    "altair",
    "chromadb",
    "langchain",
    "langchain_core",
    "langchain_openai",
    "langgraph",
    "narwhals",
    "pandas",
    "polars",
    "pyarrow",
    "sentence_transformers",
    "sklearn",
    "torch",
    "vl_convert",
)
UNASKED = (
    *("IPython", "altair", "chromadb", "duckdb", "fastexcel", "grpc", "ibis", "json_repair"),
    *(
        "langchain",
        "langchain_openai",
        "numpy",
        "openai",
        "pandas",
        "pyarrow",
        "rdflib",
        "safetensors",
    ),
    *("scipy", "sentence_transformers", "sklearn", "sqlalchemy", "sqlglot", "statsmodels"),
    *("tokenizers", "torch", "transformers", "vl_convert"),
    *(
        "wideleaf.agents.planner.paths",
        "wideleaf.tools.sources.text.delimited",
        "wideleaf.graph.talk",
    ),
)
"""What no question needs that names a column of a Parquet file."""


def loaded_by(code, names=HEAVY):
    code = (
        f"{code}\nimport sys, json\nprint(json.dumps([m for m in {names!r} if m in sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "allowed"),
    [
        ("import wideleaf", set()),
        ("from wideleaf.graph.shell.shell import parser; parser()", {"narwhals"}),
        ("import wideleaf.tools", {"narwhals"}),
        ("import wideleaf.tools.charts.chart", {"narwhals"}),
        ("import wideleaf.agents.planner.planner", {"narwhals"}),
        ("import wideleaf.retrieval.descent", {"narwhals"}),
        ("import wideleaf.retrieval.vectors.embedder", {"narwhals"}),
        ("import wideleaf.graph.indexing.indexing", {"narwhals"}),
        ("import wideleaf as wl; wl.index; wl.columns", {"narwhals"}),
    ],
)
def test_an_import_loads_no_more_than_it_needs(code, allowed):
    assert set(loaded_by(code)) <= allowed


@pytest.mark.slow
def test_what_a_question_or_a_look_does_not_need_is_never_loaded(tmp_path):
    code = (
        "import polars as pl, wideleaf as wl\n"
        f"folder = {str(tmp_path)!r}\n"
        "small = folder + '/t.csv'\n"
        "open(small, 'w').write('a,b\\nx,1\\ny,2\\n')\n"
        "wl.ask('What is the mean b?', small, folder=folder)  # without a model\n"
        "wl.columns('What is the elevation?', small, folder=folder)  # of a small table\n"
        "wide = pl.DataFrame({f'probe {n} height': [1.0] for n in range(60)})\n"
        "wl.columns('How tall is it?', {'t': wide}, retriever='words', folder=folder)"
    )
    never = {
        "altair",
        "vl_convert",
        "torch",
        "chromadb",
        "sentence_transformers",
        "sklearn",
        "langchain_openai",
    }
    assert not never & set(loaded_by(code))


@pytest.mark.slow
def test_a_question_that_names_a_column_loads_what_it_uses_and_nothing_else(tmp_path):
    import polars as pl

    wide = pl.DataFrame({f"probe {n} height": [0.5, 1.5] for n in range(60)})
    wide.write_parquet(tmp_path / "t.parquet")
    words = ["ask", "What is the mean of probe 7 height?", "t.parquet", "--folder", "kept"]
    code = (
        f"import os; os.chdir({str(tmp_path)!r})\n"
        "from wideleaf.graph.shell.shell import main\n"
        f"assert main({words}) == 0"
    )
    assert {*loaded_by(code, UNASKED)} <= {"pyarrow", "numpy"}, "a file is looked through once"
    assert loaded_by(code, UNASKED) == []


@pytest.mark.slow
@pytest.mark.embeds
def test_a_question_by_meaning_opens_its_encoder_and_no_torch(tmp_path):
    code = (
        "import polars as pl, wideleaf as wl\n"
        "wide = pl.DataFrame({f'probe {n} height': [1.0] for n in range(60)})\n"
        f"wl.columns('How tall is the sensor?', {{'t': wide}}, folder={str(tmp_path)!r})"
    )
    names = ("chromadb", "tokenizers", "torch", "transformers", "sentence_transformers", "scipy")
    assert loaded_by(code, names) == ["chromadb", "tokenizers"]


def test_public_names_are_all_there():
    import wideleaf

    for name in wideleaf.__all__:
        assert getattr(wideleaf, name) is not None
    assert wideleaf.__version__


PLAIN = """
import importlib.metadata as metadata
import re
import sys
from pathlib import Path

from packaging.requirements import Requirement


def name_of(text):
    return re.sub("[-_.]+", "-", text.lower())


def brings(name, found):
    if name_of(name) in found:
        return
    found.add(name_of(name))
    for text in metadata.requires(name) or []:
        one = Requirement(text)
        if one.marker is None or one.marker.evaluate({"extra": ""}):
            brings(one.name, found)


plain = {"packaging"}
brings("wideleaf", plain)
others = {
    module
    for module, names in metadata.packages_distributions().items()
    if not {name_of(one) for one in names} & plain
}


class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in others:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Missing())
assert {"starlette", "mcp", "openpyxl"} <= others
from wideleaf.graph.shell.shell import main

place = Path(sys.argv[1])
(place / "plots.csv").write_text("site,crop yield\\nNorth,3\\nSouth,5\\n")
table, folder = str(place / "plots.csv"), ["--folder", str(place / "w")]
assert main(["ask", "What is the mean crop yield for each site?", table, *folder]) == 0
assert main(["ask", "Where did most of it grow?", table, *folder]) in (0, 7)
assert main(["columns", "how much grew", table, "--folder", str(place / "w")]) == 0
assert main(["demo", "--folder", str(place / "d")]) == 0
import wideleaf as wl

session = wl.Session(table, folder=str(place / "w"))
assert session.ask("Which site has the highest crop yield?").value == "South"
assert session.ask("plot the crop yield for each site").drawn
wl.build_graph(sources=table), wl.build_conversation(sources=table), wl.as_tool(table)
import wideleaf.graph.chat
"""
"""A shell to which only what `pip install wideleaf` brings is there."""


@pytest.mark.slow
def test_questions_need_no_package_that_only_an_extra_brings(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", PLAIN, str(tmp_path)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-3000:]
