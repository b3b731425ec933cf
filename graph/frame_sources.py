"""Frames of earlier answers as sources: on disk by their ids before a run opens its tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from wideleaf.graph.context import Context
from wideleaf.tools.errors import ActionError, PrivacyError, SourceError
from wideleaf.tools.sources.normal import is_whole
from wideleaf.tools.sources.normalise import KeptFrame, frame_path
from wideleaf.tools.sources.opening import open_catalog
from wideleaf.tools.sources.spec import parse_source
from wideleaf.tools.steps.store import FrameStore


def keep_frames(context: Context, inputs: Sequence[Any], stores: Iterable[FrameStore]) -> None:
    """Write the frames that are named as sources to disk, where they are not.

    One that is not there is made again of the tables that stand beside it, or of those of a run
    that this process remembers.

    Args:
        context: The settings of the run.
        inputs: Its sources.
        stores: Of earlier runs in the same folder.

    Raises:
        SourceError: If a frame is nowhere, is too large to keep, or was made while other columns
            were denied.
        PrivacyError: At ``statistics``; which of them tell no cell is followed from the tables.
    """
    frames = list(_frames(inputs))
    if not frames:
        return
    if context.privacy == "statistics":
        raise PrivacyError(
            "a frame by its id is no source at privacy 'statistics', for what its figures tell of "
            "single rows is not known without its tables; name those, or ask at 'schema'"
        )
    folder = Path(context.folder)
    missing = [one.id for one in frames if not _is_there(folder, one.id)]
    if not missing and not context.denied:
        return
    plain = [one for one in inputs if not list(_frames([one]))]
    beside = [_opened(plain, context)] if plain else []
    for id in missing:
        _keep(id, [*beside, *stores])
    if context.denied:
        _need_denied(frames, beside)


def _opened(inputs: Sequence[Any], context: Context) -> FrameStore:
    folder = Path(context.folder)
    return FrameStore(folder, open_catalog(inputs, folder, context.denied, context.engine))


def _frames(inputs: Iterable[Any]) -> Iterable[KeptFrame]:
    for one in inputs:
        if isinstance(one, Mapping):
            yield from _frames(one.values())
        elif isinstance(one, str) and (spec := parse_source(one)).kind == "frame":
            yield KeptFrame.of(spec.text)


def _is_there(folder: Path, id: str) -> bool:
    path = frame_path(folder, id)
    return path.exists() and is_whole(path)


def _keep(id: str, stores: Iterable[FrameStore]) -> None:
    for store in stores:
        try:
            with store.reading(f"the frame {id}"):
                if store.keep(id):
                    return
        except (KeyError, ActionError, SourceError):
            continue
        raise SourceError(f"the frame {id} is too large to be kept; name the tables it is made of")


def _need_denied(frames: Sequence[KeptFrame], beside: Sequence[FrameStore]) -> None:
    """Refuse a frame that may hold what a denied column told: of tables that are not beside it.

    The fingerprint that a leaf was loaded by tells which columns were denied.
    """
    here = {(one.name, one.fingerprint) for store in beside for one in store.catalog.all}
    for frame in frames:
        loads = beside[0].loads(frame.id) if beside else frozenset()
        if not loads or not loads <= here:
            raise SourceError(
                f"the frame {frame.id} was made of other tables, or while other columns were "
                "denied; name its tables beside it, or ask anew"
            )
