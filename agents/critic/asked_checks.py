"""Checks of what is asked for: the column that a question names, and how many of what."""

from __future__ import annotations

from collections.abc import Iterator

from wideleaf.agents.critic.data_checks import aggregate_nodes, measures_of, words_in
from wideleaf.agents.critic.doubts import Doubt, Offer
from wideleaf.agents.critic.plan_words import (
    LEARNT,
    question_headers,
    said_by,
    stems_of,
)
from wideleaf.agents.planner.links.lexicon import Cue, Question, fold, lexicon
from wideleaf.retrieval.words.names import header_words
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.actions.filter import Filter
from wideleaf.tools.conditions.condition import Compare
from wideleaf.tools.telling.calls import code_of

PASSED = frozenset(("mean", "extreme", "median", "sum", "distinct", "mode", "whole"))
"""Kinds of cues that stand before the name of what is asked for: what is the mean yield?"""
LOOSE = frozenset(("name", "id", "number", "no", "type", "title"))
"""Headers that say what of something: beside another table they may be those of something else."""
PLAIN = frozenset(("Load", "Aggregate", "Select", "Distinct"))
"""Steps that set no condition and no order."""
BETWEEN = frozenset(("'s", "of", "for", "all", "me", "us", "value", "values"))
"""Words between what and the name of what is asked for."""
COUNTING = frozenset(("total", "number", "many", "often", "times", "amount", "frequency"))
"""Words that may ask for a count without saying how many."""
ACTING = frozenset(("do", "does", "did", "can", "could", "will", "would"))
"""Verbs between what is asked for and who does it."""
MIDDLES = frozenset(("mean", "median", "std", "variance"))
"""Aggregates that are no number of anything."""
ENDS = frozenset(("max", "min"))
NEAR = 3
"""Words behind how many in which stands what is counted."""
WHOLE = frozenset(("table", "dataset", "data", "file", "sheet", "spreadsheet"))
"""Words for the table itself."""


def check_asked_column(case: Offer) -> Iterator[Doubt]:
    """Which formula, what position: a header that is asked for is spoken of by some step."""
    if {node.action.name for node in case.plan} & LEARNT or case.drawn:
        return
    question = Question(case.question)
    leaves = [leaf for leaf in case.tree.leaves if leaf in case.plan]
    columns = [name for leaf in leaves for name in case.table_of(leaf.label).columns]
    found = asked_header(
        question, {column: stems_of(column) for column in columns}, one=len(leaves) < 2
    )
    if found is None:
        return
    words, column = found
    used = {
        *(text for node in case.plan for text in words_in(node.action.arguments) if node.parents),
        *(case.table.columns if case.node.parents else columns),
    }
    codes = " ".join(filter(None, (fold(code_of(node.action)) for node in case.plan)))
    if fold(column) in codes or any({*words} <= {*stems_of(name)} for name in used):
        return
    text = f"the question asks for {column}; no step of {case.label} takes it"
    yield Doubt(text, objects=not codes, reading=True)  # code may look at it by its place


def check_named_figure(case: Offer) -> Iterator[Doubt]:
    """Rows that are counted where the question names a column of figures are told."""
    question = Question(case.question)
    functions = said_by(case).functions
    if not question.cue("count") or "count" not in functions or "sum" in functions:
        return
    said, texts = {word.stem for word in question.words}, said_by(case).texts
    counted = {m.get("column") for node in aggregate_nodes(case) for m in measures_of(node)}
    for leaf in case.tree.leaves:
        table = case.table_of(leaf.label) if leaf in case.plan else None
        for column in table.columns if table else ():
            words = {*stems_of(column)}
            named = len(words) > 1 and words <= said
            aside = fold(column) not in texts or column in counted
            if table and named and aside and table.kind(column) == "number":
                yield Doubt(f"rows are counted; {column} is not added up", objects=False)
                return


def check_bare_count(case: Offer) -> Iterator[Doubt]:
    """Which elector, or the name of one, is not answered by how many there are."""
    question, node = Question(case.question), case.node
    while node.action.name == "Select" and node.parents:
        node = case.tree[node.parents[0]]
    if node.action.name != "Aggregate" or question.cue("count", "share", "difference", "mode"):
        return
    asked = next(iter(question.cue("wh", "show")), None)
    counts = {"count", "count distinct"}
    named = question_headers(case).words
    said = {word.text for word in question.words if word.stem not in named}
    if asked is None or asked.value == "much" or COUNTING & said:
        return
    if {measure.get("function") for measure in measures_of(node)} <= counts:
        word = question.span_text(asked.start, asked.end)
        yield Doubt(f"the question asks {word!r}; {node.label} counts", reading=True)


