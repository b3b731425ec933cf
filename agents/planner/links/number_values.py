"""Links from numbers, dates and words of yes and no in a question to conditions on columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import zip_longest
from typing import NamedTuple

from pydantic import JsonValue

from wideleaf.agents.planner.links.flags import ANSWERS, YES, yes_of
from wideleaf.agents.planner.links.lexicon import Cue, Number, Question, lexicon
from wideleaf.agents.planner.links.literals import within
from wideleaf.agents.planner.links.meant import only_meant
from wideleaf.agents.planner.links.mentions import Mention
from wideleaf.agents.planner.links.name_words import name_parts
from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.links.values import (
    ValueLink,
    has_negation,
    nearest_mention,
    nearness,
    plain_number,
)
from wideleaf.retrieval.words.dates import SaidDate, date_ranges, said_dates
from wideleaf.retrieval.words.names import header_words
from wideleaf.retrieval.words.number_words import MONTHS, ORDINAL_ENDINGS, ORDINALS
from wideleaf.retrieval.words.units import UNITS

MAX_NUMBER_COLUMNS = 100
"""In a table with more number columns, only those that the question names are looked into."""
WHOLE_OF = ("all", "any", "each", "every", "both")
MAX_DATE_COLUMNS = 4
FAR = 0.4
"""A comparison is taken of no column that is named so much farther off than the nearest one."""
YEARS = range(1000, 2200)
DAYS = range(1, 32)
DETERMINERS = ("the", "on")
BE = ("is", "was", "are", "were", "be")
NAMED_TIME = 0.7
"""So well a column of a wide table is named whose times a bare number is one of."""
ADJACENT = 0.9
"""So near a column stands to a bound in years that is of it though another holds years."""
CURRENCIES = ("$", "£", "€", "¥")
MONEY = 0.5
"""How near an amount of money stands to a column of money that it does not name."""
MAX_LEVELS = 12
"""A column of so many numbers at most may be counted out by ordinals."""
ORDINAL = 0.9
"""How sure an ordinal before a column's name is a value of it, where the name is said whole."""
SIGNS = {">": ">", "<": "<", ">=": ">=", "<=": "<=", "=": "==", "==": "==", "≥": ">=", "≤": "<="}
MIN_LEVEL, MIN_FLAG = 0.4, 0.65
"""How well a column of yes and no must be named, as a level of a family and by itself."""


class _Bound(NamedTuple):
    """A condition on a number or a time, the words that say it, and the numbers it has."""

    start: int
    end: int
    op: str
    value: JsonValue
    part: str = ""
    numbers: tuple[Number, ...] = ()


def number_links(
    question: Question, index: TableIndex, mentions: tuple[Mention, ...]
) -> list[ValueLink]:
    """Find the conditions that the question's numbers may stand for."""
    if not question.numbers:
        return []
    columns = _choose_columns(index, mentions)
    links = []
    wide = len(index.kinds) > MAX_NUMBER_COLUMNS
    for number, after in zip_longest(question.numbers, question.numbers[1:]):
        bound = _read_bound(question, number, after)
        start, end, op, value, *_ = bound
        names = {c: nearest_mention(question, mentions, s, start, end) for c, s in columns.items()}
        near = _measure_nearness(question, index, bound, names)
        least = FAR * max(near.values(), default=0.0)
        index.read(c for c, n in near.items() if op in ("==", "!=") or (n and n >= least))
        for column, close in near.items():
            if op in ("==", "!=") and (
                column not in index.kinds or number.value not in index.numbers(column)
            ):
                continue
            if op == "==" and wide and _says_more(column, names[column]):
                continue  # in the year 2008: not the year in which it was built
            if op != "==" and (
                close < least
                or _only_counted(question, index, column, mentions, number.value)
                or (close and _out_of_range(index, column, value))
            ):
                continue
            year = number.value in YEARS and index.yearly(column) and not number.ordinal
            sure = 0.6 * close + (0.3 if year else 0.0) + (0.15 if op == "==" else 0.25)
            links.append(ValueLink(start, end, column, op, value, sure, names[column]))
    return links


