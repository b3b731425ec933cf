"""Checks of names: headers that a question writes, and values that stand in several columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wideleaf.agents.critic.data_checks import aggregate_nodes, measures_of
from wideleaf.agents.critic.doubts import Doubt, Offer
from wideleaf.agents.critic.plan_words import (
    LEARNT,
    comparisons,
    has_patterns,
    has_value,
    said_by,
    stems_of,
)
from wideleaf.agents.critic.value_checks import MOST_COLUMNS, MOST_ROWS
from wideleaf.agents.planner.links.lexicon import Question, fold, lexicon
from wideleaf.agents.planner.links.literals import quotation_places
from wideleaf.retrieval.words.names import expand, header_words
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.telling.calls import code_of
from wideleaf.tools.tree.tree import Node

MOST_HEADERS = 300
"""Columns of a table whose headers are looked for in a question."""
SHORT_WORD = 2
MOST_LITERALS = 5
SHORTEST = 3
"""Characters of a value that is looked for in other columns: an airport's code."""
FEW = 2
"""Headers that one word of a question may stand in."""
TOLD = 3
"""Words that one sentence tells."""
SAME = ("==", "in", "contains")
OPEN = frozenset(("or", "any", "either", "both", "and", "between", "involv"))
"""Words with which a value may stand in the one column or the other."""
KEYS = frozenset(("name", "title", "id", "code"))
"""Words of headers of what a thing is called: of them the rest is the thing itself."""
NAMES = frozenset(("name", "title", "id", "no", "number", "type", "code"))
"""Headers that say what of something: beside another table they may be those of something else."""


def check_written_headers(case: Offer) -> Iterator[Doubt]:
    """A header that the question writes, or a word of one alone, is taken: with H / A of h."""
    if {node.action.name for node in case.plan} & LEARNT or case.drawn:
        return
    question, said = Question(case.question), said_by(case)
    leaves = [leaf for leaf in case.tree.leaves if leaf in case.plan]
    known, counted = _known_stems(case), _counted_places(question)
    codes = " ".join(filter(None, (fold(code_of(node.action)) for node in case.plan)))
    free = [
        (leaf, column)
        for leaf in leaves
        for column in case.table_of(leaf.label).columns[:MOST_HEADERS]
        if not (fold(column) in codes or fold(column) in said.texts)
    ]
    told: dict[str, str] = {}
    for leaf, column in free:
        places = _places_of(question, column)
        loose = len(leaves) > 1 and {*stems_of(column)} <= NAMES
        if not places or loose or {*stems_of(column)} <= known:
            continue
        if places[0] in counted and "count" in said.functions:
            continue
        written = question.span_text(places[0], places[-1] + 1)
        adjective = _is_adjective(question, places[-1], known)
        if len(places) > 1 and not adjective and not _is_end(question, places[0]):
            text = f"the question says {written!r}, a column of {leaf.label}"
            yield Doubt(f"{text}; no step takes {column}", reading=True)
            return
        if not adjective:
            told.setdefault(written, column)
    telling = {place for cue in question.cues for place in cue.places}
    telling |= quotation_places(question) | (counted if "count" in said.functions else set())
    for place, word in enumerate(question.words):
        if place in telling or word.stem in known or not _tells(word.text):
            continue
        if _is_adjective(question, place, known):
            continue
        found = [column for _, column in free if word.stem in stems_of(column)]
        # The name or key of a car is what a car is: it says nothing of one more column.
        if (
            0 < len(found) <= FEW
            and not {*stems_of(found[0])} & KEYS
            and found[0] not in told.values()
        ):
            told.setdefault(question.span_text(place, place + 1), found[0])
    if told:
        words, columns = ", ".join(map(repr, [*told][:TOLD])), [*told.values()][:TOLD]
        text = f"the question says {words}; no step takes {', '.join(columns)}"
        yield Doubt(text, objects=False, reading=True)


def check_several_columns(case: Offer) -> Iterator[Doubt]:
    """A team that is a winner and a loser is told to be both, where the question names neither."""
    if has_patterns(case):
        return
    question = Question(case.question)
    said = {word.stem for word in question.words}
    compared = [*comparisons(case)]
    for one in compared[:MOST_LITERALS]:
        if one.op not in SAME or not isinstance(one.value, str) or len(one.value) < SHORTEST:
            continue
        parent = case.tree[one.node.parents[0]]
        if (parent.rows or 0) > MOST_ROWS or {*stems_of(one.column)} & said:
            continue
        table = case.table_of(parent.label)
        texts = [name for name in table.columns if table.kind(name) == "text"]
        beside = {two.column for two in compared if two.value == one.value}
        if len(beside) > 1 and not said & OPEN and _is_any(one.node):
            columns = " or a ".join(sorted(beside))
            text = f"{one.node.label} takes {one.value!r} as a {columns}"
            yield Doubt(f"{text}; the question has no or", objects=False, reading=True)
            return
        for other in texts[:MOST_COLUMNS]:
            own, theirs = {*stems_of(one.column)}, {*stems_of(other)}
            if other in beside or own <= theirs or theirs <= own:  # a name is a local name
                continue
            if has_value(table, one, other):
                text = f"{one.value!r} is a {other} of {parent.label} as well as a {one.column}"
                yield Doubt(f"{text}; {one.column} was taken", objects=False, reading=True)
                return


