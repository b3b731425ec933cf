"""What a question asks for: the columns most likely wanted, by name, place and kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from wideleaf.agents.conditions import Conditions
from wideleaf.agents.index import TableIndex
from wideleaf.agents.lexicon import Cue, Question
from wideleaf.agents.mentions import Mention

UNNAMED = 0.08
FADING = 0.3
"""How fast a mention counts less with each telling word between it and the asking word."""


class Asked(NamedTuple):
    """A column that may be asked for.

    Attributes:
        column: The column.
        score: How likely, 0 to 1.
        mention: Where it is named; None if the question does not name it.
    """

    column: str
    score: float
    mention: Mention | None = None


def asked_columns(
    question: Question, index: TableIndex, mentions: tuple[Mention, ...], conditions: Conditions
) -> list[Asked]:
    """Score the columns a question may ask for, best first."""
    best: dict[str, Asked] = {}
    compared = {link.column for link in conditions.links}
    attached = {link.named for link in conditions.links if link.named}
    for mention in mentions:
        if any(mention.places & link.places for link in conditions.links):
            continue
        score = mention.score / (1 + FADING * _away(question, mention))
        score *= _owned(question, mention, conditions)
        score *= 0.25 if mention.column in compared else 1.0
        score *= 0.5 if any(mention.places & other.places for other in attached) else 1.0
        if mention.column not in best or score > best[mention.column].score:
            best[mention.column] = Asked(mention.column, score, mention)
    for column in (index.of_kind("text") or index.table.columns)[:2]:
        if column not in best and column not in compared:
            best[column] = Asked(column, UNNAMED)
    return sorted(best.values(), key=lambda a: -a.score)


def _asking(question: Question) -> list[Cue]:
    """The words that ask: the first, and what is asked besides; ``when`` may be a relative."""
    words = question.cue("wh", "count")
    plain = [
        cue for cue in words if cue.value not in ("when", "where", "who") or cue.end - cue.start > 1
    ]
    return [*(plain or words)[:1], *question.cue("also")]


def _away(question: Question, mention: Mention) -> float:
    """Telling words between the nearest asking word before a mention and the mention."""
    asking = _asking(question)
    if any(cue.start <= mention.start < cue.end for cue in asking):
        return 0.0
    before = [cue for cue in asking if cue.end <= mention.start]
    if not before:
        return 1 + question.content(0, mention.start)
    return question.gap(max(cue.end for cue in before), mention.start)


def _owned(question: Question, mention: Mention, conditions: Conditions) -> float:
    """How much less a mention is asked for because a literal of another column follows it."""
    for link in conditions.links:
        gap = question.content(mention.end, link.start)
        if link.column != mention.column and 0 <= link.start - mention.end <= 2 and gap == 0:
            return 0.7 if isinstance(link.value, str) else 0.35
    return 1.0


def together(question: Question, asked: list[Asked]) -> list[Asked]:
    """The first column asked for and those joined to it by a comma or ``and``."""
    group = asked[:1]
    while group and group[-1].mention:
        last = group[-1].mention
        after = [
            a
            for a in asked
            if a.mention
            and a not in group
            and a.score >= 0.3
            and a.mention.score >= 0.8
            and a.mention.start in (last.end + 1, last.end + 2)
            and question.words[last.end].text == "and"
        ]
        if not after:
            break
        group.append(after[0])
    return group


def nearest_number(
    question: Question, cue: Cue, mentions: list[Mention], kinds: Mapping[str, str]
) -> list[Mention]:
    """Mentions of columns with an order, those just after a cue first."""

    def distance(mention: Mention) -> float:
        if mention.start >= cue.end:
            return question.gap(cue.end, mention.start)
        return 1.5 + question.content(mention.end, cue.start)

    ordered = [m for m in mentions if kinds[m.column] in ("number", "date", "datetime")]
    return sorted(ordered, key=lambda m: (distance(m) + 3 * (1 - m.score), m.start))
