"""Texts of the index: what a column, a cluster or a table is about, in plain short English."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from wideleaf.retrieval.cards.cards import Card
from wideleaf.retrieval.cards.clusters import Cluster, make_clusters
from wideleaf.retrieval.words.names import expand, header_words, spell_out
from wideleaf.tools.tables.profiling.column_profile import ColumnProfile

LEVELS_NAMED = 12
"""Of a one-hot family so many categories are named."""
WORDS_OF_A_TABLE = 60
_UNIT_WORDS = "a bu cm c d degc f g ha hr kg km l lb m mg ml mm mpa pct t ug w"
_MEASURE_WORDS = "avg mean median sub class code id nr no num std sd obs"
UNITS, MEASURES = frozenset(_UNIT_WORDS.split()), frozenset(_MEASURE_WORDS.split())


def column_text(
    card: Card,
    profile: ColumnProfile | None = None,
    prefix: Collection[str] = (),
) -> str:
    """What a column or a family is about: its name in words, and what the user says of it.

    Words that say nothing of the meaning make texts of different things alike, so the prefix of a
    domain, units and numbers are left out, and abbreviations are written out in their places. The
    slot of a family is left out, so that its members share one text. Nothing of a cell is in it,
    since an embedder may be on another machine; so of a profile nothing is used as yet.

    Args:
        card: The card of the column or family.
        profile: What one pass over its cells tells.
        prefix: Words of its name that many names begin with.
    """
    del profile
    long = dict(spell_out(card.words))
    words: list[str] = []
    for place, word in enumerate(card.words):
        pair = " ".join(card.words[place : place + 2])
        before = " ".join(card.words[max(place - 1, 0) : place + 1])
        if before != word and before in long:
            continue  # told with the word before
        if word in prefix or word.isdigit() or word in UNITS or word in MEASURES:
            continue
        words.append(long.get(pair) or long.get(word) or word)
    name = " ".join(dict.fromkeys(" ".join(words).split())) or " ".join(card.words)
    parts = [name, ", ".join(card.levels[:LEVELS_NAMED]), " ".join(card.about.split())]
    return ". ".join(part for part in parts if part)


def prefixes(cards: Sequence[Card]) -> dict[str, frozenset[str]]:
    """By reference, the words of a card's name that are the prefix of a domain."""
    by_reference: dict[str, frozenset[str]] = {}
    for cluster in make_clusters(cards):
        if cluster.outer:
            words = frozenset(header_words(cluster.reference))
            by_reference |= {card.reference: words for card in cluster.cards}
    return by_reference


def cluster_text(cluster: Cluster) -> str:
    """What the cards of a cluster have in common."""
    return cluster.text


def table_text(name: str, cards: Sequence[Card], clusters: Sequence[Cluster] = ()) -> str:
    """What a table is about: its name, the words its clusters share, then those of its columns.

    Args:
        name: The table's name.
        cards: Its cards.
        clusters: Its clusters.
    """
    title = header_words(name)
    words = dict.fromkeys([*title, *expand(title)])
    cluster_words = [word for cluster in clusters for word in cluster.text.split()]
    single = [word for card in cards for word in (*card.words, *card.expanded)]
    terms = [word for word in (*cluster_words, *single) if not word.isdigit() and len(word) > 1]
    return " ".join(list(words | dict.fromkeys(terms))[:WORDS_OF_A_TABLE])


def column_texts(cards: Sequence[Card], about: Mapping[str, str]) -> dict[str, str]:
    """The column records of a table: one a card, and one for each member with words of its own.

    The members of a family differ in their slot alone, which numbers and dates of a question
    resolve better than a vector; so thousands of them cost one vector.

    Args:
        cards: The cards of the table.
        about: What the user says, by column or family.
    """
    texts: dict[str, str] = {}
    begun = prefixes(cards)
    for card in cards:
        text = column_text(card, prefix=begun.get(card.reference, ()))
        earlier = texts.get(card.reference)  # two families of overlong names may be cut to one
        texts[card.reference] = text if earlier in (None, text) else f"{earlier}. {text}"
    for card in cards:
        for column in card.columns if card.family is not None else ():
            if column in about and column not in texts:
                words = header_words(column)
                own = Card(column, (column,), words, expanded=expand(words), about=about[column])
                texts[column] = column_text(own)
    return texts
