"""A grammar of phrases: words, what may be left out, classes within classes, one to three words."""

import pytest

from wideleaf.agents.conversation.grammar import Grammar

GRAMMAR = Grammar(
    {
        "it": ["it", "that {figure}"],
        "figure": ["number", "mean"],
        "ask": ["how did you get {it} [for me]", "[so] why", "how many {noun} went into {it}"],
        "back": ["back to {label}", "back"],
    }
)


@pytest.mark.parametrize(
    ("name", "said", "whole"),
    [
        ("ask", "how did you get it", True),
        ("ask", "how did you get that mean for me", True),
        ("ask", "how did you get that for me", False),
        ("ask", "so why", True),
        ("ask", "why", True),
        ("ask", "why so", False),
        ("ask", "how many old red cars went into it", True),
        ("ask", "how many big old red cars went into it", False),
        ("back", "back to t12", True),
        ("back", "back to tea", False),
        ("ask", "", False),
    ],
)
def test_a_phrase_is_all_of_the_words(name, said, whole):
    assert GRAMMAR.matches(name, said.split()) is whole


def test_phrases_are_found_in_front_and_behind():
    words = ["so", "why", "back", "to", "t1"]
    assert GRAMMAR.front(["ask"], words) == 2
    assert GRAMMAR.back(["back"], words) == 2
    assert GRAMMAR.back(["ask"], words) == len(words)
    assert GRAMMAR.ends("back", words, 2) == {3, 5}
