"""What each privacy level lets out of this machine: the one table that every layer asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel

from wideleaf.tools.errors import ActionError, PrivacyError
from wideleaf.tools.words import name_some

Level = Literal["schema", "statistics", "samples"]
Matter = Literal["names", "statistics", "values"]
"""What a piece of text is made of.

``names``: column and table names, types, user-written descriptions, shapes, counts of rows,
the user's own question and literals that the model wrote itself. ``statistics``: null shares,
distinct counts, mean, deviation and quantiles. ``values``: anything made of cells.
"""

LEVELS: tuple[Level, ...] = ("schema", "statistics", "samples")
ALLOWED: dict[Level, frozenset[Matter]] = {
    "schema": frozenset({"names"}),
    "statistics": frozenset({"names", "statistics"}),
    "samples": frozenset({"names", "statistics", "values"}),
}
MIN_FOR_STATISTICS = 20
"""Statistics of fewer non-null cells than this, and figures of fewer different ones, say too much
about single cells."""


class Fact(BaseModel, frozen=True):
    """A sentence about a frame, labelled with what it is made of.

    Attributes:
        text: The sentence.
        matter: What it is made of.
        caveat: Whether the person who reads the answer should know it, too.
    """

    text: str
    matter: Matter = "names"
    caveat: bool = False


def caveat(text: str, matter: Matter = "names") -> Fact:
    """A fact that the person who reads the answer should know, too."""
    return Fact(text=text, matter=matter, caveat=True)


def caveats(*cases: tuple[object, str], matter: Matter = "names") -> list[Fact]:
    """Caveats of the cases that there are, each what it hangs on, such as a count, and a text."""
    return [caveat(text, matter) for there, text in cases if there]


def caveats_of_columns(names: Sequence[str], what: str, heading: str) -> list[Fact]:
    """A caveat of how many columns are something, and one that names the first of them.

    Args:
        names: The columns; of none nothing is told.
        what: What they are.
        heading: What their names stand behind.
    """
    if not names:
        return []
    detail = caveat(f"{heading}: {name_some(names)}", "statistics")
    return [caveat(f"{len(names)} {what}"), detail]


def matter_of(rows: int) -> Matter:
    """What a figure of so many rows is made of: of few it says too much about single cells."""
    return "statistics" if rows >= MIN_FOR_STATISTICS else "values"


class Policy(BaseModel, frozen=True):
    """A privacy level and the columns that are denied by name.

    A denied column is dropped when its table is loaded, so no action can reach it. Columns that
    are shared by name may be read by the model that judges texts, and by no other, at every level.
    """

    level: Level = "schema"
    denied: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()

    def shares_column(self, table: str, column: str) -> bool:
        """Whether cells of a column of a source may be read by a model, at any level."""
        return bool({column, f"{table}.{column}"} & {*self.shared}) or self.allows("values")

    def allows(self, matter: Matter) -> bool:
        """Say whether text made of this may leave the machine."""
        return matter in ALLOWED[self.level]

    def require(self, matter: Matter, what: str) -> None:
        """Refuse what the level keeps in.

        Raises:
            PrivacyError: If the level does not let `matter` out.
        """
        if not self.allows(matter):
            first = next(level for level in LEVELS if matter in ALLOWED[level])
            raise PrivacyError(
                f"{what} is kept in at privacy {self.level!r}; {first!r} would let it out"
            )

    def text(self, facts: list[Fact]) -> str:
        """Join the facts that may leave the machine, one a line."""
        return "\n".join(fact.text for fact in facts if self.allows(fact.matter))

    def error_text(self, error: ActionError) -> str:
        """Word an error for the model, with its cell values only where they may go out."""
        private = f" {error.private}" if error.private and self.allows("values") else ""
        return error.text + private
