"""What counts as a right answer to a question of TSO's appendix A.3: its rule, as code.

Each check takes an answer as a frame, the gold and the arguments that the question's line has
for it. The rules in words stand beside the questions (`benchmarks/agronomy_questions.jsonl`) and
were written before any answer was seen. A number is looked for only in frames of few cells: a
table that shows everything answers nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from wideleaf_evaluation.scorers.agronomy_answers import (
    FEW_NUMBERS,
    FEW_ROWS,
    any_close,
    as_float,
    as_frame,
    close,
    fold,
    gold_name,
    is_small,
    number_columns,
    numbers,
    read_metrics,
    text_columns,
)

CODE = "MANDom_trial_code"
COMPONENT = re.compile(r"(?:pc|pca|principal|comp|dim)[a-z_ ]*\d+$", re.I)


def follows_rule(rule: Mapping[str, Any], answer: Any, gold: Any) -> bool:
    """Whether an answer counts as right.

    Args:
        rule: The name of a check and its arguments.
        answer: A frame, a mapping, a list or one value.
        gold: The gold answer, as the check takes it.
    """
    arguments = {key: value for key, value in rule.items() if key != "name"}
    return bool(CHECKS[rule["name"]](as_frame(answer), gold, **arguments))


def number(frame: pd.DataFrame, gold: Iterable[float], *, tolerance: float) -> bool:
    """One row with at most three numbers, one of them a gold one."""
    cells = numbers(frame)
    return len(frame) == 1 and len(cells) <= 3 and any_close(cells, gold, tolerance)


def names(frame: pd.DataFrame, gold: Iterable[str]) -> bool:
    """A column of texts, or the columns of one row, are the gold as a set."""
    wanted = {fold(one) for one in gold}
    lists = [{fold(cell) for cell in frame[c].dropna()} for c in text_columns(frame)]
    if len(frame) == 1:
        lists.append({fold(column) for column in frame.columns})
        lists += [{fold(one) for one in re.split("[,;\n]", str(frame[c].iloc[0]))} for c in frame]
    return wanted in lists


def groups(frame: pd.DataFrame, gold: Mapping[str, float], *, tolerance: float) -> bool:
    """Every gold name once, with its number; as rows, or as the columns of one row."""
    wanted = {fold(name): value for name, value in gold.items()}
    made: list[dict[str, float]] = []
    if len(frame) == 1 and frame.shape[1] == len(wanted):
        row = frame.iloc[0]
        made.append({gold_name(column, wanted): as_float(row[column]) for column in frame.columns})
    if len(frame) == len(wanted):
        made += [
            {fold(name): as_float(value) for name, value in zip(frame[text], frame[n], strict=True)}
            for text in text_columns(frame)
            for n in number_columns(frame)
        ]
    return any(
        said.keys() == wanted.keys()
        and all(close(said[name], value, tolerance) for name, value in wanted.items())
        for said in made
    )


def weights(frame: pd.DataFrame, gold: Mapping[str, list[float]], *, tolerance: float) -> bool:
    """One number, any of those for all; or as many as there are observations, each its own."""
    if number(frame, gold["all"], tolerance=tolerance):
        return True
    cells = [cell for cell in numbers(frame) if cell not in range(1, len(gold["each"]) + 1)]
    return len(cells) == len(gold["each"]) and all(
        any_close(cells, [one], tolerance) for one in gold["each"]
    )


def pair(
    frame: pd.DataFrame, gold: Iterable[float], *, tolerance: float, of_difference: float
) -> bool:
    """Both numbers, or the difference of the two alone."""
    first, second = gold
    cells = numbers(frame) if is_small(frame) else []
    if len(frame) == 1 and len(cells) == 1:
        return close(abs(cells[0]), abs(first - second), of_difference)
    table = frame[number_columns(frame)].astype(float)
    cells += list(table.mean())
    cells += list(table.mean(axis=1)) if len(frame) <= FEW_ROWS else []
    for text in text_columns(frame):
        if frame[text].nunique() <= FEW_ROWS:
            cells += list(table.groupby(frame[text]).mean().to_numpy().ravel())
    return all(any_close(cells, [one], tolerance) for one in (first, second))


def relation(frame: pd.DataFrame, gold: Iterable[float], *, tolerance: float) -> bool:
    """At most five rows and six numbers, one of them a gold one."""
    cells = numbers(frame)
    return len(frame) <= 5 and len(cells) <= 6 and any_close(cells, gold, tolerance)


def components(frame: pd.DataFrame, gold: Any, *, tolerance: float, least: float) -> bool:
    """The variance shares of three components, or their scores, of one reading."""
    return any(
        _shares_told(frame, reading["shares"], tolerance)
        or _scores_told(frame, reading["scores"], least)
        for reading in gold
    )


def reduced(frame: pd.DataFrame, gold: Any, *, tolerance: float, least: float, most: int) -> bool:
    """The gold's trials, with few components, one of them the gold's first."""
    found = _components(frame)
    if not 1 <= len(found) <= most:
        return False
    wanted = set(gold["codes"])
    if CODE not in frame:
        return abs(len(frame) - len(wanted)) <= tolerance * len(wanted)
    codes = frame[CODE].astype(str)
    both = len(wanted & set(codes))
    if both < (1 - tolerance) * max(len(wanted), len(frame)):
        return False
    return any(
        _alike(frame[column].to_numpy(float), codes.map(dict(first)).to_numpy(float)) >= least
        for column in found
        for first in gold["first"]
    )


def learnt(
    frame: pd.DataFrame, gold: Mapping[str, float], *, within: float, tolerance: float
) -> bool:
    """R2, RMSE or MAE near the reference's."""
    told = read_metrics(frame)
    return (
        ("r2" in told and abs(told["r2"] - gold["r2"]) <= within)
        or any(close(told.get(key, np.nan), gold[key], tolerance) for key in ("rmse", "mae"))
        if told
        else False
    )


