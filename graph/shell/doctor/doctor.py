"""``wideleaf doctor``: what this machine has of what a run needs, and what protects it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict

from wideleaf.graph.shell.doctor.checks import Check
from wideleaf.tools.errors import SandboxError, SettingsError
from wideleaf.tools.sandbox.protection.protection import Protection

if TYPE_CHECKING:
    from wideleaf.graph.context import Context

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

    return Examination(protection=protection(prove=True), checks=tuple(_checks(context)))


def _checks(context: Context) -> Iterator[Check]:
    from wideleaf.graph.shell.doctor.machine import machine_checks
    from wideleaf.graph.shell.doctor.outside import outside_checks
    from wideleaf.graph.shell.doctor.packages import package_checks
    from wideleaf.graph.shell.doctor.sandbox import sandbox_checks

    for part in (sandbox_checks, package_checks, machine_checks, outside_checks):
        try:
            yield from part(context)
        except ImportError as error:  # of a package that is broken or not there; go on
            yield Check(
                part="Python and packages",
                name="import",
                state="missing",
                text=f"{error}; install the package anew",
                exit_code=SettingsError.exit_code,
            )
