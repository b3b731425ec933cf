"""Targets: the columns that a question most likely asks for, by name, place or noun of rows."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import takewhile
from typing import NamedTuple

from wideleaf.agents.planner.links.lexicon import Cue, Question, lexicon
from wideleaf.agents.planner.links.limits import find_limits
from wideleaf.agents.planner.links.meant import only_meant
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.links.values import ValueLink
from wideleaf.agents.planner.scopes.conditions import Conditions
from wideleaf.retrieval.selection import FEW_COLUMNS
from wideleaf.retrieval.words.names import header_words
from wideleaf.retrieval.words.number_words import MONTHS
from wideleaf.retrieval.words.word_classes import is_light_word, is_operation

NAMED = 0.6
"""A word that names a column so well is not what a row is called."""
MEASURE = 0.4
"""A column named so well right behind a superlative is what it is of: the most expensive car."""
HEAD = 0.5
"""How sure the column is that tells rows apart where the question asks which row."""
ENDS = ("extreme", "mode")
TIMED = ("day", "date", "night")
ALIKE = 0.36
"""Cosine of a noun with the headers of a table from which its rows may be called so."""


def find_row_heads(
    question: Question,
    index: TableIndex,
    label: str,
    mentions: Collection[Mention],
    links: Collection[ValueLink],
) -> list[Mention]:
    """The columns that tell rows apart, as what a noun means that only names the rows.

    *The most expensive car* is one of the cars, so that its model is asked for, and who hit the
    most home runs is a name. A noun that a column or a cell has is none of rows.

    Args:
        question: The question.
        index: The table; of wide ones no noun is known to name the rows.
        label: The table's name.
        mentions: Columns that the question may name.
        links: Conditions of the question.
    """
    if len(index.kinds) > FEW_COLUMNS:
        return []
    about = index.table.about
    names = [m for m in mentions if not only_meant(question, m, about.get(m.column, ""))]
    place = _head(question, mentions, names, links)
    if place is None or not _calls_rows(question, index, label, place):
        return []
    timed = question.words[place].text.rstrip("s") in TIMED
    columns = index.daily if timed else index.naming
    return [Mention(c, place, place + 1, HEAD, frozenset((place,))) for c in columns]


def _calls_rows(question: Question, index: TableIndex, label: str, place: int) -> bool:
    """Whether rows may be called by a noun; what *which* asks for may be nothing of the table."""
    word = question.words[place].text
    plain = not place or question.words[place - 1].text not in ("what", "which")
    if plain or word in lexicon().classes["generic"]:
        return True
    if question.words[place].stem in label.casefold():
        return True
    return near_headers(question, index, word)


def near_headers(question: Question, index: TableIndex, word: str) -> bool:
    """Whether all headers of a small table together are near to a noun that they may be said of.

    Args:
        question: The question, with what compares meanings; without it nothing is near.
        index: The table.
        word: The noun.
    """
    headers = ", ".join(" ".join(header_words(column)) for column in index.kinds)
    meanings = question.meanings
    return meanings is not None and max(meanings.compare(word, [headers]), default=0.0) >= ALIKE


def _head(
    question: Question,
    mentions: Collection[Mention],
    names: Collection[Mention],
    links: Collection[ValueLink],
) -> int | None:
    """Where the noun stands: behind a superlative and its measure, else behind *which*."""
    cover = _places(names, NAMED).union(*(link.places for link in links))
    measures = _places(mentions, MEASURE)
    words = question.words
    nouns = {p for p in range(len(words)) if p not in cover and _is_noun(question, p)}
    for cue in question.cue("wh"):
        if words[cue.start].text in ("which", "what") and cue.end in nouns:
            return cue.end
    for cue in question.cue(*ENDS):
        start = cue.end
        while start < len(words) and start in measures:
            start += 1
        run = [*takewhile(lambda place: place in nouns, range(start, len(words)))]
        if run and not _measures(question, cue.end, start):
            return run[-1]
    asks = [cue for cue in question.cue("wh") if cue.value == "who"]
    return asks[0].start if asks and question.cue(*ENDS) else None


def _measures(question: Question, end: int, start: int) -> bool:
    """Whether a plain superlative stands right before a noun: the highest rate is no row."""
    plain = lexicon().classes["superlative"] - {"best", "worst", "top", "first", "last", "biggest",
                                                "largest", "smallest"}  # fmt: skip
    return start == end and question.words[end - 1].text in plain


def _places(mentions: Collection[Mention], least: float) -> set[int]:
    """Places of the words that name a column so well at least."""
    return {place for m in mentions if m.score >= least for place in m.places}


def _is_noun(question: Question, place: int) -> bool:
    """Whether a word may be a common noun: no name, no number, and no word of asking."""
    word = question.words[place]
    is_name = place > 0 and question.text[word.start].isupper()
    if is_name or not question.content(place, place + 1) or not word.text.isalpha():
        return False
    asks = is_operation(word.text) or is_light_word(word.text) or word.text in MONTHS
    plain = not asks or word.text.rstrip("s") in TIMED
    return plain and not any(place in cue.places for cue in question.cues)


UNNAMED, MAX_UNNAMED = 0.08, 4
AFTER_KEYS = 4
"""So many places later any text stands than a name that each row has to itself."""
MIN_JOINED = 0.2
MANY = ("most", "fewest", "least")
NAMES = 1.1
"""How much likelier a name is asked for than a code or group that is called alike."""
FADING = 0.3
"""How fast a mention counts less with each telling word between it and the asking word."""


class Target(NamedTuple):
    """A column that may be asked for.

    Attributes:
        column: The column.
        score: How likely, 0 to 1.
        mention: Where it is named; None if the question does not name it.
    """

    column: str
    score: float
    mention: Mention | None = None


def score_targets(
    question: Question,
    index: TableIndex,
    label: str,
    mentions: tuple[Mention, ...],
    conditions: Conditions,
) -> list[Target]:
    """Score the columns a question may ask for, best first."""
    # Who asks for the names under some heading asks for what a part of a name was said of.
    links = [k for k in conditions.links if not (k.flags and k.op == "contains")]
    compared = {link.column for link in links if not link.part}
    best: dict[str, Target] = {}
    for mention in mentions:
        if not any(mention.places & link.places for link in conditions.links):
            score = _score_mention(question, mention, conditions, compared)
            score *= NAMES if index.names_things(mention.column) else 1.0
            _keep_better(best, mention, score)
    heads = find_row_heads(question, index, label, mentions, conditions.links)
    for target in [*best.values()] if heads else []:
        if target.mention and target.mention.places <= heads[0].places:
            del best[target.column]  # a food is no fat
    for mention in heads:
        _keep_better(best, mention, mention.score)
    for target in [] if heads else _guess_targets(index):
        if target.column not in best and target.column not in compared:
            best[target.column] = target
    return sorted(best.values(), key=lambda a: -a.score)


def _score_mention(
    question: Question, mention: Mention, conditions: Conditions, compared: Collection[str]
) -> float:
    """How likely what is named so is asked for, by where it stands and what is said of it."""
    score = mention.score / (1 + FADING * _away(question, mention))
    score *= _discount_mention(question, mention, conditions)
    score *= 0.25 if mention.column in compared else 1.0
    attached = [link.named for link in conditions.links if link.named]
    return score * (0.5 if any(mention.places & other.places for other in attached) else 1.0)


def _keep_better(best: dict[str, Target], mention: Mention, score: float) -> None:
    """Keep of each column its likeliest mention."""
    rival = best.get(mention.column)
    if rival is None or score > rival.score:
        best[mention.column] = Target(mention.column, score, mention)


def _guess_targets(index: TableIndex) -> list[Target]:
    """The columns that may be asked for without a name: keys, then texts."""
    unnamed = [*(index.of_kind("text") or index.table.columns)]
    keys = [*index.keys]
    if len(index.kinds) > FEW_COLUMNS:  # the first texts of a wide table are any texts
        unnamed, further = keys or unnamed, 0
    else:
        keys = [key for key in keys if key in unnamed and index.names_things(key)]
        unnamed = [*dict.fromkeys((*keys, *unnamed))]
        further = AFTER_KEYS if keys else 0
    return [
        Target(column, UNNAMED / (1 + at + (0 if column in keys else further)))
        for at, column in enumerate(unnamed[:MAX_UNNAMED])
    ]


def _asking(question: Question) -> list[Cue]:
    """The words that ask: the first, and what is asked besides; ``when`` may be a relative."""
    words = question.cue("wh", "count")
    if not words:  # the three states with the most
        places = [limit.place for limit in find_limits(question) if not limit.points]
        words = tuple(Cue("wh", "show", place, place + 1) for place in places[:1])
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


def _discount_mention(question: Question, mention: Mention, conditions: Conditions) -> float:
    """How much less a mention is asked for because a literal of another column follows it."""
    for link in conditions.links:
        gap = question.content(mention.end, link.start)
        if link.column != mention.column and 0 <= link.start - mention.end <= 2 and gap == 0:
            return 0.7 if isinstance(link.value, str) else 0.35
    return 1.0


def longest_list(question: Question, targets: list[Target]) -> list[Target]:
    """The longest run of columns joined to one another by commas or ``and``."""
    best: dict[int, Target] = {}
    for one in targets:
        if one.mention and one.score >= MIN_JOINED:
            rival = best.get(one.mention.start)
            if not rival or not rival.mention or rival.mention.score < one.mention.score:
                best[one.mention.start] = one
    runs: list[list[Target]] = []
    for start in sorted(best):
        one = best[start]
        last = runs[-1][-1].mention if runs else None
        is_repeat = runs and any(one.column == other.column for other in runs[-1])
        if last and not is_repeat and start >= last.end and side_by_side(question, last.end, start):
            runs[-1].append(one)
        elif not last or start >= last.end:
            runs.append([one])
    return max(runs, key=len, default=targets[:1])


def side_by_side(question: Question, end: int, start: int) -> bool:
    """Whether a comma or ``and``, and an article at most, stands between two names."""
    if not end <= start <= end + 6 or start >= len(question.words):
        return False
    between = [word.text for word in question.words[end:start]]
    comma = "," in question.text[question.words[end - 1].end : question.words[start].start]
    asks = any(end <= cue.start < start for cue in question.cue("wh", "count", "extreme", "each"))
    return not asks and question.content(end, start) <= 1 and (comma or "and" in between)


def nearest_number(
    question: Question, cue: Cue, mentions: list[Mention], kinds: Mapping[str, str]
) -> list[Mention]:
    """Mentions of columns with an order, those just after a cue first."""

    def distance(mention: Mention) -> float:
        if mention.start >= cue.end:
            return question.gap(cue.end, mention.start)
        return 1.5 + question.content(mention.end, cue.start)

    # The most rainy days are no latest one.
    many = cue.kind == "extreme" and question.words[cue.end - 1].text in MANY
    types = ("number",) if many else ("number", "date", "datetime")
    ordered = [m for m in mentions if kinds[m.column] in types]
    own = [m for m in ordered if m.places and m.places <= cue.places]
    if own and question.words[cue.end - 1].text in lexicon().classes["dimension"]:
        ordered = own  # the hottest is of no other column than heat
    return sorted(ordered, key=lambda m: (distance(m) + 3 * (1 - m.score), m.start))
