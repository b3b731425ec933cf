"""What the documents say is so: every action, setting and flag, the picture, the notebooks."""

import ast
import re
import runpy
from pathlib import Path

import pytest

from wideleaf.graph.context import Context
from wideleaf.graph.shell.shell import parser
from wideleaf.tools.actions.registry import ACTIONS, MOVES

MOST_IN_A_ROOM = 26
ROOT = Path(__file__).parents[2]
needs_checkout = pytest.mark.skipif(
    not (ROOT / "README.md").exists(), reason="the documents are in the checkout, not the wheel"
)
pytestmark = needs_checkout


def readme():
    return (ROOT / "README.md").read_text()


@pytest.mark.parametrize("action", [*ACTIONS, *MOVES], ids=lambda action: action.__name__)
def test_every_action_is_in_the_readme(action):
    assert f"| {action.__name__} |" in readme()


@pytest.mark.parametrize("setting", [name for name in Context.model_fields if name != "chat_model"])
def test_every_setting_is_in_the_readme(setting):
    assert f"`{setting}`" in readme() or setting == "sources"


def flags():
    (commands,) = (a for a in parser()._actions if a.dest == "==SUPPRESS==" or a.choices)
    return sorted(
        {f for c in commands.choices.values() for a in c._actions for f in a.option_strings}
    )


@pytest.mark.parametrize("flag", [flag for flag in flags() if flag.startswith("--")])
def test_every_flag_is_in_the_readme(flag):
    assert re.search(rf"{flag}\b", readme()) or flag == "--help"


def test_the_links_of_the_documents_lead_somewhere():
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize(
    "notebook", sorted((ROOT / "notebooks").glob("*.py")), ids=lambda p: p.stem
)
def test_a_notebook_runs(notebook, capsys):
    space = runpy.run_path(str(notebook))
    assert space["result"].status == "answered"


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


@pytest.mark.parametrize("room", sorted(rooms()))
def test_a_room_can_be_seen_at_a_glance(room: str) -> None:
    modules = [file for file in (ROOT / room).glob("*.py") if file.stem != "__init__"]
    assert len(modules) <= MOST_IN_A_ROOM
    assert rooms()[room].count("\n") == 0


def test_the_picture_of_the_rooms_is_drawn_from_the_code() -> None:
    space = runpy.run_path(str(ROOT / "docs" / "draw_rooms.py"))
    assert space["PICTURE"].read_text(encoding="utf-8") == space["draw"]()
