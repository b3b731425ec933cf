"""Which query an action becomes: one rule a type, registered where it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import singledispatch
from typing import TYPE_CHECKING, NamedTuple

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.craft import Craft
from wideleaf.tools.actions.describe import Describe
from wideleaf.tools.actions.detecting.anomaly import Anomaly
from wideleaf.tools.actions.inference.associate import Associate
from wideleaf.tools.actions.inference.correlate import Correlate
from wideleaf.tools.actions.inference.fit import Fit
from wideleaf.tools.actions.inference.hypothesis import Test
from wideleaf.tools.actions.learning.cluster import Cluster
from wideleaf.tools.actions.learning.pca import PCA
from wideleaf.tools.actions.learning.predict import Predict
from wideleaf.tools.actions.load import Load
from wideleaf.tools.actions.preparing.split import Split
from wideleaf.tools.actions.sample import Sample
from wideleaf.tools.actions.sequences.trend import Trend
from wideleaf.tools.tables.table import Table

if TYPE_CHECKING:
    from sqlglot import exp

    from wideleaf.tools.exports.sql.words import QueryScope, Sql

PLACE = "__place"
"""A hidden column that carries the order of a Sort past steps that drop its keys."""
_COMPUTED = "it is computed here, by no relational query; take the notebook or script"
REFUSED: Mapping[type[Action], str] = {
    **dict.fromkeys((Describe, Sample, Correlate, PCA, Anomaly, Cluster, Predict), _COMPUTED),
    **dict.fromkeys((Associate, Trend, Test, Fit), _COMPUTED),
    Split: "it takes texts apart, each dialect in a way of its own; take the notebook or script",
    Craft: "its code is Python that a model wrote; take the notebook or script, or the SQL of a "
    "frame before it",
    Load: "it opens a table, which a query reads by its name",
}
"""Actions that no query says, with the reason."""


class StepInput(NamedTuple):
    """An input of a step.

    Attributes:
        name: What its query or table is called.
        table: Its frame, for the types.
        placed: Whether it has the hidden column `PLACE`.
        leaf: Whether it is a table, not a step's query.
    """

    name: str
    table: Table
    placed: bool = False
    leaf: bool = False

    @property
    def source(self) -> exp.Table:
        """The input as something to select from."""
        from sqlglot import exp

        from wideleaf.tools.exports.sql.words import quote_identifier

        return exp.Table(this=quote_identifier(self.name))


class OrderKey(NamedTuple):
    """A column by which rows come in order."""

    column: str
    down: bool = False
    nulls_first: bool = False

    def sql(self) -> exp.Ordered:
        """As a key to order by."""
        from sqlglot import exp

        from wideleaf.tools.exports.sql.words import order_key, quote_identifier

        made = exp.column(quote_identifier(self.column))
        return order_key(made, down=self.down, nulls_first=self.nulls_first)


@singledispatch
def write_sql(action: Action, inputs: Sequence[StepInput], scope: QueryScope) -> exp.Query:
    """The query of a resolved action.

    Args:
        action: The action.
        inputs: Its inputs.
        scope: What the query knows.

    Raises:
        ActionError: If there is no rule, or the dialect cannot say it; names the step.
    """
    name = type(action).__name__
    scope.refuse(REFUSED.get(type(action)) or f"there is no rule for it; {register(name)}")


@singledispatch
def order_of(action: Action, table: Table, result: Table) -> list[OrderKey]:
    """The columns that put the rows of an action's result in order; by default there are none.

    Args:
        action: The resolved action.
        table: Its first input.
        result: What it makes.
    """
    return []


def register(name: str) -> str:
    """How an action of another package gets a rule, in words."""
    return (
        f"the package of {name} may register one by "
        f"wideleaf.tools.exports.sql.rules.write_sql.register({name})"
    )


def carry_columns(table: Table, given: StepInput) -> list[Sql]:
    """Columns by name, and the hidden one where there is one."""
    from sqlglot import exp

    from wideleaf.tools.exports.sql.words import quote_identifier

    names = [*table.columns, *([PLACE] if given.placed else [])]
    return [exp.column(quote_identifier(name)) for name in names]
