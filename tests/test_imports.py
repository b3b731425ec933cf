"""What is loaded when: the import is light, and heavy packages wait until they are needed."""

import json
import subprocess
import sys

import pytest

HEAVY = (
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
)


def loaded_by(code):
    code = (
        f"{code}\nimport sys, json\nprint(json.dumps([m for m in {HEAVY!r} if m in sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize(
    ("code", "allowed"),
    [
        ("import wideleaf", set()),
        ("from wideleaf.graph.cli import parser; parser()", {"narwhals"}),
        ("import wideleaf.tools", {"narwhals"}),
        ("import wideleaf.agents.planner", {"narwhals"}),
        ("import wideleaf.retrieval.descent", {"narwhals"}),
        ("import wideleaf.retrieval.embedder", {"narwhals"}),
        ("import wideleaf.graph.indexing", {"narwhals"}),
        ("import wideleaf as wl; wl.index; wl.columns", {"narwhals"}),
    ],
)
def test_an_import_loads_no_more_than_it_needs(code, allowed):
    assert set(loaded_by(code)) <= allowed


def test_a_question_without_a_model_never_loads_torch_chroma_or_a_provider(tmp_path):
    code = (
        "import wideleaf as wl\n"
        f"open({str(tmp_path / 't.csv')!r}, 'w').write('a,b\\nx,1\\ny,2\\n')\n"
        f"wl.ask('What is the mean b?', {str(tmp_path / 't.csv')!r}, folder={str(tmp_path)!r})"
    )
    never = {"torch", "chromadb", "sentence_transformers", "sklearn", "langchain_openai"}
    assert not never & set(loaded_by(code))


def test_a_look_at_the_columns_of_a_small_table_never_loads_torch_or_chroma(tmp_path):
    code = (
        "import wideleaf as wl\n"
        f"open({str(tmp_path / 't.csv')!r}, 'w').write('a,b\\nx,1\\ny,2\\n')\n"
        f"wl.columns('What is the elevation?', {str(tmp_path / 't.csv')!r}, "
        f"folder={str(tmp_path)!r})"
    )
    assert not {"torch", "chromadb", "sentence_transformers", "sklearn"} & set(loaded_by(code))


def test_words_alone_never_load_torch_or_chroma_on_a_wide_table(tmp_path):
    code = (
        "import wideleaf as wl, polars as pl\n"
        "wide = pl.DataFrame({f'probe {n} height': [1.0] for n in range(60)})\n"
        "wl.columns('How tall is the gauge?', {'t': wide}, retriever='words', "
        f"folder={str(tmp_path)!r})"
    )
    assert not {"torch", "chromadb", "sentence_transformers", "sklearn"} & set(loaded_by(code))


def test_public_names_are_all_there():
    import wideleaf

    for name in wideleaf.__all__:
        assert getattr(wideleaf, name) is not None
    assert wideleaf.__version__
