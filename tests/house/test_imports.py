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


def loaded_by(code):
    code = (
        f"{code}\nimport sys, json\nprint(json.dumps([m for m in {HEAVY!r} if m in sys.modules]))"
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


def test_public_names_are_all_there():
    import wideleaf

    for name in wideleaf.__all__:
        assert getattr(wideleaf, name) is not None
    assert wideleaf.__version__
