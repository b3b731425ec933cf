"""A message over a graph that goes on from an answer: further, of another node, or counted."""

import pytest

import wideleaf as wl

FACTS = [
    ("Marit Holm", "wrote", "The Salt Road"),
    ("Marit Holm", "wrote", "Low Water"),
    ("Per Lind", "wrote", "The Glass Weir"),
    ("The Salt Road", "publisher", "Anker"),
    ("Low Water", "publisher", "Brenn"),
    ("The Glass Weir", "publisher", "Anker"),
    ("Anker", "city", "Bergen"),
    ("Brenn", "city", "Oslo"),
    ("Marit Holm", "birthplace", "Oslo"),
    ("Per Lind", "birthplace", "Turku"),
    ("Oslo", "country", "Norway"),
    ("Turku", "country", "Finland"),
]


@pytest.fixture
def session(tmp_path):
    path = tmp_path / "kb.tsv"
    path.write_text("".join("\t".join(fact) + "\n" for fact in FACTS))
    return wl.Session(f"graph:{path}", folder=tmp_path / "w")


@pytest.mark.parametrize(
    ("messages", "value"),
    [
        (("Who wrote The Glass Weir?", "Where was he born?"), "Turku"),
        (("Who wrote The Glass Weir?", "What is his birthplace?"), "Turku"),
        (("Who wrote Low Water?", "Where was she born?", "In which country is that?"), "Norway"),
        (("Who wrote Low Water?", "And The Glass Weir?"), "Per Lind"),
        (("Who wrote Low Water?", "what about The Glass Weir?", "and his birthplace?"), "Turku"),
        (("Where was Marit Holm born?", "In which country is that?", "and Per Lind?"), "Finland"),
        (("What did Marit Holm write?", "Who are their publishers?"), ["Anker", "Brenn"]),
        (("What did Marit Holm write?", "how many is that?"), 2),
        (("What did Marit Holm write?", "how many are there?", "and of Per Lind?"), 1),
        # These begin anew.
        (("Who wrote Low Water?", "What is the publisher of The Glass Weir?"), "Anker"),
        (
            ("Who wrote Low Water?", "Which country is the city that Per Lind was born in?"),
            "Finland",
        ),
    ],
)
def test_a_message_goes_on_along_the_graph(session, messages, value):
    *before, last = messages
    for message in before:
        session.ask(message)
    assert session.ask(last).value == value


def test_what_was_taken_from_before_is_said_and_stands_in_its_tree(session):
    first = session.ask("What did Marit Holm write?")
    second = session.ask("Who are their publishers?")
    assert "going on from 'What did Marit Holm write?'" in " ".join(second.caveats)
    assert first.label in {node.label for node in second.tree.plan(second.label)}


@pytest.mark.parametrize("message", ["and of The Green Boat?", "and when did he marry?"])
def test_what_the_graph_does_not_hold_is_refused(session, message):
    session.ask("Who wrote The Glass Weir?")
    told = session.ask(message)
    assert told.status == "unanswered" or "Not used" in told.answer
