"""Profiles on disk: what one pass over a source's cells told, kept by its content fingerprint."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from pydantic import BaseModel, ConfigDict, ValidationError

from wideleaf.retrieval.index.records import digest_of
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.tables.profiling.column_profile import ColumnProfile

VERSION = 1
_NAME = re.compile(r"[0-9a-zA-Z_-]{1,64}")


class ProfileFile(BaseModel):
    """What a file of profiles holds.

    Attributes:
        version: Of the form; another is read as if there were no file.
        whole: Whether all columns of the table are in it.
        columns: By column, its profile.
    """

    model_config = ConfigDict(frozen=True, ser_json_inf_nan="constants")

    version: int = VERSION
    whole: bool = False
    columns: dict[str, ColumnProfile] = {}


def profiles_path(folder: Path, fingerprint: str) -> Path:
    """Where the profiles of a content are kept.

    Args:
        folder: The folder of a run.
        fingerprint: The content fingerprint of the source.
    """
    name = fingerprint if _NAME.fullmatch(fingerprint) else digest_of(fingerprint)
    return folder / "index" / "profiles" / f"{name}.json"


def load_profiles(folder: Path, fingerprint: str) -> dict[str, ColumnProfile] | None:
    """The profiles of a content by column, or None where they are not there, or not all.

    Args:
        folder: The folder of a run.
        fingerprint: The content fingerprint of the source.
    """
    file = read_profiles(profiles_path(folder, fingerprint))
    return file.columns if file is not None and file.whole else None


def read_profiles(path: Path) -> ProfileFile | None:
    """What a file holds, all columns or not; None for one that cannot be read."""
    try:
        file = ProfileFile.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None
    return file if file.version == VERSION else None


def save_profiles(path: Path, columns: Mapping[str, ColumnProfile], whole: bool) -> None:
    """Write profiles down in one piece; they hold cells, so only the user may read them.

    Raises:
        SettingsError: If the file cannot be written.
    """
    text = ProfileFile(whole=whole, columns=dict(columns)).model_dump_json()
    beside = path.with_name(f"{path.name}-{uuid4().hex}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        with os.fdopen(os.open(beside, flags, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(beside, path)
    except OSError as error:
        with suppress(OSError):
            beside.unlink()
        raise SettingsError(
            f"the profiles of a table cannot be written to {str(path)!r}: {error}; make room, "
            "allow writing, or name another folder"
        ) from error
