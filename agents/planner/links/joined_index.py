"""What the planner knows of a join that is tried on a sample: the cells are its tables' own."""

from __future__ import annotations

from collections.abc import Mapping

from wideleaf.agents.planner.links.table_index import TableIndex
from wideleaf.tools.tables.table import Table


class JoinedIndex(TableIndex):
    """The index of some joined rows, as if all were there.

    Args:
        table: The rows.
        spelled: Columns that are to be read under another name.
        origins: The index of the table that each column is of, and its name there.
    """

    def __init__(
        self,
        table: Table,
        spelled: Mapping[str, str],
        origins: Mapping[str, tuple[TableIndex, str]],
    ) -> None:
        self._origins = origins
        super().__init__(table, spelled)

    @property
    def rows(self) -> int:
        """About how many rows all would be: as many as the longest table has."""
        return max(index.rows for index, _ in self._origins.values())

    def lacks(self, column: str) -> bool:
        """Whether some rows of the column's table have no value in it."""
        if column in self.may_be_categories or column not in self._origins:
            return super().lacks(column)
        index, name = self._origins[column]
        return index.lacks(name)

    def _read(self, columns: list[str]) -> None:
        for index in {id(one): one for one, _ in self._origins.values()}.values():
            index.read(self._origins[c][1] for c in columns if self._origins[c][0] is index)
        for column in columns:
            index, name = self._origins[column]
            self._distinct[column] = index.distinct(name)
