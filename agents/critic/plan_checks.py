"""Checks of the plan against the words: aggregate, direction, numbers and names of the question."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wideleaf.agents.critic.data_checks import aggregate_nodes, measures_of
from wideleaf.agents.critic.doubts import Doubt, Offer
from wideleaf.agents.critic.plan_words import (
    LEARNT,
    TURNED,
    Headers,
    comparisons,
    directions,
    has_patterns,
    places_of,
    question_headers,
    said_by,
    speaks,
    stems_of,
)
from wideleaf.agents.critic.word_checks import other_unit
from wideleaf.agents.planner.links.lexicon import Cue, Question, parse_number
from wideleaf.agents.planner.links.literals import quotation_places
from wideleaf.retrieval.words.names import header_words
from wideleaf.retrieval.words.stems import stem

FITTING = {
    "mean": ("mean", "average", "avg", "share", "/"),
    "median": ("median", "quantile", "percentile"),
    "sum": ("sum", "total", "cumulative", "+", "count", "*"),
    "share": ("mean", "share", "/", "percent", "ratio", "rate"),
    "std": (
        "std",
        "deviation",
        "stdev",
        "variance",
        "var",
        "skewness",
        "kurtosis",
        "error",
        "iqr",
        "mad",
    ),
}
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
_CODE = re.compile(r"[a-z]{1,4}\d{1,6}|(?!\d+(?:st|nd|rd|th|s|am|pm|k|m|h)\b)\d{1,6}[a-z]{1,4}")
_TOTAL = re.compile(r"(?:the )?(?:total|sum)\b", re.I)


def check_aggregate(case: Offer) -> Iterator[Doubt]:
    """Each of mean, median and sum that the question names is taken by some step."""
    if any(node.action.name in LEARNT for node in case.plan):
        return
    question = Question(case.question)
    functions, headers = said_by(case).functions, question_headers(case)
    for cue in question.cue(*FITTING):
        # A picture takes shares itself, and a column of percentages has them.
        if cue.kind == "share" and (case.drawn or _has_percentages(case)):
            continue
        taken = any(part in name for name in functions for part in FITTING[cue.kind])
        plain = cue.kind != "sum" or _is_sum(question, cue, headers)
        literal = any(
            isinstance(one.value, str) and _text(question, cue).casefold() in one.value.casefold()
            for one in comparisons(case)
        )
        if not taken and plain and not literal and speaks(question, cue, headers):
            word = _text(question, cue)
            text = f"the question asks for the {word!r}; no step of {case.label} takes a {cue.kind}"
            yield Doubt(text, reading=True)
            return


def check_measure_names(case: Offer) -> Iterator[Doubt]:
    """What a plan calls a mean is one, and the viewers that it names are those it measures."""
    leaves = [case.table_of(leaf.label) for leaf in case.tree.leaves if leaf in case.plan]
    raw = {column: {*stems_of(column)} for table in leaves for column in table.columns}
    for node in aggregate_nodes(case):
        for measure in measures_of(node):
            function, column, name = (measure.get(key) for key in ("function", "column", "name"))
            words = {*header_words(str(name))} if name else set()
            if not words or not isinstance(function, str) or name == column:
                continue
            says = {of for of, named in SAID_OF.items() if named & words}
            if says and function not in says and function in SAID_OF:
                told = f"{node.label} gives the {function} of {column} the name {name!r}"
                yield Doubt(told, reading=True)
                return
            own = raw.get(str(column))
            stems = {stem(word) for word in words - STATED} - (own or set())
            others = [other for other, words in raw.items() if words and words <= stems]
            if own and others and not own & {stem(word) for word in words}:
                told = f"{node.label} gives the {function} of {column} the name {name!r}"
                yield Doubt(f"{told}; {others[0]} is another column", objects=False, reading=True)
                return


def check_direction(case: Offer) -> Iterator[Doubt]:
    """The highest is not what an ascending order or a minimum gives."""
    question, headers = Question(case.question), question_headers(case)
    cues = {
        cue.value: cue
        for cue in question.cue("extreme", "mode")
        if _text(question, cue).casefold() not in UNSURE and speaks(question, cue, headers)
    }
    if len(cues) > 1:  # "the most consistent, that is with the smallest deviation"
        cues = {value: cue for value, cue in cues.items() if _text(question, cue) not in DEGREES}
    ends = [*directions(case)]
    if not ends or not cues.keys() <= {"max", "min"}:
        return
    if any(TURNED & {*header_words(column)} for _, _, column in ends):
        return
    taken = {"max" if upwards else "min" for _, upwards, _ in ends}
    if "range" in said_by(case).functions:  # which takes both ends
        return
    for value, cue in cues.items():
        if value not in taken:
            want, got = ("highest", "lowest") if value == "max" else ("lowest", "highest")
            word, (node, _, column) = _text(question, cue), ends[0]
            text = f"the question says {word!r}; {node.label} takes the {got} {column}, not the"
            yield Doubt(f"{text} {want}", reading=True)
            return


SCALES = (1, 10**3, 10**6, 10**9)
"""Two thousand are 2,000 in a plan."""


def check_numbers(case: Offer) -> Iterator[Doubt]:
    """A number of the question stands in the plan; a condition on another one is a slip."""
    if has_patterns(case):  # such as 200[2-9], which says more numbers than it writes
        return
    question = Question(case.question)
    said, quoted = said_by(case), quotation_places(question)
    spare = [
        number
        for number in question.numbers
        if abs(number.value) > 1
        and not any(abs(number.value) * scale in said.numbers for scale in SCALES)
        and number.place not in quoted
        and not _is_part(question, number.place)
    ]
    known = {abs(number.value) for number in question.numbers}
    places = {*places_of(case)}
    other = next(
        (
            (one.node, one.column, one.value)
            for one in comparisons(case)
            if isinstance(one.value, int | float)
            and not _is_scaled(abs(one.value), known)
            and not _is_neighbour(question, one.op, one.value, known)
            and one.column not in places
        ),
        None,
    )
    for number in spare:
        written = question.span_text(number.place, number.place + 1)
        if other and other_unit(case.question, other[1]):
            continue  # nine tonnes are nine million grams
        if other:
            node, column, value = other
            text = (
                f"the question says {written}, and {node.label} compares {column} with {value:.15g}"
            )
            yield Doubt(text, reading=True)
            return
        if parse_number(written) is not None:
            text = f"the question says {written}, which no step speaks of"
            yield Doubt(text, objects=False)
            return


def check_codes(case: Offer) -> Iterator[Doubt]:
    """A code that the question writes, such as v8, is in the plan."""
    if has_patterns(case):
        return
    question, texts = Question(case.question), " ".join(said_by(case).texts)
    quoted = quotation_places(question)
    for place, word in enumerate(question.words):
        if _CODE.fullmatch(word.text) and place not in quoted and word.text not in texts:
            written = question.span_text(place, place + 1)
            yield Doubt(f"the question says {written!r}, which no step speaks of", objects=False)
            return


def _text(question: Question, cue: Cue) -> str:
    return question.span_text(cue.start, cue.end)


def _is_sum(question: Question, cue: Cue, headers: Headers) -> bool:
    """Whether a total is one that is to be taken, and not what a column holds: the point total."""
    before = question.words[cue.start - 1].stem if cue.start else ""
    held = before in headers.words
    return bool(_TOTAL.match(_text(question, cue))) and not held


def _has_percentages(case: Offer) -> bool:
    leaves = [leaf.label for leaf in case.tree.leaves if leaf in case.plan]
    return any("%" in column for label in leaves for column in case.table_of(label).columns)


def _is_scaled(value: float, known: set[float]) -> bool:
    """Whether a number is one of these, or it in thousands, millions or per cent."""
    powers = (10.0**power for power in range(-2, 10))
    return any(value == one * power for power in powers for one in known)


def _is_neighbour(question: Question, op: str, value: float, known: set[float]) -> bool:
    """Whether a whole number is kept by the one beside it: at least 3 as above 2."""
    sides = {cue.value for cue in question.cue("compare", "after")}
    beside = {
        ">": (value + 1, ">="), ">=": (value - 1, ">"),
        "<": (value - 1, "<="), "<=": (value + 1, "<"),
    }  # fmt: skip
    other, side = beside.get(op, (None, ""))
    return other in known and side in sides and float(value).is_integer()


def _is_part(question: Question, place: int) -> bool:
    """Whether a number is part of a name: ``Formula 1``, ``100 metres``."""
    words = question.words
    before = question.text[: words[place].start].rstrip()
    return bool(re.search(r"[A-Z][\w.]*$", before)) and not before.endswith((".", "?"))
