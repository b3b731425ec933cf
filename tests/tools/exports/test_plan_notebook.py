"""A plan as a notebook: valid, the same each time, and it runs from top to bottom."""

import importlib.util
import json
import re
from pathlib import Path

import pytest
from odd_frames import HOSTILE, random_frame
from pandas_scripts import difference, planned, run_scripts

from wideleaf.tools.exports.notebook import plan_notebook

STEPS = [
    ("Filter", {"where": {"column": "x", "op": "!=", "value": 0}}),
    ("Group", {"keys": "t", "measures": [{"function": "mean", "column": "x"}]}),
    ("Sort", {"by": "-mean_x", "limit": 3}),
]


def test_its_code_cells_make_the_engines_frame(tmp_path: Path) -> None:
    plan, tables, sources, made = planned(tmp_path, {"plots": random_frame(1)}, STEPS, "To see")
    path = plan_notebook(plan, tables, sources, tmp_path / "sub" / "n.ipynb")
    cells = json.loads(path.read_text())["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert sum(cell.endswith(".head()") for cell in code) == 4
    [found] = run_scripts(tmp_path, ["\n\n".join(code)])
    assert difference(found, made, ordered=True) == ""


def test_it_says_the_question_the_thoughts_and_the_caveats(tmp_path: Path) -> None:
    plan, tables, sources, _ = planned(
        tmp_path, {"plots": random_frame(1)}, STEPS, "Only known ones", "How tall?"
    )
    path = plan_notebook(plan, tables, sources, tmp_path / "n.ipynb", ["Two rows are tied"])
    told = ["".join(c["source"]) for c in json.loads(path.read_text())["cells"]
            if c["cell_type"] == "markdown"]  # fmt: skip
    assert told[0] == "# How tall?"
    assert sum("Only known ones" in one for one in told) == 3
    assert "Two rows are tied" in told[-1]


def test_it_is_a_valid_notebook_and_the_same_each_time(tmp_path: Path) -> None:
    plan, tables, sources, _ = planned(tmp_path, {"plots": random_frame(1)}, STEPS)
    one, other = (plan_notebook(plan, tables, sources, tmp_path / n) for n in ("a", "b"))
    assert one.read_bytes() == other.read_bytes()
    notebook = json.loads(one.read_text())
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids) and all(re.fullmatch(r"[\w-]{1,64}", one) for one in ids)
    for cell in notebook["cells"]:
        code = {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
        assert set(cell) == {"cell_type", "id", "metadata", "source"} | code


@pytest.mark.skipif(importlib.util.find_spec("nbformat") is None, reason="nbformat is missing")
def test_nbformat_takes_it(tmp_path: Path) -> None:
    import nbformat

    plan, tables, sources, _ = planned(tmp_path, {"plots": random_frame(1)}, STEPS)
    path = plan_notebook(plan, tables, sources, tmp_path / "n.ipynb")
    nbformat.validate(nbformat.read(path, as_version=4))


def test_words_of_others_are_shown_and_do_nothing(tmp_path: Path) -> None:
    ask = "<script>alert(1)</script>\n\n# big\n![x](http://a/b) [y](javascript:z)" + HOSTILE
    plan, tables, sources, _ = planned(
        tmp_path, {"plots": random_frame(1)}, STEPS[:1], thought=ask, question=ask
    )
    path = plan_notebook(plan, tables, sources, tmp_path / "n.ipynb", [ask])
    told = "\n".join("".join(c["source"]) for c in json.loads(path.read_text())["cells"]
                     if c["cell_type"] == "markdown")  # fmt: skip
    assert "<script" not in told and "](" not in told and "\n# big" not in told
