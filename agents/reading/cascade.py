"""The cascade: an encoder decides which texts are clear, as far as samples show that it may.

After the semantic filters of LOTUS (Patel et al. 2024, section on optimised operators): a proxy
scores each text, a sample judged by the model says where it can be trusted, and the rest is asked
of the model. Here the proxy is a regression that learns from the model's own verdicts, the
likeliest texts are asked first, as in technology-assisted review, and a region is left to the proxy
once a sample drawn from it holds few enough errors by an exact binomial bound. So the promise does
not hang on how good the proxy is: a bad one saves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from wideleaf.retrieval.vectors.embedder import Vectors

RANDOM, NEAREST, BATCH = 75, 50, 75
"""Texts that the proxy learns from first, any and those nearest to the criterion; then so many a
round."""
CONFIDENCE = 0.95
LOOKS = 2
"""So often a sample may be drawn to show that a region holds few errors."""
YIELD = 2.0
"""A round that finds no more than so many times the errors that the rest may have is the last."""
COMMON = 0.2
"""Of a rarer truth all that hold are asked: to prove them sure would take as many."""
LEARNT, SPARE = 1.5, 0.5
"""A second look at classes is worth so many times the verdicts of the first; a sample of them is
drawn so large that half of the errors that are allowed may be in it."""
LEAST_SURE = 3
"""A part of the texts so large must be surely of a class before a sample of them is drawn."""
FOLDS = 3
Say = Callable[[Sequence[int]], dict[int, Any]]
"""Gives the model's verdicts on texts by their places; those without one are left out."""


class Cascade:
    """Decides texts by a model and a proxy of it.

    Args:
        features: A row a text; a sparse matrix.
        nearness: By text how near it is to what is asked.
        say: Asks the model.
        level: Least recall and precision, or for classes least accuracy, of what the proxy
            decides, each at 95 % confidence.

    Attributes:
        told: What the model said, by place.
        guessed: What the proxy decided, by place: the value and its probability.
    """

    def __init__(self, features: Any, nearness: Vectors, say: Say, level: float) -> None:
        self.features, self.nearness, self.level = features, nearness, level
        self._say = say
        self._random = np.random.default_rng(0)
        self._asked: set[int] = set()
        self.told: dict[int, Any] = {}
        self.guessed: dict[int, tuple[Any, float]] = {}

    def decide_truths(self) -> None:
        """Decide of each text whether something holds."""
        self._begin()
        looks = 0
        while looks < LOOKS and (scores := self._scores()) is not None:
            places = self._open(np.argsort(-scores[:, -1]))
            above = self._surely_true(places, scores[:, -1])
            batch = places[len(above) : len(above) + BATCH]
            self._ask(batch)
            rest = places[len(above) + BATCH :]
            found = sum(self.told[place] is True for place in batch if place in self.told)
            likely = self._count(True) + len(self.guessed) + len(above)
            allowed = (1 - self.level) * likely
            if not rest or found > YIELD * allowed / len(rest) * len(batch):
                if not batch:
                    break
                continue
            looks += 1
            # What is surely true comes first: how many may be missed hangs on how many are found.
            if not self._settle(above, dict.fromkeys(above, True), scores[:, -1], allowed):
                self._ask(above)
            allowed = (1 - self.level) * (self._count(True) + len(self.guessed))
            if self._settle(rest, dict.fromkeys(rest, False), 1 - scores[:, -1], allowed):
                break
        self._ask_rest()

    def decide_classes(self) -> None:
        """Decide the class of each text."""
        self._begin()
        looks, due = 0, 0.0
        while looks < LOOKS and (scores := self._scores()) is not None:
            best, chosen = scores.max(axis=1), scores.argmax(axis=1)
            places, names = self._open(np.argsort(-best)), self._values
            values = {place: names[chosen[place]] for place in places}
            batch = places[-BATCH:]
            least = _least_score(self._cross_scores(), (3 + self.level) / 4)
            sure = [place for place in places[:-BATCH] if best[place] > least]
            if len(sure) * LEAST_SURE >= len(places) and len(self.told) >= due:
                looks, due = looks + 1, len(self.told) * LEARNT
                if self._settle(sure, values, best, (1 - self.level) * len(sure), SPARE):
                    break
            if not batch:
                break
            self._ask(batch)
        self._ask_rest()

    def _begin(self) -> None:
        self._ask(self._random.permutation(len(self.nearness))[:RANDOM])
        self._ask(self._open(np.argsort(-self.nearness))[:NEAREST])

    def _ask_rest(self) -> None:
        self._ask(p for p in range(len(self.nearness)) if p not in self.guessed)

    def _surely_true(self, places: Sequence[int], scores: Vectors) -> list[int]:
        """Those of the places, which go down by their scores, that need hardly be asked."""
        if self._count(True) < COMMON * len(self.told):
            return []
        least = _least_score(self._cross_scores(truths=True), (1 + self.level) / 2)
        return [place for place in places if scores[place] > least]

    def _settle(
        self,
        places: Sequence[int],
        values: dict[int, Any],
        sure: Vectors,
        allowed: float,
        spare: float = 0.0,
    ) -> bool:
        """Let the proxy decide a region if a sample of it shows few enough errors.

        Args:
            places: The region; none of them was asked.
            values: What the proxy says, by place.
            sure: By place its probability.
            allowed: How many errors there may be in it.
            spare: Of the share that is allowed, so much may be in the sample.
        """
        need = _sample_size(len(places), allowed, spare)
        if need >= len(places):
            return False
        sample = [int(place) for place in self._random.permutation(places)[:need]]
        self._ask(sample)
        wrong = sum(self.told.get(place) != values[place] for place in sample)
        rest = [place for place in places if place not in self._asked]
        fits = upper_share(wrong, need) * len(rest) <= allowed
        if fits:
            self.guessed |= {place: (values[place], float(sure[place])) for place in rest}
        return fits

    def _ask(self, places: Iterable[int]) -> None:
        wanted = self._open(places)
        if wanted:
            self._asked.update(wanted)
            self.told |= self._say(wanted)

    def _open(self, places: Iterable[int]) -> list[int]:
        decided = self._asked | self.guessed.keys()
        return [int(place) for place in places if int(place) not in decided]

    def _count(self, value: Any) -> int:
        return sum(one == value for one in self.told.values())

    @property
    def _values(self) -> list[Any]:
        return sorted({*self.told.values()})

    def _learnt(self) -> tuple[Any, list[int]]:
        """The features of what the model said, and the place of its value among all."""
        names = self._values
        return self.features[[*self.told]], [names.index(value) for value in self.told.values()]

    def _scores(self) -> Vectors | None:
        """What the proxy makes of every text; None while there is but one value, or no more."""
        while len(self._values) < 2:
            rest = self._open(self._random.permutation(len(self.nearness)))
            if not rest or not self.told:
                return None
            self._ask(rest[:BATCH])
        scores: Vectors = _proxy().fit(*self._learnt()).predict_proba(self.features)
        return scores

    def _cross_scores(self, *, truths: bool = False) -> list[tuple[float, bool]]:
        """What a proxy says of texts that it did not learn from, and whether that is right."""
        features, numbers = self._learnt()
        fold = np.arange(len(numbers)) % FOLDS
        scores = np.zeros((len(numbers), len(self._values)))
        for number in range(FOLDS):
            train, test = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
            learnt = [numbers[place] for place in train]
            if len({*learnt}) > 1:
                proxy = _proxy().fit(features[train], learnt)
                scores[np.ix_(test, proxy.classes_)] = proxy.predict_proba(features[test])
        if truths:
            return [(float(s[-1]), bool(n)) for s, n in zip(scores, numbers, strict=True)]
        return [
            (float(s.max()), int(s.argmax()) == n) for s, n in zip(scores, numbers, strict=True)
        ]


