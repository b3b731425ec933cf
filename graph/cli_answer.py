"""An answer in the terminal: its words, how sure it is, and what to know of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wideleaf.graph.live import printable
from wideleaf.graph.result_text import confidence_text, opening

if TYPE_CHECKING:
    from wideleaf.graph.result import Result


def print_answer(result: Result) -> None:
    """Print an answer, how sure it is and what to know of it."""
    print(printable(result.answer))
    if sure := confidence_text(result.status, result.confidence):
        print(f"  {sure}")
    for caveat in result.caveats[len(opening(result.answer, result.caveats)) :]:
        print(f"  note: {printable(caveat)}")
