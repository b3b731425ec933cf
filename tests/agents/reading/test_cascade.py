"""A cascade keeps its promise whatever its proxy is worth, and saves where that is good."""

import numpy as np
import pytest

from wideleaf.agents.reading.cascade import Cascade, features_of, upper_share

COUNT = 2_000


def planted(share, noise, seed=0):
    """Texts with a truth, and features that tell it as well as the noise lets them."""
    random = np.random.default_rng(seed)
    truth = random.random(COUNT) < share
    features = random.normal(size=(COUNT, 8)) * noise
    features[:, 0] += np.where(truth, 1.0, -1.0)
    return truth, features


def decide(truth, features, level, lost=()):
    asked = []

    def say(places):
        asked.extend(places)
        return {place: bool(truth[place]) for place in places if place not in lost}

    cascade = Cascade(features, features[:, 0], say, level)
    cascade.decide_truths()
    assert len({*asked}) == len(asked), "each is asked once"
    return cascade, asked


def quality(cascade, truth):
    said = {**cascade.told, **{place: value for place, (value, _) in cascade.guessed.items()}}
    assert len(said) == COUNT
    chosen = np.array([said[place] for place in range(COUNT)])
    both = (chosen & truth).sum()
    return both / truth.sum(), both / chosen.sum()


@pytest.mark.parametrize("share", [0.05, 0.3, 0.6])
@pytest.mark.parametrize("noise", [0.2, 0.6])
def test_a_good_proxy_spares_most_texts_and_the_promise_holds(share, noise):
    truth, features = planted(share, noise)
    cascade, asked = decide(truth, features, 0.9)
    assert min(quality(cascade, truth)) >= 0.9
    assert len(asked) < COUNT * (0.75 if noise < 0.5 else 1)


@pytest.mark.parametrize("share", [0.1, 0.4])
def test_a_proxy_that_knows_nothing_costs_requests_and_not_the_promise(share):
    truth, features = planted(share, 0.5)
    features[:, 0] = np.random.default_rng(1).normal(size=COUNT)
    cascade, asked = decide(truth, features, 0.9)
    assert min(quality(cascade, truth)) >= 0.9
    assert len(asked) > COUNT * 0.8


def test_the_promise_holds_as_often_as_it_says():
    kept = []
    for seed in range(20):
        truth, features = planted(0.15, 0.8, seed)
        cascade, _ = decide(truth, features, 0.8)
        kept.append(min(quality(cascade, truth)) >= 0.8)
    assert sum(kept) >= 19


@pytest.mark.parametrize("value", [True, False])
def test_where_all_are_alike_each_is_asked(value):
    truth = np.full(COUNT, value)
    cascade, asked = decide(truth, planted(0.5, 0.5)[1], 0.9)
    assert len(asked) == COUNT and cascade.guessed == {}


def test_texts_without_an_answer_are_left_out_and_asked_no_more():
    truth, features = planted(0.3, 0.2)
    cascade, _ = decide(truth, features, 0.9, lost={*range(0, COUNT, 10)})
    assert not {*cascade.told} & {*range(0, COUNT, 10)}


def test_classes_are_left_to_the_proxy_where_it_is_mostly_right():
    random = np.random.default_rng(0)
    classes = random.integers(0, 4, COUNT)
    features = random.normal(size=(COUNT, 8)) * 0.15 + np.eye(8)[classes]
    asked = []

    def say(places):
        asked.extend(places)
        return {place: f"class {classes[place]}" for place in places}

    cascade = Cascade(features, features[:, 0], say, 0.9)
    cascade.decide_classes()
    right = [value == f"class {classes[place]}" for place, (value, _) in cascade.guessed.items()]
    assert len(asked) < COUNT / 2 and np.mean(right) >= 0.9
    assert len(asked) + len(right) == COUNT


def test_a_bound_is_that_of_the_binomial():
    assert upper_share(0, 100) == pytest.approx(1 - 0.025 ** (1 / 100))
    assert upper_share(3, 3) == 1.0
    assert upper_share(0, 10) > upper_share(0, 100) and upper_share(2, 50) > upper_share(1, 50)


def test_a_proxy_learns_by_meaning_words_and_what_a_small_model_said():
    texts = ["dies by noon", "lovely sound"]
    vectors = np.eye(2, dtype=np.float32)
    plain, more = features_of(texts, vectors), features_of(texts, vectors, [[1, 0], [0, 1]])
    assert plain.shape[0] == 2 and more.shape[1] == plain.shape[1] + 2
