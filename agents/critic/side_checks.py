"""Checks of sides: above or below a number, the last or the first, an end that no step takes."""

from __future__ import annotations

from collections.abc import Iterator

from wideleaf.agents.critic.data_checks import words_in
from wideleaf.agents.critic.doubts import Doubt, Offer
from wideleaf.agents.critic.plan_words import (
    LEARNT,
    TURNED,
    Comparison,
    comparisons,
    directions,
    functions_of,
    has_value,
    places_of,
    question_headers,
    speaks,
    stems_of,
)
from wideleaf.agents.planner.links.lexicon import Cue, Question, find_phrases, lexicon
from wideleaf.retrieval.words.names import header_words
from wideleaf.tools.tree.tree import Node

UPWARDS = {">": True, ">=": True, "<": False, "<=": False}
SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
OF_TIME = frozenset(("after", "before", "since", "until", "prior to", "beyond"))
"""Words beside which only a year is a number that something is compared with: after 3 rounds."""
EARLIEST_YEAR, LATEST_YEAR = 1_000, 2_999
TIMELY = frozenset(("year", "date", "season", "week", "round", "episode", "day"))
"""Headers of what comes one after another."""
LEVELS = frozenset(("least", "most", "than", "from", "to", "between", "within", "past", "by"))
"""Words that may say a side of a number in a way that no list holds."""
TIED = frozenset(("minimum", "maximum", "plus", "high", "low", "old", "young", "late", "early"))
ENDS = ("Sort", "Window", "Position", "Craft", "Pivot", "Resample", "Describe")
TAKEN = ("max", "min", "mode", "range", "quantile", "rank", "first", "last")
"""Parts of names of functions that take an end."""
BEST = frozenset(("top", "best", "at the top", "at the very top"))
WORST = frozenset(("bottom", "worst", "at the bottom", "at the very bottom"))
WEAK = frozenset(("top", "bottom", "best", "worst", "peak", "nearest"))
"""Words of an end that are as often part of a name: best actress, top flight."""


def check_side(case: Offer) -> Iterator[Doubt]:
    """After 1987 is not before it: a condition keeps the side that the question says."""
    question = Question(case.question)
    asked = _asked_sides(question)
    found = [one for one in comparisons(case) if one.op in UPWARDS]
    for number, (cue, upwards) in asked.items():
        here = [one for one in found if one.value == number]
        said = f"the question says {question.span_text(cue.start, cue.end)!r} {number:.15g}"
        if here and all(_keeps_above(one) is not upwards for one in here):
            one = here[0]
            text = f"{said}; {one.node.label} keeps {one.column} {_side(one)} {number:.15g}"
            yield Doubt(text, reading=True)
            return
        for one in here:
            with_it = ("=" in one.op) is not one.negated
            if with_it is not ("=" in cue.value) and has_value(
                case.table_of(one.node.parents[0]), one, one.column
            ):
                keeps = "keeps" if with_it else "leaves out"
                text = f"{said}; {one.node.label} {keeps} {one.column} of just {number:.15g}"
                yield Doubt(text, objects="=" in cue.value, reading=True)
                return


def check_no_side(case: Offer) -> Iterator[Doubt]:
    """A bonus of 8 is 8, where nothing in the question says more or less of anything."""
    question = Question(case.question)
    if says_side(question):
        return
    if plain_words(question) & {*LEVELS, *TIED}:
        return
    numbers = {one.value for one in question.numbers if not one.ordinal and abs(one.value) > 1}
    for one in comparisons(case):
        if one.op in UPWARDS and not one.negated and one.value in numbers:
            both = [two for two in comparisons(case) if two.column == one.column]
            if len(both) == 1:
                # A side is said in a hundred ways; that the very number is left out is no way.
                table = case.table_of(one.node.parents[0])
                out = "=" not in one.op and has_value(table, one, one.column)
                text = f"the question says {one.value:.15g}; {one.node.label} keeps {one.column}"
                text = f"{text} {_side(one)} {one.value:.15g}"
                yield Doubt(text, objects=out, reading=True)
                return


def says_side(question: Question) -> bool:
    """Whether a question says more or less of something, or one thing before another."""
    compared = any(cue.value in UPWARDS for cue in question.cue("compare", "after"))
    return compared or bool(question.cue("more", "extreme", "order", "way", "step"))


def plain_words(question: Question) -> set[str]:
    """The words of a question but those that leave something out: aside from."""
    passed = {p for cue in question.cue("compare") if cue.value == "!=" for p in cue.places}
    return {word.text for place, word in enumerate(question.words) if place not in passed}