def soil(frame: pd.DataFrame, gold: Any, *, tolerance: float, within: float) -> bool:
    """Numbers of soil tests as the gold has them, or how well the score is learnt from them."""
    told = read_metrics(frame, alone="")  # a bare number could be anything
    if "r2" in told or "accuracy" in told:
        limits = (("r2", within), ("accuracy", within / 2))
        return any(key in told and abs(told[key] - gold[key]) <= near for key, near in limits)
    tests = {fold(test): values for test, values in gold["tests"].items()}
    said: dict[str, list[float]] = {}
    if len(frame) <= FEW_ROWS:  # a row of means by columns
        for column in number_columns(frame):
            key = next((t for t in tests if fold(column).endswith(t) or t in fold(column)), "")
            if key:
                said.setdefault(key, []).extend(frame[column].dropna().astype(float))
    for text in text_columns(frame):
        for _, row in frame.iterrows():
            if (key := fold(row[text])) in tests:
                said.setdefault(key, []).extend(as_float(row[c]) for c in number_columns(frame))
    right = sum(any(any_close([cell], tests[t], tolerance) for cell in said[t]) for t in said)
    return bool(said) and right >= 0.9 * len(said)


def accuracy(frame: pd.DataFrame, gold: Mapping[str, float], *, above: float, most: float) -> bool:
    """An accuracy above chance and not above what unseen trials allow."""
    told = read_metrics(frame, alone="accuracy").get("accuracy", np.nan)
    told = told / 100 if told > 1 else told
    return bool(above * gold["majority"] < told <= most * gold["reference"])


def _components(frame: pd.DataFrame) -> list[Any]:
    return [c for c in number_columns(frame) if COMPONENT.search(str(c))]


def _alike(one: Any, other: Any) -> float:
    """The absolute correlation of two columns, 0 where less than half of the rows have both."""
    both = np.isfinite(one) & np.isfinite(other)
    if both.sum() < max(3, len(one) / 2) or not np.ptp(one[both]) or not np.ptp(other[both]):
        return 0.0
    return float(abs(np.corrcoef(one[both], other[both])[0, 1]))


def _scores_told(frame: pd.DataFrame, scores: Mapping[str, Any], least: float) -> bool:
    found = _components(frame)[:FEW_ROWS]
    if len(found) < 3 or len(frame) != len(scores["codes"]):
        return False
    order = pd.Series(range(len(frame)), index=scores["codes"])
    places = order.reindex(frame[CODE].astype(str)) if CODE in frame else order
    if places.isna().any():
        return False
    gold = np.asarray(scores["values"])[places.to_numpy(int)]
    best = {
        place: max(found, key=lambda c: _alike(frame[c].to_numpy(float), gold[:, place]))
        for place in range(3)
    }
    return len(set(best.values())) == 3 and all(
        _alike(frame[c].to_numpy(float), gold[:, place]) >= least for place, c in best.items()
    )


def _shares_told(frame: pd.DataFrame, shares: Iterable[float], tolerance: float) -> bool:
    """Three numbers in a row or column are the shares, as such or in percent."""
    wanted = list(shares)
    lines = [frame[c].tolist() for c in number_columns(frame) if len(frame) <= FEW_ROWS]
    if frame.shape[1] <= FEW_NUMBERS and len(frame) <= FEW_ROWS:
        lines += [[row[c] for c in number_columns(frame)] for _, row in frame.iterrows()]
    return any(
        len(line) >= 3
        and all(
            close(float(said) * scale, one, tolerance)
            for said, one in zip(line[:3], wanted, strict=True)
        )
        for line in lines
        for scale in (1.0, 0.01)
    )


CHECKS: Mapping[str, Callable[..., bool]] = {
    check.__name__: check
    for check in (
        *(number, names, groups, weights, pair, relation),
        *(components, reduced, learnt, soil, accuracy),
    )
}
