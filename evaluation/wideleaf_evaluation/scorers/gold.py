"""The gold answer of each set as plain cells and tables."""

from __future__ import annotations

import ast
import re
from typing import Any

from wideleaf_evaluation.item import Item
from wideleaf_evaluation.scorers.cells import split_gold
from wideleaf_evaluation.scorers.charts import gold_values

_INTERVAL = re.compile(r"Interval\((?P<low>[^,()]+), (?P<high>[^,()]+), closed='(?P<closed>\w+)'\)")


def gold_cells(item: Item) -> list[Any]:
    """The gold answer's cells, whatever its form."""
    gold = item.gold
    if item.set == "tablebench":
        return list(split_gold(str(gold)))
    if item.set == "tablebench_charts":
        return list(gold_values(str(gold)))
    if item.set == "dabench":
        return [value for _, value in gold]
    if item.set == "agronomy":
        return _flat(gold["answer"])
    if item.set == "uci_dataframeqa":
        return [cell for row in gold_tables(gold)[0] for cell in row]
    return _flat(parse_gold(gold) if item.set == "wide" else gold)


def _flat(gold: Any) -> list[Any]:
    if isinstance(gold, dict):
        gold = gold.get("rows", gold.get("value", list(gold.values())))
    if not isinstance(gold, (list, tuple)):
        return [gold]
    return [cell for part in gold for cell in _flat(part)]


def parse_gold(gold: Any) -> Any:
    """Some golds are a list written as a text."""
    if not (isinstance(gold, str) and gold.startswith(("[", "("))):
        return gold
    try:
        literal = ast.literal_eval(gold)
    except (ValueError, SyntaxError):
        return gold
    return list(literal) if isinstance(literal, (list, tuple)) else gold


def gold_tables(gold: dict[str, Any]) -> list[list[list[Any]]]:
    """The tables that a gold result may be written as; names of columns are never looked at.

    A Series or frame comes with its index as first columns; without it if the index is only the
    numbers of rows; and where an index of several levels ends in numbers of rows, without these.
    """
    if gold["kind"] not in ("series", "dataframe"):
        return [[[cell] for cell in _values(gold)]]
    data = [row if isinstance(row, list) else [row] for row in gold["data"] or []]
    index = [_levels(label) for label in gold.get("index") or [None] * len(data)]
    full = [[*levels, *row] for levels, row in zip(index, data, strict=True)]
    numbered = all(levels and str(levels[-1]).isdigit() for levels in index)
    if not numbered:
        return [full] if any(index) else [data]
    if not all(len(levels) > 1 for levels in index):
        return [full] if gold.get("index_is_data") else [data, full]
    short = [[*levels[:-1], *row] for levels, row in zip(index, data, strict=True)]
    return [full, short, data]


def _levels(label: Any) -> list[Any]:
    """The levels of an index label; pandas writes those of several as a tuple.

    Labels were kept as texts, so that a truth value is read again, and an interval of a tuple is
    written as it is elsewhere.
    """
    text = _INTERVAL.sub(_interval, str(label))
    if label is None:
        return []
    if text in ("True", "False"):
        return [text == "True"]
    if text.startswith("(") and text.endswith(")") and "," in text:
        try:
            literal = ast.literal_eval(text)
        except (ValueError, SyntaxError):
            return [label]
        return list(literal) if isinstance(literal, tuple) else [label]
    return [label]


def _interval(match: re.Match[str]) -> str:
    left = "[" if match["closed"] in ("left", "both") else "("
    right = "]" if match["closed"] in ("right", "both") else ")"
    return repr(f"{left}{match['low']}, {match['high']}{right}")


def _values(gold: Any) -> list[Any]:
    if isinstance(gold, dict) and "kind" in gold:
        if gold["kind"] in ("series", "dataframe"):
            return [cell for row in gold_tables(gold)[0] for cell in row]
        return _values(gold["value"])
    if isinstance(gold, dict):
        return [cell for value in gold.values() for cell in _values(value)]
    if isinstance(gold, list):
        return [cell for value in gold for cell in _values(value)]
    return [gold]