def _choose_columns(index: TableIndex, mentions: tuple[Mention, ...]) -> dict[str, str]:
    """The columns that a number may be compared with, each to the one that holds it."""
    columns = {column: column for column in index.of_kind("number")}
    if len(columns) > MAX_NUMBER_COLUMNS:
        headers = {m.column for m in mentions if m.score >= 0.5}
        columns = {c: c for c in columns if c in headers or index.yearly(c)}
    return columns | {name: source for source, name in index.read_as_numbers.items()}


def _measure_nearness(
    question: Question, index: TableIndex, bound: _Bound, names: Mapping[str, Mention | None]
) -> dict[str, float]:
    """The columns that a number may bound, each with how near it is named."""
    start, end, op = bound[:3]
    near = {c: nearness(question, mention, start, end) for c, mention in names.items()}
    years = op != "==" and all(number.value in YEARS for number in bound.numbers)
    if years and any(map(index.yearly, names)):
        # From 2010 to 2019: no time is meant that is named elsewhere.
        near = {c: n for c, n in near.items() if index.yearly(c) or n >= ADJACENT}
    place = bound.numbers[0].place
    if columns := _infer_columns(question, index, start, place):
        near = {c: ADJACENT for c in near if c in columns}
    if op != "==" and _of_money(question, place, start):
        near |= {c: max(near.get(c, 0.0), MONEY) for c in names if _is_money(index, c)}
    return near


def _infer_columns(question: Question, index: TableIndex, start: int, end: int) -> set[str]:
    """The columns that a comparative before a number means: *older than 40* is of an age."""
    columns: set[str] = set()
    for word in question.words[start:end]:
        if word.text in lexicon().classes["dimension"] or word.text.endswith("er"):
            stems = {*lexicon().meanings.get(word.stem, ())}
            numbers = index.of_kind("number")
            columns |= {c for c in numbers if stems & {part.stem for part in name_parts(c)}}
    return columns if len(index.kinds) <= MAX_NUMBER_COLUMNS else set()


def _says_more(column: str, mention: Mention | None) -> bool:
    """Whether a column of times is one of something that the question does not say."""
    words = {*header_words(column)}
    times = lexicon().axes | {"year", "yr", "years"}
    if not words & times or (mention is not None and mention.score >= NAMED_TIME):
        return False
    return any(word.isalpha() and word not in times for word in words)


def _of_money(question: Question, place: int, start: int) -> bool:
    """Whether a number is an amount of money by its sign, its word or the ``for`` before it."""
    word = question.words[place]
    before = question.text[max(0, word.start - 2) : word.start].rstrip()[-1:]
    behind = [w.text for w in question.words[place + 1 : place + 2]]
    preposition = question.words[start - 1].text if start else ""
    currencies = lexicon().classes["currency"]
    measured = any(text in UNITS or text in lexicon().axes for text in behind)
    sold = preposition in ("for", "costing", "worth") and not measured  # but: for over 20 minutes
    return before in CURRENCIES or bool(currencies & {*behind}) or sold


def _is_money(index: TableIndex, column: str) -> bool:
    words = {*header_words(column), *header_words(index.table.about.get(column, ""))}
    return index.kinds.get(column) == "number" and bool(words & lexicon().classes["money"])


def _out_of_range(index: TableIndex, column: str, value: JsonValue) -> bool:
    """Whether a column is a flag, or all of its numbers lie on one side of a range.

    A single bound outside of the numbers may be meant: nobody knows how far they go.
    """
    numbers = index.numbers(column) if column in index.kinds else frozenset[float]()
    if not numbers or numbers <= {0.0, 1.0}:
        return bool(numbers)
    if not isinstance(value, list):
        return False
    low, high = sorted(float(str(one)) for one in value)
    return high < min(numbers) or low > max(numbers)


def _only_counted(
    question: Question, index: TableIndex, column: str, mentions: tuple[Mention, ...], value: float
) -> bool:
    """Whether a column is named only as what is counted, and its numbers lie far from a bound.

    How many patients are over 15000 compares something of them, and not their numbers.
    """
    own = [m for m in mentions if m.column == column]
    ends = {cue.end for cue in question.cue("count")}
    numbers = index.numbers(column) if own and all(m.start in ends for m in own) else ()
    return bool(numbers) and not min(numbers) <= value <= max(numbers)


