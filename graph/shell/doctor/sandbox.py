"""The doctor on model-written code: what would hold it on this machine, with the proof."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from wideleaf.graph.shell.doctor.checks import Finding, state_of
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


def wall(context: Context) -> Iterator[Finding]:
    """What the kernel gives, and what a process that locked itself in was refused."""
    from wideleaf.tools.sandbox.protection.kernel import LANDLOCK_ADDS
    from wideleaf.tools.sandbox.protection.protection import protection

    report = protection(prove=True)
    yield Finding(
        "wall",
        "ok" if report.wall else "note",
        f"{report.platform} {report.kernel} on {report.machine}: all that is needed is there"
        if report.wall
        else f"cannot be had: {report.why_not}",
    )
    if report.platform == "linux":
        features = [text for abi, text in LANDLOCK_ADDS.items() if abi <= report.landlock_abi]
        detail = f"ABI {report.landlock_abi}: {', '.join(features)}" if features else "none"
        yield Finding("Landlock", state_of(bool(features)), detail)
        yield Finding("seccomp filter", state_of(report.seccomp), _can(report.seccomp))
        yield Finding("no_new_privs", state_of(report.no_new_privs), _can(report.no_new_privs))
        yield Finding("memory files", state_of(report.memfd), _can(report.memfd))
        extras = {"pidfd_open": report.pidfd, "close_range": report.close_range}
        detail = ", ".join(f"{name} {'yes' if has else 'no'}" for name, has in extras.items())
        rights = f"root with {len(report.capabilities)} capabilities" if report.root else "no root"
        if report.capabilities and not report.root:
            rights = f"no root, but capabilities {', '.join(report.capabilities)}"
        yield Finding("also", "ok", f"{detail}; we are {rights}, the wall drops them")
    for note in report.notes:
        yield Finding("wall", "note", note)
    if report.proof != "untried":
        yield from _proof()


def _proof() -> Iterator[Finding]:
    """What a process that locked itself in tried just now, one line each."""
    from wideleaf.tools.sandbox.protection.proof import attempts

    try:
        trials = attempts()
    except OSError as error:
        yield Finding("proof", "note", f"failed: {error}")
        return
    for attempt in trials:
        refused = f"refused ({attempt.refusal})" if attempt.refusal else "SUCCEEDED: a hole"
        yield Finding("proof", state_of(bool(attempt.refusal)), f"{attempt.what}: {refused}")


def container(context: Context) -> Iterator[Finding]:
    """Whether a container could hold such code."""
    from wideleaf.tools.sandbox.protection.programs import working_program

    image = context.sandbox_image
    program, reason = working_program(image)
    detail = f"{program} answers and has the image {image!r}" if program else f"not used: {reason}"
    yield Finding("container", state_of(bool(program)), detail)


def unwalled(context: Context) -> Iterator[Finding]:
    """Whether code may run in a plain process."""
    is_unwalled = context.sandbox == "unwalled"
    detail = "not used; a plain process runs code only where it is named"
    if is_unwalled:
        detail = (
            "named in the settings: a plain process with limits behind the allow-list of code, "
            "which can reach files and network if that list is ever passed"
        )
    yield Finding("unwalled", state_of(not is_unwalled), detail)


def in_use(context: Context) -> Iterator[Finding]:
    """The sandbox of the settings, opened, with a program of one line run in it."""
    if context.craft == "off":
        yield Finding("in use", "ok", "craft='off': no code that a model wrote is run at all")
        return
    from wideleaf.tools.sandbox.registry import choose_sandbox

    try:
        sandbox = choose_sandbox(context.sandbox, context.sandbox_image)
        yield _try_sandbox(sandbox, f"sandbox={context.sandbox!r} means {sandbox.name} here")
        if sandbox.name == "container":
            yield _probe_container(sandbox)
    except (SandboxError, ActionError) as error:
        text = f"sandbox={context.sandbox!r}: {error}"
        yield Finding("in use", "missing", text, SandboxError.exit_code)


def _try_sandbox(sandbox: Sandbox, detail: str) -> Finding:
    import time

    from wideleaf.tools.sandbox.program import Program

    begun = time.perf_counter()
    total = sandbox.run(Program(code=SUM, names=()), []).value
    seconds = time.perf_counter() - begun
    if total != ANSWER:
        text = f"{detail}, but a sum that is {ANSWER} came out as {total!r}"
        return Finding("in use", "missing", text, SandboxError.exit_code)
    return Finding("in use", "ok", f"{detail}; a program of one line ran in it in {seconds:.2f} s")


def _probe_container(sandbox: Sandbox) -> Finding:
    """What a program could do in the container without the allow-list of code."""
    from wideleaf.tools.sandbox.program import Program

    code = _IN_CONTAINER.format(attempts=CONTAINER_ATTEMPTS)
    could = sandbox.run(Program(code=code, names=()), [], checked=False).value
    if could == "nothing":
        listing = ", ".join(CONTAINER_ATTEMPTS)
        return Finding("proof", "ok", f"in the container it could not {listing}")
    text = f"in the container a program could {could}; repair it, or use sandbox='wall'"
    return Finding("proof", "missing", text, SandboxError.exit_code)


def _can(good: bool) -> str:
    return "can be set" if good else "cannot be set here"
