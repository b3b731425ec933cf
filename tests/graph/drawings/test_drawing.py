from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from grown import add, backtracked, joined, long, straight

from wideleaf.graph.drawings.layout import arrange
from wideleaf.graph.drawings.page import tree_html
from wideleaf.graph.drawings.svg import draw_svg
from wideleaf.graph.drawings.text import draw_text
from wideleaf.tools.tree.tree import FrameTree

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</title><script>alert('1')</script>\"'&\x1b[2J\x00\u202e]]>\n<img src=x onerror=a()>"
TREES: list[Callable[[], FrameTree]] = [straight, joined, backtracked, long, FrameTree]


def hostile() -> FrameTree:
    tree = add(FrameTree(), HOSTILE, "Load", {"source": HOSTILE}, thought=HOSTILE)
    tree = add(tree, "T1", HOSTILE, {HOSTILE: [HOSTILE]}, [HOSTILE], observation=HOSTILE)
    return add(tree, "T2", "Sort", {}, ["T1"], error=HOSTILE).back(HOSTILE, HOSTILE, "forced")


def looks(svg: str, style: str) -> int:
    """How many drawn things have this look, the legend apart."""
    return sum(
        element.get("class") == style and element.find(f"{SVG}title") is not None
        for element in ElementTree.fromstring(svg).iter(f"{SVG}g")
    )


@pytest.mark.parametrize("grow", TREES)
def test_no_two_nodes_share_a_cell_and_parents_stand_below(grow: Callable[[], FrameTree]) -> None:
    tree = grow()
    layout = arrange(tree, tree.head)
    cells = [*layout.frames.values(), *(cell for cell, _ in layout.tries.values())]
    assert len(set(cells)) == len(cells)
    made = [node for node in tree.nodes if node.outcome == "ok"]
    assert set(layout.frames) == {node.label for node in made}
    for node in made:
        for parent in node.parents:
            assert layout.frames[parent].layer < layout.frames[node.label].layer


@pytest.mark.parametrize("grow", TREES)
def test_every_frame_is_drawn_once(grow: Callable[[], FrameTree]) -> None:
    tree = grow()
    svg = draw_svg(tree, tree.head or None)
    frames = [node for node in tree.nodes if node.outcome == "ok"]
    drawn = sum(looks(svg, style) for style in ("goal", "on", "leaf", "left", ""))
    assert drawn == len(frames)
    assert looks(svg, "left") == len(tree.abandoned())
    text = draw_text(tree, tree.head or None)
    for node in tree.nodes:
        assert len(re.findall(rf"[◆●○✗◌] {node.label} ", text)) == 1


def test_a_hostile_tree_gives_well_formed_drawings_that_hold_no_markup_of_its_own() -> None:
    tree = hostile()
    svg = draw_svg(tree)
    tags = {element.tag.removeprefix(SVG) for element in ElementTree.fromstring(svg).iter()}
    assert tags <= {"svg", "title", "style", "g", "rect", "path", "text", "circle"}
    page = tree_html(tree)
    seen: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            seen.append(tag)
            assert not [name for name, _ in attrs if name.startswith("on") or name == "src"]

    Reader().feed(page)
    assert not {"script", "img", "iframe", "link"} & set(seen)
    for drawing in (svg, page, draw_text(tree)):
        assert not {"\x1b", "\x00", "\u202e"} & set(drawing)


