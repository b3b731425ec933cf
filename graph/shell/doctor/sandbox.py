"""The doctor on model-written code: what would hold it on this machine, with the proof."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from wideleaf.graph.shell.doctor.checks import Check, state_of
from wideleaf.tools.errors import ActionError, SandboxError

if TYPE_CHECKING:
    from wideleaf.graph.context import Context
    from wideleaf.tools.sandbox.program import Sandbox

SUM, ANSWER = "result = sum(range(10))", 45
CONTAINER_ATTEMPTS = {
    "write a file": "open('/tmp/wideleaf-proof', 'x')",
    "write to shared memory": "open('/dev/shm/wideleaf-proof', 'x')",
    "find a way into the network": "[] if routes() else 1 // 0",
    "be the superuser": "[] if os.getuid() == 0 else 1 // 0",
}
"""What is tried in a container, in words and in Python; each has to raise."""
_IN_CONTAINER = """
import os
def routes():
    with open('/proc/net/dev') as file:
        return [line for line in file if ':' in line and not line.strip().startswith('lo:')]
result = []
for what, code in {attempts!r}.items():
    try:
        eval(code)
        result.append(what)
    except BaseException:
        pass
result = ', '.join(result) or 'nothing'
"""


def wall(context: Context) -> Iterator[Check]:
    """What the kernel gives, and what a process that locked itself in was refused."""
    from wideleaf.tools.sandbox.protection.kernel import LANDLOCK_ADDS
    from wideleaf.tools.sandbox.protection.protection import protection

    report = protection(prove=True)
    yield Check(
        "wall",
        "ok" if report.wall else "note",
        f"{report.platform} {report.kernel} on {report.machine}: all that is needed is there"
        if report.wall
        else f"cannot be had: {report.why_not}",
    )
    if report.platform == "linux":
        features = [text for abi, text in LANDLOCK_ADDS.items() if abi <= report.landlock_abi]
        detail = f"ABI {report.landlock_abi}: {', '.join(features)}" if features else "none"
        yield Check("Landlock", state_of(bool(features)), detail)
        can_set = {"seccomp filter": report.seccomp, "no_new_privs": report.no_new_privs}
        for name, good in {**can_set, "memory files": report.memfd}.items():
            yield Check(name, state_of(good), "can be set" if good else "cannot be set here")
    for note in report.notes:
        yield Check("wall", "note", note)
    if report.proof != "untried":
        yield from _proof()


def _proof() -> Iterator[Check]:
    """What a process that locked itself in tried just now, one line each."""
    from wideleaf.tools.sandbox.protection.proof import attempts

    try:
        trials = attempts()
    except OSError as error:
        yield Check("proof", "note", f"failed: {error}")
        return
    for attempt in trials:
        refused = f"refused ({attempt.refusal})" if attempt.refusal else "SUCCEEDED: a hole"
        yield Check("proof", state_of(bool(attempt.refusal)), f"{attempt.what}: {refused}")


def container(context: Context) -> Iterator[Check]:
    """Whether a container could hold such code."""
    from wideleaf.tools.sandbox.protection.programs import working_program

    image = context.sandbox_image
    program, reason = working_program(image)
    detail = f"{program} answers and has the image {image!r}" if program else f"not used: {reason}"
    yield Check("container", state_of(bool(program)), detail)


def unwalled(context: Context) -> Iterator[Check]:
    """Whether code may run in a plain process."""
    is_unwalled = context.sandbox == "unwalled"
    detail = "not used; a plain process runs code only where it is named"
    if is_unwalled:
        detail = (
            "named in the settings: a plain process with limits behind the allow-list of code, "
            "which can reach files and network if that list is ever passed"
        )
    yield Check("unwalled", state_of(not is_unwalled), detail)


def in_use(context: Context) -> Iterator[Check]:
    """The sandbox of the settings, opened, with a program of one line run in it."""
    if context.craft == "off":
        yield Check("in use", "ok", "craft='off': no code that a model wrote is run at all")
        return
    from wideleaf.tools.sandbox.registry import choose_sandbox

    try:
        sandbox = choose_sandbox(context.sandbox, context.sandbox_image)
        yield _try_sandbox(sandbox, f"sandbox={context.sandbox!r} means {sandbox.name} here")
        if sandbox.name == "container":
            yield _probe_container(sandbox)
    except (SandboxError, ActionError) as error:
        text = f"sandbox={context.sandbox!r}: {error}"
        yield Check("in use", "missing", text, SandboxError.exit_code)


def _try_sandbox(sandbox: Sandbox, detail: str) -> Check:
    import time

    from wideleaf.tools.sandbox.program import Program

    begun = time.perf_counter()
    total = sandbox.run(Program(code=SUM, names=()), []).value
    seconds = time.perf_counter() - begun
    if total != ANSWER:
        text = f"{detail}, but a sum that is {ANSWER} came out as {total!r}"
        return Check("in use", "missing", text, SandboxError.exit_code)
    return Check("in use", "ok", f"{detail}; a program of one line ran in it in {seconds:.2f} s")


def _probe_container(sandbox: Sandbox) -> Check:
    """What a program could do in the container without the allow-list of code."""
    from wideleaf.tools.sandbox.program import Program

    code = _IN_CONTAINER.format(attempts=CONTAINER_ATTEMPTS)
    could = sandbox.run(Program(code=code, names=()), [], checked=False).value
    if could == "nothing":
        listing = ", ".join(CONTAINER_ATTEMPTS)
        return Check("proof", "ok", f"in the container it could not {listing}")
    text = f"in the container a program could {could}; repair it, or use sandbox='wall'"
    return Check("proof", "missing", text, SandboxError.exit_code)
