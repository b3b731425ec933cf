"""`wideleaf doctor`: what this machine has of what a run needs, and what protects it."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict

from wideleaf.graph.context import Context
from wideleaf.graph.shell.doctor import packages as doctor_packages
from wideleaf.graph.shell.doctor import sandbox as doctor_sandbox
from wideleaf.graph.shell.doctor.checks import Check, Finding, state_of
from wideleaf.tools.engines.process import container_limit
from wideleaf.tools.errors import (
    ModelError,
    PrivacyError,
    SandboxError,
    SettingsError,
    WideleafError,
)
from wideleaf.tools.sandbox.protection.protection import Protection

if TYPE_CHECKING:
    from wideleaf.graph.context import Context


SYSTEM, HUMAN = "Answer with one word.", "Say: ready."


def tracing(context: Context) -> Iterator[Finding]:
    """Whether a tracer would send runs away."""
    from wideleaf.agents.models.gateway import TRACING, refuse_tracing

    try:
        refuse_tracing(context.policy)
    except PrivacyError as error:
        yield Finding("tracing", "missing", str(error), PrivacyError.exit_code)
    else:
        on = [name for name in TRACING if os.environ.get(name)]
        detail = f"; set: {', '.join(f'{name}={os.environ[name]}' for name in on)}" if on else ""
        yield Finding("tracing", "ok", f"nothing refused at privacy {context.privacy!r}{detail}")


def model(context: Context) -> Iterator[Finding]:
    """Whether the model of the settings answers with a word; nothing of any table is in it."""
    if not context.asks_a_model:
        yield Finding(
            "model", "ok", "none is named, so none was asked; --model or --base-url would"
        )
        return
    from wideleaf.graph.gateways import gateway_of

    name = context.model or context.base_url
    begun = time.perf_counter()
    try:
        reply = gateway_of(context).ask(SYSTEM, HUMAN)
    except WideleafError as error:
        yield Finding("model", "missing", str(error), error.exit_code)
        return
    seconds = time.perf_counter() - begun
    if reply.problem:
        text = f"{name!r} answers, but {reply.problem}"
        yield Finding("model", "missing", text, ModelError.exit_code)
        return
    tokens = reply.usage.prompt_tokens + reply.usage.completion_tokens
    yield Finding("model", "ok", f"{name!r} answered in {seconds:.1f} s ({tokens} tokens)")


GIBIBYTE = 1 << 30
LITTLE_DISK, LITTLE_MEMORY = 1 * GIBIBYTE, 2 * GIBIBYTE
MEMINFO = Path("/proc/meminfo")


def room(context: Context) -> Iterator[Finding]:
    """Whether the folder can be written to, and what room it has."""
    folder = Path(context.folder)
    place = _nearest(folder.absolute())
    try:
        with tempfile.TemporaryFile(dir=place) as file:
            file.write(b"wideleaf")
    except OSError as error:
        text = f"{str(folder)!r} cannot be written to ({error.strerror or error})"
        code = SettingsError.exit_code
        yield Finding("folder", "missing", f"{text}; name another by --folder", code)
    else:
        new = "" if folder.exists() else " (will be made)"
        yield Finding("folder", "ok", f"{str(folder)!r} can be written to{new}")
    try:
        free = shutil.disk_usage(place).free
    except OSError as error:
        yield Finding("disk", "note", f"free room is unknown ({error.strerror or error})")
    else:
        few = free < LITTLE_DISK
        advice = "; frames and indexes of large tables need more" if few else ""
        yield Finding("disk", state_of(not few), f"{_format_size(free)} free{advice}")


def memory(context: Context) -> Iterator[Finding]:
    """What memory there is."""
    free, limit = available_memory(), container_limit()
    if free is None:
        yield Finding("memory", "note", f"how much is free is not told by {sys.platform}")
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
    yield Finding("memory", state_of(not few), detail)


def available_memory() -> int | None:
    """Bytes of memory that can be had without swapping; None where that is not told."""
    try:
        for line in MEMINFO.read_text("utf-8").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


def _nearest(folder: Path) -> Path:
    """The folder, or the first above it that is there."""
    return next((one for one in (folder, *folder.parents) if one.exists()), Path.cwd())


def _format_size(size: int) -> str:
    return f"{size / GIBIBYTE:.1f} GiB"


CODE, PACKAGES = "Model-written code", "Python and packages"
MACHINE, OUTSIDE = "This machine", "What leaves this machine"
CHECKS: tuple[tuple[str, Callable[[Context], Iterator[Finding]]], ...] = (
    (CODE, doctor_sandbox.wall),
    (CODE, doctor_sandbox.container),
    (CODE, doctor_sandbox.unwalled),
    (CODE, doctor_sandbox.in_use),
    (PACKAGES, doctor_packages.packages),
    (PACKAGES, doctor_packages.weights),
    (PACKAGES, doctor_packages.spark),
    (MACHINE, room),
    (MACHINE, memory),
    (OUTSIDE, tracing),
    (OUTSIDE, model),
)
"""All that is looked at, each under its heading, in the order in which it is told."""
FORM = "wideleaf.doctor/1"
NAME_WIDTH, STATE_WIDTH = 22, 8


class Examination(BaseModel):
    """What `examine` found.

    Attributes:
        protection: What the kernel gives against model-written code.
        checks: One for each thing that was looked at.
    """

    model_config = ConfigDict(frozen=True)

    protection: Protection
    checks: tuple[Check, ...]

    @property
    def exit_code(self) -> int:
        """0 where nothing that is needed is missing; 8 where no sandbox is; else the first's."""
        codes = [check.exit_code for check in self.checks if check.state == "missing"]
        return SandboxError.exit_code if SandboxError.exit_code in codes else next(iter(codes), 0)

    def to_json(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {"form": FORM, "exit_code": self.exit_code, **self.model_dump(mode="json")}

    def __str__(self) -> str:
        lines: list[str] = []
        for check in self.checks:
            if not any(line == check.part for line in lines):
                lines += [*([""] if lines else []), check.part]
            lines.append(f"  {check.state:{STATE_WIDTH}}{check.name:{NAME_WIDTH}} {check.text}")
        missing = [check.name for check in self.checks if check.state == "missing"]
        verdict = f"missing: {', '.join(missing)}" if missing else "all that is needed is there"
        return "\n".join([*lines, "", verdict])


def examine(context: Context) -> Examination:
    """Look at this machine as a run of these settings would find it; nothing is left behind.

    Nothing is sent anywhere, unless the settings name a model: that one is asked for one word.

    Args:
        context: The settings; ``sandbox``, ``sandbox_image``, ``craft``, ``folder``, ``engine``,
            ``embedder``, ``privacy`` and the model are looked at.
    """
    from wideleaf.tools.sandbox.protection.protection import protection

    return Examination(protection=protection(prove=True), checks=tuple(checks(context)))


def checks(context: Context, *parts: str) -> Iterator[Check]:
    """Make the checks of some parts, or all.

    Args:
        context: The settings.
        parts: Headings of the list; none for every one.
    """
    for part, check in CHECKS:
        if parts and part not in parts:
            continue
        try:
            for name, state, text, code in check(context):
                code = code if state == "missing" else 0
                yield Check(part=part, name=name, state=state, text=text, exit_code=code)
        except ImportError as error:  # of a package that is broken or not there; go on
            yield Check(
                part=PACKAGES,
                name="import",
                state="missing",
                text=f"{error}; install the package anew",
                exit_code=SettingsError.exit_code,
            )