def ordinal_links(
    question: Question, index: TableIndex, mentions: tuple[Mention, ...]
) -> list[ValueLink]:
    """Find the whole numbers that an ordinal before a column's name stands for: second class."""
    links = []
    for place, word in enumerate(question.words):
        digits = word.text[:-2] if word.text[-2:] in ORDINAL_ENDINGS else ""
        value = int(digits) if digits.isdigit() else ORDINALS.get(word.text)
        for m in mentions if value is not None else ():
            numeric = index.kinds.get(m.column) == "number" and m.family is None
            if m.start == place + 1 and numeric and m.score >= MIN_LEVEL:
                numbers = index.numbers(m.column)
                if value in numbers and len(numbers) <= MAX_LEVELS:
                    score = ORDINAL * m.score
                    links.append(ValueLink(place, place + 1, m.column, "==", value, score, m))
    return links


def date_links(
    question: Question, index: TableIndex, mentions: tuple[Mention, ...]
) -> list[ValueLink]:
    """Find the years and months that rows with a date may be of."""
    columns = index.of_kind("date", "datetime")[:MAX_DATE_COLUMNS]
    links = []
    for start, end, op, value, part, _ in _read_times(question) if columns else ():
        for column in columns:
            mention = nearest_mention(question, mentions, column, start, end)
            if mention is None and len(index.kinds) > MAX_NUMBER_COLUMNS:
                continue  # of so many columns some other has the year in its name
            sure = 0.35 + 0.4 * nearness(question, mention, start, end)
            links.append(ValueLink(start, end, column, op, value, sure, mention, part))
    return links


def _read_times(question: Question) -> list[_Bound]:
    """Conditions on dates and on their parts, but no part of what is said more fully."""
    bounds = [*_read_years(question)]
    for place, month in _months(question):
        years = [n for n in question.numbers if n.place == place + 1 and n.value in YEARS]
        if not years:
            bounds.append(_Bound(place, place + 1, "==", month, "month"))
            days = [n for n in question.numbers
                    if n.place in (place - 1, place + 1) and n.value in DAYS]  # fmt: skip
            for at, value, _ in days[:1]:  # on December 31, of any year
                bounds.append(_Bound(at, at + 1, "==", plain_number(value), "day"))
            continue
        op, start, end = comparison(question, years[0]._replace(place=place))
        period = f"{int(years[0].value):04}-{month:02}"
        # Both words are one moment; a year by itself would leave the month out.
        bounds = [one for one in bounds if not one.start <= place + 1 < one.end]
        bounds.append(_Bound(start, max(end, place + 2), op, period))
    whole = list(_whole_dates(question))
    for date in whole:  # its month and its day are no conditions by themselves
        bounds = [one for one in bounds if one.end <= date.start or one.start >= date.end]
    return bounds + whole


def _read_years(question: Question) -> Iterator[_Bound]:
    for number, after in zip_longest(question.numbers, question.numbers[1:]):
        if number.value in YEARS and not number.ordinal:
            year = after if after and after.value in YEARS else None
            yield _read_bound(question, number, year)._replace(part="year")


def _whole_dates(question: Question) -> Iterator[_Bound]:
    """Conditions on full dates, in any spelling: since August 28, 2018; from one to another."""
    words, ends = [word.text for word in question.words], set[SaidDate]()
    for one, other in date_ranges(question.text):
        places = within(question, (one.start, other.end))
        is_range = places and words[min(places) - 1 : min(places)] in (["between"], ["from"])
        span: list[JsonValue] = [_iso(one), _iso(other)]
        if is_range and all(span):
            ends |= {one, other}
            yield _Bound(min(places) - 1, max(places) + 1, "between", span)
    for date in said_dates(question.text):
        places = within(question, (date.start, date.end))
        if date in ends or not places or not (iso := _iso(date)):
            continue
        start, end = min(places), max(places) + 1
        little = start - 1 if start and words[start - 1] in DETERMINERS else start
        behind = [cue for cue in question.cue("after") if cue.start == end]
        ahead = [cue for cue in question.cue("compare") if cue.end in (start, little)]
        if behind:
            yield _Bound(start, behind[0].end, behind[0].value, iso)
        elif ahead:
            yield _Bound(ahead[0].start, end, ahead[0].value, iso)
        else:
            yield _Bound(start, end, "==", iso)


def _iso(date: SaidDate) -> str:
    """A date with a day and a year as ISO writes it; empty of others, and of no day there is."""
    try:
        return datetime.strptime(date.key, "%Y%m%d").date().isoformat() if date.whole else ""
    except ValueError:
        return ""


