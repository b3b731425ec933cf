"""The sandboxes by name, which one a setting means on this machine, and the one without a wall."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from wideleaf.tools.errors import SandboxError
from wideleaf.tools.sandbox.program import Limits, Sandbox
from wideleaf.tools.sandbox.protection.protection import SandboxName
from wideleaf.tools.sandbox.sandbox import WallSandbox, run_with

if TYPE_CHECKING:
    import polars as pl

    from wideleaf.tools.sandbox.answer import CallEnd, RunOutcome
    from wideleaf.tools.sandbox.program import Limits, Program
    from wideleaf.tools.sandbox.protection.protection import SandboxName


STARTUP = 120.0
CAVEAT = (
    "Code that the model wrote ran without a wall around it (sandbox='unwalled'): only the "
    "allow-list of code and limits kept it from this machine's files and network."
)
NEEDED_BY_WINDOWS = ("SYSTEMROOT", "SYSTEMDRIVE")


class UnwalledSandbox:
    """A spawned Python for each call: limits where the platform has them, and the allow-list.

    Attributes:
        caveat: What has to be said of every result that was made here.
    """

    name: SandboxName = "unwalled"
    caveat = CAVEAT

    def run(
        self,
        program: Program,
        tables: Sequence[pl.DataFrame],
        limits: Limits | None = None,
        *,
        checked: bool = True,
    ) -> RunOutcome:
        """Run a program over frames; see `sandbox.Sandbox.run`.

        Raises:
            ActionError: If the program is refused, fails, takes too much, or makes no table.
            SandboxError: If the process fails, or the allow-list was to be left out.
        """
        limits = limits or Limits()
        if not checked:
            raise SandboxError(
                "checked=False leaves only the wall, and sandbox='unwalled' has none; the "
                "allow-list of code cannot be left out here"
            )

        def call(parts: Sequence[bytes | memoryview]) -> CallEnd:
            return _spawned(parts, limits)

        return run_with(call, program, tables, limits)


def _spawned(parts: Sequence[bytes | memoryview], limits: Limits) -> CallEnd:
    from wideleaf.tools.sandbox.answer import CallEnd
    from wideleaf.tools.sandbox.bootstrap import BOOTSTRAP, FLAGS, whole_request
    from wideleaf.tools.sandbox.call_process import exchange, why_unready

    # Removed whatever the program left there; Windows may hold a file of a process just killed.
    with tempfile.TemporaryDirectory(prefix="wideleaf-", ignore_cleanup_errors=True) as folder:
        found = exchange(
            [sys.executable, *FLAGS, "-c", BOOTSTRAP],
            whole_request(parts, limits, hooked=True),
            startup=STARTUP,
            seconds=limits.seconds,
            most=limits.answer_bytes,
            environment=_environment(),
            folder=folder,
        )
    if not found.ready:
        raise SandboxError(
            f"the process for model-written code did not start with {sys.executable}: "
            f"{why_unready(found, STARTUP)}; pandas, numpy and pyarrow must be installed there"
        )
    return CallEnd(found.answer, found.status, found.late, found.flooded)


def _environment() -> dict[str, str]:
    from wideleaf.tools.sandbox.process import ENVIRONMENT

    kept = {n: os.environ[n] for n in NEEDED_BY_WINDOWS if os.name == "nt" and n in os.environ}
    return {**ENVIRONMENT, **kept}


@cache
def _wall() -> WallSandbox:
    return WallSandbox()


def choose_sandbox(name: SandboxName = "auto", image: str = "") -> Sandbox:
    """The sandbox of a setting; one warm process serves all runs of this one.

    Args:
        name: Which; ``auto`` is the strongest that this machine has, and never `unwalled`.
        image: The container image, where one is used.

    Raises:
        SandboxError: If it cannot be had here; says what is missing and what could be named.
    """
    from wideleaf.tools.sandbox.protection import protection as sandbox_protection

    chosen = sandbox_protection.choose(name, image)
    if chosen == "wall":
        return _wall()
    if chosen == "container":
        from wideleaf.tools.sandbox.container import container_sandbox

        return container_sandbox(image)
    from wideleaf.tools.sandbox.registry import UnwalledSandbox

    return UnwalledSandbox()
