"""A knowledge graph that was handed in: a file or a frame of facts, read into its normal form."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.file_kinds import TableFile
from wideleaf.tools.sources.normal import Normal
from wideleaf.tools.sources.source import Progress, TableHandle
from wideleaf.tools.tables.relations import GRAPH


@dataclass(frozen=True)
class KnowledgeGraph(TableHandle):
    """A knowledge graph to ask questions of, not read yet.

    Attributes:
        content: A path, or a frame whose columns are those of facts: head, relation, tail, and of
            a temporal graph start and end (CRAFTQA, section 3.1).
    """

    content: Any

    def __post_init__(self) -> None:
        """Take a path as a text, too."""
        if isinstance(self.content, str | os.PathLike):
            path = Path(os.fspath(self.content).removeprefix(GRAPH)).expanduser()
            if not path.is_file():
                raise SourceError(
                    f"no file {str(path)!r} for a graph; write graph: and the path of a file of "
                    "facts"
                )
            object.__setattr__(self, "content", path)

    @property
    def origin(self) -> str:
        """What the user handed in, as text."""
        if isinstance(self.content, Path):
            return f"{GRAPH}{self.content}"
        kind = type(self.content)
        return f"{kind.__module__.partition('.')[0]} {kind.__name__} of facts"

    @property
    def stem(self) -> str:
        """What it is called where it is given no name."""
        return TableFile.of(self.content).stem if isinstance(self.content, Path) else "graph"

    def read(self, folder: Path, denied: Sequence[str] = (), progress: Progress = None) -> Normal:
        """Make one Parquet file of facts and list its relations; Parquet of facts stays as it is.

        Raises:
            SourceError: If it cannot be read as facts.
        """
        from wideleaf.tools.sources.graphs.fact_files import read_graph

        return read_graph(self.content, folder, progress, self.origin)
