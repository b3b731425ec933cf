"""How well words of a question say a relation, or the kind of node that a hop reaches."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from wideleaf.agents.planner.links.lexicon import lexicon
from wideleaf.agents.planner.paths.reading import LONGEST_RUN, Reading
from wideleaf.retrieval.words.names import tokenise
from wideleaf.retrieval.words.stems import stem
from wideleaf.retrieval.words.word_classes import is_function_word
from wideleaf.tools.knowledge.fact_index import Step

if TYPE_CHECKING:
    from wideleaf.retrieval.vectors.embedder import Embedder, Vectors
    from wideleaf.tools.knowledge.fact_index import FactIndex

CODE = re.compile(r"[a-z]\.[0-9a-z_]+|\W*Q\d+|_:.*|\W*")
"""Names that are none: identifiers of knowledge bases, blank nodes, marks alone."""
_PARTS = re.compile(r"[./#:]+|__+")
KINDS = {"who": "person", "where": "place, location", "when": "date, time, year", "count": "number"}
"""What kind of answer an asking word wants, in words."""
MAX_KINDS = 40
"""Relations whose ends tell what all nodes of a graph are like."""
SAMPLE = 200
"""Nodes of a hop's end that are looked at to tell what kind they are."""
SAID, DERIVED, MEANT = 1.0, 0.9, 0.75
MIN_STEM, MIN_OVERLAP = 4, 0.75
LOW, HIGH = 0.3, 0.75
"""Cosines at which two texts have nothing, and everything, to do with each other."""
USUAL, FAR = 0.6, 0.15
"""How much of what a word has to do with all relations, beyond what any two texts have, is no sign
of one of them."""


