"""What a Linux kernel gives a wall: Landlock, seccomp ..., asked by calls that change nothing."""

from __future__ import annotations

import errno
import os
import struct
from typing import Any

MACHINES = {"x86_64": 317, "aarch64": 277}
"""Machines with a table of system calls, and the number of ``seccomp`` there."""
LANDLOCK_ADDS = {
    1: "files",
    2: "renaming across folders",
    3: "truncating",
    4: "TCP",
    5: "device ioctl",
    6: "signals and abstract sockets",
    7: "log of refusals",
}
"""What each ABI of Landlock lets a process refuse itself."""
BITS = 8 * struct.calcsize("P")
_LANDLOCK_CREATE_RULESET, _LANDLOCK_VERSION = 444, 1
_CLOSE_RANGE = 436
_SECCOMP_GET_ACTION_AVAIL = 2
_SECCOMP_ACTIONS = (0x80000000, 0x00050000)  # kill the process; refuse with an error number
_PR_GET_NO_NEW_PRIVS, _PR_GET_SECCOMP = 39, 21
_CAPABILITIES = (
    "chown",
    "dac_override",
    "dac_read_search",
    "fowner",
    "fsetid",
    "kill",
    "setgid",
    "setuid",
    "setpcap",
    "linux_immutable",
    "net_bind_service",
    "net_broadcast",
    "net_admin",
    "net_raw",
    "ipc_lock",
    "ipc_owner",
    "sys_module",
    "sys_rawio",
    "sys_chroot",
    "sys_ptrace",
    "sys_pacct",
    "sys_admin",
    "sys_boot",
    "sys_nice",
    "sys_resource",
    "sys_time",
    "sys_tty_config",
    "mknod",
    "lease",
    "audit_write",
    "audit_control",
    "setfcap",
    "mac_override",
    "mac_admin",
    "syslog",
    "wake_alarm",
    "block_suspend",
    "audit_read",
    "perfmon",
    "bpf",
    "checkpoint_restore",
)


def linux_facts(machine: str) -> dict[str, Any]:
    """The fields of `sandbox_protection.Protection` that the kernel is asked for.

    Args:
        machine: The processor's family.
    """
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)

    def call(number: int, *arguments: int) -> int:
        """The result of a system call, or minus its error number."""
        result = int(libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments)))
        return result if result >= 0 else -ctypes.get_errno()

    def seccomp(action: int) -> bool:
        code = ctypes.c_uint32(action)
        at = ctypes.addressof(code)
        return call(MACHINES[machine], _SECCOMP_GET_ACTION_AVAIL, 0, at) == 0

    def works(function: str, *arguments: object) -> bool:
        try:
            os.close(getattr(os, function)(*arguments))
        except (OSError, AttributeError):
            return False
        return True

    familiar = machine in MACHINES and BITS == 64
    landlock = call(_LANDLOCK_CREATE_RULESET, 0, 0, _LANDLOCK_VERSION)
    capabilities = _read_capabilities()
    return {
        "landlock_abi": max(landlock, 0),
        "why_not": _why_no_landlock(-landlock) if landlock < 1 else "",
        "seccomp": familiar
        and libc.prctl(_PR_GET_SECCOMP, 0, 0, 0, 0) >= 0
        and all(map(seccomp, _SECCOMP_ACTIONS)),
        "no_new_privs": libc.prctl(_PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) >= 0,
        "root": os.geteuid() == 0,
        "capabilities": capabilities,
        "memfd": works("memfd_create", "wideleaf"),
        "pidfd": works("pidfd_open", os.getpid()),
        "close_range": call(_CLOSE_RANGE, 2, 1, 0) == -errno.EINVAL,  # a range of nothing
    }


def _why_no_landlock(number: int) -> str:
    if number == errno.EOPNOTSUPP:
        return (
            "the kernel has Landlock switched off; put landlock into its list of security "
            "modules (boot option lsm=)"
        )
    if number == errno.ENOSYS:
        return (
            "the kernel has no Landlock (Linux 5.13 or newer, built with it, has), or a container "
            "around us hides it"
        )
    reason = errno.errorcode.get(number, str(number))
    return f"Landlock is refused ({reason}), most likely by the container that we run in"


def _read_capabilities() -> tuple[str, ...]:
    try:
        with open("/proc/self/status", encoding="utf-8") as status:
            mask = next((int(line.split()[1], 16) for line in status if line[:6] == "CapEff"), 0)
    except OSError:
        return ()
    names = dict(enumerate(_CAPABILITIES))
    return tuple(names.get(bit, f"cap_{bit}") for bit in range(64) if mask >> bit & 1)
