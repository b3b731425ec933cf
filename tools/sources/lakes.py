"""Lakes: Parquet in object stores, Delta and Iceberg tables, asked where they are or copied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from wideleaf.tools.cells.repairs import Repair
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.common_types import share_types
from wideleaf.tools.sources.databases.columns import denied_of
from wideleaf.tools.sources.files.parquet_footer import is_whole
from wideleaf.tools.sources.fingerprint import derive_fingerprint
from wideleaf.tools.sources.lake_places import (
    Found,
    clear_errors,
    find_lake,
    iceberg_settings,
    need_package,
    table_of_catalog,
)
from wideleaf.tools.sources.normal import (
    SHARED_RULES,
    Normal,
    need_content,
    read_normal,
    scratch_folder,
    write_normal_form,
)
from wideleaf.tools.sources.parts import Facts, Progress, TableHandle
from wideleaf.tools.sources.spec import ICEBERG

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class LakeTable(TableHandle):
    """A table in an object store or a lake, not read yet; of one state once it was opened.

    Attributes:
        address: Its URL, folder or ``iceberg:catalog.namespace.table``; never with a key.
    """

    address: str

    @property
    def origin(self) -> str:
        """The address."""
        return self.address

    @cached_property
    def _found(self) -> Found:
        return find_lake(self.address)

    @cached_property
    def _raw(self) -> pl.LazyFrame:
        with clear_errors(self.address):
            frame = _scan(self.address, self._found)
            frame.collect_schema()
            return frame

    @cached_property
    def _shared(self) -> tuple[pl.LazyFrame, list[Repair]]:
        return share_types(self._raw, look=False)

    @cached_property
    def _rows(self) -> int:
        import polars as pl

        with clear_errors(self.address):
            return int(self._raw.select(pl.len()).collect(engine="streaming").item())

    @property
    def frame(self) -> pl.LazyFrame:
        """A query of Polars over the table where it is, of shared types."""
        return self._shared[0]

    @property
    def cells(self) -> int:
        """How many cells it has; footers and logs alone are read."""
        return self._rows * len(self._raw.collect_schema())

    def describe(self) -> Normal:
        """What is known of the table where it is."""
        frame, repairs = self._shared
        columns = len(frame.collect_schema())
        normal = Normal(Path(), self._fingerprint(), self._rows, columns, tuple(repairs))
        return need_content(normal, self.address)

    def read(self, folder: Path, denied: Sequence[str] = (), progress: Progress = None) -> Normal:
        """Copy the table to Parquet, or find it there from the last time.

        Raises:
            SourceError: If it cannot be read.
        """
        import polars as pl

        hidden = denied_of(self._raw.collect_schema().names(), denied)
        fingerprint = self._fingerprint("copy", *hidden)
        target = folder / f"{fingerprint}.parquet"
        if not is_whole(target):
            if progress:
                progress(f"reading {self.address}")
            with scratch_folder(folder) as scratch:
                raw = scratch / "raw.parquet"  # normal form looks several times
                with clear_errors(self.address):
                    self._raw.drop(hidden).sink_parquet(raw, compression="lz4")
                facts, frame = Facts(withheld=hidden), pl.scan_parquet(raw, glob=False)
                write_normal_form(frame, [], target, scratch, forms=False, facts=facts)
        return need_content(read_normal(target, fingerprint), self.address)

    def need_same(self) -> None:
        """See that it is there, and as it was.

        Raises:
            SourceError: If it cannot be reached any more, or was written to.
        """
        if find_lake(self.address).state != self._found.state:
            raise SourceError(f"{self.address!r} was written to since it was opened; ask again")

    def _fingerprint(self, *words: str) -> str:
        return derive_fingerprint(self._found.state, self.address, SHARED_RULES, *words)


def _scan(address: str, found: Found) -> pl.LazyFrame:
    import polars as pl

    if found.kind == "delta":
        table = need_package("deltalake").DeltaTable(found.places[0])
        return pl.scan_delta(table, credential_provider=None)
    if found.kind == "iceberg":
        if address.startswith(ICEBERG):
            return pl.scan_iceberg(table_of_catalog(address))
        need_package("pyiceberg")
        from pyiceberg.table import StaticTable

        return pl.scan_iceberg(StaticTable.from_metadata(found.places[0], iceberg_settings()))
    hive = found.hive
    return pl.scan_parquet(
        [*found.places],
        glob=False,
        hive_partitioning=hive,
        try_parse_hive_dates=hive,
        credential_provider=None,
    )
