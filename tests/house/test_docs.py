"""What the documents say is so: every action, setting and flag, pictures, rooms, notebooks."""

import ast
import json
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from wideleaf.graph.context import Context
from wideleaf.graph.shell.shell import parser
from wideleaf.tools.actions.registry import ACTIONS, MOVES

MAX_IN_A_ROOM = 25
ROOT = Path(__file__).parents[2]
needs_checkout = pytest.mark.skipif(
    not (ROOT / "README.md").exists(), reason="the documents are in the checkout, not the wheel"
)
pytestmark = needs_checkout


def readme():
    return (ROOT / "README.md").read_text("utf-8")


def reference(name="commands"):
    return (ROOT / "docs" / "reference" / f"{name}.md").read_text("utf-8")


def test_the_reference_is_what_the_code_says():
    written = runpy.run_path(str(ROOT / ".ci" / "reference.py"))["pages"]()
    for file, text in written.items():
        assert file.read_text("utf-8") == text, "run python .ci/reference.py"


@pytest.mark.parametrize("action", [*ACTIONS, *MOVES], ids=lambda action: action.__name__)
def test_every_action_is_in_the_reference(action):
    assert f"\n### {action.__name__}\n" in reference("actions")


@pytest.mark.parametrize("setting", [name for name in Context.model_fields if name != "chat_model"])
def test_every_setting_is_in_the_reference_and_says_what_it_does(setting):
    (line,) = re.findall(rf"^\| `{setting}` \|.*$", reference(), re.M)
    assert not line.endswith("|  |")


def flags():
    (commands,) = (a for a in parser()._actions if a.dest == "==SUPPRESS==" or a.choices)
    return sorted(
        {f for c in commands.choices.values() for a in c._actions for f in a.option_strings}
    )


@pytest.mark.parametrize("flag", [flag for flag in flags() if flag.startswith("--")])
def test_every_flag_is_in_the_reference(flag):
    assert re.search(rf"`{flag}\b", reference()) or flag == "--help"


@pytest.mark.slow
@pytest.mark.parametrize(
    "notebook", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda p: p.stem
)
def test_a_notebook_says_what_stands_under_its_cells(notebook, tmp_path):
    place = ROOT / ".ci" / "notebooks.py"
    said = runpy.run_path(str(place))["said"]
    # In a process of its own: the client of a kernel warns of loops and sockets.
    code = "import runpy, sys; runpy.run_path(sys.argv[1])['write'](*sys.argv[2:])"
    made = tmp_path / notebook.name
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, str(place), str(notebook), str(made)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    here, kept = (said(json.loads(path.read_text())) for path in (made, notebook))
    assert here == kept, "python .ci/notebooks.py writes the outputs anew"


def test_the_picture_of_the_readme_is_that_of_its_question():
    drawn = runpy.run_path(str(ROOT / "benchmarks" / "readme_picture.py"))
    assert drawn["picture"]() == (ROOT / "docs" / "tree.svg").read_text("utf-8")
    assert drawn["QUESTION"] in readme()


def test_the_readme_is_short_and_names_the_command_that_passes_the_tests():
    text = re.sub(r"```mermaid.*?```", "", readme(), flags=re.S)
    assert len(text.split()) <= 1000
    assert re.search(r"^make test\b", readme(), re.M)


def test_the_files_that_contributing_names_are_there():
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    named = set(re.findall(r"`?((?:[\w.-]+/)+(?:\w+\.\w+)?)", page)) - {".venv/bin/"}
    assert len(named) > 15
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


def test_the_folders_named_by_the_architecture_exist():
    table = (ROOT / "docs" / "architecture.md").read_text()
    for folder in re.findall(r"^\| `([\w/]+)/` \|", table, re.M):
        assert (ROOT / folder).is_dir()


def rooms() -> dict[str, str]:
    """Each package's sentence, by its folder."""
    found = {}
    for folder in ("tools", "retrieval", "agents", "graph", "evaluation/wideleaf_evaluation"):
        for file in sorted((ROOT / folder).glob("**/*.py")):
            room = file.parent.relative_to(ROOT).as_posix()
            if room != folder and room not in found:
                sentence = ast.get_docstring(ast.parse((file.parent / "__init__.py").read_text()))
                found[room] = str(sentence)
    return found


def test_the_map_of_the_rooms_is_what_the_packages_say_of_themselves() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text()
    table = page.split("## The rooms")[1].split("## ")[0]
    assert dict(re.findall(r"^\| `([\w/]+)/` \| (.*) \|$", table, re.M)) == rooms()


def test_the_map_of_the_files_beside_the_rooms_is_what_they_say_of_themselves() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text()
    files = [
        file.relative_to(ROOT)
        for folder in ("tools", "retrieval", "agents", "graph")
        for file in sorted((ROOT / folder).glob("*.py"))
        if file.stem != "__init__"
    ]
    own = {
        file.as_posix(): str(ast.get_docstring(ast.parse((ROOT / file).read_text()))).split("\n")[0]
        for file in files
    }
    table = page.split("## The rooms")[1].split("## ")[0]
    assert dict(re.findall(r"^\| `(\w+/\w+\.py)` \| (.*) \|$", table, re.M)) == own


@pytest.mark.parametrize("room", sorted(rooms()))
def test_a_room_can_be_seen_at_a_glance(room: str) -> None:
    modules = [file for file in (ROOT / room).glob("*.py") if file.stem != "__init__"]
    assert len(modules) <= MAX_IN_A_ROOM
    assert rooms()[room].count("\n") == 0


def test_the_graphs_of_the_documents_are_drawn_from_the_code() -> None:
    space = runpy.run_path(str(ROOT / ".ci" / "draw_graph.py"))
    for name in space["DOCUMENTS"]:
        text = (ROOT / name).read_text(encoding="utf-8")
        assert "```mermaid" in text and text == space["draw_into"](name)


def test_the_picture_of_the_rooms_is_drawn_from_the_code() -> None:
    space = runpy.run_path(str(ROOT / ".ci" / "draw_rooms.py"))
    assert space["PICTURE"].read_text(encoding="utf-8") == space["draw"]()
