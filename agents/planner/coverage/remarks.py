"""The words of a question that no step of a plan came from, and what is said of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from wideleaf.agents.planner.coverage.abstention import find_guesses, is_vague
from wideleaf.agents.planner.coverage.roles import WordRoles
from wideleaf.agents.planner.links.lexicon import Question, cell_words, lexicon, parse_number
from wideleaf.agents.planner.links.literals import DAYS, MONTHS, quotation_places
from wideleaf.agents.planner.links.meanings import Meanings
from wideleaf.agents.planner.links.table_index import TableIndex, index_table
from wideleaf.agents.planner.links.values import ValueLink
from wideleaf.agents.planner.rules.rows import filter_rows, start_of
from wideleaf.agents.planner.rules.where import SPOKEN, literal
from wideleaf.agents.planner.scopes.database import Database
from wideleaf.agents.planner.scopes.derivation import Derivation
from wideleaf.retrieval.words.names import header_words, is_abbreviation
from wideleaf.tools.steps.trial import Trial, nothing

MAX_SAID = 6


class Leftovers(NamedTuple):
    """What a plan leaves over of a question, as the user wrote it.

    Attributes:
        telling: What may change the answer: names, numbers, negations, groups and the like.
        slight: What only says again what was understood, such as ``game`` in ``the game on ...``.
        vague: Whether a column of the plan is hardly named, so that another may be meant, or a
            word is slight by its place alone.
    """

    telling: tuple[str, ...] = ()
    slight: tuple[str, ...] = ()
    vague: bool = False


def find_leftovers(
    d: Derivation, rows: Sequence[Mapping[str, Any]] | None, alone: bool = True
) -> Leftovers:
    """Find the words that no step, column, value or measure of a plan came from.

    Args:
        d: The plan's derivation.
        rows: What the plan gives.
        alone: Whether the question says all that the plan is of; a message that goes on from an
            earlier answer leaves unsaid what that was of.
    """
    roles = WordRoles(d, rows)
    places = [p for p in range(len(roles.words)) if p not in roles.covered and roles.says(p)]
    slight = {place for place in reversed(places) if roles.slight(place)}
    telling = [place for place in places if place not in slight]
    telling = sorted({*telling, *roles.unanswered()})
    if alone:
        telling = sorted({*telling, *find_guesses(roles)})
    slight -= {*telling}
    return Leftovers(
        _phrases(roles, telling, joined=True),
        _phrases(roles, sorted(slight), joined=False),
        alone and (is_vague(roles) or bool(slight & roles.guessed)),
    )


def _phrases(roles: WordRoles, places: Sequence[int], joined: bool) -> tuple[str, ...]:
    """Words that follow one another as phrases; small words between them join them, or not."""
    runs: list[list[int]] = []
    for place in places:
        last = runs[-1][-1] if runs else place
        gap = range(last + 1, place)
        small = all(roles.words[p] in lexicon().stopwords and p not in roles.covered for p in gap)
        broken = any(roles.has_break(p, p + 1) for p in range(last, place))
        if runs and not broken and (not gap or (small and joined)):
            runs[-1].append(place)
        else:
            runs.append([place])
    phrases = []
    for run in runs:
        start = run[0]
        if joined and start and roles.words[start - 1] == "by":
            start -= start - 1 not in roles.covered
        phrases.append(roles.question.span_text(start, run[-1] + 1))
    return tuple(dict.fromkeys(phrases))


MOST = 2
MIN_ALIKE = 80
"""Rapidfuzz's ratio, of 100, from which a name looks like a word."""
MAX_VALUES = 5_000
NEAR = 0.42
"""Cosine from which a name is near in meaning."""


def nearest_names(
    phrase: str, index: TableIndex, meanings: Meanings | None, least: float = NEAR
) -> tuple[str, ...]:
    """Columns and values that look like a phrase, have a short form of it or mean nearly the same.

    Args:
        phrase: Words of the question.
        index: What is known of the table.
        meanings: Compares meanings of few names, where an embedder is at hand.
        least: The cosine from which a name is near in meaning.
    """
    from rapidfuzz import fuzz, process

    words = header_words(phrase)
    spelled = {column: " ".join(header_words(column)) for column in index.kinds}
    short = [
        column
        for column in spelled
        if any(is_abbreviation(part, word) for part in spelled[column].split() for word in words)
    ]
    query = " ".join(words)
    like = process.extract(query, spelled, scorer=fuzz.WRatio, limit=MOST, score_cutoff=MIN_ALIKE)
    names = [*short[:MOST], *(column for _, _, column in like)]
    if len(index.cells) <= MAX_VALUES:
        cells = {key: " ".join(key) for key in index.cells}
        alike = process.extract(query, cells, scorer=fuzz.ratio, limit=1, score_cutoff=MIN_ALIKE)
        names += [index.cells[key][0][1] for _, _, key in alike]
    if meanings is not None and not names:
        # Of columns that differ by a number the first stands for all: so wide tables are compared.
        alone = {_without_numbers(text): column for column, text in reversed(spelled.items())}
        cosines = meanings.compare(query, [*alone])
        order = sorted(zip(cosines, alone.values(), strict=False), key=lambda one: -one[0])
        names += [column for cosine, column in order[:MOST] if cosine >= least]
    return tuple(dict.fromkeys(names))[:MOST]


