"""Scorers that compare parts and frames: TableBench, DABench, DataFrame QA, wide and own sets."""

from __future__ import annotations

import re
from typing import Any

from wideleaf.agents.answer.spans import TRUTHS, number_of, same_span, span, truth_as
from wideleaf_evaluation.item import Item
from wideleaf_evaluation.scorers.cells import Prediction, equals_at_precision, strip_punctuation
from wideleaf_evaluation.scorers.gold import gold_cells, gold_tables, parse_gold
from wideleaf_evaluation.scorers.rows import same_bag, same_rows

MAX_TIMES = 3
"""A relaxed match may hold so many times the gold's cells: the whole table never counts."""


def exact(item: Item, prediction: Prediction) -> bool:
    """TableBench's published exact match, blind to punctuation: 12.5 is 125, and not 12.50."""
    cells = [f"{c:.6g}" if isinstance(c, float) and abs(c) < 1e6 else c for c in prediction.cells()]
    cells = [int(c) if isinstance(c, float) and c.is_integer() else c for c in cells]
    text = ", ".join(map(str, truth_as(cells, [item.gold])))
    return strip_punctuation(text) == strip_punctuation(str(item.gold))


def numeric(item: Item, prediction: Prediction) -> bool:
    """Parts in any order; numbers within the decimals that the gold shows, texts as spans."""
    whole = [str(item.gold)] if isinstance(item.gold, (str, int, float)) else []
    return any(
        parts_alike(gold, truth_as(prediction.cells(), gold))
        for gold in (whole, [str(cell) for cell in gold_cells(item)])
        if gold
    )


def parts_alike(gold: list[str], cells: list[Any]) -> bool:
    """Whether each part of the gold is one cell, in any order."""
    if len(gold) != len(cells):
        return False
    rest = list(cells)
    for part in gold:
        match = next((n for n, cell in enumerate(rest) if matches_gold(cell, part)), None)
        if match is None:
            return False
        del rest[match]
    return True


def matches_gold(cell: Any, gold: str) -> bool:
    """Whether a cell is the gold one: within the decimals that the gold shows, or as a span."""
    number = number_of(cell, marks=True)
    if number is not None and equals_at_precision(number, gold):
        return True
    return same_span(span(cell), span(gold))


def strict(item: Item, prediction: Prediction) -> bool:
    """DataFrame QA, strict: the same cells and no others; see `gold_tables`."""
    table = prediction.table()
    if item.gold["kind"] in ("series", "dataframe"):
        return any(same_rows(gold, table) for gold in gold_tables(item.gold))
    if same_bag(gold_cells(item), _truths(item, prediction)):
        return True
    # As the index of a Series, the names of a dict's values may stand before them.
    pairs = all(len(row) == 2 and isinstance(row[0], str) for row in table)
    has_names = item.gold["kind"] == "dict" and pairs
    return has_names and same_bag(gold_cells(item), [row[1] for row in table])


def match_loosely(item: Item, prediction: Prediction) -> bool:
    """DataFrame QA, relaxed: the answer's rows and columns hold the gold's, and few others."""
    gold, table = gold_cells(item), prediction.table()
    if sum(map(len, table)) > MAX_TIMES * len(gold):
        return False
    if item.gold["kind"] in ("series", "dataframe"):
        return any(same_rows(g, table, within=True) for g in gold_tables(item.gold))
    return same_bag(gold, _truths(item, prediction), within=True)


def _truths(item: Item, prediction: Prediction) -> list[Any]:
    """The answer's cells, where the gold is a truth value with words read as such."""
    cells = prediction.cells()
    if item.gold["kind"] != "bool":
        return cells
    return [TRUTHS.get(c.strip().lower(), c) if isinstance(c, str) else c for c in cells]


def parts(item: Item, prediction: Prediction) -> bool:
    """Each part of the gold is one column's distinct cells, in any order of columns.

    Numbers count within the decimals that the gold shows; a list of plain cells may also be one
    column, in the gold's order.
    """
    gold = parse_gold(item.gold)
    targets = gold if isinstance(gold, list) else [gold]
    rest = [_unlike(column) for column in prediction.by_column()]
    if len(rest) == 1 and len(targets) > 1 and not any(isinstance(p, list) for p in targets):
        return _cells_alike(rest[0], targets)
    if len(rest) != len(targets):
        return False
    for part in targets:
        cells = part if isinstance(part, list) else [part]
        match = next((column for column in rest if _cells_alike(column, cells)), None)
        if match is None:
            return False
        rest.remove(match)
    return True


def _unlike(column: list[Any]) -> list[Any]:
    return list(dict.fromkeys(round(c, 9) if isinstance(c, float) else c for c in column))


def _cells_alike(cells: list[Any], gold: list[Any]) -> bool:
    return len(cells) == len(gold) and all(
        matches_gold(c, str(g)) for c, g in zip(truth_as(cells, gold), gold, strict=True)
    )


def match_names(item: Item, prediction: Prediction) -> bool:
    """DABench's ``@name[value]``, read in the answer's words or as columns of those names."""
    pairs = [(n.lower(), v) for n, v in re.findall(r"@(\w+)\[([^\]]*)\]", prediction.answer)]
    table = prediction.table()
    if not pairs and len(table) == 1 and prediction.columns:
        pairs = [(str(n).lower(), c) for n, c in zip(prediction.columns, table[0], strict=True)]
    for name, value in item.gold:  # a name may come twice
        match = next((pair for pair in pairs if _says(pair, name, str(value))), None)
        if match is None:
            return False
        pairs.remove(match)
    return True


def _says(pair: tuple[str, Any], name: str, value: str) -> bool:
    return pair[0] == name.lower() and matches_gold(truth_as([pair[1]], [value])[0], value)


def match_names_or_cells(item: Item, prediction: Prediction) -> bool:
    """DABench: by name, or, without names, exactly the gold's values in any order."""
    gold = [str(cell) for cell in gold_cells(item)]
    return match_names(item, prediction) or parts_alike(gold, truth_as(prediction.cells(), gold))


def rows(item: Item, prediction: Prediction) -> bool:
    """Spider (Yu et al. 2018): bags of rows equal under some order of the columns."""
    return same_rows(item.gold, prediction.table(), ordered=item.ordered)


def match_answer(item: Item, prediction: Prediction) -> bool:
    """A user's own set: rows as a bag under some order of columns, else cells as gold shows."""
    gold = item.gold.get("rows") if isinstance(item.gold, dict) else item.gold
    if isinstance(gold, list) and gold and all(isinstance(row, (list, dict)) for row in gold):
        table = [list(row.values()) if isinstance(row, dict) else row for row in gold]
        return same_rows(table, prediction.table(), ordered=item.ordered)
    return numeric(item, prediction)
