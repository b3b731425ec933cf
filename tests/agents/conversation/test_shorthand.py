"""Words that people type short are written out, unless they mean something in the tables."""

import pytest

from wideleaf.agents.conversation.shorthand import write_out


def nothing(word: str) -> bool:
    return False


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("how many trees r in here", "how many trees are in here"),
        ("how many of em are conifers", "how many of them are conifers"),
        ("the five best, w/ the numbers", "the five best, with the numbers"),
        ("those w/o a name pls", "those without a name please"),
        ("R squared of a and b", "R squared of a and b"),  # a capital is a name
        ("mean of r_2 and x.r", "mean of r_2 and x.r"),
        ("is 'u' in there", "is 'u' in there"),
    ],
)
def test_what_is_typed_short_is_written_out(typed: str, written: str) -> None:
    assert write_out(typed, nothing) == written


def test_a_word_of_the_tables_stays(tmp_path: object) -> None:
    assert write_out("mean u by r", {"u"}.__contains__) == "mean u by are"
