"""The wall: how a process locks itself so that it can compute and do nothing else (Linux)."""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import signal
import struct
from contextlib import suppress
from functools import cache
from typing import NamedTuple

from wideleaf.tools.sandbox.inside.syscalls import filter_program

LANDLOCK_CREATE, LANDLOCK_RESTRICT = 444, 446
LANDLOCK_VERSION_FLAG = 1
FILES_BY_ABI = {1: 13, 2: 14, 3: 15, 5: 16}
"""How many kinds of access to files each Landlock version knows; all of them are taken away."""
TCP_ABI, TCP = 4, 0b11
SCOPES_ABI, SCOPES = 6, 0b11
"""Abstract sockets of others, and signals to others."""

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP = 1, 4, 22
PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 24, 38, 47
CLEAR_ALL, FILTER_MODE = 4, 2
CAPABILITY_VERSION = 0x20080522
CAPGET, CAPSET = {"x86_64": 125, "aarch64": 90}, {"x86_64": 126, "aarch64": 91}
LAST_CAPABILITY = 63
NOBODY = 65534


class Lock(NamedTuple):
    """What is left to a locked process.

    Attributes:
        memory: Bytes of address space beyond what it has when it is locked.
        cpu_seconds: Time on the processor.
        reads: Descriptors it may read.
        writes: Descriptors it may write.
    """

    memory: int
    cpu_seconds: int
    reads: tuple[int, ...] = ()
    writes: tuple[int, ...] = ()


def lock_down(lock: Lock) -> None:
    """Take everything from this process but computing, for good; threads must not be running.

    No file can be opened, read by name, made or removed, no socket made, no process or thread
    started, no other process signalled or traced, no memory made executable, whoever the user is;
    descriptors that are open stay, but for reads and writes only those of the lock.

    Raises:
        OSError: If the kernel does not give one of these; the process must end then.
    """
    finish(lock, prepare())


def prepare() -> int:
    """The part of `lock_down` that needs to know nothing of the call, files and rights above all.

    Returns:
        Bytes of address space in use, for `finish`: the files that tell cannot be read any more.

    Raises:
        OSError: If the kernel does not give one of these; the process must end then.
    """
    space = pages_in_use() * resource.getpagesize()
    for kind in (
        resource.RLIMIT_FSIZE,
        resource.RLIMIT_NPROC,
        resource.RLIMIT_CORE,
        resource.RLIMIT_MEMLOCK,
        resource.RLIMIT_MSGQUEUE,
    ):
        resource.setrlimit(kind, (0, 0))
    # Should memory run short, the kernel takes this process before any other; in a locked-down
    # /proc the limits hold all the same.
    with suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write("1000")
    give_up_rights()
    os.setpgid(0, 0)
    _prctl(PR_SET_NO_NEW_PRIVS, 1)
    _restrict_files()
    _prctl(PR_SET_DUMPABLE, 0)  # nobody of the same user may look into it
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    return space


def finish(lock: Lock, space: int) -> None:
    """The rest of `lock_down`: memory, time, and the filter of system calls."""
    for kind, most in (
        (resource.RLIMIT_AS, space + lock.memory),
        (resource.RLIMIT_CPU, lock.cpu_seconds),
    ):
        resource.setrlimit(kind, (most, most))
    _filter_calls(filter_program(platform.machine(), lock.reads, lock.writes))


def landlock_version() -> int:
    """The version of Landlock that the kernel has; 0 for none."""
    version = _libc().syscall(LANDLOCK_CREATE, None, ctypes.c_size_t(0), LANDLOCK_VERSION_FLAG)
    return max(int(version), 0)


def pages_in_use() -> int:
    """Pages of this process's address space."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0])


def give_up_rights() -> None:
    """Give up all capabilities and, as the superuser, the user; nothing to do the second time.

    Raises:
        OSError: If the kernel refuses to take them.
    """
    if os.geteuid() == NOBODY and not _has_capabilities():
        return
    for capability in range(LAST_CAPABILITY + 1):
        # Fails beyond the last one, and without the right to drop, where there is none to drop.
        _libc().prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    _libc().prctl(PR_CAP_AMBIENT, CLEAR_ALL, 0, 0, 0)
    if os.geteuid() == 0:
        with suppress(OSError):  # a container with one user only; what counts is given up next
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
    header = ctypes.create_string_buffer(struct.pack("=Ii", CAPABILITY_VERSION, 0))
    nothing = ctypes.create_string_buffer(24)
    _check(_libc().syscall(CAPSET[platform.machine()], header, nothing), "capset")


def _has_capabilities() -> bool:
    header = ctypes.create_string_buffer(struct.pack("=Ii", CAPABILITY_VERSION, 0))
    capabilities = ctypes.create_string_buffer(24)
    _check(_libc().syscall(CAPGET[platform.machine()], header, capabilities), "capget")
    return any(capabilities.raw)


def _restrict_files() -> None:
    version = landlock_version()
    if version < 1:
        raise OSError("this kernel has no Landlock, or it is switched off")
    files = (1 << max(bits for abi, bits in FILES_BY_ABI.items() if abi <= version)) - 1
    words = [files]
    if version >= TCP_ABI:
        words.append(TCP)
    if version >= SCOPES_ABI:
        words.append(SCOPES)
    rules = ctypes.create_string_buffer(struct.pack(f"={len(words)}Q", *words))
    size = ctypes.c_size_t(8 * len(words))
    ruleset = _check(_libc().syscall(LANDLOCK_CREATE, rules, size, 0), "landlock_create_ruleset")
    _check(_libc().syscall(LANDLOCK_RESTRICT, ruleset, 0), "landlock_restrict_self")
    os.close(ruleset)


def _filter_calls(program: bytes) -> None:
    class _Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_void_p))

    steps = ctypes.create_string_buffer(program, len(program))
    what = _Program(len(program) // 8, ctypes.addressof(steps))
    made = _libc().prctl(PR_SET_SECCOMP, FILTER_MODE, ctypes.byref(what), 0, 0)
    _check(made, "seccomp")


def _prctl(option: int, value: int) -> None:
    _check(_libc().prctl(option, value, 0, 0, 0), f"prctl({option})")


def _check(status: int, what: str) -> int:
    if status < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return int(status)


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
