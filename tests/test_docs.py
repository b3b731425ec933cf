"""What the documents say is so: every action, setting and flag, the picture, the notebooks."""

import re
import runpy
from pathlib import Path

import pytest

from wideleaf.graph.cli import parser
from wideleaf.graph.context import Context
from wideleaf.tools import ACTIONS, MOVES

ROOT = Path(__file__).parent.parent
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


def test_the_map_of_tools_names_every_module() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text()
    told = set(re.findall(r"`(\w+\*?)`", page))
    stems = tuple(name.removesuffix("*") for name in told if name.endswith("*"))
    modules = {path.stem for path in (ROOT / "tools").glob("*.py")} - {"__init__"}
    assert [name for name in sorted(modules - told) if not name.startswith(stems)] == []
