"""What a report has learnt: target, features, model, parameters and the rows that judge it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from pydantic import JsonValue

from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.agents.planner.reports.analysis import Analysis
from wideleaf.agents.planner.reports.columns import Spot, distinct, find_spots
from wideleaf.agents.planner.reports.draft import Draft
from wideleaf.agents.planner.reports.levels import Level, as_rows

MODELS = (
    (r"linear regression|linear model|ordinary least", "linear"),
    (r"ridge", "ridge"),
    (r"lasso", "lasso"),
    (r"logistic", "logistic"),
    (r"random forest", "forest"),
    (r"decision tree", "tree"),
    (r"gradient boost|boosting", "boosting"),
    (r"nearest neighbou?r|\bknn\b", "neighbours"),
    (r"naive bayes", "naive bayes"),
)
_LEARNT = re.compile(
    r"\bpredict|\bregression\b|machine learning|\bclassif|\btrain(?:ing|ed)?\b", re.I
)
_TARGET = re.compile(r"\bpredict(?:s|ing|ion of|ed)?\b(?: the| an?)?|\btarget variable\b", re.I)
_IS_TARGET = re.compile(
    r"\btarget(?: variable| column)?(?: is| being|:)?(?: the)?\s+(?=[\"'“`\w])", re.I
)
_REGRESSED = re.compile(r"\bregress(?:ion of|ing)?(?: the)?\s+[\"'“`]?$", re.I)
_ON = re.compile(r"[\"'”`]?\s+on(?: the)?\s+[\"'“`]?", re.I)
_AS_TARGET = re.compile(r"[\"'”`]?\s+(?:column |variable )?as (?:the |a )?target", re.I)
_STATE = re.compile(r"random[_ ]?state[^0-9]{0,40}(\d+)", re.I)
_SEED = re.compile(r"\bseed\b[^0-9\n.]{0,20}(\d+)", re.I)
_TEST_SHARE = re.compile(
    r"(?:test(?:ing)?(?:[_ ]size| set| sets| data)?[^0-9.%]{0,25}(?P<a>\d+(?:\.\d+)?)\s*(?P<ap>%)?)"
    r"|(?:(?P<b>\d+(?:\.\d+)?)\s*(?P<bp>%)?[^.;]{0,40}?\b(?:for |as )?(?:the )?test)", re.I,
)  # fmt: skip
_TRAIN_SHARE = re.compile(r"(?P<a>\d+(?:\.\d+)?)\s*(?P<p>%)?[^.;:]{0,40}?\btrain", re.I)
_TRAIN_SHARE_AFTER = re.compile(
    r"\btrain(?:ing)?(?: set| data)?\s*[(:=]\s*(?P<a>\d+(?:\.\d+)?)\s*(?P<p>%)?", re.I
)
_DEPTH = re.compile(r"max(?:imum)?[_ ]depth[^0-9]{0,20}(\d+)", re.I)
_TREES = re.compile(r"n[_ ]estimators[^0-9]{0,20}(\d+)|(\d+) (?:trees|estimators)", re.I)
_NEIGHBOURS = re.compile(
    r"(?:n[_ ]neighbors|\bk\b)[^0-9a-z]{0,12}(\d+)|(\d+) nearest neighbou?rs", re.I
)
_PENALTY = re.compile(r"\balpha\b[^0-9a-z]{0,20}(\d+(?:\.\d+)?)", re.I)
_SCALES = re.compile(r"standardi[sz]|normali[sz]|\bscal(?:e|er|ed|ing)\b|min[- ]?max", re.I)
_RATIO = re.compile(r"\b(\d{1,2})\s*[:/-]\s*(\d{1,2})\b")


JUDGED = "judges the model"
SEED = 42
"""Where a split starts if a question names none: another one would give other scores."""


def learns(text: str) -> bool:
    """Whether a question speaks of a model that is trained."""
    return bool(_LEARNT.search(text))


def learn(
    text: str, task: str, index: TableIndex, draft: Draft, judged: Level | None = None
) -> Analysis | None:
    """Add the training of the model that a question names, and its scores.

    Args:
        text: The question.
        task: It without the form of the answer.
        index: The table's.
        draft: Takes the steps.
        judged: The level of the rows that it is judged by.
    """
    parts = _target_and_features(task, index, {judged.column} if judged else set())
    if parts is None:
        return None
    target, features = parts
    lower = text.lower()
    model = next((name for pattern, name in MODELS if re.search(pattern, lower)), None)
    number = index.kinds.get(target) == "number"
    listed: list[JsonValue] = [*features]
    wish: dict[str, JsonValue] = {"target": [target], "features": listed}
    if model is None and number and "regression" in lower:
        model = "linear"
    if model:
        wish["model"] = model
    share = None if judged else test_share(text)
    seed = _STATE.search(text) or _SEED.search(text)
    wish |= _parameters(text, str(model))
    if share is not None:
        wish |= {"share": share, "seed": int(seed[1]) if seed else SEED}
    elif judged:
        wish["test"] = JUDGED
    elif model == "linear":
        wish["evaluate"] = "in sample"
    gaps: list[JsonValue] = [target, *features]
    if not any(step.name == "Impute" for step in draft.steps):
        draft.frame = draft.add("DropNulls", "Only whole rows.", {"columns": gaps})
    if judged:
        made: JsonValue = {"test": as_rows(judged.column, [judged.value])}
        wished: dict[str, JsonValue] = {"name": JUDGED, "expression": made}
        draft.frame = draft.add("Derive", "Which rows judge.", wished)
    thought = f"Learn {target} and judge how well."
    if share is not None and not seed:
        thought += f" No seed is named; {SEED} is taken."
    frame = draft.add("Predict", thought, wish)
    return Analysis("learn", frame, (target, *features))


def _parameters(text: str, model: str) -> dict[str, JsonValue]:
    """A model's parameters as a question names them, else as scikit-learn's defaults are."""
    found: dict[str, JsonValue] = {}
    if model in ("tree", "forest", "boosting"):
        if depth := _DEPTH.search(text):
            found["depth"] = int(depth[1])
        if model != "tree" and (trees := _TREES.search(text)):
            found["trees"] = int(trees[1] or trees[2])
    if model == "neighbours" and (near := _NEIGHBOURS.search(text)):
        found["neighbours"] = int(near[1] or near[2])
    if model in ("ridge", "lasso"):
        penalty = _PENALTY.search(text)
        found["penalty"] = float(penalty[1]) if penalty else 1.0
    if model in ("ridge", "lasso", "logistic", "neighbours"):
        found["scale"] = bool(_SCALES.search(text))
    return found


def test_share(text: str) -> float | None:
    """The share of rows that a question has held out; None where it names none."""
    for ratio in _RATIO.finditer(text):
        sides = int(ratio[1]), int(ratio[2])
        if sum(sides) in (10, 100):
            return min(sides) / sum(sides)
    if found := _TRAIN_SHARE_AFTER.search(text) or _TRAIN_SHARE.search(text):
        part = float(found["a"]) / (100 if found["p"] or float(found["a"]) > 1 else 1)
        if 0.5 <= part < 1:
            return round(1 - part, 6)
    for found in _TEST_SHARE.finditer(text):
        side = "a" if found["a"] else "b"
        part = float(found[side]) / (100 if found[f"{side}p"] or float(found[side]) > 1 else 1)
        if 0 < part < 1:
            return part
    return None


def _target_and_features(
    task: str, index: TableIndex, beside: Collection[str]
) -> tuple[str, list[str]] | None:
    spots = [spot for spot in find_spots(task, index) if spot.column not in beside]
    target = _target(task, spots)
    if not target:
        columns = distinct(spots)
        return (columns[1], columns[:1]) if len(columns) == 2 else None
    features = distinct(spot for spot in spots if spot.column != target)
    quoted = distinct(spot for spot in spots if spot.quoted and spot.column != target)
    if len(quoted) > 1 or (quoted and any(s.quoted for s in spots if s.column == target)):
        features = quoted  # the others are nouns that headers happen to be
    return (target, features) if features else None


def _target(task: str, spots: Sequence[Spot]) -> str:
    """The column that is to be learnt; empty where no words say so."""
    behind = (spot.column for spot in spots if _AS_TARGET.match(task, spot.end))
    if found := next(behind, ""):
        return found
    for one, other in pairwise(spots):
        regressed = _REGRESSED.search(task[: one.start])
        if regressed and _ON.fullmatch(task[one.end : other.start]):
            return one.column
    for sign in (_IS_TARGET, _TARGET):
        if told := sign.search(task):
            after = (spot.column for spot in spots if spot.start >= told.end() - 1)
            if found := next(after, ""):
                return found
    return ""
