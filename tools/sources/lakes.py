"""Lakes: Parquet in object stores, Delta and Iceberg tables, asked where they are or copied."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from fnmatch import fnmatchcase
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, NamedTuple
from urllib.parse import unquote

import polars as pl

from wideleaf.tools.cells.repairs import Repair
from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.common_types import share_types
from wideleaf.tools.sources.databases.columns import denied_of
from wideleaf.tools.sources.fingerprint import derive_fingerprint
from wideleaf.tools.sources.naming import is_url
from wideleaf.tools.sources.normal import (
    SHARED_RULES,
    Normal,
    keep_normal,
    need_content,
    write_normal_form,
)
from wideleaf.tools.sources.source import Facts, Progress, TableHandle
from wideleaf.tools.sources.spec import DELTA_LOG, ICEBERG, METADATA, METADATA_END

RETRIES: Any = {"max_retries": 2, "retry_timeout": timedelta(seconds=20)}
_CAUSES = (
    # A store that finds no key asks the machine's own address for one.
    (r"169\.254\.|metadata\.google", "finds no credentials; set them in the environment"),
    (r"NoSuchBucket|ContainerNotFound", "lies in no bucket; see how it is spelled"),
    (r"code: 40[13]|Access_?Denied|Unauthenticated|Permission", "may not be read; give the "
     "credentials of the environment (AWS_*, GOOGLE_*, AZURE_*) the right"),
    (r"code: 404|No such file|FileNotFound", "is not there; see that it is spelled right"),
    (r"magic|out of specification", "is no Parquet, or damaged; write it again"),
    (r"sending request|connection|timed out|dns error", "cannot be reached; look at the network, "
     "the region and AWS_ENDPOINT_URL or the like"),
)  # fmt: skip
"""What errors of stores say, and what of that is told: their own texts may quote requests."""


class Found(NamedTuple):
    """What lies at an address: its kind, where exactly, and what tells its state."""

    kind: Literal["delta", "iceberg", "parquet"]
    places: tuple[str, ...]
    state: str
    hive: bool = False


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

    @property
    def stem(self) -> str:
        """What it is called where it is given no name."""
        return lake_stem(self.address)

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
        hidden = denied_of(self._raw.collect_schema().names(), denied)

        def write(target: Path, scratch: Path) -> None:
            if progress:
                progress(f"reading {self.address}")
            raw = scratch / "raw.parquet"  # normal form looks several times
            with clear_errors(self.address):
                self._raw.drop(hidden).sink_parquet(raw, compression="lz4")
            facts, frame = Facts(withheld=hidden), pl.scan_parquet(raw, glob=False)
            write_normal_form(frame, [], target, scratch, forms=False, facts=facts)

        return keep_normal(folder, self._fingerprint("copy", *hidden), self.address, write)

    def need_same(self) -> None:
        """See that it is there, and as it was.

        Raises:
            SourceError: If it cannot be reached any more, or was written to.
        """
        if find_lake(self.address).state != self._found.state:
            raise SourceError(f"{self.address!r} was written to since it was opened; ask again")

    def _fingerprint(self, *words: str) -> str:
        return derive_fingerprint(self._found.state, self.address, SHARED_RULES, *words)


def find_lake(address: str) -> Found:
    """Look what lies at an address, without reading any of its rows.

    Raises:
        SourceError: If it cannot be reached, or no table lies there, or a package is missing.
    """
    with clear_errors(address):
        if address.startswith(ICEBERG):
            place = table_of_catalog(address).metadata_location
            return Found("iceberg", (place,), derive_fingerprint("", place))
        lake = _Store(address if is_url(address) else Path(address).resolve().as_uri()).find()
        if lake is None:
            raise SourceError(
                f"{address!r} holds no table; Parquet files, or a Delta or Iceberg table, would "
                "be right, and of a web server one file"
            )
        return lake


class _Store:
    """An object store, or the folders of this machine, and a key in it."""

    def __init__(self, url: str) -> None:
        self.obstore = need_package("obstore")
        scheme, _, rest = url.partition("://")
        authority, _, self.key = rest.partition("/")
        self.root, self.url = f"{scheme}://{authority}", url
        self.web = scheme in ("http", "https")
        plain = {"client_options": {"allow_http": True}} if scheme == "http" else {}
        retries = {} if scheme == "file" else {"retry_config": RETRIES}
        if scheme == "file":
            self.key = unquote(self.key)
        self.store = import_module("obstore.store").from_url(self.root, **retries, **plain)

    def find(self) -> Found | None:
        """What lies at the key; None if nothing is there that is a table."""
        pattern = self.key if "*" in self.key else ""
        if not pattern and not self.key.endswith("/") and (one := self._one()) is not None:
            kind: Any = "iceberg" if self.key.endswith(METADATA_END) else "parquet"
            return Found(kind, (self.url,), _state([one]))
        if self.web:
            return None
        folder = pattern.partition("*")[0].rpartition("/")[0] if pattern else self.key.rstrip("/")
        # What is called .parquet is no more than that: a log may lead anywhere else.
        if not pattern and not folder.endswith(".parquet") and (lake := self._lake(folder)):
            return lake
        fits = [one for one in self._list(folder) if _is_part(one["path"], folder, pattern)]
        fits.sort(key=lambda one: str(one["path"]))
        places = tuple(f"{self.root}/{one['path']}" for one in fits)
        hive = any("=" in one["path"].removeprefix(folder).rpartition("/")[0] for one in fits)
        return Found("parquet", places, _state(fits), hive) if fits else None

    def _one(self) -> Mapping[str, Any] | None:
        try:
            one: Mapping[str, Any] = self.obstore.head(self.store, self.key)
        except FileNotFoundError:
            if self.web:
                raise
            return None
        return one

    def _lake(self, folder: str) -> Found | None:
        inner = self.obstore.list_with_delimiter(self.store, folder)["common_prefixes"]
        names = {str(path).rpartition("/")[2] for path in inner}
        if DELTA_LOG in names:
            return Found(
                "delta", (self.url.rstrip("/"),), _state(self._list(f"{folder}/{DELTA_LOG}"))
            )
        objects = self._list(f"{folder}/{METADATA}") if METADATA in names else []
        versions = [one["path"] for one in objects if one["path"].endswith(METADATA_END)]
        if not versions:
            return None
        return Found("iceberg", (f"{self.root}/{max(versions, key=_version)}",), _state(objects))

    def _list(self, folder: str) -> list[Mapping[str, Any]]:
        return [one for some in self.obstore.list(self.store, folder) for one in some]


def lake_stem(address: str) -> str:
    """What a table is called by its address: the file, or the last folder that has a name."""
    if address.startswith(ICEBERG):
        return address.rpartition(".")[2]
    steps = [step for step in re.split(r"[/\\\\]", address) if step and "*" not in step]
    if steps[-1].endswith(METADATA_END):
        steps = steps[:-2]
    return steps[-1].removesuffix(".parquet")


@contextmanager
def clear_errors(address: str) -> Iterator[None]:
    """Tell what keeps a table from being read, without the words of the store.

    Raises:
        SourceError: One sentence, for whatever goes wrong.
    """
    try:
        yield
    except SourceError:
        raise
    except Exception as error:
        text = f"{type(error).__name__} {error}"
        why = next((cause for signs, cause in _CAUSES if re.search(signs, text, re.I)), "")
        why = why or f"cannot be read ({type(error).__name__})"
        raise SourceError(f"{address!r} {why}") from None


def table_of_catalog(address: str) -> Any:
    """A table of a catalog, which pyiceberg's own settings tell where it is."""
    need_package("pyiceberg")
    from pyiceberg.catalog import load_catalog

    catalog, _, table = address.removeprefix(ICEBERG).partition(".")
    return load_catalog(catalog, **iceberg_settings()).load_table(table)