def _without_numbers(text: str) -> str:
    return " ".join(word for word in text.split() if not word.isdigit()) or text


MIN_LETTERS = 2
MAX_LOOKED = 300
"""In a wider table no value is said to be nowhere: not every column is looked into."""


def remarks_of(d: Derivation, leftovers: Leftovers, database: Database) -> tuple[str, ...]:
    """What is to be said of the words that a plan does not use, before its answer.

    Args:
        d: The plan's derivation.
        leftovers: What it leaves over of the question.
        database: The tables.
    """
    remarks = []
    if leftovers.telling:
        remarks.append(f"Not used: {_list_phrases(leftovers.telling)}.")
        remarks += _nowhere(d.scope.question, leftovers.telling, database)
    return tuple(remarks)


def find_unmatched(
    d: Derivation, rows: Sequence[Mapping[str, Any]] | None, trial: Callable[[], Trial]
) -> tuple[str, ...]:
    """What is to be said of a plan that gives nothing: which conditions no row fulfils.

    Args:
        d: The plan's derivation.
        rows: What the plan gives; None if it is not known.
        trial: Gives where the plan's conditions can be tried, on all rows.
    """
    return tuple(_report_misses(d, trial())) if rows is not None and nothing(rows) else ()


def _list_phrases(phrases: Sequence[str]) -> str:
    listing = ", ".join(f"'{' '.join(phrase.split())}'" for phrase in phrases[:MAX_SAID])
    more = len(phrases) - MAX_SAID
    return f"{listing} and {more} more" if more > 0 else listing


def _nowhere(question: Question, phrases: Sequence[str], database: Database) -> Iterator[str]:
    """Names, numbers and quoted texts among some phrases that no cell and no header holds."""
    indexes = [index_table(table) for table in database.tables.values()]
    if any(len(index.kinds) > MAX_LOOKED for index in indexes):
        return
    quoted = quotation_places(question)
    texts = {question.words[place].text for place in quoted}
    times = MONTHS | DAYS
    for phrase in phrases[:MAX_SAID]:
        words = cell_words(phrase)
        name = phrase[:1].isupper() or texts.issuperset(words)
        number = parse_number(phrase)
        if times.intersection(words) or len(phrase) < MIN_LETTERS:
            continue
        if (name or number is not None) and not any(_holds(i, words, number) for i in indexes):
            yield f"'{phrase}' is nowhere in the tables."


def _holds(index: TableIndex, words: tuple[str, ...], number: float | None) -> bool:
    """Whether a table has some words in a cell or a header, or may have them unread."""
    if number is not None and any(number in index.numbers(c) for c in index.of_kind("number")):
        return True
    size = len(words)
    headers = [cell_words(column) for column in index.kinds]
    return not index.whole or any(
        text[start : start + size] == words
        for text in (*headers, *index.cells)
        for start in range(len(text) - size + 1)
    )


def _report_misses(d: Derivation, trial: Trial) -> Iterator[str]:
    """Which conditions of a plan no row fulfils, each by itself or all together."""
    start = start_of(d.scope)
    links = [use for use in d.uses if isinstance(use, ValueLink)]
    alone = []
    for link in dict.fromkeys(map(repr, links)):
        one = next(k for k in links if repr(k) == link)
        if trial.rows(filter_rows(start, (one,)).steps, 1) == []:
            alone.append(f"No {_subject(one)} {SPOKEN[one.op]} {literal(one.value)}.")
    yield from alone
    if links and not alone and trial.rows(filter_rows(start, tuple(links)).steps, 1) == []:
        yield "No row fits all conditions."


def _subject(link: ValueLink) -> str:
    return f"{link.part} of {link.column}" if link.part else link.column
