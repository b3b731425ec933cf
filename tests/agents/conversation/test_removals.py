"""Removals: what a message takes back of the question before it, and what it asks beside that."""

import pytest


@pytest.mark.parametrize(
    ("message", "what", "rest"),
    [
        ("now forget the five, how many towns are there in all?", "the five",
         "how many towns are there in all?"),
        ("forget the 15000, can you draw a bar chart with the mean of both groups", "the 15000",
         "can you draw a bar chart with the mean of both groups"),
        ("forget about the year", "the year", ""),
        ("never mind the year", "the year", ""),
        ("Never mind the year, show me every river", "the year", "show me every river"),
        ("drop the condition on site", "the condition on site", ""),
        ("without the filter", "the filter", ""),
        ("and without the filter on sex?", "the filter on sex", ""),
        ("ignore the limit please", "the limit", ""),
        ("ok, ignore the sex and group by river", "the sex", "group by river"),
        ("scratch the 2019 part", "the 2019", ""),
        ("leave out the restriction to Norway, what is it then?", "the restriction to norway",
         "what is it then?"),
        ("hm, remove the top three limit", "the top three limit", ""),
        ("lift the limit. how many are there?", "the limit", "how many are there?"),
        ("skip the year filter: mean length by river", "the year filter", "mean length by river"),
        ("disregard Norway, take all countries", "norway", "take all countries"),
        ("can you drop the 'females only' bit", "the 'females only'", ""),
        ("get rid of the cutoff", "the cutoff", ""),
        ("forget the females - how many are there?", "the females", "how many are there?"),
        ("please forget the threshold of 100 and show me the median", "the threshold of 100",
         "show me the median"),
        ("take the year condition off", "the year condition", ""),
        ("take off the limit", "the limit", ""),
        ("doesn't have to be in Norway", "in norway", ""),
        ("the year doesn't matter, how many are there?", "the year", "how many are there?"),
        ("not just the five, all of them", "the five", "all of them"),
    ],
)  # fmt: skip
def test_what_is_taken_back_and_the_rest(message, what, rest):
    from wideleaf.agents.conversation.removals import read_removal

    found = read_removal(message)
    assert found is not None
    assert (found.what.casefold(), found.rest) == (what, rest)


@pytest.mark.parametrize(
    "message",
    [
        "which drop in price was the largest?",
        "how many patients forget the pill?",
        "forget that",
        "forget it",
        "never mind",
        "drop the last one",
        "mean drop by site",
        "how many rivers are without otters?",
        "houses without a garden",
        "which rows have no filter?",
        "what is the mean of limit by site?",
        "how often did they skip the test?",
        "leave days by year",
        "scratch the last answer",
        "ignore case by year?",
        "filter the rows by year",
        "not only the women, also the men",
        "not just the north but the south too",
    ],
)
def test_a_question_with_such_words_takes_nothing_back(message):
    from wideleaf.agents.conversation.removals import read_removal

    assert read_removal(message) is None
