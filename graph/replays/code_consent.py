"""Code in a plan: which a replay would run, whether it may, and how a person looks at it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wideleaf.tools.actions.craft import Craft
from wideleaf.tools.craft.consent import Consents
from wideleaf.tools.errors import ActionError, SettingsError
from wideleaf.tools.words import one_line

if TYPE_CHECKING:
    from wideleaf.tools.plans.plan import Plan

RunCode = bool | Sequence[str] | None
"""All code, none, what has one of these hashes, or (None) what this folder knows already."""
SHORT = 12
"""So many digits of a hash stand for it."""
NAMED = 5


class Code(NamedTuple):
    """The code of one step.

    Attributes:
        label: The step.
        hash: What it is known by.
        task: What it is said to do; of the plan's author, so not to be relied on.
        text: The code.
    """

    label: str
    hash: str
    task: str
    text: str

    def __str__(self) -> str:
        # A sign that is not seen, or that turns the order of signs round, would hide what runs.
        text = "".join(s if s.isprintable() or s == "\n" else ascii(s)[1:-1] for s in self.text)
        lines = "\n".join(f"    {line}" for line in text.split("\n"))
        task = one_line(self.task, 200)
        return f"{one_line(self.label, 60)} (sha256 {self.hash}), said to be: {task}\n{lines}"


def codes_of(plan: Plan) -> tuple[Code, ...]:
    """The code that a plan would run, in the order of its steps."""
    from wideleaf.tools.steps.step import read_call

    codes = []
    for step in plan.steps:
        with suppress(ActionError):  # it cannot run, and the replay says why
            if isinstance(action := read_call(step.call), Craft):
                codes.append(Code(step.label, action.hash, action.task, action.code))
    return tuple(codes)


def unknown_codes(plan: Plan, folder: Path) -> tuple[Code, ...]:
    """The code of a plan that was neither run nor approved in this folder, each once."""
    consents = Consents(folder)
    new = {code.hash: code for code in codes_of(plan) if not consents.holds(code.hash)}
    return tuple(new.values())


def need_consent(plan: Plan, folder: Path, run_code: RunCode = None) -> list[str]:
    """Refuse a plan whose code was neither allowed now nor is known; hashes of what was allowed.

    Raises:
        SettingsError: If it holds code that may not run, or a hash is none of its code.
    """
    codes, consents, off = codes_of(plan), Consents(folder), run_code is False
    hashes = _wanted(run_code, codes)
    refused = [
        f"{one_line(code.label, 60)} (sha256 {code.hash})"
        for code in codes
        if off or not (code.hash in hashes or consents.holds(code.hash))
    ]
    if not refused:
        return hashes
    more = f" and {len(refused) - NAMED} more" if len(refused) > NAMED else ""
    what = f"the plan runs code that a model wrote, in {', '.join(refused[:NAMED])}{more}"
    if off:
        raise SettingsError(f"{what}, and code was switched off (run_code=False)")
    raise SettingsError(
        f"{what}, which this folder has neither run nor approved; look at it with `wideleaf replay "
        "PLAN --show-code`, then allow it with run_code=[its hash] (shell: --run-code HASH), or "
        "all of it with run_code=True (--run-code all)"
    )


def _wanted(run_code: RunCode, codes: Sequence[Code]) -> list[str]:
    """The hashes of the code that a setting allows."""
    hashes = list(dict.fromkeys(code.hash for code in codes))
    if run_code is None or isinstance(run_code, bool):
        return hashes if run_code else []
    matches = []
    for one in [run_code] if isinstance(run_code, str) else run_code:
        short = one.strip().lower()
        same = [code for code in hashes if len(short) >= SHORT and code.startswith(short)]
        if not same:
            listing = ", ".join(hashes[:NAMED]) or "none, for it holds no code"
            raise SettingsError(
                f"run_code={one!r} is the hash of no code of the plan; its hashes are {listing}"
            )
        matches += same
    return matches
