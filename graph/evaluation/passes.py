"""How often a written program is right at the first try, and at all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wideleaf.graph.evaluation.rows import EvalRow, EvalSettings


def passes_of(rows: Sequence[EvalRow], settings: EvalSettings) -> dict[str, Any]:
    """Of written programs the share right at the first try, and at all of them.

    pass@1 is that of Chen et al. (2021) with one program a question, as DataFrame QA reports it
    (section 4.4): nothing is told of an error and nothing is written again. pass@T lets an error
    be mended T - 1 times; a wrong result that ran is never tried again.
    """
    written = [row for row in rows if row.tries]
    if not written:
        return {}
    first = sum(row.right and row.tries == 1 for row in rows) / len(rows)
    return {
        "tries": settings.tries,
        "pass@1": first,
        f"pass@{settings.tries}": sum(row.right for row in rows) / len(rows),
        "written_again": sum(row.tries > 1 for row in rows),
    }