def iceberg_settings() -> dict[str, str]:
    """What pyiceberg's reader of stores does not read of the environment by itself."""
    if find_spec("polars_iceberg") is None:  # else Polars warns of it in each query
        os.environ.setdefault("POLARS_ICEBERG_PLANNER", "pyiceberg")
    variables = {"s3.endpoint": "AWS_ENDPOINT_URL", "s3.region": "AWS_REGION"}
    return {key: os.environ[name] for key, name in variables.items() if os.environ.get(name)}


def need_package(name: str) -> Any:
    """A package of the extra ``lakes``.

    Raises:
        SourceError: If it is not installed.
    """
    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise SourceError(
            f"tables in object stores and lakes need the package {name}; install it with "
            "pip install 'wideleaf[lakes]'"
        ) from None


def _state(objects: Sequence[Mapping[str, Any]]) -> str:
    states = (f"{o['path']} {o['e_tag']} {o['size']} {o['last_modified']}" for o in objects)
    return derive_fingerprint("", *sorted(states))


def _version(path: str) -> tuple[int, str]:
    """The number of an Iceberg metadata file: ``00003-uuid.metadata.json``, ``v3.meta...``."""
    name = path.rpartition("/")[2]
    number = re.match(r"v?(\d+)", name)
    return int(number[1]) if number else -1, name


def _is_part(path: str, folder: str, pattern: str) -> bool:
    steps = path.removeprefix(folder).strip("/").split("/")
    if any(step[:1] in ("_", ".") for step in steps) or not path.endswith(".parquet"):
        return False
    if not pattern:
        return True
    pattern_steps, path_steps = pattern.split("/"), path.split("/")
    return len(pattern_steps) == len(path_steps) and all(
        map(fnmatchcase, path_steps, pattern_steps)
    )


def _scan(address: str, lake: Found) -> pl.LazyFrame:
    if lake.kind == "delta":
        table = need_package("deltalake").DeltaTable(lake.places[0])
        return pl.scan_delta(table, credential_provider=None)
    if lake.kind == "iceberg":
        if address.startswith(ICEBERG):
            return pl.scan_iceberg(table_of_catalog(address))
        need_package("pyiceberg")
        from pyiceberg.table import StaticTable

        return pl.scan_iceberg(StaticTable.from_metadata(lake.places[0], iceberg_settings()))
    hive = lake.hive
    return pl.scan_parquet(
        [*lake.places],
        glob=False,
        hive_partitioning=hive,
        try_parse_hive_dates=hive,
        credential_provider=None,
    )
