"""Writing: a file appears whole or not at all, and a folder that takes none says why."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from wideleaf.tools.errors import SettingsError, WideleafError

REASONS = {
    errno.ENOSPC: ("the disk is full", "no space left on device", "os error 28", "disk is full"),
    errno.EDQUOT: ("the disk quota is used up", "quota exceeded", "os error 122"),
    errno.EFBIG: ("the file would be too large", "file too large", "os error 27"),
    errno.EROFS: ("it is on a read-only file system", "read-only file system", "os error 30"),
}
"""Why nothing more can be written: our words, then what engines write of it."""
PLACES = {
    errno.EACCES: "you may not write there",
    errno.EPERM: "you may not write there",
    errno.ENOTDIR: "a part of its path is a file",
    errno.EEXIST: "a file, or a link to nothing, is in its place",
    errno.EISDIR: "a folder is in its place",
    errno.ENAMETOOLONG: "its name is too long",
    errno.ENOENT: "it cannot be made there",
    errno.ELOOP: "its links go in a circle",
}
"""Why a place of ours cannot be used; of a file of the user's they mean something else."""


NO_LINK = getattr(os, "O_NOFOLLOW", 0)


def why_full(error: BaseException) -> str:
    """Why nothing more could be written, if that is what an error of any engine says."""
    code, text = getattr(error, "errno", None), str(error).lower()
    for number, (reason, *words) in REASONS.items():
        if code == number or any(word in text for word in words):
            return reason
    return ""


def explain_refusal(error: OSError) -> str:
    """Why a path of ours cannot be written, in words."""
    reason = PLACES.get(error.errno or 0)
    return why_full(error) or reason or str(error.strerror or type(error).__name__)


def folder_error(folder: Path, why: str) -> SettingsError:
    """The error that says of a run's folder why it cannot be written."""
    return SettingsError(
        f"the folder {str(folder)!r} cannot be written to: {why}; make room or allow writing, or "
        "name another folder (--folder DIR, folder=DIR)"
    )


def refuse_links(folder: Path) -> None:
    """See that nothing in a run's folder is a link: what is written by name would follow it.

    The folder itself may be one, for its user named it; what is in it is ours alone, and a link
    there, in a folder that somebody else packed, leads to a file that is not.

    Raises:
        SettingsError: If there is one; names it.
    """
    for here, folders, files in os.walk(folder):
        for name in (*folders, *files):
            if os.path.islink(os.path.join(here, name)):
                raise folder_error(folder, f"{os.path.join(here, name)!r} is a link; remove it")


def need_folder(folder: Path) -> None:
    """Make a run's folder and see that it can be written to, before any work is done.

    Raises:
        SettingsError: Says why it cannot.
    """
    beside = folder / f"{uuid4().hex}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        finally:
            with suppress(OSError):
                beside.unlink()
    except (OSError, ValueError) as error:  # a name with a null sign is no OSError
        why = explain_refusal(error) if isinstance(error, OSError) else "its name cannot be one"
        raise folder_error(folder, why) from error
    refuse_links(folder)


@contextmanager
def explain_writes(folder: Path) -> Iterator[None]:
    """Tell of a folder of ours that it takes no more; whatever else is raised rises as it is.

    What was said of a source while the disk was full, such as that it cannot be read, is not told:
    its reader has heard of a file that could not be written.

    Raises:
        SettingsError: If the disk is full or may not be written to any more.
    """
    try:
        yield
    except SettingsError:
        raise
    except Exception as error:
        why = next(filter(None, (_why(one, folder) for one in _before(error))), "")
        if not why:
            raise
        raise folder_error(folder, why) from error


@contextmanager
def write_whole(path: Path) -> Iterator[Path]:
    """Write a file, or a folder of parts, by way of another name: it is there whole or not at all.

    Yields:
        Where to write; taken away if the writing fails.
    """
    part = path.with_name(f"{uuid4().hex}.part")
    try:
        yield part
        if part.is_dir():
            if path.exists():
                shutil.rmtree(path, ignore_errors=True)
            part.replace(path)
        else:
            put_in_place(part, path)
    except BaseException:
        with suppress(OSError):
            shutil.rmtree(part) if part.is_dir() else part.unlink(missing_ok=True)
        raise


def put_in_place(part: Path, path: Path) -> None:
    """Give a written file its name, once it is on the disk: a power cut leaves no empty file."""
    file = os.open(part, os.O_RDWR)  # some systems sync only what may be written
    try:
        os.fsync(file)
    finally:
        os.close(file)
    part.replace(path)


def write_text(path: Path, text: str, *, private: bool = False) -> Path:
    """Write a text file that the user asked for, whole or not at all.

    Args:
        path: Where; its folder is made. Of a link, what it leads to is written.
        text: What.
        private: Whether only the user may read it.

    Raises:
        SettingsError: If it cannot be written there; says why.
    """
    try:
        data = text.encode()
    except UnicodeEncodeError:
        raise SettingsError(
            f"{str(path)!r} cannot be written: half of a character is in it"
        ) from None
    return write_bytes(path, data, private=private)


def write_bytes(path: Path, data: bytes, *, private: bool = False) -> Path:
    """Write any file that the user asked for; as `write_text`."""
    try:
        target = Path(os.path.realpath(path))
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists() and not target.is_file():  # a device or a pipe takes no other name
            target.write_bytes(data)
            return path
        mode = 0o600 if private else (target.stat().st_mode & 0o777 if target.exists() else 0o666)
        with write_whole(target) as part:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            with os.fdopen(os.open(part, flags, mode), "wb") as file:
                file.write(data)
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from error
    return path


@contextmanager
def write_given(path: Path) -> Iterator[Path]:
    """Write a file that the user asked for, whole or not at all, by a writer that takes a path.

    Yields:
        Where to write. What goes wrong there is not told: it may be of what is read meanwhile.

    Raises:
        SettingsError: If it cannot be written there; says why.
    """
    try:
        target = Path(os.path.realpath(path))
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        trial = target.with_name(f"{uuid4().hex}.part")
        trial.touch(exist_ok=False)
        trial.unlink()
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from error
    with write_whole(target) as part:
        yield part


def append_lines(path: Path, *lines: str) -> None:
    """Add lines to a file of a run's folder in one write, so that several processes may do it.

    It begins with a line end, so that a line that a crash cut short spoils no other.

    Raises:
        SettingsError: If it could not be written whole.
    """
    data = "\n".join(["", *lines, ""]).encode()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | NO_LINK, 0o600)
        try:
            if os.write(file, data) != len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        finally:
            os.close(file)
    except OSError as error:
        raise folder_error(path.parent, explain_refusal(error)) from error


def _unwritable(path: Path, error: Exception) -> SettingsError:
    why = explain_refusal(error) if isinstance(error, OSError) else "its name cannot be one"
    return SettingsError(
        f"{str(path)!r} cannot be written: {why}; make room or allow writing, or name another file"
    )


def _before(error: BaseException | None) -> Iterator[BaseException]:
    """An error and those that were being handled as it was raised, without our own words."""
    while error is not None:
        if not isinstance(error, WideleafError):
            yield error
        error = error.__cause__ or error.__context__


def _why(error: BaseException, folder: Path) -> str:
    if why := why_full(error):
        return why
    filename = getattr(error, "filename2", None) or getattr(error, "filename", None)
    if not isinstance(filename, str) or not Path(filename).absolute().is_relative_to(
        folder.absolute()
    ):
        return ""
    return PLACES.get(getattr(error, "errno", 0) or 0, "")
