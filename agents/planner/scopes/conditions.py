"""Sets of conditions: for each span that may be a literal, one of its columns or none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from itertools import groupby
from typing import NamedTuple

from wideleaf.agents.planner.links.absences import absent_links
from wideleaf.agents.planner.links.levels import level_links
from wideleaf.agents.planner.links.lexicon import (
    Question,
    cell_words,
    lexicon,
    parse_number,
)
from wideleaf.agents.planner.links.limits import find_limits
from wideleaf.agents.planner.links.literals import decade_links
from wideleaf.agents.planner.links.meant_values import meant_links
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.number_values import (
    date_links,
    flag_links,
    number_links,
    ordinal_links,
)
from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.links.values import ValueLink, nearest_mention, nearness, text_links

OPTIONS_PER_SPAN = 4
SLOTTED = 0.4
"""A name covered so far owns the words of its slot."""
STRONG_MENTION = 0.8
SURE_LINK = 0.8
EXACT_NAME = 0.98
"""A column is called by the very words."""
LOST = 0.9
"""What is lost of a link's worth by taking its words for no condition."""
AGAINST = frozenset(("vs", "versus", "than", "against", "compared"))
HELD = 3
"""So many telling words at most stand between two values that are held against each other."""
MAX_HOLDING = 60
"""So many cells at most that hold some words are listed, where others hold them within a word."""
MIN_PART = 3
"""A part of a cell has at least so many letters."""
LINK_FINDERS = (
    text_links, number_links, flag_links, date_links, level_links, ordinal_links, decade_links
)  # fmt: skip


class Conditions(NamedTuple):
    """Conditions that may hold together.

    Attributes:
        links: One a condition.
        dropped: What the spans left without a condition would have been worth.
    """

    links: tuple[ValueLink, ...] = ()
    dropped: float = 0.0

    @property
    def worth(self) -> float:
        """How sure the links are, less what was dropped."""
        return sum(link.score for link in self.links) - self.dropped


def condition_sets(
    question: Question,
    index: TableIndex,
    mentions: tuple[Mention, ...],
    limit: int = 10,
    rows: Collection[int] = (),
) -> list[Conditions]:
    """Choose conditions for the literals of a question, best first; the empty set is last.

    Args:
        question: The question.
        index: The table.
        mentions: The columns that the question may name.
        limit: At most so many sets.
        rows: Places of the words that the table itself is called by, which mean no cell.
    """
    spans = _spans(_links(question, index, mentions, rows))
    spans += [span for span in _partial_spans(question, index, mentions, spans) if span]
    absent = absent_links(question, index, mentions, [link for span in spans for link in span])
    lacking = {place for link in absent for place in link.places}
    spans = [span for span in spans if not span[0].places & lacking]
    spans += [[link] for link in absent]
    sets = [Conditions()]
    for options in spans:
        options = sorted(options, key=lambda link: -link.score)[:OPTIONS_PER_SPAN]
        lost = LOST * options[0].score
        grown = [Conditions(s.links, s.dropped + lost) for s in sets]
        for option in options:
            grown += [
                Conditions(links, s.dropped)
                for s in sets
                if (links := _add(question, s.links, option))
            ]
        grown = [s for s in grown if not _splits_choice(question, index, s.links)]
        sets = sorted(grown, key=lambda s: -s.worth)[:limit]
    return sets


def _links(
    question: Question, index: TableIndex, mentions: tuple[Mention, ...], rows: Collection[int]
) -> list[ValueLink]:
    """All that words may stand for as conditions, but for what they are plainly no condition."""
    links = [link for find in LINK_FINDERS for link in find(question, index, mentions)]
    links += [k for k in meant_links(question, index, mentions, links) if k.start not in rows]
    return [
        link
        for link in links
        if not _part_of_a_name(question, index, link, mentions) and not _counter(question, link)
        and not _is_verb(question, link)
    ]  # fmt: skip


