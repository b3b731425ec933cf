"""Links from words to levels of categories: conditions on one-hot columns, on several at once."""

from __future__ import annotations

from wideleaf.agents.planner.links.categories import Category
from wideleaf.agents.planner.links.lexicon import Question
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.links.values import (
    Flag,
    ValueLink,
    has_negation,
    nearest_mention,
    nearness,
    sureness,
)
from wideleaf.retrieval.words.names import header_words
from wideleaf.retrieval.words.stems import stem

PLAIN = 0.5
"""So sure one common word is at least, or it may be no level."""
NEAR = 0.25
PARTLY = 0.05
MIN_LETTERS = 3


def level_links(
    question: Question, index: TableIndex, mentions: tuple[Mention, ...]
) -> list[ValueLink]:
    """Find the levels of categories that the question names, whole or by some of their words."""
    links: list[ValueLink] = []
    words = [stem(header_words(w.text)[0]) if header_words(w.text) else "" for w in question.words]
    longest = max(map(len, index.levels), default=0)
    for start in range(len(words)):
        for end in range(start + 1, min(len(words), start + longest) + 1):
            run = tuple(words[start:end])
            if run not in index.levels or not question.content(start, end):
                continue
            if end - start == 1 and len(run[0]) < MIN_LETTERS and not _upper(question, start):
                continue
            levels: dict[str, list[Flag]] = {}
            for one in index.levels[run]:
                yes = True if index.kinds[one.column] == "boolean" else 1
                levels.setdefault(one.category, []).append(Flag(one.level, one.column, yes))
            for name, flags in levels.items():
                links += _links(question, index, mentions, start, end, name, tuple(flags), run)
    return links


def _links(
    question: Question,
    index: TableIndex,
    mentions: tuple[Mention, ...],
    start: int,
    end: int,
    name: str,
    flags: tuple[Flag, ...],
    run: tuple[str, ...],
) -> list[ValueLink]:
    mention = nearest_mention(question, mentions, name, start, end)
    near = nearness(question, mention, start, end)
    sure = sureness(question, start, end)
    capital = any(_upper(question, place) for place in range(max(start, 1), end))
    whole = [flag for flag in flags if tuple(map(stem, header_words(flag.level))) == run]
    if not whole and not (capital or end - start > 1):
        return []
    if near < NEAR and not (whole and (capital or end - start > 1 or sure > PLAIN)):
        return []
    if index.category(name) is None:
        return []
    mention = mention if near >= NEAR else None
    against = has_negation(question, start)
    links = []
    for flag in whole:
        op = "!=" if against else "=="
        score = sure + 0.4 * near
        links.append(ValueLink(start, end, name, op, flag.level, score, mention, flags=(flag,)))
    if not against and (len(flags) > 1 or not whole):
        score = sure + 0.4 * near - PARTLY * (1 if whole else 2)
        literal = question.span_text(start, end)
        links.append(ValueLink(start, end, name, "contains", literal, score, mention, flags=flags))
    return links


def _upper(question: Question, place: int) -> bool:
    return question.text[question.words[place].start].isupper()


def match_categories(
    question: Question, index: TableIndex, mentions: tuple[Mention, ...]
) -> dict[str, Category]:
    """The categories that a question may speak of, those whose cells are those of one."""
    names = dict.fromkeys(m.column for m in mentions)
    names |= dict.fromkeys(link.column for link in level_links(question, index, mentions))
    return {name: one for name in names if (one := index.category(name)) is not None}
