"""`wideleaf doctor`: what this machine has of what a run needs, and what protects it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ConfigDict

from wideleaf.graph.context import Context
from wideleaf.graph.shell.doctor import checks as machine_checks
from wideleaf.graph.shell.doctor import packages as package_checks
from wideleaf.graph.shell.doctor import sandbox as sandbox_checks
from wideleaf.graph.shell.doctor.checks import Check
from wideleaf.tools.errors import SandboxError, SettingsError
from wideleaf.tools.sandbox.protection.protection import Protection, protection

CODE, PACKAGES = "Model-written code", "Python and packages"
MACHINE, OUTSIDE = "This machine", "What leaves this machine"
CHECKS: tuple[tuple[str, Callable[[Context], Iterator[Check]]], ...] = (
    (CODE, sandbox_checks.wall),
    (CODE, sandbox_checks.container),
    (CODE, sandbox_checks.unwalled),
    (CODE, sandbox_checks.in_use),
    (PACKAGES, package_checks.packages),
    (PACKAGES, package_checks.weights),
    (PACKAGES, package_checks.spark),
    (MACHINE, machine_checks.room),
    (MACHINE, machine_checks.memory),
    (OUTSIDE, machine_checks.tracing),
    (OUTSIDE, machine_checks.model),
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
            for one in check(context):
                code = one.exit_code if one.state == "missing" else 0
                yield replace(one, part=part, exit_code=code)
        except ImportError as error:  # of a package that is broken or not there; go on
            text = f"{error}; install the package anew"
            yield Check("import", "missing", text, SettingsError.exit_code, PACKAGES)