def _splits_choice(question: Question, index: TableIndex, links: tuple[ValueLink, ...]) -> bool:
    """Whether two values that ``or`` joins are of two columns though one column has both."""
    words = cell_words(question.text)
    for one in links:
        for other in links:
            if one.column == other.column or not one.end <= other.start:
                continue
            between = words[one.end : other.start]
            near = "or" in between and question.content(one.end, other.start) <= 1
            for link, column in ((one, other.column), (other, one.column)) if near else ():
                cells = index.cells.get(words[link.start : link.end], ())
                if any(own == column for own, _ in cells):
                    return True
    return False


def _spans(links: list[ValueLink]) -> list[list[ValueLink]]:
    """Group links by span, the longest spans first, none over another."""
    ordered = sorted(links, key=lambda k: (k.start, k.end))
    groups = [list(group) for _, group in groupby(ordered, key=lambda k: (k.start, k.end))]
    groups.sort(key=lambda g: (g[0].start - g[0].end, -max(k.score for k in g)))
    spans: list[list[ValueLink]] = []
    for group in groups:
        if all(group[0].end <= c[0].start or group[0].start >= c[0].end for c in spans):
            spans.append(group)
    return sorted(spans, key=lambda g: g[0].start)


def _part_of_a_name(
    question: Question, index: TableIndex, link: ValueLink, mentions: tuple[Mention, ...]
) -> bool:
    """Whether a longer, well-covered column name holds these words."""
    small = link.score < SURE_LINK
    called = [m for m in mentions if m.score >= EXACT_NAME and m.places == link.places]
    quoted = question.text[question.words[link.start].start - 1 :][:1] in ("'", '"')
    plain = question.text[question.words[link.start].start].islower() and not quoted
    if plain and isinstance(link.value, str) and any(m.column != link.column for m in called):
        return True  # the highest protein is of no item called protein
    number = not isinstance(link.value, str)
    # A year of a column of years is hardly the occasion of what is not named well.
    slotted = STRONG_MENTION if index.yearly(link.column) else SLOTTED
    return any(
        (m.score >= STRONG_MENTION and small and link.places < m.places)
        or (m.score >= slotted and number and link.places & m.slot)
        for m in mentions
        if m.column != link.column
    )


def _is_verb(question: Question, link: ValueLink) -> bool:
    """Whether a participle says how often what is asked for happens: *is used the most*."""
    words = [word.text for word in question.words]
    if link.end - link.start > 1 or not words[link.start].endswith("ed") or not link.start:
        return False
    often = any(cue.start == link.end for cue in question.cue("extreme", "mode"))
    return often and words[link.start - 1] in ("is", "are", "was", "were", "gets", "get")


def _counter(question: Question, link: ValueLink) -> bool:
    """Whether a number says how many to list or how to round."""
    digits = parse_number(question.words[link.start].text) is not None
    words = isinstance(link.value, str) and not digits
    if link.op not in ("==", "in") or link.end - link.start > 1 or words:
        return False
    for cue in question.cue("decimals"):
        if link.start == cue.end if cue.value == "to" else link.end == cue.start:
            return True
    after = [word.text for word in question.words[link.end : link.end + 1]]
    if after and after[0].endswith("est") and len(after[0]) > len("best"):
        return True  # so many of the happiest, whatever they are measured by
    has_name = link.named is not None and link.named.end == link.start
    limit = next((one for one in find_limits(question) if one.place == link.start), None)
    if limit is None or has_name:
        return False
    # With 3 visits and 5 trees: what stands behind is the column that has so many.
    noun = link.named is not None and link.named.start == link.end
    return not noun or limit.end is not None


def _add(
    question: Question, links: tuple[ValueLink, ...], option: ValueLink
) -> tuple[ValueLink, ...] | None:
    """Add a condition; two values of one column become a list where the question says or."""
    same = [k for k in links if k.column == option.column and k.op in ("==", "in")]
    if option.named and any(k.named == option.named and k not in same for k in links):
        return None
    if any(_clash(k, option) for k in links):
        return None
    if not same or option.op != "==" or option.value == same[0].value:
        return (*links, option)
    if not _joins(question, same[0].end, option.start):
        return None
    values = same[0].value if isinstance(same[0].value, list) else [same[0].value]
    merged = same[0]._replace(
        end=option.end,
        op="in",
        value=[*values, option.value],
        score=same[0].score + option.score,
        flags=(*same[0].flags, *option.flags),
        between=same[0].between | frozenset(range(same[0].end, option.start)),
    )
    return (*(k for k in links if k is not same[0]), merged)


