"""What is done to columns before a report is made of them: gaps filled or left out, scales."""

from __future__ import annotations

import re

from pydantic import JsonValue

from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.reports.columns import distinct, find_spots
from wideleaf.agents.planner.reports.draft import Draft
from wideleaf.agents.planner.reports.formulas import read_logarithm
from wideleaf.agents.planner.reports.learning import learns
from wideleaf.agents.report_form import SENTENCE

_GAPS = re.compile(r"\b(?:missing|nulls?|nan|dropna|incomplete)\b", re.I)
_FILLS = re.compile(r"\b(?:imput|fill|replac)\w*", re.I)
_DROPS = re.compile(r"\b(?:drop|remov|delet|exclud|discard|eliminat)\w*", re.I)
_WITH = re.compile(r"\b(mean|average|median|mode)s?\b", re.I)
_WITHIN = re.compile(r"\b(?:same|each|within|per)\b", re.I)
_COLUMNS = re.compile(r"\b(?:drop|remov|delet|discard)\w*\s+(?:the |any |all )?columns?\b", re.I)
_WHOLE = re.compile(
    r"\bentire|\bwhole\b"
    r"|\b(?:any|at least one|every|all) (?:\w+ )?(?:rows?|missing|nulls?|columns?)",
    re.I,
)
_BY_SCIPY = re.compile(r"\b(?:skew\w*|kurt\w*)\b[^.]{0,60}\bscipy|\bscipy[^.]{0,60}\b(?:skew|kurt)")
_THESE = re.compile(r"\b(?:these|those|selected|relevant|above|features?)\b", re.I)
LOG = re.compile(r"\blog(?:arithm\w*)?[- ]?transform|\bnatural log|\blogarithm", re.I)
_SCALED = re.compile(r"\bmin[- ]?max|\brange (?:of |between )?\[?0|\bbetween 0 and 1\b", re.I)
_TURNED = re.compile(r"\btransform\w*\b|\bnormali[sz](?!ed difference|ity)\w*|\brescal\w*", re.I)
_STANDARD = re.compile(r"\bstandardi[sz]\w*|\bz[- ]?score (?:normali|standardi)", re.I)
_OTHER_WORK = re.compile(
    r"\bduplicat|\brepeated\b|\bweighted (?:mean|average|sum)|\breshap|\bwide to long\b|\bpivot"
    r"|\bmelt|\btranspos|\bmerg(?:e|ing)\b|\brolling\b|\bmoving average|\blag(?:ged|s)?\b"
    r"|\bcumulat|\bcluster|\bresampl|\binterpolat|\bbins?\b|\bbinn"
    r"|\bprincipal component|\bpca\b|\bcross[- ]validat|\bk[- ]?fold|\btop \d|\bbottom \d"
    r"|\bfirst \d+%? |\bper cent change|\bpercentage change|\bshuffl",
    re.I,
)
"""Work on the rows that no report does; a question that speaks of it is not read."""
_CODES = re.compile(r"\bone[- ]hot|\bdummy\b|\bordinal\b", re.I)
"""Codes for categories, which change nothing where all columns are numbers."""


def is_other_work(task: str, texts: bool) -> bool:
    """Whether a question speaks of work on the rows that no report does.

    Args:
        task: What is asked.
        texts: Whether it speaks of columns of texts, which codes would change.
    """
    return bool(_OTHER_WORK.search(task) or (texts and _CODES.search(task)))


def mend_gaps(task: str, index: TableIndex, draft: Draft, columns: list[str]) -> bool:
    """Add the steps that fill nulls or leave out their rows; whether all could be read.

    Args:
        task: What is asked.
        index: The table's.
        draft: Takes the steps.
        columns: Those that the question speaks of, for a sentence that names none.
    """
    numbers = [one for one in columns if index.kinds.get(one, "number") == "number"]
    for sentence in SENTENCE.split(task):
        if not _GAPS.search(sentence):
            continue
        if _COLUMNS.search(sentence):
            return False
        fills, drops = _FILLS.search(sentence), _DROPS.search(sentence)
        named = distinct(find_spots(sentence, index))
        if fills:
            if drops or not _fill(sentence, index, draft, named or numbers):
                return False
        elif drops and not named and _THESE.search(sentence):
            if not learns(task):  # a model leaves out what lacks a feature by itself
                return False
        elif drops:
            listed = named or ([] if _WHOLE.search(sentence) else columns)
            wish: dict[str, JsonValue] = {"columns": [*listed]} if listed else {}
            draft.frame = draft.add("DropNulls", "Without the rows of gaps.", wish)
    return True


def _fill(sentence: str, index: TableIndex, draft: Draft, named: list[str]) -> bool:
    found = _WITH.search(sentence)
    if found is None:
        return False
    method = {"average": "mean"}.get(found[1].lower(), found[1].lower())
    wish: dict[str, JsonValue] = {"method": method}
    within = _WITHIN.search(sentence, found.end())
    if within and not re.match(
        r"\w+ columns?\b|\w+ (?:respective|numeric)", sentence[within.start() :]
    ):
        groups = [spot.column for spot in find_spots(sentence, index) if spot.start > within.end()]
        if not groups:
            return False
        wish["by"] = [groups[0]]
        named = [one for one in named if one not in groups]
    listed: list[JsonValue] = [
        one for one in named if method == "mode" or index.kinds.get(one) == "number"
    ]
    if not listed:
        return False
    wish["columns"] = listed
    draft.frame = draft.add("Impute", f"Fill gaps with the {method}.", wish)
    return True


def transform(task: str, index: TableIndex, draft: Draft, column: str) -> tuple[str, str] | None:
    """Add the column that a question has another one turned into; that other's name and its own.

    Args:
        task: What is asked.
        index: The table's.
        draft: Takes the step.
        column: What is turned where no sentence says.

    Returns:
        Twice the column where none is turned; None where one is in a way that is not read.
    """
    sentences = SENTENCE.split(task)
    if any(map(LOG.search, sentences)):
        method, sign = read_logarithm(task), LOG
        if not method:
            return None
    elif any(map(_SCALED.search, sentences)) and any(map(_TURNED.search, sentences)):
        method, sign = "min-max", _SCALED
    elif any(map(_STANDARD.search, sentences)):
        method, sign = "z-score", _STANDARD
    else:
        return None if any(map(_TURNED.search, sentences)) else (column, column)
    told = [one for one in sentences if sign.search(one) or _TURNED.search(one)]
    named = [
        one for one in distinct(find_spots(" ".join(told), index)) if index.kinds[one] == "number"
    ]
    if len(named) > 1:
        return None
    column = named[0] if named else column
    name = {"min-max": "scaled", "z-score": "standard"}.get(method, method) + f"_{column}"
    if name in index.table.columns:
        return None
    wish: dict[str, JsonValue] = {"columns": [column], "method": method}
    if method == "z-score" and re.search(r"standardscaler|sklearn|scikit", task, re.I):
        wish["population"] = True
    draft.frame = draft.add("Normalise", f"{column}, {method}.", wish)
    return column, name


def of_population(text: str, kind: str) -> bool:
    """Whether a measure is to be that of a population.

    Args:
        text: The question.
        kind: The measure; skewness and kurtosis are a population's where scipy makes them.
    """
    lower = text.lower()
    if kind in ("skewness", "kurtosis"):
        return bool(_BY_SCIPY.search(lower)) and "pandas" not in lower
    return bool(re.search(r"(?<!not the )\bpopulation (?:standard|variance|std)", lower))
