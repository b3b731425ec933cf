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
