"""A table that came with a message as a source: ``trials=attached:ID.csv``, in a run's folder.

Nothing that a message says becomes a path: the file is called by a hash of its content.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from wideleaf.tools.errors import SourceError
from wideleaf.tools.tree.lineage import ID_BYTES

ATTACHED = "attached:"
"""How such a source begins."""
FOLDER = "attachments"
_SOURCE = re.compile(
    rf"(?:(?P<name>\w+)=)?{ATTACHED}(?P<file>[0-9a-f]{{{2 * ID_BYTES}}}\.[a-z]{{2,8}})"
)


def is_attached(source: str) -> bool:
    """Whether a source is a table that came with a message, in its one form."""
    return _SOURCE.fullmatch(source) is not None


def open_attached(sources: Sequence[str], folder: Path) -> tuple[str, ...]:
    """The sources with the paths of those that came with a message.

    Args:
        sources: As the state of a thread has them.
        folder: Of the run.

    Raises:
        SourceError: If one is not kept in that folder.
    """
    return tuple(_opened(one, folder) if ATTACHED in one else one for one in sources)


def _opened(source: str, folder: Path) -> str:
    match = _SOURCE.fullmatch(source)
    if match is None:
        return source
    path, name = folder / FOLDER / match["file"], match["name"] or "table"
    if not path.is_file():
        raise SourceError(f"the attached table {name!r} is no longer kept here; attach it again")
    return f"{name}={path}"
