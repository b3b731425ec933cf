"""Checks of headers: those that a question names and no step takes, and those it does not name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wideleaf.agents.critic.findings import Candidate, Finding
from wideleaf.agents.critic.plan_text import (
    Said,
    measures,
    question_headers,
    said_by,
    stems_of,
    terms_of,
    words_in,
)
from wideleaf.agents.planner.links.lexicon import Cue, Question, fold, lexicon
from wideleaf.agents.planner.links.literals import quotation_places
from wideleaf.retrieval.words.names import header_words
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.telling.calls import code_of
from wideleaf.tools.tree.tree import Node

MAX_HEADERS = 300
"""Columns of a table whose headers are looked for in a question."""
SHORT_WORD = 2
SHORTEST = 3
"""Characters of a word that another may begin with: chol of cholesterol."""
FEW = 2
"""Headers that one word of a question may stand in."""
TOLD = 3
"""Words that one sentence tells."""
KEYS = frozenset(("name", "title", "id", "code"))
"""Words of headers of what a thing is called: of them the rest is the thing itself."""
NAMES = frozenset(("name", "title", "id", "no", "number", "type", "code"))
"""Headers that say what of something: beside another table they may be those of something else."""
PASSED = frozenset(("mean", "extreme", "median", "sum", "distinct", "mode", "whole"))
"""Kinds of cues that stand before the name of what is asked for: what is the mean yield?"""
BETWEEN = frozenset(("'s", "of", "for", "all", "me", "us", "value", "values"))
"""Words between what and the name of what is asked for."""
ACTING = frozenset(("do", "does", "did", "can", "could", "will", "would"))
"""Verbs between what is asked for and who does it."""
MIN_WIDE = 3
"""Columns of the smallest table whose whole rows are more than what is asked for."""
WHOLE_ROWS = frozenset(
    ("row", "rows", "sorted", "ranked", "record", "records", "entry", "entries", "detail",
     "details", "information", "info", "data", "table", "tables", "column", "columns",
     "everything", "sheet", "file")
)  # fmt: skip
"""Words that may ask for rows as they are."""


def check_asked_column(case: Candidate) -> Iterator[Finding]:
    """Which formula, what position: a header that is asked for is spoken of by some step."""
    column = None if case.is_analysis else _find_header(case)
    if column is None:
        return
    plan, stems = said_by(case), {*stems_of(column)}
    names = {text for node in case.plan if node.parents for text in words_in(node.action.arguments)}
    names |= {*case.table.columns}
    if fold(column) not in plan.code and not any(stems <= {*stems_of(name)} for name in names):
        text = f"the question asks for {column}; no step of {case.label} takes it"
        yield Finding(text, objects=not plan.code, reading=True)  # code may go by its place


def _find_header(case: Candidate) -> str | None:
    """The header that stands behind the first which, what or show."""
    question = case.question
    cue = next(iter(question.cue("wh", "show")), None)
    if cue is None or cue.value not in ("what", "show"):
        return None
    place = _behind(question, cue)
    if any(word.text in ACTING for word in question.words[cue.end : place]):
        return None  # what did the team win: the team is who did it
    stems = tuple(word.stem for word in question.words)
    fitting = [
        (len(words), column)
        for leaf in case.leaves
        for column in case.table_of(leaf.label).columns
        if (words := stems_of(column))
        and stems[place : place + len(words)] == words
        and _ends_name(question, place + len(words))
        and (len(case.leaves) < 2 or not {*words} <= NAMES)
        and any(word.isalpha() and len(word) > 1 for word in words)
    ]
    return max(fitting, key=lambda pair: pair[0], default=(0, None))[1]


def _behind(question: Question, cue: Cue) -> int:
    """The place of what is asked for: behind the verb, articles and an aggregate."""
    passed = {place for other in question.cue(*PASSED) for place in other.places}
    skipped = lexicon().verbs | lexicon().classes["determiner"] | BETWEEN
    place, words = cue.end, question.words
    while place < len(words) and (place in passed or words[place].text in skipped):
        place += 1
    return place


def _ends_name(question: Question, place: int) -> bool:
    """Whether a name is over before a word: the product of a product category is no product."""
    if place >= len(question.words):
        return True
    word = question.words[place]
    mark = question.text[question.words[place - 1].end : word.start].strip()
    return bool(mark) or word.text in lexicon().stopwords | lexicon().verbs | ACTING


def check_written_headers(case: Candidate) -> Iterator[Finding]:
    """A header that the question writes, or a word of one alone, is taken: with H / A of h."""
    if case.is_analysis:
        return
    question, plan, plan_stems = case.question, said_by(case), _collect_stems(case)
    count_ends = {cue.end for cue in question.cue("count")} if "count" in plan.functions else set()
    free = [*_find_untaken(case, plan)]
    mentions: dict[str, str] = {}
    for leaf, column in free:
        places, stems = _places_of(question, column), {*stems_of(column)}
        loose = len(case.leaves) > 1 and stems <= NAMES
        if not places or loose or stems <= plan_stems or places[0] in count_ends:
            continue
        if _is_adjective(question, places[-1], plan_stems):
            continue
        phrase = question.span_text(places[0], places[-1] + 1)
        if len(places) > 1 and not _is_end(question, places[0]):
            text = f"the question says {phrase!r}, a column of {leaf.label}"
            yield Finding(f"{text}; no step takes {column}", reading=True)
            return
        mentions.setdefault(phrase, column)
    passed = quotation_places(question) | count_ends
    for place, column in _find_lone_words(question, [column for _, column in free], plan_stems):
        if place not in passed and column not in mentions.values():
            mentions.setdefault(question.span_text(place, place + 1), column)
    if mentions:
        words, columns = ", ".join(map(repr, [*mentions][:TOLD])), [*mentions.values()][:TOLD]
        text = f"the question says {words}; no step takes {', '.join(columns)}"
        yield Finding(text, objects=False, reading=True)


def _find_untaken(case: Candidate, plan: Said) -> Iterator[tuple[Node, str]]:
    """Headers that no step takes, each with its raw table."""
    for leaf in case.leaves:
        for column in case.table_of(leaf.label).columns[:MAX_HEADERS]:
            if not (fold(column) in plan.code or fold(column) in plan.texts):
                yield leaf, column


def _find_lone_words(
    question: Question, columns: list[str], plan_stems: set[str]
) -> Iterator[tuple[int, str]]:
    """Places of words that are neither cues nor of the plan, each with the first header it is in.

    The name or key of a car is what a car is: it says nothing of one more column.
    """
    cued = {place for cue in question.cues for place in cue.places}
    for place, word in enumerate(question.words):
        if place in cued or word.stem in plan_stems or not _tells(word.text):
            continue
        fitting = [column for column in columns if word.stem in stems_of(column)]
        if not 0 < len(fitting) <= FEW or {*stems_of(fitting[0])} & KEYS:
            continue
        if not _is_adjective(question, place, plan_stems):
            yield place, fitting[0]


def check_answer_column(case: Candidate) -> Iterator[Finding]:
    """What is answered by, or measured of, a column that the question has no word of is told."""
    if not case.node.parents or case.is_analysis:
        return
    question, columns = case.question, case.table.columns
    cued = {place for cue in question.cues for place in cue.places}
    if not any(_tells(w.text) for place, w in enumerate(question.words) if place not in cued):
        return
    stems = _with_meanings({word.stem for word in question.words})
    sources = [columns[0]] if len(columns) == 1 else []
    sources += [column for _, _, column, _ in measures(case)]
    for column in sources:
        own = terms_of(column)
        if column not in case.headers or own & (stems | NAMES):
            continue
        if any(len(word) > SHORTEST and one.startswith(word) for word in own for one in stems):
            continue
        if any(len(word) > SHORT_WORD for word in own):
            how = "answered by" if column in columns else "measured by"
            text = f"it is {how} {column}, which the question does not name"
            yield Finding(text, objects=False, reading=True)
            return


def check_whole_rows(case: Candidate) -> Iterator[Finding]:
    """Every row of a table, with all its columns, is no answer to a question for something."""
    question = case.question
    if not case.node.parents or case.drawn or not question.words or question.cue("whole"):
        return
    headers = question_headers(case).words
    whole_words = {word.text for word in question.words if word.stem not in headers} & WHOLE_ROWS
    if whole_words or question.cue("order", "way"):
        return
    columns = {*case.table.columns}
    raw = {name for leaf in case.leaves for name in case.table_of(leaf.label).columns}
    for leaf in case.leaves:
        own = {*case.table_of(leaf.label).columns}
        if len(own) < MIN_WIDE or not own <= columns <= raw or _all_named(question, own):
            continue
        some = (case.node.rows or 0) < (leaf.rows or 0)
        asks = any(c.value in ("who", "when", "where", "much") for c in question.cue("wh"))
        if not some or asks or _find_header(case) in own:
            which = "whole rows" if some else "every row"
            text = f"{case.label} is {which} of {leaf.label}, all {len(own)} columns"
            yield Finding(f"{text}; give what the question asks for")
            return


def _all_named(question: Question, columns: set[str]) -> bool:
    """Whether a question names each of these columns by a word."""
    stems = _with_meanings({word.stem for word in question.words})
    return all(stems & {*stems_of(name)} for name in columns)


def _with_meanings(stems: set[str]) -> set[str]:
    """Words of a question, and the words of headers that they stand for."""
    return stems | {header for word in stems for header in lexicon().meanings.get(word, ())}


def _collect_stems(case: Candidate) -> set[str]:
    """The words that the plan speaks of: its texts, its tables, the columns that it gives.

    What it calls its own columns counts for nothing: a mean of ratings may be named viewers.
    """
    texts = {leaf.label for leaf in case.leaves}
    texts |= {*case.table.columns} & case.headers if case.node.parents else set()
    for node in case.plan:
        if node.parents:
            texts |= {*words_in(_drop_names(node.action.arguments)), code_of(node.action) or ""}
    return {stem(word) for text in texts for word in header_words(text)}


def _drop_names(plain: Any) -> Any:
    """Plain data without the names that a plan gives."""
    if isinstance(plain, dict):
        names = {key for key, value in plain.items() if key == "name" and isinstance(value, str)}
        return {key: _drop_names(value) for key, value in plain.items() if key not in names}
    return [*map(_drop_names, plain)] if isinstance(plain, list | tuple) else plain


def _places_of(question: Question, column: str) -> list[int]:
    """Where a header stands in a question word by word, if a word of it says something."""
    stems = stems_of(column)
    telling = ("extreme", "count", "sum", "mean", "wh", "show", "each", "compare", "mode", "step")
    cue_places = {place for cue in question.cue(*telling) for place in cue.places}
    cue_places |= quotation_places(question)
    words = [word.stem for word in question.words]
    for start in range(len(words) - len(stems) + 1 if stems else 0):
        if tuple(words[start : start + len(stems)]) != stems:
            continue
        places = [*range(start, start + len(stems))]
        phrase = question.span_text(start, start + len(stems))
        whole = fold(phrase) == fold(column) and len(stems) > 1
        if whole or any(p not in cue_places and _tells(question.words[p].text) for p in places):
            return places
    return []


def _tells(word: str) -> bool:
    words = lexicon()
    return word.isalpha() and len(word) > SHORT_WORD and word not in words.stopwords | words.units


def _is_end(question: Question, place: int) -> bool:
    """Whether a name stands behind a superlative: the most expensive type."""
    return any(place - cue.end in (0, 1) for cue in question.cue("extreme", "mode", "distinct"))


def _is_adjective(question: Question, place: int, plan_stems: set[str]) -> bool:
    """Whether a word stands before a name that the plan takes: the population density."""
    return any(word.stem in plan_stems for word in question.words[place + 1 : place + 2])
