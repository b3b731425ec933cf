"""Stems: the same word has the same stem in every thread, whoever else asks at the moment."""

from concurrent.futures import ThreadPoolExecutor
from itertools import product

from wideleaf.retrieval.words.stems import stem

STARTS = ("obser", "organis", "rela", "nation")
ENDS = ("vation", "ational", "ization", "fulness", "ively", "ements")
WORDS = ["".join(parts) for parts in product(STARTS, ENDS, ("", "s", "ly"))]


def test_threads_that_stem_at_once_do_not_disturb_each_other():
    uncached = stem.__wrapped__
    alone = {word: uncached(word) for word in WORDS}
    with ThreadPoolExecutor(8) as threads:
        work = [WORDS[n % 7 :] + WORDS[: n % 7] for n in range(64)]
        stems = list(threads.map(lambda words: {w: uncached(w) for w in words}, work))
    assert all(each == alone for each in stems)


def test_a_run_of_letters_that_is_no_word_is_left_as_it_is():
    assert stem("running" * 3) != "running" * 3
    assert stem("running" * 30) == "running" * 30
