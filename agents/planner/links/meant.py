"""Meant columns: a word that no name has stands for the column that is nearest in meaning."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from wideleaf.agents.planner.links.lexicon import Question, lexicon
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.name_words import name_parts
from wideleaf.retrieval.cards.cards import Card
from wideleaf.retrieval.selection import FEW_COLUMNS
from wideleaf.retrieval.words.names import header_words, spell_out
from wideleaf.retrieval.words.word_classes import is_operation

MEANT = 0.55
"""How sure a word of like meaning is, such as who for a driver."""
MIN_WORD = 3
HARDLY = 0.3
"""A word of a name that is covered less may mean another column."""
MIN_MEANT, CLEARLY_MEANT = 0.5, 0.08
"""Cosine from which a word may mean a column of a small table, and how far before another."""


def meant_mentions(
    question: Question, cards: Sequence[Card], mentions: Collection[Mention]
) -> Iterator[Mention]:
    """Columns of a small table that a word means and no name has: *killed* for Deaths.

    Args:
        question: The question, with what compares meanings; without it there are none.
        cards: The table's columns, those of a family as one.
        mentions: What names explain already.
    """
    meanings = question.meanings
    if meanings is None or sum(len(card.columns) for card in cards) > FEW_COLUMNS:
        return
    headers = [_expand_card(card) for card in cards]
    for place in _find_free_words(question, mentions):
        cosines = meanings.compare(question.words[place].text, headers)
        nearest = find_nearest(cosines, MIN_MEANT, CLEARLY_MEANT)
        if nearest is not None:
            sure = MEANT + cosines[nearest] - MIN_MEANT
            yield Mention(cards[nearest].columns[0], place, place + 1, sure, frozenset((place,)))


def _find_free_words(question: Question, mentions: Collection[Mention]) -> Iterator[int]:
    """Places of the words that may mean a column and that no name, number or cue explains."""
    cover = {place for m in mentions if m.score >= HARDLY for place in m.places}
    cover |= {number.place for number in question.numbers}
    cues = [cue for cue in question.cues if cue.kind not in ("extreme", "more")]
    cover |= {place for cue in cues for place in cue.places}
    classes = lexicon().classes
    generic = classes["generic"] | classes["superlative"] | classes["rate"] | classes["measure"]
    small = generic | lexicon().stopwords
    for place, word in enumerate(question.words):
        plain = len(word.text) >= MIN_WORD and word.text.isalpha() and word.text not in small
        name = place and question.text[word.start].isupper()  # a name is none of a column
        if plain and place not in cover and not name and not is_operation(word.text):
            yield place


def find_nearest(cosines: Sequence[float], least: float, apart: float) -> int | None:
    """Where the greatest cosine stands; None if it is less than that, or so near to the next."""
    top = sorted(cosines, reverse=True)[:2]
    clear = top and top[0] >= least and (len(top) == 1 or top[0] - top[1] >= apart)
    return cosines.index(top[0]) if clear else None


def _expand_card(card: Card) -> str:
    """A card's name with its abbreviations written out, and what is said of it."""
    words = header_words(" ".join(card.words))
    long = dict(spell_out(words))
    return " ".join((*(long.get(word, word) for word in words), *header_words(card.about)))


def only_meant(question: Question, mention: Mention, about: str = "") -> bool:
    """Whether no word of a mention is one of the column's name, or the beginning of one.

    Ships are not their crew, and who died is not who survived.

    Args:
        question: The question.
        mention: The mention.
        about: What the user says of the column.
    """
    own = {part.stem[:MIN_WORD] for part in (*name_parts(mention.column), *name_parts(about))}
    stems = {question.words[place].stem[:MIN_WORD] for place in mention.places - mention.slot}
    return bool(stems) and not own & stems
