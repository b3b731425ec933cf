"""Checks of this machine: its folder, disk and memory, and what would leave it."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from wideleaf.tools.engines.process import container_limit
from wideleaf.tools.errors import ModelError, PrivacyError, SettingsError, WideleafError

if TYPE_CHECKING:
    from wideleaf.graph.context import Context

CheckState = Literal["ok", "note", "missing"]
SYSTEM, HUMAN = "Answer with one word.", "Say: ready."
GIBIBYTE = 1 << 30
LITTLE_DISK, LITTLE_MEMORY = 1 * GIBIBYTE, 2 * GIBIBYTE
MEMINFO = Path("/proc/meminfo")


@dataclass(frozen=True)
class Check:
    """What was found.

    Attributes:
        name: What was looked at.
        state: ``ok``; ``note`` where something is not there that only some runs need; ``missing``
            where a run as it is set needs it.
        text: What was found, and what would be right.
        exit_code: What the shell returns for a missing one, as a run would.
        part: The heading that it stands under.
    """

    name: str
    state: CheckState
    text: str
    exit_code: int = 0
    part: str = ""


def state_of(good: bool) -> CheckState:
    """How a thing stands that only some runs need."""
    return "ok" if good else "note"


def tracing(context: Context) -> Iterator[Check]:
    """Whether a tracer would send runs away."""
    from wideleaf.agents.models.gateway import TRACING, refuse_tracing

    try:
        refuse_tracing(context.policy)
    except PrivacyError as error:
        yield Check("tracing", "missing", str(error), PrivacyError.exit_code)
    else:
        on = [name for name in TRACING if os.environ.get(name)]
        detail = f"; set: {', '.join(f'{name}={os.environ[name]}' for name in on)}" if on else ""
        yield Check("tracing", "ok", f"nothing refused at privacy {context.privacy!r}{detail}")


def model(context: Context) -> Iterator[Check]:
    """Whether the model of the settings answers with a word; nothing of any table is in it."""
    if not context.asks_a_model:
        yield Check("model", "ok", "none is named, so none was asked; --model or --base-url would")
        return
    from wideleaf.graph.gateways import gateway_of

    name = context.model or context.base_url
    begun = time.perf_counter()
    try:
        reply = gateway_of(context).ask(SYSTEM, HUMAN)
    except WideleafError as error:
        yield Check("model", "missing", str(error), error.exit_code)
        return
    seconds = time.perf_counter() - begun
    if reply.problem:
        text = f"{name!r} answers, but {reply.problem}"
        yield Check("model", "missing", text, ModelError.exit_code)
        return
    tokens = reply.usage.prompt_tokens + reply.usage.completion_tokens
    yield Check("model", "ok", f"{name!r} answered in {seconds:.1f} s ({tokens} tokens)")


def room(context: Context) -> Iterator[Check]:
    """Whether the folder can be written to, and what room it has."""
    folder = Path(context.folder)
    place = _nearest(folder.absolute())
    try:
        with tempfile.TemporaryFile(dir=place) as file:
            file.write(b"wideleaf")
    except OSError as error:
        text = f"{str(folder)!r} cannot be written to ({error.strerror or error})"
        code = SettingsError.exit_code
        yield Check("folder", "missing", f"{text}; name another by --folder", code)
    else:
        new = "" if folder.exists() else " (will be made)"
        yield Check("folder", "ok", f"{str(folder)!r} can be written to{new}")
    try:
        free = shutil.disk_usage(place).free
    except OSError as error:
        yield Check("disk", "note", f"free room is unknown ({error.strerror or error})")
    else:
        few = free < LITTLE_DISK
        advice = "; frames and indexes of large tables need more" if few else ""
        yield Check("disk", state_of(not few), f"{_format_size(free)} free{advice}")


def memory(context: Context) -> Iterator[Check]:
    """What memory there is."""
    free, limit = available_memory(), container_limit()
    if free is None:
        yield Check("memory", "note", f"how much is free is not told by {sys.platform}")
        return
    detail = f"{_format_size(free)} free, {os.cpu_count() or 1} processors"
    if limit is not None:
        detail += f", this container may take {_format_size(limit)}"
    need = max(LITTLE_MEMORY, 2 * context.craft_memory * (1 << 20))
    few = min(free, limit or free) < need
    if few:
        detail += (
            f"; less than {_format_size(need)} is little for large tables and model-written code"
        )
    yield Check("memory", state_of(not few), detail)


def available_memory() -> int | None:
    """Bytes of memory that can be had without swapping; None where that is not told."""
    try:
        for line in MEMINFO.read_text("utf-8").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    return None


def _nearest(folder: Path) -> Path:
    """The folder, or the first above it that is there."""
    return next((one for one in (folder, *folder.parents) if one.exists()), Path.cwd())


def _format_size(size: int) -> str:
    return f"{size / GIBIBYTE:.1f} GiB"