def _clash(link: ValueLink, other: ValueLink) -> bool:
    """Whether one condition takes words by which the other's column or its occasion is named."""
    # The 4 of wave 4 is no value of another column, nor the peanuts of what contains peanuts.
    slots = _slot_of(link) & other.places or _slot_of(other) & link.places
    return bool(slots) or _spells_name(link, other) or _spells_name(other, link)


def _joins(question: Question, end: int, start: int) -> bool:
    """Whether what stands between two values makes a list of them, or holds them together."""
    between = {w.text for w in question.words[end:start]}
    count = question.content(end, start)
    has_joint = (between & {"or", "and"} and count <= 1) or (between & AGAINST and count <= HELD)
    is_list = start == end and _comma(question, start)
    return bool(has_joint or is_list or question.cue("difference", "more", "change"))


def _slot_of(link: ValueLink) -> frozenset[int]:
    """Places that say at which occasion a condition's column is meant, its own words aside."""
    return link.named.slot - link.places if link.named else frozenset()


def _spells_name(link: ValueLink, other: ValueLink) -> bool:
    """Whether the text of a condition is a word by which another's column is named."""
    if not isinstance(link.value, str) or isinstance(other.value, str):
        return False
    return other.named is not None and bool(other.named.places & link.places)


def _comma(question: Question, place: int) -> bool:
    """Whether a comma and nothing else stands before a word, as between the values of a list."""
    start = question.words[place - 1].end
    return question.text[start : question.words[place].start].strip() == ","


def _partial_spans(
    question: Question,
    index: TableIndex,
    mentions: tuple[Mention, ...],
    spans: list[list[ValueLink]],
) -> list[list[ValueLink]]:
    """Names the question gives in part: capitalised words that some cell contains."""
    cover = {place for group in spans for place in group[0].places}
    cover |= {p for m in mentions if m.score >= 0.6 for p in m.places}
    cover |= {p for cue in question.cues for p in cue.places}
    names = [
        place not in cover
        and (question.text[word.start].isupper() or not word.text.isalpha())
        and word.text not in lexicon().stopwords
        for place, word in enumerate(question.words)
    ]
    for cue in question.cue("contain"):
        quoted = range(cue.end, len(names))
        place = next((p for p in quoted if question.content(p, p + 1)), None)
        if place is not None:
            names[place] = True
    groups, start = [], 0
    while start < len(names):
        end = start
        while end < len(names) and names[end]:
            end += 1
        if end > start:
            groups.append(_partial(question, index, mentions, start, end))
        start = end + 1
    return groups


def _partial(
    question: Question, index: TableIndex, mentions: tuple[Mention, ...], start: int, end: int
) -> list[ValueLink]:
    phrase = cell_words(question.text)[start:end]
    if sum(map(len, phrase)) < MIN_PART:
        return []
    columns: dict[str, list[str]] = defaultdict(list)
    for words, cells in index.cells.items():
        if any(words[i : i + len(phrase)] == phrase for i in range(len(words) - len(phrase) + 1)):
            for column, cell in cells:
                columns[column].append(cell)
    links = []
    for column, matches in columns.items():
        mention = nearest_mention(question, mentions, column, start, end)
        score = 0.25 + 0.3 * nearness(question, mention, start, end)
        literal = question.span_text(start, end)
        link = ValueLink(start, end, column, "contains", literal, score, mention)
        within = [c for c in index.distinct(column) if literal.casefold() in str(c).casefold()]
        if index.kinds.get(column) == "text" and len({*matches}) < len(within) <= MAX_HOLDING:
            link = link._replace(op="in", value=[*dict.fromkeys(matches)])  # men's, in no women's
        links.append(link)
    return links
