"""Words: one stemmer and one list of word classes, for the index and the planner."""

import pytest

from wideleaf.agents.planner.links.lexicon import Question, lexicon, read_words
from wideleaf.retrieval.words.stems import irregular_verbs, stem
from wideleaf.retrieval.words.word_classes import (
    GRAMMAR,
    is_function_word,
    is_generic,
    is_light_word,
    is_operation,
    telling_words,
    words_of_class,
)


@pytest.mark.parametrize(
    "words",
    [
        ("planting", "planted", "plants"),
        ("variety", "varieties"),
        ("analysis", "analyses"),
        ("index", "indexes", "indices"),
        ("person", "people"),
        ("north", "northern"),
        ("write", "wrote", "written"),
        ("win", "winner", "won"),
        ("7", "007"),
        ("user", "user's"),
    ],
)
def test_forms_of_one_word_meet_for_index_and_planner(words):
    assert len({stem(word) for word in words}) == 1
    assert len({word.stem for text in words for word in read_words(text)}) == 1


@pytest.mark.parametrize(
    ("word", "other"),
    [("pattern", "patter"), ("concern", "conch"), ("lantern", "lance"), ("new", "news"),
     ("number", "numb"), ("career", "care"), ("party", "part"), ("met", "meet")],
)  # fmt: skip
def test_other_words_stay_apart(word, other):
    assert stem(word) != stem(other)


def test_a_code_is_its_own_stem():
    assert [stem(word) for word in ("pm25", "t1.5", "d150")] == ["pm25", "t1.5", "d150"]


def test_the_planner_passes_over_what_the_index_passes_over():
    assert words_of_class(*GRAMMAR) <= lexicon().stopwords
    assert all(map(is_function_word, words_of_class(*GRAMMAR)))
    assert not lexicon().stopwords & {"yield", "price", "not", "no", "before", "highest"}
    with pytest.raises(KeyError):
        words_of_class("adjective")


def test_words_of_statistics_and_tables_name_no_column_by_themselves():
    assert telling_words("Show me the average price of each of the boats per year") == {
        stem("price"),
        stem("boats"),
    }
    assert is_light_word("weekly") and is_operation("regressions") and is_generic("properties")
    assert not any(map(is_operation, ("price", "yield", "signed", "skipped", "ordinary")))


def test_verbs_are_told_from_nouns_of_irregular_form():
    assert {"grown", "held", "sown"} <= irregular_verbs()
    assert not {"people", "indices", "eastern", "born"} & irregular_verbs()


def test_numbers_are_read_in_words_and_digits():
    numbers = Question("the twelve boats, a hundred oars and the 3rd of 1,200 crews").numbers
    assert [(n.value, n.ordinal) for n in numbers] == [
        (12, False),
        (100, False),
        (3, True),
        (1200, False),
    ]
