"""Openings: a new topic is told from a question that has its words, and small talk is left out."""

import pytest

from wideleaf.agents.conversation.remarks import read_past_chat


@pytest.mark.parametrize(
    ("message", "rest"),
    [
        ("different question: how many plots are there?", "how many plots are there?"),
        ("something else. how many plots are there?", "how many plots are there?"),
        ("ok something completely different, how many plots are there?",
         "how many plots are there?"),
        ("New topic - mean yield by site", "mean yield by site"),
        ("unrelated: mean yield by site", "mean yield by site"),
        ("Unrelated, but how many sites are there?", "how many sites are there?"),
        ("and now for something entirely different: the median of the yield",
         "the median of the yield"),
        ("Right, moving on. Which site has the most rain?", "Which site has the most rain?"),
        ("one more unrelated question: which site is the oldest?", "which site is the oldest?"),
        ("quick unrelated question - which site is the oldest?", "which site is the oldest?"),
        ("Let's change the subject. Which site is the oldest?", "Which site is the oldest?"),
        ("changing topic, which site is the oldest?", "which site is the oldest?"),
        ("on a totally different note; which site is the oldest?", "which site is the oldest?"),
        ("That aside, which site is the oldest?", "which site is the oldest?"),
        ("a completely new question now: which site is the oldest?", "which site is the oldest?"),
        ("forget all of that. which site is the oldest?", "which site is the oldest?"),
        ("Let us talk about something else! Which site is the oldest?",
         "Which site is the oldest?"),
        ("thanks! another topic: which site is the oldest?", "which site is the oldest?"),
        ("I have a different question. Which site is the oldest?", "Which site is the oldest?"),
        ("ok now something different, which site is the oldest?", "which site is the oldest?"),
        ("new question how many plots are there", "how many plots are there"),
        ("not related to that: how many plots are there", "how many plots are there"),
        ("This has nothing to do with that, but how many plots are there",
         "how many plots are there"),
        ("starting over: how many plots are there", "how many plots are there"),
    ],
)  # fmt: skip
def test_an_opening_begins_a_new_topic(message, rest):
    from wideleaf.agents.conversation.openings import read_new_topic

    assert read_new_topic(message) == rest


@pytest.mark.parametrize(
    "message",
    [
        "different questions per survey",
        "how many different topics are there?",
        "new topics by year",
        "unrelated patients with AML",
        "something else than wheat?",
        "another site",
        "the other question types by mean score",
        "which questions are unrelated to health?",
        "a different site: Riverside",
        "something completely different?",
        "next question",
        "on a different slope, what is the mean yield?",
        "separate the sites by year",
        "start over",
        "moving on average: how many days?",
        "what about something else",
        "not related people by house",
        "new topic",
        "only the new topics, by year",
        "and the next topic, by number of replies",
    ],
)
def test_a_question_with_such_words_is_none(message):
    from wideleaf.agents.conversation.openings import read_new_topic

    assert read_new_topic(message) == ""


@pytest.mark.parametrize(
    ("message", "rest"),
    [
        ("nice, and in Asia?", "and in Asia?"),
        ("hmm no, the median", "the median"),
        ("haha ok, and in Asia?", "and in Asia?"),
        ("thanks :) and in Asia?", "and in Asia?"),
        ("that's great! and in Asia?", "and in Asia?"),
        ("Very helpful, thank you. And in Asia?", "And in Asia?"),
        ("no no, the median", "the median"),
        ("that's not what I meant, the median", "the median"),
        ("ok cool, now by year", "now by year"),
        ("Super, thanks a lot! Now by year", "Now by year"),
        ("oh nice one - now by year please", "now by year"),
        ("fair enough. now by year", "now by year"),
        ("lol ok, and the lowest?", "and the lowest?"),
        ("wait, sorry, and the lowest?", "and the lowest?"),
        ("Hmm, interesting... and the lowest?", "and the lowest?"),
        ("that helps, and the lowest?", "and the lowest?"),
        ("ok got it, thx! and the lowest?", "and the lowest?"),
        ("well done! and the lowest?", "and the lowest?"),
        ("that makes sense, and the lowest?", "and the lowest?"),
        ("and the lowest? cheers!", "and the lowest?"),
        ("and the lowest? that would be great", "and the lowest?"),
        ("one sec, and the lowest?", "and the lowest?"),
        # words of the question stay
        ("fine particles by site", "fine particles by site"),
        ("Cool days in 2019", "Cool days in 2019"),
        ("super market sales", "super market sales"),
        ("well depth by county", "well depth by county"),
        ("no data by column", "no data by column"),
        ("great lakes, by depth", "great lakes, by depth"),
        ("Nice in France", "Nice in France"),
        ("interesting sites by year", "interesting sites by year"),
        ("right arm span", "right arm span"),
    ],
)
def test_small_talk_is_left_out_of_a_message(message, rest):
    assert read_past_chat(message) == rest
