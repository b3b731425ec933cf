"""The drawings of the graphs: the compiled ones, and what packages bring to them."""

import pytest

from wideleaf.graph import app
from wideleaf.graph.nodes.calls import node_of
from wideleaf.graph.shell.shell import main
from wideleaf.graph.shell.start import GRAPHS, draw
from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.moves import MOVES
from wideleaf.tools.actions.registry import ACTIONS, actions


class Clamp(Action):
    """Put numbers at the nearer of two bounds."""

    purpose = "critic"


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.__name__)
def test_every_action_says_what_it_is_for_and_has_its_node(action):
    assert action.purpose != Action.purpose
    assert node_of(action.__name__) in app.build_run().nodes


def test_every_move_has_its_node():
    names = {move.__name__ for move in MOVES} - {"Finish", "Abstain"}
    assert {node_of(name) for name in names} <= app.build_run().nodes.keys()


def test_an_action_of_a_package_takes_no_node_that_is_none_of_a_tool(monkeypatch):
    monkeypatch.setattr(app, "actions", lambda: (*actions(), Clamp))
    assert "critic actions" in app.build_run().nodes


@pytest.mark.parametrize("name", GRAPHS)
def test_the_shell_draws_a_graph_as_it_is_compiled(name, tmp_path, capsys):
    assert main(["graph", name]) == 0
    text = capsys.readouterr().out
    assert text == draw(name) and text.startswith("graph TD;")
    for node in app.build_run().nodes:
        assert node in text
    assert main(["graph", name, "-o", str(tmp_path / "graph.mmd")]) == 0
    assert (tmp_path / "graph.mmd").read_text() == text
