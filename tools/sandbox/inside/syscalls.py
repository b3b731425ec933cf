"""The system calls that computing needs, by number, and the filter that lets no other through."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import cache

X86_64, AARCH64 = "x86_64", "aarch64"
AUDIT_ARCH = {X86_64: 0xC000003E, AARCH64: 0xC00000B7}
ARGUMENT, HIGH = 16, 4
"""Where the first argument lies in the kernel's record of a call; each has a low and high half."""

PLAIN: dict[str, tuple[int, int]] = {
    "close": (3, 57),
    "lseek": (8, 62),
    "brk": (12, 214),
    "munmap": (11, 215),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "futex": (202, 98),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "sigaltstack": (131, 132),
    "sched_yield": (24, 124),
    "nanosleep": (35, 101),
    "gettimeofday": (96, 169),
    "restart_syscall": (219, 128),
    "exit": (60, 93),
    "exit_group": (231, 94),
    "getpid": (39, 172),
    "gettid": (186, 178),
    "getrusage": (98, 165),
    "getrandom": (318, 278),
}
"""Allowed with any argument, by name: the numbers on x86-64 and on aarch64.

None of them names a file, an address, another process or a new thread; descriptors can be closed
and wound, and there are two.
"""
ONLY_X86_64 = {"time": 201}
WRITE, READ, MMAP, MPROTECT, CLONE3 = (1, 64), (0, 63), (9, 222), (10, 226), (435, 435)
CLOCKS = ((228, 113), (229, 114), (230, 115))
"""clock_gettime, clock_getres, clock_nanosleep: of the machine's clocks, none of a process."""
LAST_CLOCK = 15
PRLIMIT, AFFINITY = (302, 261), (204, 123)
"""Of this process (0) alone; limits are read and not set."""
PROT_EXEC = 4
EPERM, ENOSYS = 1, 38
ALLOW, ERRNO, KILL = 0x7FFF0000, 0x00050000, 0x80000000
X32_BIT = 0x40000000

_LOAD, _EQUAL, _ABOVE, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x25, 0x35, 0x45, 0x06


@cache
def filter_program(machine: str, reads: tuple[int, ...], writes: tuple[int, ...]) -> bytes:
    """Assemble the seccomp filter (classic BPF).

    A call that is not allowed fails with EPERM, so that the program sees an ordinary error; one
    by a foreign architecture or the x32 interface, by which numbers mean other calls, ends the
    process.

    Args:
        machine: ``x86_64`` or ``aarch64``.
        reads: Descriptors that may be read.
        writes: Descriptors that may be written.

    Returns:
        Instructions of eight bytes each.

    Raises:
        KeyError: If there is no table for the machine.
    """
    steps = [_step(_LOAD, 4), _step(_EQUAL, AUDIT_ARCH[machine], 1, 0), _step(_RETURN, KILL)]
    steps.append(_step(_LOAD, 0))
    place = 0 if machine == X86_64 else 1
    plain = [numbers[place] for numbers in PLAIN.values()]
    if machine == X86_64:
        steps += [_step(_AT_LEAST, X32_BIT, 0, 1), _step(_RETURN, KILL)]
        plain += ONLY_X86_64.values()
    for number in plain:
        steps += [_step(_EQUAL, number, 0, 1), _step(_RETURN, ALLOW)]
    steps += _on(READ[place], _one_of(reads))
    steps += _on(WRITE[place], _one_of(writes))
    for call in (MMAP, MPROTECT):  # memory that can be executed would be code past any check
        steps += _on(call[place], [_step(_LOAD, _low(2)), _step(_ANY_BIT, PROT_EXEC, 0, 1)])
    for call in CLOCKS:
        steps += _on(call[place], [_step(_LOAD, _low(0)), _step(_ABOVE, LAST_CLOCK, 0, 1)])
    steps += _on(AFFINITY[place], [_step(_LOAD, _low(0)), _step(_EQUAL, 0, 1, 0)])
    steps += _on(PRLIMIT[place], [_step(_LOAD, _low(0)), _step(_EQUAL, 0, 0, 4), *_null(2)])
    # glibc tries clone only where clone3 is not there; clone is refused then.
    steps += [_step(_EQUAL, CLONE3[place], 0, 1), _step(_RETURN, ERRNO | ENOSYS)]
    steps.append(_step(_RETURN, ERRNO | EPERM))
    return b"".join(steps)


def _on(number: int, checks: list[bytes]) -> Iterator[bytes]:
    """A call with conditions: what runs past its checks is allowed, what fails is refused.

    ``checks`` end where the next instruction refuses and the one after it allows.
    """
    body = [*checks, _step(_RETURN, ERRNO | EPERM), _step(_RETURN, ALLOW)]
    yield _step(_EQUAL, number, 0, len(body))
    yield from body


def _one_of(descriptors: tuple[int, ...]) -> list[bytes]:
    """The first argument is one of these; its high half is nothing, for the kernel takes an int."""
    distances = range(len(descriptors), 0, -1)
    tests = [_step(_EQUAL, fd, more, 0) for fd, more in zip(descriptors, distances, strict=True)]
    return [_step(_LOAD, _low(0)), *tests]


def _null(argument: int) -> list[bytes]:
    """A pointer argument is null, both halves."""
    return [
        _step(_LOAD, _low(argument)),
        _step(_EQUAL, 0, 0, 2),
        _step(_LOAD, _low(argument) + HIGH),
        _step(_EQUAL, 0, 1, 0),
    ]


def _low(argument: int) -> int:
    return ARGUMENT + 8 * argument


def _step(code: int, value: int, then: int = 0, other: int = 0) -> bytes:
    return struct.pack("=HBBI", code, then, other, value)