def check_counted(case: Offer) -> Iterator[Doubt]:
    """How many, answered by a mean, or by a sum of what the question does not name, is told."""
    question = Question(case.question)
    if not question.cue("count") or question.cue("sum", "mean", "median", "std", "variance"):
        return
    nodes = [*aggregate_nodes(case)]
    made = {measure.get("function") for node in nodes for measure in measures_of(node)}
    if made & {"count", "count distinct"}:
        return  # what else is measured says which ones count
    for node in nodes:
        for measure in measures_of(node):
            column, function = measure.get("column"), measure.get("function")
            if not isinstance(column, str) or (case.tree[node.parents[0]].rows or 0) < 2:
                continue
            if column not in case.table_of(node.parents[0]).columns:
                continue
            if function in MIDDLES:
                text = f"the question asks how many; {node.label} takes the {function} of {column}"
                yield Doubt(text, reading=True)
                return
            ended = function in ENDS and not question.cue("extreme", "more", "mode")
            if ended or (function == "sum" and not _is_counted(question, column)):
                told = f"how many is taken as the {function} of {column}"
                yield Doubt(told, objects=False, reading=True)
                return


def _is_counted(question: Question, column: str) -> bool:
    """Whether what is counted is what a column holds: how many copies."""
    place = _counted_noun(question)
    cue = question.cue("count")[0]
    near = question.words[place : place + NEAR] if place >= 0 else ()
    said = {word.stem for word in near} | {w.stem for w in question.words[cue.start : cue.end]}
    meant = {header for word in said for header in lexicon().meanings.get(word, ())}
    return bool((said | meant) & {*stems_of(column)})


def check_counted_cells(case: Offer) -> Iterator[Doubt]:
    """A count of the cells of a column leaves out the rows where it is empty."""
    if not Question(case.question).cue("count"):
        return
    raw = {name for leaf in case.tree.leaves for name in case.table_of(leaf.label).columns}
    for node in aggregate_nodes(case):
        table = case.table_of(node.parents[0])
        for measure in measures_of(node):
            column = measure.get("column")
            if measure.get("function") != "count" or column not in raw & {*table.columns}:
                continue
            where = Compare.model_validate({"column": column, "op": "is null"})
            if empty := Filter(where=where).run(table).count():
                rows = "row" if empty == 1 else "rows"
                yield Doubt(f"left out of the count: {empty} {rows} without {column}", False)
                return


def check_left_words(case: Offer) -> Iterator[Doubt]:
    """Where no step sets a condition, words of the question that nothing stands for are told."""
    names = {node.action.name for node in case.plan}
    leaves = [leaf for leaf in case.tree.leaves if leaf in case.plan]
    if not names <= PLAIN or len(leaves) != 1 or len(names) < 2 or (leaves[0].rows or 0) < 2:
        return
    question = Question(case.question)
    known = {stem(word) for text in said_by(case).texts for word in header_words(text)}
    known |= {stem(word) for word in header_words(leaves[0].label)}
    known |= question_headers(case).words
    taken = {place for cue in question.cues for place in cue.places}
    counted = _counted_noun(question)
    # What stands before a name that is known is its adjective: the typical weight.
    left = [
        question.span_text(place, place + 1)
        for place, word in enumerate(question.words)
        if place not in taken
        and place != counted
        and word.stem not in known
        and word.text not in lexicon().stopwords
        and word.text not in lexicon().units | WHOLE
        and not word.text.isdecimal()
        and not any(one.stem in known for one in question.words[place + 1 : place + 2])
    ]
    if left:
        text = ", ".join(map(repr, left[:4]))
        yield Doubt(f"all rows of {leaves[0].label} are taken; no step speaks of {text}", False)


def asked_header(
    question: Question, headers: dict[str, tuple[str, ...]], *, one: bool
) -> tuple[tuple[str, ...], str] | None:
    """The header that stands behind the first which, what or show, with its words.

    Args:
        question: The question.
        headers: The stems of each header.
        one: Whether there is one table alone, so that a name is the name of its rows.
    """
    cue = next(iter(question.cue("wh", "show")), None)
    if cue is None or cue.value not in ("what", "show"):
        return None
    place = _behind(question, cue)
    if any(word.text in ACTING for word in question.words[cue.end : place]):
        return None  # what did the team win: the team is who did it
    stems = tuple(word.stem for word in question.words)
    fitting = [
        (words, column)
        for column, words in headers.items()
        if words
        and stems[place : place + len(words)] == words
        and _ends_name(question, place + len(words))
        and (one or not {*words} <= LOOSE)
        and any(word.isalpha() and len(word) > 1 for word in words)
    ]
    return max(fitting, key=lambda pair: len(pair[0]), default=None)


def _ends_name(question: Question, place: int) -> bool:
    """Whether a name is over before a word: the product of a product category is no product."""
    if place >= len(question.words):
        return True
    word, known = question.words[place], lexicon()
    mark = question.text[question.words[place - 1].end : word.start].strip()
    return bool(mark) or word.text in known.stopwords | known.verbs | ACTING


def _behind(question: Question, cue: Cue) -> int:
    """The place of what is asked for: behind the verb, articles and an aggregate."""
    passed = {place for other in question.cues if other.kind in PASSED for place in other.places}
    known = lexicon()
    skipped = known.verbs | known.classes["determiner"] | BETWEEN
    place = cue.end
    words = question.words
    while place < len(words) and (place in passed or words[place].text in skipped):
        place += 1
    return place


def _counted_noun(question: Question) -> int:
    """The place of the word behind how many, which the rows are."""
    cue = next(iter(question.cue("count")), None)
    return cue.end if cue else -1
