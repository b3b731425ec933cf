"""The fit of how sure an answer is: a logistic curve over the plan, and a noisy-or over its words.

A plan is right with a probability by its signs; each word that it leaves over makes the answer
wrong with a probability by the word's signs, each by itself. Both are fitted together, by which
answers were right alone: nobody says which word it was.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

SURE = 0.6
FOLDS = 4
LEAST_SEEN = 8
"""A sign of fewer words than these is left out."""
PLAN_PULL, WORD_PULL, BASE_PULL = 1.0, 1.5, 0.1
"""How strongly weights are held to nothing: of plans, of words, and the base of words."""
LEVEL = 150
"""A set of more answers than these counts for less than one of its own."""


class Answer(NamedTuple):
    """One answer as the fit sees it.

    Attributes:
        set: The set of its question.
        group: Its tables; folds are made of whole groups.
        right: Whether it is right.
        signs: Of the plan.
        words: Of each word that the plan leaves over the signs.
    """

    set: str
    group: str
    right: bool
    signs: Mapping[str, float]
    words: Sequence[Sequence[str]] = ()


class Numbers(NamedTuple):
    """Answers as arrays; each row of `words` is of the answer that `owner` tells."""

    signs: Any
    words: Any
    owner: Any
    right: Any
    weigh: Any


def fit_sureness(answers: Sequence[Answer]) -> dict[str, float]:
    """The weights by which sureness is told; what folds without an answer's tables say is printed.

    Args:
        answers: The answers.

    Returns:
        Weights of the plan as ``calibrate NAME``, of words as ``word SIGN``.
    """
    names = sorted({name for one in answers for name in one.signs})
    seen = Counter(sign for one in answers for word in one.words for sign in {*word})
    kinds = sorted(sign for sign, times in seen.items() if times >= LEAST_SEEN)
    numbers = _as_numbers(answers, names, kinds)
    groups = sorted({one.group for one in answers})
    random.Random(0).shuffle(groups)
    fold_of = {group: n % FOLDS for n, group in enumerate(groups)}
    folds = np.array([fold_of[one.group] for one in answers])
    guessed = np.zeros(len(answers))
    for fold in range(FOLDS):
        guessed[folds == fold] = _sure(numbers, _fit(numbers, folds != fold))[folds == fold]
    _report(answers, guessed)
    found = _fit(numbers, np.full(len(answers), True))
    plan, words = found[: len(names) + 1], found[len(names) + 1 :]
    told = zip([*names, "base"], plan, strict=True)
    said = zip([*kinds, "base"], words, strict=True) if kinds else ()
    return {f"calibrate {n}": float(w) for n, w in told} | {f"word {n}": float(w) for n, w in said}


def _as_numbers(answers: Sequence[Answer], names: list[str], kinds: list[str]) -> Numbers:
    signs = np.array([[*(one.signs.get(n, 0.0) for n in names), 1.0] for one in answers])
    place = {kind: n for n, kind in enumerate(kinds)}
    rows, columns, owner = [], [], []
    for number, one in enumerate(answers):
        for word in one.words:
            rows += [len(owner)] * (1 + sum(sign in place for sign in {*word}))
            columns += [*(place[sign] for sign in {*word} if sign in place), len(kinds)]
            owner.append(number)
    shape = (len(owner), len(kinds) + 1)
    words = csr_matrix((np.ones(len(rows)), (rows, columns)), shape=shape)
    sizes = Counter(one.set for one in answers)
    weigh = np.array([min(1.0, LEVEL / sizes[one.set]) ** 0.5 for one in answers])
    right = np.array([float(one.right) for one in answers])
    return Numbers(signs, words, np.array(owner, int), right, weigh)


def _logit(x: Any) -> Any:
    return 1 / (1 + np.exp(-np.clip(x, -30, 30)))


def _sure(numbers: Numbers, weights: Any) -> Any:
    """How likely each answer is right."""
    size = numbers.signs.shape[1]
    doubts = np.logaddexp(0, numbers.words @ weights[size:])
    doubt = np.bincount(numbers.owner, doubts, minlength=len(numbers.right))
    return _logit(numbers.signs @ weights[:size]) * np.exp(-doubt)


def _fit(numbers: Numbers, of: Any) -> Any:
    """The likeliest weights of some answers, held to nothing."""
    signs, right, weigh = numbers.signs, numbers.right, np.where(of, numbers.weigh, 0.0)
    size = signs.shape[1]
    spread = np.append(signs[:, :-1].std(0) + 1e-6, 1.0)
    hold = np.concatenate([PLAN_PULL * spread**2, np.full(numbers.words.shape[1], WORD_PULL)])
    hold[size - 1], hold[-1] = 0.0, BASE_PULL

    def loss(w: Any) -> tuple[float, Any]:
        z, x = signs @ w[:size], numbers.words @ w[size:]
        doubt = np.bincount(numbers.owner, np.logaddexp(0, x), minlength=len(right))
        p = np.exp(np.minimum(-np.logaddexp(0, -z) - doubt, -1e-6))
        told = right * np.log(p) + (1 - right) * np.log1p(-p)
        slope = -weigh * (right - (1 - right) * p / (1 - p))
        down = np.concatenate([
            signs.T @ (slope * (1 - _logit(z))),
            numbers.words.T @ (-slope[numbers.owner] * _logit(x)),
        ])  # fmt: skip
        return 0.5 * float(hold @ w**2) - float(weigh @ told), hold * w + down

    start = np.zeros(len(hold))
    return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 400}).x


def _report(answers: Sequence[Answer], guessed: Any) -> None:
    """Print by set what is right, and right of what is called sure, and the calibration."""
    right = np.array([one.right for one in answers])
    sets = np.array([one.set for one in answers])
    print("right, and surely right, of folds not fitted on:")
    for name in dict.fromkeys(sets):
        here = sets == name
        sure = here & (guessed >= SURE)
        share = right[sure].mean() if sure.any() else 0.0
        print(f"  {name:20} {here.sum():4d} {right[here].mean():.3f}  "
              f"sure {sure.sum():4d} {share:.3f}")  # fmt: skip
    print("calibration, guessed against right, of folds not fitted on:")
    for low in np.arange(0, 1, 0.1):
        inside = (guessed >= low) & (guessed < low + 0.1)
        if inside.any():
            print(f"  {low:.1f}: {inside.sum():4d} {right[inside].mean():.2f}")


Signs = Callable[[float, dict[str, float], float], dict[str, float]]
"""What tells whether an answer is right: of its part of the probability, features and score."""