def _months(question: Question) -> Iterator[tuple[int, int]]:
    """Places of the months that a question names, and which each is; "may" is a verb."""
    for place, word in enumerate(question.words):
        if word.text in MONTHS and (
            word.text != "may" or question.span_text(place, place + 1) == "May"
        ):
            yield place, MONTHS[word.text]


def flag_links(
    question: Question, index: TableIndex, mentions: tuple[Mention, ...]
) -> list[ValueLink]:
    """Find the columns of yes and no that the question names: a level of a family, or a boolean."""
    links = []
    for mention in mentions:
        level = mention.family is not None and mention.family.axis == "category" and mention.slot
        sure = mention.score >= (MIN_LEVEL if level else MIN_FLAG)
        about = index.table.about.get(mention.column, "")
        alike = {lexicon().alike.get(question.words[p].text) for p in mention.places}
        alike &= {*header_words(mention.column)}  # women, of a column female
        sure = sure and (bool(level or alike) or not only_meant(question, mention, about))
        value = yes_of(index, mention.column) if sure else None
        if value is None:
            continue
        # Two flags may be of one occasion: both a dog and a cat in wave 1.
        own = mention.slot if level else mention.places - mention.slot
        places = sorted(own or mention.places)
        against = any(has_negation(question, place) for place in (places[0], mention.start))
        before = question.words[places[0] - 1].text if places[0] else ""
        against = against or before in ("no", "non")  # with no partner
        op, score, end = "!=" if against else "==", 0.3 + 0.5 * mention.score, places[-1] + 1
        if (answer := _answer_behind(question, end)) is not None:  # paid is no, insured: yes
            is_yes, end = question.words[answer].text in YES, answer + 1
            if isinstance(value, str):
                op = "==" if is_yes else "!="
            else:
                no = False if isinstance(value, bool) else 0
                op, value = "==", value if is_yes else no
        link = ValueLink(places[0], end, mention.column, op, value, score, mention)
        links.append(link)
    return links


def _answer_behind(question: Question, place: int) -> int | None:
    """The place of a yes or no that stands behind a flag, a form of *be* between them or not."""
    words = [word.text for word in question.words[place : place + 2]]
    if words[:1] and words[0] in ANSWERS:
        return place
    return place + 1 if len(words) > 1 and words[0] in BE and words[1] in ANSWERS else None


def comparison(question: Question, number: Number) -> tuple[str, int, int]:
    """The comparison around a number, and the words both take."""
    place, words = number.place, question.words
    sign = question.text[words[place - 1].end : words[place].start] if place else ""
    if (symbol := sign.strip(" '\"")) in SIGNS:
        return SIGNS[symbol], place, place + 1
    for cue in question.cue("after"):
        if cue.start == place + 1 or (
            cue.start == place + 2 and question.content(place + 1, cue.start)
        ):
            return cue.value, place, cue.end
    for cue in reversed(question.cue("compare")):
        if cue.end <= place and not _telling(question, cue, place):
            return cue.value, cue.start, place + 1
    return "==", place, place + 1


def _telling(question: Question, cue: Cue, place: int) -> bool:
    between = question.words[cue.end : place]
    text = question.text[question.words[cue.end - 1].end : question.words[place].start]
    if any(sign in text for sign in ".?!;"):
        return True  # over the years? one number per year
    content = [word for word in between if word.text not in lexicon().stopwords]
    numbers = {number.place for number in question.numbers}
    whole = any(word.text in WHOLE_OF for word in between)  # over all 2015 plots
    return whole or len(content) > 1 or any(cue.end <= p < place for p in numbers)


def _read_bound(question: Question, number: Number, after: Number | None) -> _Bound:
    """What a number bounds: a range to the one after it, or by itself."""
    words = [word.text for word in question.words]
    before = words[number.place - 1] if number.place else ""
    joint = words[number.place + 1 : after.place] if after else []
    low: JsonValue = plain_number(number.value)
    if after and (
        (before == "between" and joint == ["and"])
        or (before == "from" and joint in (["to"], ["through"], ["until"]))
    ):
        span, high = (number.place - 1, after.place + 1), plain_number(after.value)
        return _Bound(*span, "between", [low, high], numbers=(number, after))
    op, start, end = comparison(question, number)
    return _Bound(start, end, op, low, numbers=(number,))
