"""The noisy-or over words that are left over, and the signs that it goes by."""

import math

import narwhals as nw
import polars as pl
import pytest

from wideleaf.agents.planner.candidates import candidates
from wideleaf.agents.planner.coverage.clauses import Clauses
from wideleaf.agents.planner.coverage.leftovers import tells
from wideleaf.agents.planner.coverage.signs import signs_of
from wideleaf.agents.planner.links.lexicon import Question
from wideleaf.agents.planner.proposals import confidence
from wideleaf.agents.planner.scenes.database import database_of
from wideleaf.tools.tables.table import Table

GOATS = pl.DataFrame({"goat": ["Ada", "Bil"], "barn": ["East", "West"], "milk": [2.0, 3.5]})


def best(question):
    tables = {"goats": Table(nw.from_native(GOATS.lazy()))}
    return candidates(Question(question), database_of(tables, ()))[0]


def signs(question, word):
    one = best(question)
    side = Clauses(one.derivation)
    return signs_of(side, side.words.index(word))


@pytest.mark.parametrize(
    ("question", "word", "some"),
    [
        ("mean milk in the East barn with a sunroof", "sunroof", "behind determiner"),
        ("mean milk of goats in Trondheim", "trondheim", "name;behind preposition"),
        ("How many goats are in 7 stalls?", "stalls", "plural"),
        ("What is the mean milk of the second goat?", "second", "class ordinal;before covered"),
        ("mean milk for each month", "month", "light"),
    ],
)
def test_a_word_has_the_signs_of_its_form_and_place(question, word, some):
    assert {*some.split(";")} <= signs(question, word)


def test_the_doubt_of_words_adds_up_and_confidence_is_the_plans_less_it():
    one = best("What is the mean milk of goats with a sunroof in Trondheim?")
    parts = [tells(word) for word in one.left.signs]
    assert len(parts) > 1 and all(0 < part < 1 for part in parts)
    assert one.left.doubt == pytest.approx(-sum(math.log(1 - part) for part in parts))
    sure = confidence(0.9, one)
    alone = confidence(0.9, one._replace(left=one.left._replace(doubt=0.0)))
    assert sure == pytest.approx(alone * math.prod(1 - part for part in parts))


def test_a_word_of_a_header_or_cell_that_is_passed_over_tells_whatever_the_weights_say(monkeypatch):
    from wideleaf.agents.planner.coverage import leftovers

    monkeypatch.setattr(leftovers, "tells", lambda signs: 0.01)
    found = leftovers.find_leftovers(best("What is the mean milk of Ada by barn?").derivation)
    assert found.telling or not found.slight
