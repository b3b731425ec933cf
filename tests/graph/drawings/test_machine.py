"""The drawings of the state machine: each node and edge of the compiled graph, and no others."""

import html
import re
from itertools import combinations, groupby
from xml.etree import ElementTree

import pytest

from wideleaf.graph.app import build_graph, build_sample
from wideleaf.graph.chat import chat_graph
from wideleaf.graph.drawings.machine import boxes
from wideleaf.graph.drawings.machine.boxes import read_machine
from wideleaf.graph.drawings.machine.mermaid import draw_mermaid
from wideleaf.graph.drawings.machine.picture import draw_picture
from wideleaf.graph.drawings.machine.places import WIDTH, arrange
from wideleaf.graph.shell.shell import main
from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.registry import ACTIONS, actions

SVG = "{http://www.w3.org/2000/svg}"


def drawn():
    return chat_graph().get_graph(xray=1)


def bare(place):
    return place.rpartition(":")[2]


def nodes():
    return {bare(place) for place in drawn().nodes} - {"__start__", "__end__"}


class Clamp(Action):
    """Put numbers at the nearer of two bounds."""


def graph_with(monkeypatch, *purposes):
    """The graph as it is where packages bring actions of these purposes."""
    graph, own = drawn(), []
    for number, purpose in enumerate(purposes):
        name = f"Clamp{number}"
        own.append(type(name, (Clamp,), {"purpose": purpose, "__doc__": Clamp.__doc__}))
        node = graph.add_node(None, f"talk:{name}")
        graph.add_edge(graph.nodes["talk:think"], node)
        graph.add_edge(node, graph.nodes["talk:think"])
    known = (*actions(), *own)
    monkeypatch.setattr(boxes, "actions", lambda: known)
    return graph


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.__name__)
def test_every_action_says_what_it_is_for(action):
    assert action.purpose != Action.purpose


@pytest.mark.parametrize("graph", [build_graph(), build_sample()], ids=["ask", "sample"])
def test_langgraphs_own_drawing_has_actions_of_one_purpose_side_by_side(graph):
    purposes = {action.__name__: action.purpose for action in actions()}
    listed = [purposes[name] for name in graph.get_graph().nodes if name in purposes]
    assert len(listed) == len(actions())
    assert len([*groupby(listed)]) == len({*listed})


def test_the_picture_names_every_node_once():
    page = ElementTree.fromstring(draw_picture(read_machine(drawn())))
    said = " ".join("".join(text.itertext()) for text in page.iter(f"{SVG}text"))
    words = re.findall(r"\w+", said)
    assert nodes() <= {*words}
    for name in ("select", "verify", "Unpivot", "RunCraft", "Recall"):
        assert words.count(name) == 1


BOX = re.compile(r'(n_\w+)\["(.*)"\]')
ARROW = re.compile(r"^\s*(\w+) (<?)--> (\w+)$", re.M)


def mermaid_edges(text):
    """What the text draws: for each arrow, the pairs of nodes that stand in its boxes."""
    inside = {"__start__": {"__start__"}, "__end__": {"__end__"}}
    for key, label in BOX.findall(text):
        listed = label if key == "n_actions" else " ".join(re.findall("<b>(.*?)</b>", label))
        inside[key] = {*re.findall(r"\w+", listed)} & nodes()
    found = set()
    for source, back, target in ARROW.findall(text):
        found.add((source, target))
        found |= {(target, source)} if back else set()
    return inside, found


def test_the_mermaid_text_has_every_node_in_one_box_and_the_edges_of_the_graph():
    inside, found = mermaid_edges(draw_mermaid(read_machine(drawn())))
    assert {name for names in inside.values() for name in names} >= nodes()
    box_of = {name: key for key, names in inside.items() for name in names}
    bands = {box_of["Load"], box_of["Craft"], box_of["Ask"]}
    ends = "talk:__end__"
    expected = set()
    for edge in drawn().edges:
        if edge.source == ends:
            continue
        after = "question" if bare(edge.source) == "think" else "say"
        target = after if edge.target == ends else bare(edge.target)
        pair = (box_of[bare(edge.source)], box_of[target])
        if pair[0] != pair[1] or pair[0] not in bands:
            expected.add(pair)
    assert found == expected


def test_the_picture_refuses_a_node_that_has_no_place_in_it():
    graph = drawn()
    graph.add_node(None, "talk:doubt")
    with pytest.raises(ValueError, match=r"differ in doubt; give each its place"):
        draw_picture(read_machine(graph))


@pytest.mark.parametrize(("source", "target"), [("verify", "answer"), ("Backtrack", "think")])
def test_the_picture_refuses_an_arrow_that_is_not_in_the_graph(source, target):
    graph = drawn()
    (edge,) = (
        one for one in graph.edges if (bare(one.source), bare(one.target)) == (source, target)
    )
    graph.edges.remove(edge)
    with pytest.raises(ValueError, match=f"differ in {source} to {target}"):
        draw_picture(read_machine(graph))


@pytest.mark.parametrize("purposes", [(), ("bounds",), ("rows", "other", "a", "b", "c <&", "e")])
def test_no_box_of_the_picture_lies_on_another_whatever_packages_bring(monkeypatch, purposes):
    machine = read_machine(graph_with(monkeypatch, *purposes))
    sheet = arrange(machine)
    for one, other in combinations(sheet.boxes.values(), 2):
        beside = one.right < other.left or other.right < one.left
        assert beside or one.bottom < other.top or other.bottom < one.top
    for place in sheet.boxes.values():
        assert place.left > 0 and place.right < WIDTH and place.bottom < sheet.height
    said = draw_picture(machine)
    ElementTree.fromstring(said)
    assert all(html.escape(purpose) in said for purpose in purposes)


def segments(path):
    """The straight pieces of a path of M, H and V."""
    x = y = 0.0
    for letter, numbers in re.findall(r"([MHV])([\d. -]+)", path):
        values = [float(one) for one in numbers.split()]
        new = {"M": (values[0], values[-1]), "H": (values[0], y), "V": (x, values[0])}[letter]
        if letter != "M":
            yield (x, y), new
        x, y = new


def test_no_arrow_of_the_picture_goes_through_a_box():
    sheet = arrange(read_machine(drawn()))
    looked = 0
    for pair, way in sheet.ways.items():
        for (ax, ay), (bx, by) in segments(way.path) if way and "C" not in way.path else ():
            looked += 1
            for name, place in sheet.boxes.items():
                across = min(ax, bx) < place.right - 1 and max(ax, bx) > place.left + 1
                down = min(ay, by) < place.bottom - 1 and max(ay, by) > place.top + 1
                assert not (across and down), (pair, name)
    assert looked > 20


def test_the_shell_draws_the_graph(tmp_path, capsys):
    assert main(["graph"]) == 0
    assert capsys.readouterr().out == draw_mermaid(read_machine(drawn()))
    assert main(["graph", "--as", "svg", "-o", str(tmp_path / "graph.svg")]) == 0
    assert ElementTree.parse(tmp_path / "graph.svg").getroot().tag.endswith("svg")