def test_a_page_needs_nothing_from_elsewhere() -> None:
    page = tree_html(backtracked(), "T6")
    links = set(re.findall(r"https?://[^\s\"']+", page))
    assert links == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<(script|link)|@import|url\(", page)


def test_a_page_tells_every_step_and_move_in_order() -> None:
    page = tree_html(backtracked(), "T6")
    order = re.findall(r"<tr(?: class=\"move\")?><td>(.*?)</td>", page)
    assert order == ["sales", "T1", "T2", "T3", "T4", "↩ 1", "T5", "T6"]
    assert "&quot;by&quot;: [&quot;s&quot;]" in page
    assert "two tries at T2 failed alike" in page
    assert re.search(r'class="answer">answer', page)


def test_drawings_stay_small_whatever_the_nodes_hold() -> None:
    tree = straight()
    big = "<&>" * 10**6
    tree = add(tree, "T4", "Sort", {"by": [big] * 9}, ["T3"], observation=big, thought=big)
    assert len(draw_svg(tree)) < 30_000
    assert all(len(line) < 250 for line in draw_text(tree).splitlines())


def test_above_sixty_nodes_the_failed_tries_on_a_frame_are_one_box() -> None:
    few = straight()
    for n in range(5):
        few = add(few, f"F{n}", "Sort", {"n": n}, ["T3"], error="no")
    assert looks(draw_svg(few), "try") == 2
    many = few
    for n in range(60):
        many = add(many, f"N{n}", "Derive", {"n": n}, [many.head])
    assert looks(draw_svg(many), "try") == 1
    assert "✗ 5 failed tries" in draw_svg(many)


def test_moves_are_numbered_arrows_with_their_reason() -> None:
    svg = draw_svg(backtracked(), "T6")
    assert "1. forced: two tries at T2 failed alike" in svg
    assert svg.count('class="tip back"') == 1
    again = straight().back("T1", "done before", "repeat")
    assert draw_svg(again).count('class="tip again"') == 1


def test_the_text_of_a_tree_with_a_branch_shows_the_way_as_a_straight_line() -> None:
    lines = draw_text(backtracked(), "T6").splitlines()
    starts = [line.split("(")[0] for line in lines]
    assert starts == [
        "● sales Load",
        "● T1 Filter",
        "├─○ T2 Pivot",
        "│ ├─✗ T3 Group",
        "│ ├─✗ T4 Group",
        starts[5],
        "● T5 Group",
        "◆ T6 Sort",
    ]
    assert starts[5].startswith("│ └─↩ sent back to T1  ")
    assert lines[-1].endswith("3 rows x 2 columns  answer")


def test_color_is_off_unless_asked_for() -> None:
    assert "\x1b" not in draw_text(backtracked())
    assert "\x1b[31m" in draw_text(backtracked(), color=True)


def test_tables_of_which_nothing_was_made_are_named_under_the_drawing() -> None:
    tree = straight()
    one = add(tree, "spare", "Load", {"source": "spare"}).back("T3", "the answer")
    assert looks(draw_svg(one, "T3"), "leaf") == 2
    for n in range(8):
        tree = add(tree, f"spare_{n}", "Load", {"source": f"spare_{n}"})
    tree = tree.model_copy(update={"head": "T3"})
    svg = draw_svg(tree, "T3")
    assert looks(svg, "leaf") == 1
    assert "Not used: spare_0, spare_1" in svg and "spare_7 = Load" in svg
    assert 'width="292"' in svg
    tried = add(tree, "T9", "Sort", {}, ["spare_1"], error="no")
    assert looks(draw_svg(tried, "T3"), "leaf") == 2


def test_lines_of_tables_side_by_side_do_not_run_over_each_other() -> None:
    tree = FrameTree()
    for name in ("homes", "districts", "prices"):
        tree = add(tree, name, "Load", {"source": name})
    tree = add(tree, "T1", "Union", {}, ["homes", "districts", "prices"])
    levels = re.findall(r'class="way" d="M[\d.]+ [\d.]+L[\d.]+ ([\d.]+)Q', draw_svg(tree, "T1"))
    assert len(levels) == len(set(levels)) == 3


def test_steps_on_the_way_to_the_answer_are_not_told_as_left() -> None:
    tree = backtracked().back("T1", "to look once more")
    rows = dict(re.findall(r"<tr><td>(\w+)</td>.*?<td class=\"(\w+)\">", tree_html(tree, "T6")))
    assert (rows["T1"], rows["T5"], rows["T6"], rows["T2"]) == ("ok", "ok", "answer", "left")