def check_end_taken(case: Offer) -> Iterator[Doubt]:
    """The highest of something is not all rows of it."""
    if (case.node.rows or 0) < 2 or case.drawn:
        return
    # An order without a limit shows all rows, and the least of each of them is no end of all.
    question, headers = Question(case.question), question_headers(case)
    plan = [
        node
        for node in case.plan
        if (node.action.name != "Sort" or _cuts(case, node))
        and not (node.action.name == "Group" and _is_of_each(question, node))
    ]
    if {node.action.name for node in case.plan} & {*LEARNT} or any(
        node.action.name in ENDS
        or any(part in name for name in functions_of(node) for part in TAKEN)
        for node in plan
    ):
        return
    for cue in question.cue("extreme", "more"):
        word = question.span_text(cue.start, cue.end)
        if word.casefold() in WEAK or not speaks(question, cue, headers):
            continue
        if _is_degree(question, cue):
            continue
        if _counts(question, cue.end):  # the first two rows, the last 3 years
            continue
        text = f"the question asks for the {word!r}; no step of {case.label} takes an end"
        strong = cue.kind == "extreme" and cue.value in ("max", "min")
        yield Doubt(text, objects=strong, reading=True)
        return


def check_top(case: Offer) -> Iterator[Doubt]:
    """At the top of a chart stands the first place, not the highest number of a place."""
    question, ends = Question(case.question), [*directions(case)]
    if len(ends) != 1:
        return
    node, upwards, column = ends[0]
    for cue in question.cue("extreme"):
        word = question.span_text(cue.start, cue.end)
        high = word.casefold() in BEST
        if (high or word.casefold() in WORST) and TURNED & {*header_words(column)}:
            if upwards is high and node.action.name == "Sort":
                got = "last" if upwards else "first"
                text = f"the question says {word!r}; {node.label} takes the {got} {column}"
                yield Doubt(text, reading=True)
            return


def check_turn(case: Offer) -> Iterator[Doubt]:
    """The last is not what an ascending order of dates begins with."""
    question, headers = Question(case.question), question_headers(case)
    cues = [
        cue
        for cue in question.cue("extreme")
        if cue.value in ("late", "early") and speaks(question, cue, headers)
    ]
    ends = [*directions(case)]
    if len({cue.value for cue in cues}) != 1 or len(ends) != 1:
        return
    (node, upwards, column), cue = ends[0], cues[0]
    if _counts(question, cue.end) or not _is_timely(case, node.parents, column):
        return
    late = cue.value == "late"
    if upwards is not late:
        got = "latest" if upwards else "earliest"
        word = question.span_text(cue.start, cue.end)
        text = f"the question says {word!r}; {node.label} takes the {got} by {column}"
        yield Doubt(text, reading=True)


def _asked_sides(question: Question) -> dict[float, tuple[Cue, bool]]:
    """Numbers that something is to be above or below of, with the words that say so."""
    numbers = {
        number.place: number.value * scale_behind(question, number.place)
        for number in question.numbers
        if not number.ordinal
    }
    found: dict[float, list[tuple[Cue, bool]]] = {}
    for cue in question.cue("compare", "after"):
        if cue.value not in UPWARDS:
            continue
        place = cue.start - 1 if cue.kind == "after" else cue.end
        value = numbers.get(place)
        said = question.span_text(cue.start, cue.end).casefold()
        year = value is not None and EARLIEST_YEAR <= value <= LATEST_YEAR
        if value is None or _is_negated(question, cue) or (said in OF_TIME and not year):
            continue
        found.setdefault(value, []).append((cue, UPWARDS[cue.value]))
    return {value: sides[0] for value, sides in found.items() if len({s for _, s in sides}) == 1}


def scale_behind(question: Question, place: int) -> float:
    """What the word behind a number multiplies it by: 4 million."""
    word = question.words[place + 1].text if place + 1 < len(question.words) else ""
    return SCALES.get(word, 1.0)


def _is_negated(question: Question, cue: Cue) -> bool:
    before = question.words[max(0, cue.start - 3) : cue.start]
    return any(word.text in ("not", "no", "never") or word.text.endswith("n't") for word in before)


def _is_degree(question: Question, cue: Cue) -> bool:
    """Whether it is the degree of another word, which is something else: the most common."""
    rest = question.words[cue.end - 1 :]
    found = find_phrases(rest, lexicon().cues)
    return bool(found) and found[0].start == 0 and found[0].kind == "mode"


def _counts(question: Question, place: int) -> bool:
    return any(number.place == place for number in question.numbers)


def _is_of_each(question: Question, node: Node) -> bool:
    """Whether a step groups by what is asked for: which driver did the least laps."""
    keys = {word for key in words_in(node.action.arguments.get("keys")) for word in stems_of(key)}
    asked = [cue.end for cue in question.cue("wh") if cue.end < len(question.words)]
    each = question.cue("each", "by") or "each" in question.text.casefold()
    return not each and any(question.words[place].stem in keys for place in asked)


def _cuts(case: Offer, node: Node) -> bool:
    """Whether a step has a limit, and not one that all rows are within."""
    before = case.tree[node.parents[0]].rows
    return bool(node.action.arguments.get("limit")) and (node.rows != before or before == 1)


def _keeps_above(one: Comparison) -> bool:
    return UPWARDS[one.op] is not one.negated


def _side(one: Comparison) -> str:
    return "above" if _keeps_above(one) else "below"


def _is_timely(case: Offer, parents: tuple[str, ...], column: str) -> bool:
    """Whether a column of a step's input says when."""
    if TIMELY & {*header_words(column)} or column in places_of(case):
        return True
    table = case.table_of(parents[0])
    return column in table.columns and table.kind(column) in ("date", "datetime")