def check_answer_column(case: Offer) -> Iterator[Doubt]:
    """What is answered by, or measured of, a column that the question has no word of is told."""
    if not case.node.parents or case.drawn or {n.action.name for n in case.plan} & LEARNT:
        return
    question, columns = Question(case.question), case.table.columns
    raw = {name for leaf in case.tree.leaves for name in case.table_of(leaf.label).columns}
    cued = {place for cue in question.cues for place in cue.places}
    if not any(_tells(w.text) for place, w in enumerate(question.words) if place not in cued):
        return
    said = {word.stem for word in question.words}
    said |= {header for word in said for header in lexicon().meanings.get(word, ())}
    given = [columns[0]] if len(columns) == 1 and columns[0] in raw else []
    for node in aggregate_nodes(case):
        given += [str(m["column"]) for m in measures_of(node) if m.get("column") in raw]
    for column in given:
        words = header_words(column)
        own = {stem(word) for word in (*words, *expand(words))}
        if own & (said | NAMES) or any(_begins(word, said) for word in own):
            continue
        if any(len(word) > SHORT_WORD for word in own):
            how = "answered by" if column in columns else "measured by"
            text = f"it is {how} {column}, which the question does not name"
            yield Doubt(text, objects=False, reading=True)
            return


def _known_stems(case: Offer) -> set[str]:
    """The words that the plan speaks of: its texts, its tables, the columns that it gives.

    What it calls its own columns counts for nothing: a mean of ratings may be named viewers.
    """
    texts = {leaf.label for leaf in case.tree.leaves if leaf in case.plan}
    raw = {name for leaf in case.tree.leaves for name in case.table_of(leaf.label).columns}
    texts |= {*case.table.columns} & raw if case.node.parents else set()
    for node in case.plan:
        if node.parents:
            texts |= {*_texts(node.action.arguments), code_of(node.action) or ""}
    return {stem(word) for text in texts for word in header_words(text)}


def _texts(given: Any) -> Iterator[str]:
    """Texts of plain data but the names that a plan gives."""
    if isinstance(given, dict):
        for key, value in given.items():
            if key != "name" or not isinstance(value, str):
                yield from _texts(value)
    elif isinstance(given, list | tuple):
        for value in given:
            yield from _texts(value)
    elif isinstance(given, str):
        yield given


def _places_of(question: Question, column: str) -> list[int]:
    """Where a header stands in a question word by word, if a word of it says something."""
    stems = stems_of(column)
    if not stems:
        return []
    telling = ("extreme", "count", "sum", "mean", "wh", "show", "each", "compare", "mode", "step")
    taken = {place for cue in question.cue(*telling) for place in cue.places}
    taken |= quotation_places(question)
    words = [word.stem for word in question.words]
    for start in range(len(words) - len(stems) + 1):
        if tuple(words[start : start + len(stems)]) != stems:
            continue
        places = [*range(start, start + len(stems))]
        written = question.span_text(start, start + len(stems))
        if fold(written) == fold(column) and len(stems) > 1:
            return places
        said = [p for p in places if p not in taken and _tells(question.words[p].text)]
        if said:
            return places
    return []


def _tells(word: str) -> bool:
    known = lexicon()
    return word.isalpha() and len(word) > SHORT_WORD and word not in known.stopwords | known.units


def _begins(word: str, said: set[str]) -> bool:
    """Whether a word is the beginning of one of the question: chol of cholesterol."""
    return len(word) > SHORTEST and any(one.startswith(word) for one in said)


def _is_end(question: Question, place: int) -> bool:
    """Whether a name stands behind a superlative: the most expensive type."""
    return any(place - cue.end in (0, 1) for cue in question.cue("extreme", "mode", "distinct"))


def _is_adjective(question: Question, place: int, known: set[str]) -> bool:
    """Whether a word stands before a name that the plan takes: the population density."""
    return any(word.stem in known for word in question.words[place + 1 : place + 2])


def _counted_places(question: Question) -> set[int]:
    return {cue.end for cue in question.cue("count")}


def _is_any(node: Node) -> bool:
    return isinstance(where := node.action.arguments.get("where"), dict) and "any" in where
