"""The moves: replies that act on the tree or end the run instead of making a frame."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.projection import Rounding
from wideleaf.tools.tables.columns import OR_RENAMED, AnyColumns
from wideleaf.tools.tables.sort_keys import SortKeys


class Backtrack(Action):
    """Go back to an earlier frame when this branch does not lead to the answer."""

    inputs = ()

    to: str = Field(description="Label of the frame to go back to.")
    reason: str = Field(description="Why this branch is left.")


class FindColumns(Action):
    """Look for columns that are not shown; what is found is shown from the next turn on."""

    inputs = ()

    words: str = Field(min_length=1, description="What they hold, in a few words.")
    table: str = Field(default="", description="Look in this table only.")


class Ask(Action):
    """Ask the person which of two or three readings is meant."""

    inputs = ()

    question: str
    readings: tuple[str, ...] = Field(min_length=2, max_length=3)
    tables: tuple[str, ...] = Field(description="For each the frame that answers it.")

    @model_validator(mode="after")
    def _shaped(self) -> Self:
        if len(self.tables) != len(self.readings):
            raise ValueError(
                f"{len(self.readings)} readings and {len(self.tables)} tables: name the frame of "
                "each reading, in their order"
            )
        return self


class Finish(Action):
    """End: this frame holds exactly the answer, nothing besides it.

    The columns, their order of rows and decimals are steps before it, see
    `tools.steps.shorthand`.
    """

    columns: Annotated[
        AnyColumns | None,
        OR_RENAMED,
        Field(description="Names or families, so ordered; {old: new} renames."),
    ] = None
    sort: SortKeys = Field(default=(), description="-name descends; old or new names.")
    round: Rounding | None = Field(
        default=None, description="Decimals; {column: n} of each, by its old or new name."
    )
    note: str = Field(default="", description="An assumption the person should know of.")


class Abstain(Action):
    """End without an answer: the tables do not hold what is asked, and no action makes it."""

    inputs = ()

    reason: str = Field(description="What is missing, and the nearest that is there.")


class Recall(Action):
    """End: the message is about the earlier answer in this frame, and that is told or given again.

    Words and figures are written on the machine of the tables.
    """

    what: Literal["steps", "columns", "rows", "chart", "answer"] = Field(
        description="How it was made, from which columns, from how many rows; a chart of it; or "
        "the answer again."
    )


MOVES: tuple[type[Action], ...] = (Backtrack, FindColumns, Ask, Finish, Abstain, Recall)
