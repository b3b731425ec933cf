"""Checks of a plan against the words of the question: aggregates, ends of orders and sides."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wideleaf.agents.critic.findings import Candidate, Finding
from wideleaf.agents.critic.plan_text import (
    Comparison,
    comparisons,
    directions,
    functions_of,
    has_value,
    measures,
    places_of,
    question_headers,
    said_by,
    speaks,
    stems_of,
    words_in,
)
from wideleaf.agents.planner.links.lexicon import Cue, Question, find_phrases, lexicon
from wideleaf.retrieval.words.names import header_words
from wideleaf.retrieval.words.stems import stem
from wideleaf.tools.tree.tree import Node

FITTING = {
    "mean": ("mean", "average", "avg", "share", "/"),
    "median": ("median", "quantile", "percentile"),
    "sum": ("sum", "total", "cumulative", "+", "count", "*"),
    "share": ("mean", "share", "/", "percent", "ratio", "rate"),
    "std": ("std", "deviation", "stdev", "variance", "var", "skewness", "kurtosis", "error",
            "iqr", "mad"),
}  # fmt: skip
"""What takes an aggregate that is asked for, by parts of the names of functions and operators."""
SAID_OF = {
    "mean": {"mean", "average", "avg"},
    "median": {"median"},
    "sum": {"sum", "total"},
    "max": {"max", "maximum", "highest", "largest", "biggest", "greatest"},
    "min": {"min", "minimum", "lowest", "smallest", "fewest"},
    "std": {"std", "stdev", "deviation"},
}
"""Words by which a plan names what an aggregate gives."""
STATED = frozenset({"of", "by", "per", "number", "count", "no"}.union(*SAID_OF.values()))
UNSURE = frozenset(
    ("top", "bottom", "most", "least", "best", "worst", "fastest", "slowest", "richest", "poorest")
)
"""Words of an end that need not be one of the order: the top three fastest, the most recent."""
DEGREES = frozenset(("the most", "the least"))
"""What may be the degree of another word."""
WEAK = frozenset(("top", "bottom", "best", "worst", "peak", "nearest"))
"""Words of an end that are as often part of a name: best actress, top flight."""
TURNED = frozenset(
    ("rank", "ranking", "rk", "place", "position", "pos", "standing", "seed", "finish", "order")
)
"""Headers in which the first is the best."""
TIMELY = frozenset(("year", "date", "season", "week", "round", "episode", "day"))
"""Headers of what comes one after another."""
ENDS = ("Sort", "Rank", "Window", "Position", "Craft", "Pivot", "Resample", "Describe")
TAKEN = ("max", "min", "mode", "range", "quantile", "rank", "first", "last")
"""Parts of names of functions that take an end."""
UPWARDS = {">": True, ">=": True, "<": False, "<=": False}
SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
OF_TIME = frozenset(("after", "before", "since", "until", "prior to", "beyond"))
"""Words beside which only a year is a number that something is compared with: after 3 rounds."""
EARLIEST_YEAR, LATEST_YEAR = 1_000, 2_999
_TOTAL = re.compile(r"(?:the )?(?:total|sum)\b", re.I)


def check_aggregate(case: Candidate) -> Iterator[Finding]:
    """Each of mean, median and sum that the question names is taken by some step."""
    question, functions, headers = case.question, said_by(case).functions, question_headers(case)
    for cue in () if case.is_analysis and not case.drawn else question.cue(*FITTING):
        # A picture takes shares itself, and a column of percentages has them.
        if cue.kind == "share" and (case.drawn or any("%" in name for name in case.headers)):
            continue
        word = _text(question, cue)
        before = question.words[cue.start - 1].stem if cue.start else ""
        in_column = cue.kind == "sum" and (not _TOTAL.match(word) or before in headers.words)
        literal = any(
            isinstance(one.value, str) and word.casefold() in one.value.casefold()
            for one in comparisons(case)
        )
        has_step = any(part in name for name in functions for part in FITTING[cue.kind])
        if not (has_step or in_column or literal) and speaks(question, cue, headers):
            text = f"the question asks for the {word!r}; no step of {case.label} takes a {cue.kind}"
            yield Finding(text, reading=True)
            return


def check_measure_names(case: Candidate) -> Iterator[Finding]:
    """What a plan calls a mean is one, and the viewers that it names are those it measures."""
    leaves = [case.table_of(leaf.label) for leaf in case.leaves]
    raw = {column: {*stems_of(column)} for table in leaves for column in table.columns}
    for node, function, column, name in measures(case):
        words = {*header_words(name)}
        if not words or name == column:
            continue
        text = f"{node.label} gives the {function} of {column} the name {name!r}"
        # The largest cell of a column of means, where there is one, is that mean.
        says = {of for of, terms in SAID_OF.items() if terms & words - {*header_words(column)}}
        if says and function not in says and function in SAID_OF:
            yield Finding(text, reading=True)
            return
        own, stems = raw.get(column, set()), {stem(word) for word in words}
        rest = {stem(word) for word in words - STATED} - own
        others = [other for other, parts in raw.items() if parts and parts <= rest]
        if own and others and not own & stems:
            yield Finding(f"{text}; {others[0]} is another column", objects=False, reading=True)
            return


def check_direction(case: Candidate) -> Iterator[Finding]:
    """The highest is not what an ascending order or a minimum gives."""
    question, headers = case.question, question_headers(case)
    cues = {
        cue.value: cue
        for cue in question.cue("extreme", "mode")
        if _text(question, cue).casefold() not in UNSURE and speaks(question, cue, headers)
    }
    if len(cues) > 1:  # "the most consistent, that is with the smallest deviation"
        cues = {value: cue for value, cue in cues.items() if _text(question, cue) not in DEGREES}
    ends = [*directions(case)]
    if not ends or not cues.keys() <= {"max", "min"} or "range" in said_by(case).functions:
        return
    if any(TURNED & {*header_words(column)} for _, _, column in ends):
        return
    extremes = {"max" if upwards else "min" for _, upwards, _ in ends}
    for value, cue in cues.items():
        if value not in extremes:
            want, got = ("highest", "lowest") if value == "max" else ("lowest", "highest")
            word, (node, _, column) = _text(question, cue), ends[0]
            text = f"the question says {word!r}; {node.label} takes the {got} {column}, not the"
            yield Finding(f"{text} {want}", reading=True)
            return


def check_turn(case: Candidate) -> Iterator[Finding]:
    """The last is not what an ascending order of dates begins with."""
    question, headers, ends = case.question, question_headers(case), [*directions(case)]
    cues = [
        cue
        for cue in question.cue("extreme")
        if cue.value in ("late", "early") and speaks(question, cue, headers)
    ]
    if len({cue.value for cue in cues}) != 1 or len(ends) != 1:
        return
    (node, upwards, column), cue = ends[0], cues[0]
    late = cue.value == "late"
    if upwards is not late and _is_timely(case, node, column) and not _counts(question, cue.end):
        got, word = "latest" if upwards else "earliest", _text(question, cue)
        text = f"the question says {word!r}; {node.label} takes the {got} by {column}"
        yield Finding(text, reading=True)


def check_end_taken(case: Candidate) -> Iterator[Finding]:
    """The highest of something is not all rows of it."""
    question, headers = case.question, question_headers(case)
    if (case.node.rows or 0) < 2 or case.is_analysis:
        return
    # An order without a limit shows all rows, and the least of each of them is no end of all.
    for node in case.plan:
        if node.action.name == "Sort" and not _cuts(case, node):
            continue
        if node.action.name == "Group" and _is_of_each(question, node):
            continue
        if node.action.name in ENDS or any(p in name for name in functions_of(node) for p in TAKEN):
            return
    for cue in question.cue("extreme", "more"):
        word = _text(question, cue)
        if word.casefold() in WEAK or not speaks(question, cue, headers):
            continue
        if _is_degree(question, cue) or _counts(question, cue.end):  # the first two rows
            continue
        asked = word.removeprefix("the ")
        text = f"the question asks for the {asked!r}; no step of {case.label} takes an end"
        strong = cue.kind == "extreme" and cue.value in ("max", "min")
        yield Finding(text, objects=strong, reading=True)
        return


def check_side(case: Candidate) -> Iterator[Finding]:
    """After 1987 is not before it: a condition keeps the side that the question says."""
    question = case.question
    compared = [one for one in comparisons(case) if one.op in UPWARDS]
    for number, (cue, upwards) in _read_bounds(question).items():
        here = [one for one in compared if one.value == number]
        quote = f"the question says {_text(question, cue)!r} {number:.15g}"
        if here and all(_keeps_above(one) is not upwards for one in here):
            one = here[0]
            side = "above" if _keeps_above(one) else "below"
            text = f"{quote}; {one.node.label} keeps {one.column} {side} {number:.15g}"
            yield Finding(text, reading=True)
            return
        for one in here:
            with_it = ("=" in one.op) is not one.negated
            table = case.table_of(one.node.parents[0])
            if with_it is not ("=" in cue.value) and has_value(table, one, one.column):
                keeps = "keeps" if with_it else "leaves out"
                text = f"{quote}; {one.node.label} {keeps} {one.column} of just {number:.15g}"
                yield Finding(text, objects="=" in cue.value, reading=True)
                return


def _read_bounds(question: Question) -> dict[float, tuple[Cue, bool]]:
    """Numbers that something is to be above or below of, with the words that say so."""
    numbers = {one.place: one.value for one in question.numbers if not one.ordinal}
    sides: dict[float, list[tuple[Cue, bool]]] = {}
    for cue in question.cue("compare", "after"):
        place = cue.start - 1 if cue.kind == "after" else cue.end
        if cue.value not in UPWARDS or place not in numbers or _is_negated(question, cue):
            continue
        scale = question.words[place + 1].text if place + 1 < len(question.words) else ""
        value = numbers[place] * SCALES.get(scale, 1.0)
        year = EARLIEST_YEAR <= value <= LATEST_YEAR
        if year or _text(question, cue).casefold() not in OF_TIME:
            sides.setdefault(value, []).append((cue, UPWARDS[cue.value]))
    return {value: both[0] for value, both in sides.items() if len({s for _, s in both}) == 1}


def _text(question: Question, cue: Cue) -> str:
    return question.span_text(cue.start, cue.end)


def _is_negated(question: Question, cue: Cue) -> bool:
    before = question.words[max(0, cue.start - 3) : cue.start]
    return any(word.text in ("not", "no", "never") or word.text.endswith("n't") for word in before)


def _is_degree(question: Question, cue: Cue) -> bool:
    """Whether it is the degree of another word, which is something else: the most common."""
    rest = question.words[cue.end - 1 :]
    phrases = find_phrases(rest, lexicon().cues)
    return bool(phrases) and phrases[0].start == 0 and phrases[0].kind == "mode"


def _counts(question: Question, place: int) -> bool:
    return any(number.place == place for number in question.numbers)


def _is_of_each(question: Question, node: Node) -> bool:
    """Whether a step groups by what is asked for: which driver did the least laps."""
    keys = {word for key in words_in(node.action.arguments.get("keys")) for word in stems_of(key)}
    places = [cue.end for cue in question.cue("wh") if cue.end < len(question.words)]
    each = question.cue("each", "by") or "each" in question.text.casefold()
    return not each and any(question.words[place].stem in keys for place in places)


def _cuts(case: Candidate, node: Node) -> bool:
    """Whether a step has a limit, and not one that all rows are within."""
    before = case.parent(node).rows
    return bool(node.action.arguments.get("limit")) and (node.rows != before or before == 1)


def _keeps_above(one: Comparison) -> bool:
    return UPWARDS[one.op] is not one.negated


def _is_timely(case: Candidate, node: Node, column: str) -> bool:
    """Whether a column of a step's input says when."""
    if TIMELY & {*header_words(column)} or column in places_of(case):
        return True
    table = case.table_of(node.parents[0])
    return column in table.columns and table.kind(column) in ("date", "datetime")
