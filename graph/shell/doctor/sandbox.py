"""The doctor on model-written code: what would hold it on this machine, with the proof."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from wideleaf.graph.shell.doctor.checks import Check, State
from wideleaf.tools.errors import ActionError, SandboxError

if TYPE_CHECKING:
    from wideleaf.graph.context import Context
    from wideleaf.tools.sandbox.program import Sandbox
    from wideleaf.tools.sandbox.protection.protection import Protection

PART = "Model-written code"
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


def sandbox_checks(context: Context) -> Iterator[Check]:
    """The wall, a container and the weaker mode, and what the setting ``sandbox`` means here."""
    from wideleaf.tools.sandbox.protection.protection import protection

    found = protection(prove=True)
    yield from _wall(found)
    yield _container(context.sandbox_image, context.sandbox)
    yield _unwalled(context.sandbox)
    if context.craft == "off":
        yield _check("in use", "ok", "craft='off': no code that a model wrote is run at all")
    else:
        yield from _in_use(context)


def _wall(found: Protection) -> Iterator[Check]:
    from wideleaf.tools.sandbox.protection.kernel import LANDLOCK_ADDS

    yield _check(
        "wall",
        "ok" if found.wall else "note",
        f"{found.platform} {found.kernel} on {found.machine}: all that is needed is there"
        if found.wall
        else f"cannot be had: {found.why_not}",
    )
    if found.platform == "linux":
        known = [text for abi, text in LANDLOCK_ADDS.items() if abi <= found.landlock_abi]
        told = f"ABI {found.landlock_abi}: {', '.join(known)}" if known else "none"
        yield _check("Landlock", _state(bool(known)), told)
        yield _check("seccomp filter", _state(found.seccomp), _can(found.seccomp))
        yield _check("no_new_privs", _state(found.no_new_privs), _can(found.no_new_privs))
        yield _check("memory files", _state(found.memfd), _can(found.memfd))
        extras = {"pidfd_open": found.pidfd, "close_range": found.close_range}
        told = ", ".join(f"{name} {'yes' if has else 'no'}" for name, has in extras.items())
        rights = f"root with {len(found.capabilities)} capabilities" if found.root else "no root"
        if found.capabilities and not found.root:
            rights = f"no root, but capabilities {', '.join(found.capabilities)}"
        yield _check("also", "ok", f"{told}; we are {rights}, the wall drops them")
    for note in found.notes:
        yield _check("wall", "note", note)
    if found.proof != "untried":
        yield from _proof(found)


def _proof(found: Protection) -> Iterator[Check]:
    """What a process that locked itself in tried just now, one line each."""
    from wideleaf.tools.sandbox.protection.proof import attempts

    try:
        tried = attempts()
    except OSError as error:
        yield _check("proof", "note", f"failed: {error}")
        return
    for attempt in tried:
        refused = f"refused ({attempt.refusal})" if attempt.refusal else "SUCCEEDED: a hole"
        yield _check("proof", _state(bool(attempt.refusal)), f"{attempt.what}: {refused}")


def _container(image: str, setting: str) -> Check:
    from wideleaf.tools.sandbox.protection.programs import working_program

    program, reason = working_program(image)
    if program:
        return _check("container", "ok", f"{program} answers and has the image {image!r}")
    return _check("container", "note", f"not used: {reason}")


def _unwalled(setting: str) -> Check:
    if setting == "unwalled":
        return _check(
            "unwalled",
            "note",
            "named in the settings: a plain process with limits behind the allow-list of code, "
            "which can reach files and network if that list is ever passed",
        )
    return _check("unwalled", "ok", "not used; a plain process runs code only where it is named")


def _in_use(context: Context) -> Iterator[Check]:
    """The sandbox of the settings, opened, with a program of one line run in it."""
    from wideleaf.tools.sandbox.registry import sandbox_named

    try:
        sandbox = sandbox_named(context.sandbox, context.sandbox_image)
        yield _tried(sandbox, f"sandbox={context.sandbox!r} means {sandbox.name} here")
        if sandbox.name == "container":
            yield _contained(sandbox)
    except (SandboxError, ActionError) as error:
        text = f"sandbox={context.sandbox!r}: {error}"
        yield _check("in use", "missing", text, SandboxError.exit_code)


def _tried(sandbox: Sandbox, told: str) -> Check:
    import time

    from wideleaf.tools.sandbox.program import Program

    begun = time.perf_counter()
    made = sandbox.run(Program(code=SUM, names=()), []).value
    seconds = time.perf_counter() - begun
    if made != ANSWER:
        text = f"{told}, but a sum that is {ANSWER} came out as {made!r}"
        return _check("in use", "missing", text, SandboxError.exit_code)
    return _check("in use", "ok", f"{told}; a program of one line ran in it in {seconds:.2f} s")


def _contained(sandbox: Sandbox) -> Check:
    """What a program could do in the container without the allow-list of code."""
    from wideleaf.tools.sandbox.program import Program

    code = _IN_CONTAINER.format(attempts=CONTAINER_ATTEMPTS)
    could = sandbox.run(Program(code=code, names=()), [], checked=False).value
    if could == "nothing":
        tried = ", ".join(CONTAINER_ATTEMPTS)
        return _check("proof", "ok", f"in the container it could not {tried}")
    text = f"in the container a program could {could}; repair it, or use sandbox='wall'"
    return _check("proof", "missing", text, SandboxError.exit_code)


def _check(name: str, state: State, text: str, exit_code: int = 0) -> Check:
    return Check(part=PART, name=name, state=state, text=text, exit_code=exit_code)


def _state(good: bool) -> State:
    return "ok" if good else "note"


def _can(good: bool) -> str:
    return "can be set" if good else "cannot be set here"
