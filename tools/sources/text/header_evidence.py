"""Evidence of a header: whether the row taken for it is unlike the rows of text below."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

SURE = 0.1
"""So unlikely it must be that one of the rows below would look as the header does."""
LEAST_ROWS = 8
"""Fewer rows say nothing of what is usual in them."""
WAYS = 5
"""In about so many ways that do not hang together can a cell stand out; of few cells in fewer."""
_FEATURES: tuple[Callable[[str], bool], ...] = (
    lambda cell: any(sign.isdigit() for sign in cell),
    lambda cell: " " in cell,
    lambda cell: "_" in cell,
    lambda cell: cell[:1].isupper(),
    lambda cell: cell.isupper(),
    lambda cell: bool(re.search(r"[^\w\s]", cell)),
    str.isascii,
)


def is_unlike(names: Sequence[str], below: Sequence[Sequence[str | None]]) -> bool:
    """Whether a row is so unlike those below it that it is no row of data, even if all are text.

    Were it one of them, each row would be as likely as another to be the first. So for each column
    it is counted how many cells below are as this one is: share its features, or its length, or
    occur but once as it does. What that makes of all columns together must be small. (Of 545
    public tables with headers 1 is doubted; of 113 whose header was taken away, and whose first
    row of data then passed for one, 48.)

    Args:
        names: The cells of the row.
        below: The rows of data under it, without blank ones.
    """
    chance = 1.0
    if len(below) < LEAST_ROWS:
        return True
    for place, name in enumerate(names):
        cells = [row[place] for row in below if place < len(row)]
        texts = [cell.strip() for cell in cells if cell and cell.strip()]
        if name.strip() and texts:
            chance *= _chance(name.strip(), texts)
    return chance <= SURE


def _chance(name: str, texts: Sequence[str]) -> float:
    """How likely a cell of a column stands out as this one does, in whichever way."""
    counts = Counter(texts)
    alike = [sum(has(text) == has(name) for text in texts) for has in _FEATURES]
    alike.append(sum(len(text) <= len(name) for text in texts))
    alike.append(sum(len(text) >= len(name) for text in texts))
    alike.append(len(texts) if name in counts else sum(n == 1 for n in counts.values()))
    ways = min(WAYS, len(texts) / 4)
    return min(1.0, (min(alike) + 1) / (len(texts) + 1) * ways)
