"""The request for a program: golden at every level, and never longer than it may be."""

import json

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wideleaf as wl
from wideleaf.agents.codestep.prompt import SourceSketch, write_program_prompt
from wideleaf.agents.craft_task import Try
from wideleaf.agents.models.script import Script
from wideleaf.agents.requests import CHARACTERS

FERRIES = pd.DataFrame(
    {
        "Ferry": [f"Ferry {n}" for n in range(30)],
        "Line": ["Aegean Lines", "Elba Ferries"] * 15,
        "Seats": range(100, 400, 10),
        "Built": pd.date_range("1990-01-01", periods=30, freq="YS").date,
    }
)
JOBS = (
    "Ada Rossi\tworks for\tElba Ferries\t1990\t1999\nMaria Leka\tworks for\tAegean Lines\t2001\t\n"
)
PLACES = "Crete\tcapital\tHeraklion\nCrete\tarea\t8336\nHeraklion\tmayor\tNikos Vlachos\n"
QUESTION = "For which line did Ada Rossi work in 1995, and how many seats has it?"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "jobs.tsv").write_text(JOBS)
    (tmp_path / "places.tsv").write_text(PLACES)


def requests(level, *replies, **given):
    script = Script(programs={"the program": list(replies)})
    wl.ask(
        QUESTION, {"ferries": FERRIES}, "graph:jobs.tsv", "graph:places.tsv",
        model=script, strategy="codestep", privacy=level, **given,
    )  # fmt: skip
    return script.prompts


PROGRAM = """```python
w1 = get("jobs", relation="works for", head_entity="Ada Rossi", key="time", value=1995)
w2 = get("ferries", relation="Seats", key="Line", value=w1)
w3 = {}(w2)
```"""


@pytest.mark.parametrize("level", ["schema", "statistics", "samples"])
def test_the_request_is_its_golden_file(golden, level):
    bad, good = PROGRAM.format("totals"), PROGRAM.format("sum")
    first, second = requests(level, bad, good)
    golden(f"prompt_codestep_{level}.txt", first)
    if level == "schema":
        golden("prompt_codestep_again.txt", second)


def test_a_flat_list_is_asked_for_in_a_text_of_its_own(golden):
    flat = 'step1: get_information("jobs", relation="works for", head_entity="Ada Rossi")'
    golden("prompt_codestep_flat.txt", requests("schema", flat, without=("codestep",))[0])


def test_at_schema_names_kinds_and_the_question_alone_are_told():
    told = requests("schema", PROGRAM.format("sum"))[0].replace(QUESTION, "")
    cells = ("Ada", "Rossi", "Elba", "1995", "1990", "Heraklion", "8336", "Aegean Lines", "Ferry 1")
    assert not [cell for cell in cells if cell in told]
    assert "works for (entity)" in told and "area (number)" in told and "Built (date)" in told


sketches = st.builds(
    SourceSketch,
    name=st.text(min_size=1, max_size=100).map(repr),
    is_temporal=st.booleans(),
    seen=st.lists(st.text(max_size=300), max_size=5).map(tuple),
)
tries = st.lists(
    st.builds(Try, code=st.text(max_size=9000), error=st.text(max_size=2000)), max_size=6
)


@given(
    question=st.text(min_size=1, max_size=6000),
    sources=st.lists(sketches, min_size=1, max_size=8),
    columns=st.lists(st.text(max_size=200), max_size=120).map("\n".join),
    tries=tries,
    objection=st.text(max_size=3000),
    flat=st.booleans(),
)
def test_no_request_is_longer_than_it_may_be(question, sources, columns, tries, objection, flat):
    system, human = write_program_prompt(
        question, sources, columns, "samples", flat=flat, tries=tries, objection=objection,
        line="Write the program, try 3 of 3.",
    )  # fmt: skip
    assert len(json.dumps([system, human], ensure_ascii=False)) <= CHARACTERS + 10
    assert human.endswith("Write the program, try 3 of 3.")


def test_a_wide_source_leaves_room_for_the_others_and_the_last_program():
    columns = "\n".join(f"  column number {n} of the wide table (text)" for n in range(800))
    code = "\n".join(f"w{n} = get('wide', relation='column number {n}')" for n in range(200))
    _, human = write_program_prompt(
        "What is it?", [SourceSketch("'wide'", seen=("  | a",))], f"wide: 800 columns\n{columns}",
        "schema", tries=[Try(code=code, error="line 9: it is wrong")], line="Write.",
    )  # fmt: skip
    assert "more is left out" in human
    assert "w0 = get('wide'" in human and "the rest is left out" in human
    assert "line 9: it is wrong" in human
    assert "  | a" in human
