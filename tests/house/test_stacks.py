"""The examples for other agent stacks are run, and print what stands under them."""

import os
import re
import stat
import sys
from pathlib import Path

import pytest
from dev_server import NEEDS, dev_server

from wideleaf.graph.doors.schemas import error_codes

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "agents.md"
pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the documents are in the checkout")
BLOCK = re.compile(r"```python\n(.*?)```(?:\n```text\n(.*?)```)?", re.S)
NEEDED = {
    "Over RemoteGraph": NEEDS,
    "An MCP server": [pytest.mark.slow],
}
SERVED = "http://127.0.0.1:2024"


def sections():
    """Code and transcript of each section, by its heading."""
    parts = re.split(r"^## (.+)\n", PAGE.read_text("utf-8"), flags=re.M) if PAGE.exists() else []
    found = zip(parts[1::2], map(BLOCK.findall, parts[2::2]), strict=True)
    return {title: blocks for title, blocks in found if blocks}


EXAMPLES = sections()
TITLES = [title for title in EXAMPLES if title != "Which way for what"]


@pytest.fixture
def page(tmp_path, monkeypatch):
    """What runs the examples one after the other, in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    space = {}

    def run(title):
        for code, _ in EXAMPLES[title]:
            exec(compile(code, f"{PAGE.name}: {title}", "exec"), space)
        return space

    run("Which way for what")
    return run


NEEDS_BEFORE = {
    "A node with tables of its own": ["A tool"],
    "Tables and settings with the question": ["A tool"],
    "Several questions on one thread": ["A tool"],
    "A conversation as a node": [
        *("A tool", "A node with tables of its own", "Several questions on one thread"),
    ],
    "Over RemoteGraph": ["A tool", "A node with tables of its own"],
    "A supervisor that hands over": ["A tool", "A node with tables of its own"],
    "A frame of an earlier answer": ["A tool", "Tables and settings with the question"],
}
NEEDS_BEFORE["Forms and codes"] = [
    *NEEDS_BEFORE["A frame of an earlier answer"],
    "A frame of an earlier answer",
]


@pytest.mark.parametrize(
    "title", [pytest.param(title, marks=NEEDED.get(title, [])) for title in TITLES]
)
def test_an_example_prints_what_stands_under_it(title, page, monkeypatch, capfd, tmp_path):
    for before in NEEDS_BEFORE.get(title, []):
        page(before)
    capfd.readouterr()
    if title == "An MCP server":
        pytest.importorskip("mcp", reason="needs the extra 'mcp'")
        put_on_path(tmp_path / "bin", monkeypatch)
    if title == "Over RemoteGraph":
        (tmp_path / "served").mkdir()
        with dev_server(tmp_path / "served") as url:
            code = EXAMPLES[title][0]
            monkeypatch.setitem(EXAMPLES, title, [(code[0].replace(SERVED, url), code[1])])
            page(title)["remote"].sync_client.close()
    else:
        page(title)
    transcripts = [text for _, text in EXAMPLES[title] if text]
    assert transcripts
    assert capfd.readouterr().out.strip() == "".join(transcripts).strip()


def put_on_path(folder, monkeypatch):
    """The command `wideleaf` of this Python, which an environment has on its path."""
    folder.mkdir()
    script = folder / "wideleaf"
    lines = [
        f"#!{sys.executable}",
        "import sys",
        f"sys.path[:0] = {[path for path in sys.path if path]!r}",
        "from wideleaf.graph.shell.shell import main",
        "sys.exit(main())",
    ]
    script.write_text("\n".join(lines))
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", os.pathsep.join([str(folder), os.environ["PATH"]]))


def test_every_code_of_an_error_is_listed():
    table = PAGE.read_text("utf-8").split("## Forms and codes")[1]
    assert {*re.findall(r"^\| `(\w+)` \|", table, re.M)} == {*error_codes()}
