"""What every action is: a frozen model of its parameters that turns frames into a frame."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict

from wideleaf.tools.privacy import Fact, Policy
from wideleaf.tools.tables.needs import PLACES, Header, Need, name_lists
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    from wideleaf.tools.conditions.matching import Align


class Action(BaseModel):
    """Base of all actions; the docstring of each is what the model reads.

    Fields are parameters; tables come only to the methods, which never change them. The input
    frames are named beside the parameters in a call (``inputs``), not in the action, so that an
    action means the same wherever it is applied.

    Attributes:
        inputs: The names under which a call gives its input frames, in the order of ``run``.
        optional: The names under which a call may give further input frames. A field of each
            name holds which of the inputs it is, or None.
        many: Whether its one input is a list of frames, in a call a list of labels.
        lazy: Whether the result stays a query; an eager action collects its columns.
        peeks: Whether a lazy action looks at a column of its input when it runs.
        purpose: Its kind, in a word or two: the tool node of the graph that carries it out.
        phrases: Wordings of questions that mean it; without any its name alone tells.
        places: Its arguments that hold names of columns, wherever they stand.
        keeps: What stays as it is in its input: its rows, where each that is left is one of them
            whatever the others hold; their order; its columns, beside which there may be new ones.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    inputs: ClassVar[tuple[str, ...]] = ("table",)
    optional: ClassVar[tuple[str, ...]] = ()
    many: ClassVar[bool] = False
    lazy: ClassVar[bool] = True
    peeks: ClassVar[bool] = False
    purpose: ClassVar[str] = "other"
    phrases: ClassVar[tuple[str, ...]] = ()
    places: ClassVar[frozenset[str]] = PLACES
    keeps: ClassVar[frozenset[Literal["rows", "order", "columns"]]] = frozenset()

    def resolve(self, *tables: Table) -> Self:
        """Decide once whatever depends on the data at hand, and check the action against it.

        Returns:
            The same action with names for families, matches and coercions; a second call
            changes nothing.

        Raises:
            ActionError: If the action does not fit the tables.
        """
        return self

    def resolve_with(self, align: Align | None, *tables: Table) -> Self:
        """Resolve; an action that compares cells with words may find the value they mean.

        Args:
            align: Finds it; None where nothing is to be found.
            tables: As for `resolve`.
        """
        return self.resolve(*tables)

    def run(self, *tables: Table) -> Table:
        """Make the result of a resolved action; the tables stay as they are."""
        raise NotImplementedError

    def column_references(self, *headers: Header) -> list[list[str]]:
        """The columns of each input that the parameters of a resolved action name.

        Args:
            headers: The columns of each input.
        """
        groups = name_lists(self.arguments(), self.places)
        names = dict.fromkeys(chain.from_iterable(groups))
        there = None if not headers or headers[0] is None else set(headers[0])
        columns = [name for name in names if there is None or name in there]
        return [columns, *([] for _ in headers[1:])]

    def needs(self, need: Need, *headers: Header) -> list[Need]:
        """What a resolved action reads of each input for columns of its result: by default all.

        Args:
            need: Columns of its result.
            headers: The columns of each input.
        """
        return [Need(need.all if one is None else frozenset(one)) for one in headers]

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Facts about this very step that the observation should tell, such as a fan-out."""
        return []

    def recall(self, tables: Sequence[Table], result: Table) -> Any:
        """What it learnt while it made a result, which a table that was read again has lost."""
        return self.run(*tables).found if result.found is None else result.found

    def within(self, policy: Policy) -> Self:
        """The same action with what depends on the privacy level decided, before it is resolved."""
        return self

    def new_headers(self, *tables: Table) -> dict[str, str]:
        """The header each made-up column name stands for, kept on this machine for the answer."""
        return {}

    def arguments(self) -> dict[str, Any]:
        """The parameters as plain data, defaults left out."""
        return self.model_dump(mode="json", exclude_defaults=True)
