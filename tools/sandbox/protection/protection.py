"""What protects this machine from model-written code: what its kernel gives, or a container."""

from __future__ import annotations

import platform as machine_facts
import sys
from functools import lru_cache
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from wideleaf.tools.errors import SandboxError
from wideleaf.tools.sandbox.protection.kernel import BITS, MACHINES, linux_facts

SandboxName = Literal["auto", "wall", "container", "unwalled"]
ProtectionKind = Literal["wall", "container", "unwalled"]
Proof = Literal["untried", "held", "failed"]

UNWALLED = (
    "sandbox='unwalled' (--sandbox unwalled) is the weaker mode: a plain process with limits of "
    "time and memory behind the allow-list of code, which can reach your files and the network if "
    "that list is ever passed; name it only where you trust who writes the question, the tables "
    "and the model"
)
NO_CRAFT = "craft='off' (--craft off) answers without model-written code"


class Protection(BaseModel):
    """What this machine can hold model-written code with.

    Attributes:
        platform: ``linux``, ``darwin``, ``win32`` ...
        machine: The processor's family; `sandbox_kernel.MACHINES` have a table of system calls.
        kernel: The kernel's release.
        landlock_abi: 0 where there is none; see `sandbox_kernel.LANDLOCK_ADDS`.
        seccomp: Whether a filter of system calls can be set.
        no_new_privs: Whether a process can give up gaining rights.
        root: Whether we are the superuser.
        capabilities: Rights of the superuser that we hold; the wall drops them.
        memfd: Whether there are files in memory, by which tables are handed over.
        pidfd: Whether a process can be waited for by a descriptor; not needed.
        close_range: Whether descriptors can be closed all at once; not needed.
        proof: Whether a process locked itself in and then could open nothing.
        wall: Whether all that the wall needs is there, and no proof failed.
        why_not: What is missing for the wall; empty where there is one.
        notes: What else should be known of it.
        container: ``docker``, ``podman`` or empty: which program is on the path.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    platform: str
    machine: str
    kernel: str = ""
    landlock_abi: int = 0
    seccomp: bool = False
    no_new_privs: bool = False
    root: bool = False
    capabilities: tuple[str, ...] = ()
    memfd: bool = False
    pidfd: bool = False
    close_range: bool = False
    proof: Proof = "untried"
    wall: bool = False
    why_not: str = ""
    notes: tuple[str, ...] = ()
    container: str = ""


def protection(prove: bool = False) -> Protection:
    """What protects this machine; looked at once in a process.

    Args:
        prove: Also let a process of its own lock itself in and try to open a file, for inside a
            container the kernel may promise what the container's own filter refuses.
    """
    from wideleaf.tools.sandbox.protection.programs import program_on_path

    facts = _kernel().model_copy(update={"container": program_on_path()})
    if not (prove and facts.wall):
        return facts
    failed = _run_proof()
    if not failed:
        return facts.model_copy(update={"proof": "held"})
    return facts.model_copy(update={"proof": "failed", "wall": False, "why_not": failed})


def choose(name: SandboxName = "auto", image: str = "") -> ProtectionKind:
    """Which sandbox a setting means on this machine; a weaker one is never taken in silence.

    Args:
        name: The setting ``sandbox``.
        image: The setting ``sandbox_image``; without one no container is used.

    Raises:
        SandboxError: If there is none of that name here; says what is missing, what the weaker
            mode is, and how it is allowed.
    """
    from wideleaf.tools.sandbox.protection.programs import why_no_container

    if name == "unwalled":
        return "unwalled"
    no_wall = no_container = ""
    if name in ("auto", "wall"):
        facts = protection(prove=True)
        if facts.wall:
            return "wall"
        no_wall = f"the wall cannot be had: {facts.why_not}"
        if name == "wall":
            no_wall += "; sandbox='container' needs no such kernel"
    if name in ("auto", "container"):
        reason = why_no_container(image)
        if not reason:
            return "container"
        no_container = f"no container: {reason}"
        if name == "container" and protection(prove=True).wall:
            no_container += "; the wall is there, and sandbox='auto' or 'wall' takes it"
    missing = "; ".join(filter(None, (no_wall, no_container)))
    raise SandboxError(
        f"nothing on this machine holds model-written code under sandbox={name!r} ({missing}). "
        f"Right would be one of these: repair that (wideleaf doctor shows it); {NO_CRAFT}; "
        f"or allow a weaker mode by name: {UNWALLED}"
    )


def clear_cache() -> None:
    """Forget what was seen of this machine, so that the next call looks anew."""
    _kernel.cache_clear()
    _run_proof.cache_clear()


@lru_cache(maxsize=1)
def _run_proof() -> str:
    from wideleaf.tools.sandbox.protection.proof import prove_wall

    return prove_wall()


@lru_cache(maxsize=1)
def _kernel() -> Protection:
    facts: dict[str, Any] = {
        "platform": sys.platform,
        "machine": machine_facts.machine(),
        "kernel": machine_facts.release(),
    }
    if sys.platform != "linux":
        name = {"darwin": "macOS", "win32": "Windows"}.get(sys.platform, sys.platform)
        return Protection(**facts, why_not=f"{name} has neither Landlock nor seccomp; Linux has")
    return _judge(Protection(**facts, **linux_facts(facts["machine"])))


def _judge(facts: Protection) -> Protection:
    missing = []
    if facts.machine not in MACHINES or BITS != 64:
        missing.append(
            f"the machine {facts.machine!r} ({BITS} bits) has no table of "
            f"system calls here; {' and '.join(MACHINES)} of 64 bits have"
        )
    elif not facts.seccomp:
        missing.append("a seccomp filter cannot be set (a container around us may forbid it)")
    if not facts.no_new_privs:
        missing.append("no_new_privs is unknown to the kernel")
    if facts.landlock_abi < 1:
        missing.append(facts.why_not or "the kernel has no Landlock")
    if not facts.memfd:
        missing.append("memfd_create is refused")
    notes = []
    if 1 <= facts.landlock_abi < 4:
        notes.append(
            f"Landlock ABI {facts.landlock_abi} knows no TCP (ABI 4, Linux 6.7, does); the "
            "seccomp filter refuses sockets all the same"
        )
    if facts.root:
        notes.append(
            "we are root; the sandbox drops all capabilities, an ordinary user is better still"
        )
    return facts.model_copy(
        update={"wall": not missing, "why_not": "; ".join(missing), "notes": tuple(notes)}
    )
