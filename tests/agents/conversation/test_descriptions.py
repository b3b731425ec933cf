"""Going back to an answer that is described by its words, its columns, its operation or place."""

import pytest

from wideleaf.agents.conversation.remarks import read_remark
from wideleaf.agents.turn import Exchange

OTTERS = (
    Exchange(
        said="What is the mean weight of the otters by river?",
        reading="the mean of weight for each river of otters",
        label="T1",
    ),
    Exchange(
        said="only the females",
        reading="the mean of weight for each river of otters, where sex is 'female', going on from "
        "'What is the mean weight of the otters by river?'",
        label="T2",
    ),
    Exchange(
        said="take the median instead",
        reading="the median of weight for each river of otters, where sex is 'female', going on "
        "from 'only the females'",
        label="T3",
    ),
    Exchange(said="which of these swim best?", status="unanswered"),
    Exchange(
        said="How many otters have a litter above 2?",
        reading="the number of rows of otters, where litter is over 2",
        label="T4",
    ),
    Exchange(
        said="and their length?",
        reading="the length of the rows of 'How many otters have a litter above 2?'",
        label="T6",
    ),
)
SHOPS = (
    Exchange(
        said="total revenue in 2021",
        reading="the sum of revenue_eur of shops, where year is 2021",
        label="T1",
    ),
    Exchange(
        said="the five shops with the most customers",
        reading="the shop by customers of shops, the 5 with the highest customers",
        label="T2",
    ),
    Exchange(
        said="average rent per city",
        reading="the mean of rent_eur for each city of shops",
        label="T3",
    ),
    Exchange(
        said="draw the rent of Lyon and Nantes as a bar chart",
        reading="the mean of rent_eur for each city of shops, where city is one of 'Lyon' or "
        "'Nantes'",
        label="T5",
        drawn="draw the rent of Lyon and Nantes as a bar chart",
    ),
    Exchange(
        said="which share of the shops closed?",
        reading="the share of rows of shops, where closed is True",
        label="T6",
    ),
)
ROWS = {"T1": 1, "T2": 5, "T3": 9, "T5": 2, "T6": 1}


@pytest.mark.parametrize(
    ("message", "label", "rest"),
    [
        ("go back to the median", "T3", ""),
        ("hm, go back to the median, but only for Norway", "T3", "only for Norway"),
        ("Back to the medians please, river by river", "T3", "river by river"),
        ("back to the weights by river, males only", "T1", "males only"),
        ("could we return to the litter question?", "T4", ""),
        ("take me back to the count", "T4", ""),
        ("wait, back to the number of otters with litters", "T4", ""),
        ("show me the lengths again", "T6", ""),
        ("Let us go back to the mean weight of all otters, and by sex this time", "T1",
         "by sex this time"),
        ("hmm no, back to the mean weight by river of the females only", "T2", ""),
        ("can we return to the median weight of the females but sort it the other way", "T3",
         "sort it the other way"),
        ("sorry, I'd like to go back to the medians for the females", "T3", ""),
    ],
)  # fmt: skip
def test_a_description_picks_the_answer_it_fits_best(message, label, rest):
    remark = read_remark(message, OTTERS)
    assert remark is not None and remark.kind == "back"
    assert (OTTERS[remark.place].label, remark.rest, remark.others) == (label, rest, ())


@pytest.mark.parametrize(
    ("message", "label", "rest"),
    [
        ("sorry, back to the list you had first", "T2", ""),
        ("show me the first list again", "T2", ""),
        ("hmm no, show me the very first number again please", "T1", ""),
        ("back to the first table, but ten of them", "T2", "ten of them"),
        ("go back to the first thing I asked you", "T1", ""),
        ("back to what you showed me first", "T1", ""),
        ("back to the answer you gave first, for 2022", "T1", "for 2022"),
        ("ok back to the one with the averages", "T3", ""),
        ("back to the rents for every city", "T3", ""),
        ("return to the list of the biggest shops by customers, only in Lyon", "T2",
         "only in Lyon"),
        ("I want to see the revenue again", "T1", ""),
        ("what was the revenue again?", "T1", ""),
        ("now the total revenue once more", "T1", ""),
        ("the list with the customers again", "T2", ""),
        ("go back to the chart", "T5", ""),
        ("the chart from before", "T5", ""),
        ("show me the bar chart from before again", "T5", ""),
        ("back to the earlier chart and add Lille", "T5", "add Lille"),
        ("back to the top five then", "T2", ""),
        ("please go back to Lyon and Nantes", "T5", ""),
        ("hm no. back to the customers.", "T2", ""),
    ],
)  # fmt: skip
def test_what_an_answer_looks_like_describes_it_too(message, label, rest):
    from wideleaf.agents.conversation.descriptions import Answer

    answers = {one.label: Answer(rows=ROWS[one.label]) for one in SHOPS}
    remark = read_remark(message, SHOPS, answers)
    assert remark is not None and remark.kind in ("back", "chart")
    assert (SHOPS[remark.place].label, remark.rest, remark.others) == (label, rest, ())


@pytest.mark.parametrize(
    ("message", "labels"),
    [
        ("back to the females", {"T2", "T3"}),
        ("go back to the rivers for the females", {"T2", "T3"}),
    ],
)
def test_two_answers_that_fit_as_well_are_both_named(message, labels):
    remark = read_remark(message, OTTERS)
    assert remark is not None and remark.kind == "back"
    assert {OTTERS[place].label for place in remark.others} == labels


@pytest.mark.parametrize(
    "message",
    [
        "back to the wall",
        "back to school sales in 2019",
        "back to the first class passengers",
        "go back to 2019",
        "which otters go back to the river?",
        "how many otters came back to the birch river?",
        "show me the otters with the highest weight",
        "the second river",
        "show me the first five otters",
        "show me the females",
        "show the rivers with the first otter",
        "return the mean weight by river",
        "return the median weight for each sex",
        "get the length of Dune",
        "what was the weight of Dune?",
        "mean weight again?? no, the range",
        "what about the one with the longest tail",
        "how many were seen again in 2019?",
        "the one with the averages above 7",
        "list the first otter of each river",
        "go back to the mean weight in Norway",
        "back to the median weight of the males",
        "what was the median weight in 2019 again?",
        "show me the median of the length again",
        "return to the weights of 2018",
        "the females again",
        "the median again",
    ],
)
def test_what_fits_no_answer_is_a_question(message):
    assert read_remark(message, OTTERS) is None
