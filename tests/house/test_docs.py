"""What the documents say is so: every action, setting and flag, recipes, pictures, notebooks."""

import ast
import io
import json
import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from wideleaf.graph.context import Context
from wideleaf.graph.demo_table import make_demo_tables
from wideleaf.graph.shell.shell import main, parser
from wideleaf.tools.actions.registry import ACTIONS, MOVES

MAX_IN_A_ROOM = 25
ROOT = Path(__file__).parents[2]
needs_checkout = pytest.mark.skipif(
    not (ROOT / "README.md").exists(), reason="the documents are in the checkout, not the wheel"
)
pytestmark = needs_checkout


def readme():
    return (ROOT / "README.md").read_text("utf-8")


def reference():
    return (ROOT / "docs" / "reference.md").read_text("utf-8")


def test_the_reference_is_what_the_code_says():
    written = runpy.run_path(str(ROOT / ".ci" / "reference.py"))["page"]()
    assert written == reference(), "run python .ci/reference.py"


@pytest.mark.parametrize("action", [*ACTIONS, *MOVES], ids=lambda action: action.__name__)
def test_every_action_is_in_the_reference(action):
    assert f"| {action.__name__} |" in reference()


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


def test_the_shells_page_names_every_command():
    (commands,) = (a for a in parser()._actions if a.dest == "==SUPPRESS==" or a.choices)
    page = (ROOT / "docs" / "shell.md").read_text("utf-8")
    assert [name for name in commands.choices if f"| `wideleaf {name}" not in page] == []


def test_the_links_of_the_documents_lead_somewhere():
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


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


RECIPE = re.compile(r"```(shell|python)\n((?:(?!```).)*)```\n```text\n(.*?)```", re.S)


def rounded(text):
    """Without the last digits of a mean, which hang on the order of its sum."""
    return re.sub(r"\d+\.\d{9,}", lambda number: f"{float(number[0]):.9g}", text)


CHAT = re.compile(r"```chat\n\$ wideleaf (.*?)\n(.*?)```", re.S)
NAMES = ("conversation", "batch", "graphs", "provenance", "planner")
PAGES = [ROOT / "README.md", *(ROOT / "docs" / f"{name}.md" for name in NAMES)]


def found(pattern):
    return [one for page in PAGES if page.exists() for one in pattern.findall(page.read_text())]


class Screen(io.StringIO):
    """A stream that takes itself for a terminal."""

    def isatty(self):
        return True


@pytest.mark.parametrize("chat", found(CHAT), ids=lambda chat: chat[0])
def test_a_chat_of_the_documents_goes_as_it_stands_there(chat, tmp_path, monkeypatch):
    command, output = chat
    typed = iter(re.findall(r"^> (.*)$", output, re.M))
    screen = Screen()

    def read(prompt):
        line = next(typed)
        print(f"{prompt}{line}")
        return line

    monkeypatch.chdir(tmp_path)
    make_demo_tables(Path(".wideleaf"))
    monkeypatch.setattr("builtins.input", read)
    monkeypatch.setattr("sys.stdin", Screen())
    monkeypatch.setattr("sys.stdout", screen)
    assert main(shlex.split(command)) == 0
    untimed = re.compile(r"[\d.]+ s of work")
    assert untimed.sub("", screen.getvalue()) == untimed.sub("", output)


@pytest.mark.parametrize("recipe", found(RECIPE), ids=lambda recipe: recipe[0])
def test_a_recipe_of_the_documents_prints_what_stands_under_it(
    recipe, tmp_path, monkeypatch, capsys
):
    language, code, output = recipe
    monkeypatch.chdir(tmp_path)
    make_demo_tables(Path(".wideleaf"))
    if language == "python":
        exec(code, {})
    else:
        for line in code.splitlines():
            program, *words = shlex.split(line)
            assert program == "wideleaf" and main(words) == 0
    assert rounded(capsys.readouterr().out.strip()) == rounded(output.strip())


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
    named = set(re.findall(r"`?((?:[\w.]+/)+(?:\w+\.\w+)?)", page)) - {".venv/bin/"}
    assert len(named) > 15
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


def test_the_folders_named_by_the_architecture_exist():
    table = (ROOT / "docs" / "architecture.md").read_text()
    for folder in re.findall(r"^\| `([\w/]+)/` \|", table, re.M):
        assert (ROOT / folder).is_dir()


def rooms() -> dict[str, str]:
    """Each package's sentence, by its folder."""
    found = {}
    for folder in ("tools", "retrieval", "agents", "graph"):
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