def features_of(
    texts: Sequence[str], vectors: Vectors, extra: Sequence[Sequence[float]] | None = None
) -> Any:
    """What a proxy learns by: the meaning of each text, and its words and pairs of words.

    Args:
        texts: The texts.
        vectors: A row a text.
        extra: Further columns, such as what a small model said.
    """
    from scipy import sparse  # type: ignore[import-untyped]
    from sklearn.feature_extraction.text import TfidfVectorizer  # type: ignore[import-untyped]

    words = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, token_pattern=r"\w+")
    parts = [sparse.csr_matrix(vectors), words.fit_transform(texts)]
    parts += [] if extra is None else [sparse.csr_matrix(np.asarray(extra, dtype=np.float32))]
    return sparse.hstack(parts).tocsr()


def upper_share(wrong: int, count: int) -> float:
    """At most this share of a region is wrong, by a sample of it (Clopper and Pearson 1934).

    Args:
        wrong: Of the sample.
        count: Its size.
    """
    from scipy.stats import beta  # type: ignore[import-untyped]

    if wrong >= count:
        return 1.0
    confidence = 1 - (1 - CONFIDENCE) / LOOKS
    return float(beta.ppf(confidence, wrong + 1, count - wrong))


def _proxy() -> Any:
    from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

    return LogisticRegression(C=10.0, class_weight="balanced", max_iter=1_000)


def _least_score(known: Sequence[tuple[float, bool]], share: float) -> float:
    """The score above which at least a share of what is known is right."""
    right, least = 0, float("inf")
    for count, (score, truth) in enumerate(sorted(known, reverse=True), 1):
        right += truth
        if count >= BATCH // 4 and right >= share * count:
            least = score
    return least


def _sample_size(size: int, allowed: float, spare: float) -> int:
    """How large a sample of a region must be to show that few enough are wrong, one being so."""
    count = 2
    while count < size:
        wrong = max(1, int(spare * count * allowed / size))
        if upper_share(wrong, count) * (size - count) <= allowed:
            break
        count += max(1, count // 20)
    return count