@lru_cache(maxsize=65_536)
def name_parts(relation: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of a relation's own name, and of what stands before it, such as its domain."""
    parts = [part for part in _PARTS.split(relation) if part] or [relation]
    return tokenise(parts[-1]), tokenise(" ".join(parts[:-1]))


def speak(relation: str) -> str:
    """A relation as words."""
    return " ".join(name_parts(relation)[0]) or relation


class RelationWords:
    """The relations of a graph in words and as vectors.

    Args:
        index: The graph.
        embedder: Turns texts into vectors; without one words alone are compared.
    """

    def __init__(self, index: FactIndex, embedder: Embedder | None) -> None:
        self.index = index
        self.embedder = embedder
        self.names = {r: i for i, r in enumerate(index.relations)}
        self.own = [_telling(name_parts(r)[0]) for r in index.relations]
        self.domain = [_telling(name_parts(r)[1]) for r in index.relations]
        spread = Counter(word for words in self.own for word in set(words))
        top = math.log(1 + len(self.own))
        self.rarity = {w: math.log(1 + len(self.own) / n) / top for w, n in spread.items()}
        self._vectors: dict[str, Vectors] = {}
        self._roles: dict[Step, Vectors] = {}
        self._blank: dict[Step, bool] = {}
        self.embed([*map(speak, index.relations), *(w for ws in self.own for w in ws)])

    def embed(self, texts: Sequence[str]) -> None:
        """Make the vectors of texts that have none yet."""
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if new and self.embedder is not None:
            self._vectors.update(zip(new, self.embedder.embed(new), strict=True))

    def alike(self, ones: Sequence[str], others: Sequence[str], apart: bool = False) -> Vectors:
        """How near texts are to others by meaning, 0 to 1, one row a text.

        Args:
            ones: Texts.
            others: Texts to compare each with.
            apart: Whether a text that is near to all of the others is near to none.
        """
        if not ones or not others:
            return np.zeros((len(ones), len(others)), dtype=np.float32)
        near = self.vectors(ones) @ self.vectors(others).T
        if apart:
            near = near - USUAL * np.maximum(0, near.mean(axis=1, keepdims=True) - FAR)
        scores: Vectors = nearness(near)
        return scores

    def is_blank(self, step: Step) -> bool:
        """Whether a hop leads to nodes without a name, which only hold others together."""
        if step not in self._blank:
            index = self.index
            of = index.kinds == self.names[step.relation]
            nodes = np.unique((index.heads if step.back else index.tails)[of])[:SAMPLE]
            codes = sum(bool(CODE.fullmatch(index.names[node])) for node in nodes)
            self._blank[step] = 2 * codes > len(nodes)
        return self._blank[step]

    def role(self, step: Step) -> Vectors:
        """The kind of node that a hop leads to, as the mean of the relations such nodes have."""
        if step not in self._roles:
            index = self.index
            of = index.kinds == self.names[step.relation]
            nodes = np.unique((index.heads if step.back else index.tails)[of])
            nodes = nodes[:: max(1, len(nodes) // SAMPLE)]
            steps = index.steps_from(nodes)
            # What a node is the tail of says what it is; what it is the head of, what it has.
            steps = [one for one in steps if one[0].back] or steps
            shares = np.sqrt([count for _, count in steps])
            vectors = self.vectors([speak(s.relation) for s, _ in steps])
            self._roles[step] = _unit(shares @ vectors)
        return self._roles[step]

    def way(self, path: Sequence[Step]) -> Vectors:
        """A path as the mean of its relations."""
        vectors = self.vectors([speak(step.relation) for step in path])
        mean: Vectors = _unit(vectors.sum(axis=0))
        return mean

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """The vectors of texts, one row a text; nothing without an embedder."""
        if self.embedder is None:
            return np.zeros((len(texts), 1), dtype=np.float32)
        self.embed(texts)
        return np.stack([self._vectors[text] for text in texts])


class Hearing:
    """One question held against the relations of a graph.

    Args:
        reading: The question.
        words: The graph's relations.
    """

    def __init__(self, reading: Reading, words: RelationWords) -> None:
        self.reading = reading
        self.words = words
        tokens = reading.tokens
        self.runs = [
            (start, start + size)
            for size in range(1, LONGEST_RUN + 1)
            for start in range(len(tokens) - size + 1)
            if tokens[start].weight > 0 and tokens[start + size - 1].weight > 0
        ]
        self.texts = [" ".join(t.text for t in tokens[a:b]) for a, b in self.runs]
        own = sorted({w for ws in words.own for w in ws})
        spoken = [speak(r) for r in words.index.relations]
        words.embed([*self.texts, *KINDS.values()])
        near = words.alike(self.texts, spoken, apart=True)
        of_word = words.alike(self.texts, own, apart=True)
        place = {word: i for i, word in enumerate(own)}
        self._near = near
        self._lexical = [[_compare_words(token.text, word) for word in own] for token in tokens]
        self._meant = self._per_place(of_word)
        self._phrase = self._per_place(near)
        self._place = place
        self._scores: dict[str, np.ndarray] = {}
        self._roles: dict[Step, np.ndarray] = {}
        self._kinds: dict[tuple[str, Step], float] = {}

    def _per_place(self, scores: np.ndarray) -> np.ndarray:
        """The best score of any run of words at each place."""
        best = np.zeros((len(self.reading.tokens), scores.shape[1]), dtype=np.float32)
        for (start, end), row in zip(self.runs, scores, strict=True):
            for place in range(start, end):
                if self.reading.tokens[place].weight:
                    np.maximum(best[place], row * (1 if end - start > 1 else 0.95), out=best[place])
        return best

    def matches(self, relation: str) -> np.ndarray:
        """How well each word of the question says some word of a relation's name: words x name."""
        columns = [self._place[w] for w in self.words.own[self.words.names[relation]]]
        if not columns:
            return np.zeros((len(self.reading.tokens), 1), dtype=np.float32)
        lexical = np.array([[row[c] for c in columns] for row in self._lexical], dtype=np.float32)
        return np.maximum(lexical, 0.85 * self._meant[:, columns])

    def scores(self, relation: str) -> np.ndarray:
        """How well each word of the question says a relation, 0 to 1."""
        if relation not in self._scores:
            place = self.words.names[relation]
            own = self.words.own[place]
            rare = np.array([0.5 + 0.5 * self.words.rarity[w] for w in own] or [1.0])
            best = (self.matches(relation) * rare).max(axis=1)
            domain = [
                0.4
                * max((_compare_words(t.text, w) for w in self.words.domain[place]), default=0.0)
                for t in self.reading.tokens
            ]
            best = np.maximum(best, 0.9 * self._phrase[:, place])
            weights = np.array([t.weight for t in self.reading.tokens])
            self._scores[relation] = np.maximum(best, domain) * (weights > 0)
        return self._scores[relation]

    def role_scores(self, step: Step) -> np.ndarray:
        """How well each word says the kind of node that a hop leads to."""
        if step not in self._roles:
            near = self.words.vectors(self.texts) @ self.words.role(step)
            near = (near - self._usual) / (HIGH - LOW)
            self._roles[step] = self._per_place(np.clip(near, 0, 0.8)[:, np.newaxis])[:, 0]
        return self._roles[step]

    @cached_property
    def _usual(self) -> Vectors:
        """How near each text is to all kinds of nodes alike."""
        words = self.words
        steps = [Step(r, back) for r in words.index.relations[:MAX_KINDS] for back in (False, True)]
        roles = np.stack([words.role(step) for step in steps])
        means: Vectors = (words.vectors(self.texts) @ roles.T).mean(axis=1)
        return means

    def fits(self, kind: str, step: Step) -> float:
        """How well the nodes that a hop leads to fit a kind, such as a person."""
        key = (kind, step)
        if key not in self._kinds:
            own = self.words.vectors([kind])[0]
            vector = self.words.role(step) if step.back else self.words.way([step])
            self._kinds[key] = float(nearness(own @ vector))
        return self._kinds[key]

    def whole(self, path: Sequence[Step], masked: str) -> float:
        """How near the whole question, without its topic, is to a path."""
        return float(self.words.vectors([masked])[0] @ self.words.way(path))


def nearness(cosines: Any) -> Any:
    """Cosines as how near texts are, 0 to 1."""
    return np.clip((cosines - LOW) / (HIGH - LOW), 0, 1)


def _unit(vector: Any) -> Any:
    return vector / max(float(np.linalg.norm(vector)), 1e-9)


@lru_cache(maxsize=262_144)
def _compare_words(text: str, word: str) -> float:
    """How surely one word says another: by its stem, its root or a known meaning."""
    one, other = stem(text), stem(word)
    if one == other:
        return SAID
    shared = len(_prefix(one, other))
    if shared >= MIN_STEM and shared >= MIN_OVERLAP * min(len(one), len(other)):
        return DERIVED
    if other in lexicon().meanings.get(one, ()):
        return MEANT
    return 0.0


def _telling(words: tuple[str, ...]) -> tuple[str, ...]:
    content = tuple(dict.fromkeys(w for w in words if not is_function_word(w) and len(w) > 1))
    return content or tuple(dict.fromkeys(words))


def _prefix(one: str, other: str) -> str:
    size = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        size += 1
    return one[:size]
