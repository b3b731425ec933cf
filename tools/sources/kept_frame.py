"""A frame of an earlier answer as a source: named by its id, read from the folder of its run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.catalog import FRAMES
from wideleaf.tools.sources.files.parquet_footer import is_whole
from wideleaf.tools.sources.fingerprint import derive_fingerprint
from wideleaf.tools.sources.normal import Normal
from wideleaf.tools.sources.normalise import normalise_file
from wideleaf.tools.sources.parts import Progress, TableHandle
from wideleaf.tools.sources.spec import FRAME
from wideleaf.tools.tree.lineage import is_id

DIGITS = 8


@dataclass(frozen=True)
class KeptFrame(TableHandle):
    """A frame on disk, not read yet.

    Attributes:
        id: As the field ``frame`` of an answer has it.
    """

    id: str

    @classmethod
    def of(cls, text: str) -> KeptFrame:
        """The frame that a source names.

        Raises:
            SourceError: If what follows ``frame:`` is no id.
        """
        id = text.removeprefix(FRAME)
        if not is_id(id):
            raise SourceError(
                f"{id[: DIGITS * 4]!r} is no id of a frame; an answer's field 'frame' has one"
            )
        return cls(id)

    @property
    def origin(self) -> str:
        """What the user handed in, as text."""
        return f"{FRAME}{self.id}"

    @property
    def stem(self) -> str:
        """What it is called where it is given no name."""
        return f"frame_{self.id[:DIGITS]}"

    def read(self, folder: Path, denied: Sequence[str] = (), progress: Progress = None) -> Normal:
        """What is known of the frame's file; what it is called tells how it was made.

        Raises:
            SourceError: If the run's folder does not have it, or it has no rows.
        """
        path = frame_path(folder.parent, self.id)
        if not path.exists() or not is_whole(path):
            raise SourceError(
                f"the frame {self.id} is not in the folder {str(folder.parent)!r}; name the tables "
                "that it was made of beside it, or the folder of its run"
            )
        normal = normalise_file(path, folder, progress)
        return normal._replace(fingerprint=derive_fingerprint(FRAME, self.id))


def frame_path(folder: Path, id: str) -> Path:
    """Where a frame of a run's folder is kept."""
    return folder / FRAMES / f"{id}.parquet"
