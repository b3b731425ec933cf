"""What a process that serves one call runs, in a container or alone; there is no zygote there.

It needs nothing of the package but what it is sent: its own text and those of the modules named in
`call_process.SENT` come on its input, before the request.
"""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import IO, Any, NoReturn
from zoneinfo import TZPATH

from wideleaf.tools.sandbox.inside.child import LENGTH, answer_request, read_request, write_all
from wideleaf.tools.sandbox.inside.libraries import LIBRARIES, load, touch

READY = b"\x00wideleaf:ready\n"
"""Written once the request is read and all is imported; from then on the program's time runs."""
MEBIBYTE = 1 << 20
GRACE_SECONDS = 2
COMPUTING = frozenset({
    "array.__new__", "builtins.id", "code.__new__", "compile", "exec", "function.__new__",
    "marshal.load", "marshal.loads", "object.__delattr__", "object.__getattr__",
    "object.__setattr__", "pickle.find_class", "sys._getframe", "sys._getframemodulename",
    "sys.excepthook", "sys.unraisablehook", "time.sleep",
})  # fmt: skip
"""Events of Python's own (PEP 578) that stay inside of the process."""
READING = frozenset({"open", "os.listdir", "os.scandir"})
"""Those that may read what Python is made of, for modules are imported at first use."""


def serve(stream: IO[bytes]) -> NoReturn:
    """Read limits and request, limit this process, run the program, answer and end.

    Args:
        stream: Length and JSON of the limits (``memory_mb``, ``seconds``; ``withheld``, names that
            are not for programs, where there is no container around it), then a request as
            `child.read_request` takes it, up to the end.
    """
    (length,) = LENGTH.unpack(stream.read(LENGTH.size))
    limits = json.loads(stream.read(length))
    request = stream.read()

    import numpy  # noqa: F401 - imported before anything is limited
    import pandas  # noqa: F401
    import pyarrow as pa  # type: ignore[import-untyped]  # it ships no types
    import pyarrow.compute  # type: ignore[import-untyped]

    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    modules = read_request(memoryview(request)).modules
    load(modules)
    if limits["withheld"] and modules:
        touch()
    out = os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):  # what a library prints is no answer, and may hold cells
        os.dup2(nothing, descriptor)
    limit_this_process(limits)
    if limits["withheld"]:
        refuse_names(frozenset(limits["withheld"]))
        refuse_reaching_out()
    write_all(out, READY)
    answer, buffers = answer_request(memoryview(request))
    write_all(out, LENGTH.pack(len(answer)), answer, *buffers)
    os._exit(0)


def limit_this_process(limits: Mapping[str, float]) -> tuple[str, ...]:
    """Set the limits that this platform has; where it has none, those of the parent are left.

    Returns:
        The names of those that were set.
    """
    try:
        import resource
    except ImportError:  # Windows
        return ()
    cpu_time = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    bounds = {
        "RLIMIT_AS": _address_space() + int(limits["memory_mb"]) * MEBIBYTE,
        "RLIMIT_CPU": int(cpu_time + limits["seconds"]) + GRACE_SECONDS,
        "RLIMIT_FSIZE": 0,
        "RLIMIT_NPROC": 0,
        "RLIMIT_CORE": 0,
    }
    names = []
    for name, most in bounds.items():
        kind = getattr(resource, name, None)
        if kind is None or (name == "RLIMIT_AS" and sys.platform != "linux"):
            continue  # macOS knows the address space by name and keeps no such limit
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(kind, (most, most))
        except (ValueError, OSError):
            continue
        names.append(name)
    return tuple(names)


def refuse_names(withheld: frozenset[str]) -> None:
    """Have pandas call nothing by a name that is put together as the program runs.

    The check of code sees the texts that are written out in it. pandas calls methods of whatever
    it is given by name, and takes any label of a series for an attribute, those of numpy's
    protocol for memory among them.

    Args:
        withheld: Names that the check refuses where they are written out.
    """
    caller = import_module("pandas.core.apply").Apply
    group = import_module("pandas.core.groupby.groupby").GroupBy
    frame = import_module("pandas.core.generic").NDFrame
    call, apply, label = caller._apply_str, group.apply, frame.__getattr__

    def need_plain(owner: Any, name: Any) -> None:
        foreign = type(owner).__module__.split(".")[0] != "pandas"
        if isinstance(name, str) and (foreign or name.startswith("_") or name in withheld):
            raise AttributeError(f"{name!r} is not for programs here")

    def call_plain(self: Any, obj: Any, func: Any, *given: Any, **named: Any) -> Any:
        need_plain(obj, func)
        return call(self, obj, func, *given, **named)

    def apply_plain(self: Any, func: Any, *given: Any, **named: Any) -> Any:
        need_plain(self, func)
        return apply(self, func, *given, **named)

    def plain_label(self: Any, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return label(self, name)

    caller._apply_str, group.apply, frame.__getattr__ = call_plain, apply_plain, plain_label


def refuse_reaching_out() -> None:
    """Have Python refuse, for good, what is more than computing, on every platform.

    It is no wall, for compiled code is not asked; it holds what gets past the check of code.
    """
    normal = os.path.normcase
    own = {normal(os.path.realpath(one)) for one in (sys.prefix, sys.base_prefix, *TZPATH)}
    folders = tuple(os.path.join(one, "") for one in own)
    there = {name.split(".")[0] for name in sys.modules}
    importable = there | {*LIBRARIES, *sys.stdlib_module_names}
    changing = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
    realpath, computing, reading = os.path.realpath, COMPUTING, READING

    def refuse(event: str, arguments: tuple[Any, ...]) -> None:
        if event in computing:
            return
        if event == "import":
            compiled = arguments[0].startswith("pyarrow._")  # they open files by themselves
            if compiled or arguments[0].split(".")[0] not in importable:
                raise ImportError(f"No module named {arguments[0]!r} here")
            return
        if event in reading and isinstance(arguments[0], str | bytes | os.PathLike):
            flags = arguments[2] if event == "open" else 0
            path = os.path.join(normal(os.fsdecode(realpath(arguments[0]))), "")
            if path.startswith(folders) and not (isinstance(flags, int) and flags & changing):
                return
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    sys.addaudithook(refuse)


def _address_space() -> int:
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGESIZE")
    except (OSError, ValueError, AttributeError):
        return 0
