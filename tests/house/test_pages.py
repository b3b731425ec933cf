"""The pages of the site: their code runs and prints what stands there, and their links lead on."""

import ast
import re
import shlex
import unicodedata

import pytest
import yaml
from pages import READ_ELSEWHERE, ROOT, RUN, alike, blocks, pages, run, told

import wideleaf as wl
from wideleaf.graph.shell.shell import parser
from wideleaf.tools.sandbox.protection.protection import protection

pytestmark = pytest.mark.skipif(
    not (ROOT / "mkdocs.yml").exists(), reason="the pages are in the checkout, not the wheel"
)
PAGES = pages()
DATA = ("text", "toml", "json", "dockerfile", "csv", "action", "refused")
"""Languages of blocks that are no code: outputs, files, and examples that test_semantics runs."""
FEWEST, MOST = 15, 21
NEED_WALL = ("how-to/models.md", "how-to/results.md")
OTHERS = ("README.md", "CONTRIBUTING.md", "docs/architecture.md", "retrieval/weights.md")
OTHERS += ("CHANGELOG.md", "notebooks/*.ipynb", "agents/planner/*.md")
OTHERS += ("benchmarks/*.md", "benchmarks/*/README.md")
LINK = re.compile(r"\]\(([^)\s]+)\)")


def marks(name):
    held = pytest.mark.skipif(
        name in NEED_WALL and not protection().wall,
        reason="this machine cannot hold model-written code",
    )
    return [held, pytest.mark.sandbox] if name in NEED_WALL else []


RUNNABLE = {
    "README.md": ROOT / "README.md",
    **{name: file for name, file in PAGES.items() if name not in READ_ELSEWHERE},
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=marks(name)) for name in RUNNABLE], ids=str
)
def test_the_code_of_a_page_prints_what_stands_under_it(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for block, printed in run(RUNNABLE[name], monkeypatch):
        assert alike(block.output, printed), (
            f"{block.code}\nprinted\n{told(printed)}\nand not\n{told(block.output)}"
        )


@pytest.mark.parametrize("name", PAGES, ids=str)
def test_no_block_of_code_is_left_out_without_a_reason(name):
    for block in blocks(PAGES[name]):
        assert block.language in (*RUN, *DATA), f"{name}: {block.language!r}, {block.code[:80]}"
        assert not block.more, f"{name}: Markdown does not take {block.more!r} behind a fence"
        if not block.left_out:
            continue
        assert not block.output, f"{name}: an output that nobody checks, {block.code[:80]}"
        if block.language == "python":
            ast.parse(block.code)
        for line in block.code.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True) if block.language == "shell" else []
            if words[:1] == ["wideleaf"] and words[1] != "eval":  # has parsers of its own
                parser().parse_args(words[1:])


def places(nav):
    """The files of a navigation."""
    for entry in nav:
        for at in entry.values():
            yield from places(at) if isinstance(at, list) else [at]


def test_each_page_stands_in_the_navigation_once():
    nav = [*places(yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))["nav"])]
    assert sorted(nav) == sorted(PAGES)
    assert FEWEST <= len(nav) <= MOST


def anchors(text):
    """The anchors of a page's headings, as Markdown's table of contents makes them."""
    found = set()
    for heading in re.findall(
        r"^#{1,6} (.+)$", re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M), re.M
    ):
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        plain = unicodedata.normalize("NFKD", shown).encode("ascii", "ignore").decode()
        made = re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())
        name, number = made, 0
        while name in found:
            number += 1
            name = f"{made}_{number}"
        found.add(name)
    return found


LINKED = [*PAGES.values(), *(file for glob in OTHERS for file in sorted(ROOT.glob(glob)))]


@pytest.mark.parametrize("file", LINKED, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_every_link_leads_to_a_file_and_an_anchor(file):
    text = re.sub(r"^```.*?^```$", "", file.read_text("utf-8"), flags=re.S | re.M)
    for target in LINK.findall(text):
        if "://" in target:
            continue
        at, _, anchor = target.partition("#")
        there = (file.parent / at).resolve() if at else file
        assert there.exists(), f"{file.name} links to {target}"
        if anchor:
            assert anchor in anchors(there.read_text("utf-8")), f"{file.name} links to {target}"


@pytest.mark.parametrize("name", wl.__all__)
def test_the_reference_has_every_public_name(name):
    page = (ROOT / "docs" / "reference" / "python.md").read_text("utf-8")
    assert f"\n### {name}\n" in page or f"`wl.{name}`" in page
