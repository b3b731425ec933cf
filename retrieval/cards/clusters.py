"""Clusters: columns that belong together, by a prefix of their names, else by their meaning."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from wideleaf.retrieval.cards.cards import Card
from wideleaf.retrieval.words.names import expand, header_words
from wideleaf.tools.tables.families import LONGEST_HEADER

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MIN_CARDS = 3
DEEPEST = 3
"""A prefix of at most so many words makes a cluster: ``METADom_Soil_test_``."""
FEW = 1_500
"""More cards than this are clustered by k-means: the distances of all pairs take too much room."""
FAR = 0.6
"""Cosine distance, on average, beyond which two groups of cards stay apart."""
WORDS_SHOWN = 12
_PREFIX = re.compile(r"[^_. ]+[_. ]+")


class Cluster(NamedTuple):
    """Cards of one table that belong together: the middle level of the index.

    Attributes:
        reference: A prefix with a star, which actions understand as columns; of a cluster by
            meaning its telling words, which they do not.
        cards: Its members.
        text: What it is about.
        kind: What holds it together.
    """

    reference: str
    cards: tuple[Card, ...]
    text: str
    kind: Literal["prefix", "meaning"]

    @property
    def first(self) -> bool:
        """Whether its prefix is the first piece of names alone."""
        return self.kind == "prefix" and len(_PREFIX.findall(self.reference)) == 1

    @property
    def outer(self) -> bool:
        """Whether its prefix is one word, before names of several kinds: a domain."""
        if not self.first:
            return False
        rests = {_name(card)[len(self.reference) - 1 :].partition("_")[0] for card in self.cards}
        return len(rests) >= MIN_CARDS

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns of its cards."""
        return tuple(column for card in self.cards for column in card.columns)


def make_clusters(
    cards: Sequence[Card], vectors: npt.NDArray[np.float32] | None = None
) -> tuple[Cluster, ...]:
    """Group the cards of a table: by prefixes of their names, the rest by meaning.

    TSO's Algorithm 1, line 7, clusters by embedding alone; a prefix that a table's maker chose
    says more than a distance does, and can be written as a reference to columns.

    Args:
        cards: The cards of one table.
        vectors: Their vectors, one row each; without them there are no clusters by meaning.

    Returns:
        Clusters; a card may be in several by prefix (``METADom_``, ``METADom_Soil_``) and is in
        one at most by meaning.
    """
    clusters = list(_by_prefix(cards))
    if vectors is not None:
        inside = {card.reference for cluster in clusters for card in cluster.cards}
        rest = [place for place, card in enumerate(cards) if card.reference not in inside]
        if len(rest) >= MIN_CARDS:
            clusters += _by_meaning([cards[place] for place in rest], vectors[rest])
    return tuple(clusters)


def _by_prefix(cards: Sequence[Card]) -> Iterable[Cluster]:
    by_prefix: defaultdict[str, list[Card]] = defaultdict(list)
    for card in cards:
        prefix = ""
        for piece in _PREFIX.findall(_name(card)[:LONGEST_HEADER])[:DEEPEST]:
            prefix += piece
            by_prefix[prefix].append(card)
    keys: set[tuple[str, ...]] = set()
    for prefix, members in sorted(by_prefix.items()):
        key = tuple(card.reference for card in members)
        if MIN_CARDS <= len(members) < len(cards) and key not in keys:
            keys.add(key)
            yield Cluster(f"{prefix}*", tuple(members), _about(prefix, members), "prefix")


def _name(card: Card) -> str:
    return card.family.stem if card.family else card.reference


def _by_meaning(cards: Sequence[Card], vectors: npt.NDArray[np.float32]) -> Iterable[Cluster]:
    from sklearn.cluster import AgglomerativeClustering, MiniBatchKMeans  # type: ignore[import-untyped]

    if len(cards) <= FEW:
        model = AgglomerativeClustering(
            n_clusters=None, distance_threshold=FAR, metric="cosine", linkage="average"
        )
    else:
        count = round(math.sqrt(len(cards)))
        model = MiniBatchKMeans(n_clusters=count, random_state=0, n_init=1, batch_size=1024)
    by_label: defaultdict[int, list[Card]] = defaultdict(list)
    for card, label in zip(cards, model.fit_predict(vectors), strict=True):
        by_label[int(label)].append(card)
    for members in by_label.values():
        if len(members) >= MIN_CARDS:
            about = _about("", members)
            yield Cluster(f"about {about}", tuple(members), about, "meaning")


def _about(prefix: str, members: Sequence[Card]) -> str:
    """The words of the prefix, written out, and those that most members have."""
    first = header_words(prefix)
    words = [*first, *expand(first)]
    counts = Counter(
        word
        for card in members
        for word in dict.fromkeys((*card.words, *card.expanded, *card.told))
        if word not in words and not word.isdigit() and len(word) > 1
    )
    return " ".join([*words, *(word for word, _ in counts.most_common(WORDS_SHOWN))])
