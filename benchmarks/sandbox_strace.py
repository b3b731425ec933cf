"""What one call of the sandbox asks of the kernel, before and after it locks itself.

Run as ``python -m benchmarks.sandbox_strace``; needs the program ``strace`` and the right to trace
one's own processes. A program that tries to open things is traced; the list of what each phase
opened is the answer.
"""

from __future__ import annotations

import collections
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import polars as pl

from wideleaf.tools.errors import ActionError
from wideleaf.tools.sandbox.program import Program
from wideleaf.tools.sandbox.registry import WallSandbox

HONEST = "result = df.groupby('k')['v'].agg(['mean', 'sum']).sort_values('sum')"
HOSTILE = """
import os, socket
found = []
for attempt in (
    lambda: open('/etc/passwd'), lambda: open('/tmp/x', 'w'), lambda: os.listdir('/'),
    lambda: open('/proc/self/environ'), lambda: socket.socket(), lambda: os.fork(),
    lambda: os.execv('/bin/sh', ['sh']), lambda: os.kill(os.getppid(), 9),
    lambda: os.memfd_create('x'),
):
    try:
        found.append(str(attempt()))
    except BaseException as error:
        found.append(type(error).__name__)
result = found
"""
OPENS = re.compile(
    r"^(open|openat|openat2|creat|socket|connect|memfd_create|pipe2?|execve|fork|clone3?)$"
)
CALL = re.compile(r"^(?:\d+\s+)?(\w+)\((.*)\)\s+=\s+(\S+)(?:\s+(\w+))?")


def traced(code: str, checked: bool) -> list[str]:
    """The lines of strace of the child of one call."""
    frame = pl.DataFrame({"k": ["a", "b", "a"], "v": [1.0, 2.0, 3.0]})
    wall = WallSandbox()
    wall.run(Program(code="result = 1"), [frame])
    process = wall.zygote._process
    assert process is not None
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "trace"
        tracer = subprocess.Popen(
            ["strace", "-ff", "-qq", "-s", "80", "-o", str(trace), "-p", str(process.pid)],
            stderr=subprocess.DEVNULL,
        )
        time.sleep(1)
        try:
            print("  result:", wall.run(Program(code=code), [frame], checked=checked).value)
        except ActionError as error:
            print("  refused:", error)
        wall.zygote.stop()
        tracer.wait(10)
        own = f"trace.{process.pid}"
        children = [path for path in Path(folder).iterdir() if path.name != own]
        return [line for path in children for line in path.read_text().splitlines()]


def main() -> None:
    """Trace an honest and a hostile program and print what each phase did."""
    if shutil.which("strace") is None:
        sys.exit("strace is not installed")
    for name, code, checked in (
        ("honest", HONEST, True),
        ("hostile, the wall alone", HOSTILE, False),
    ):
        print(name)
        calls = [found.groups() for line in traced(code, checked) if (found := CALL.match(line))]
        lock = next(
            n for n, call in enumerate(calls) if call[0] == "prctl" and "SECCOMP" in call[1]
        )
        for phase, part in (
            ("before the lock", calls[:lock]),
            ("after the lock", calls[lock + 1 :]),
        ):
            counted = collections.Counter(call[0] for call in part)
            print(f"  {phase}: {', '.join(f'{n} {c}' for n, c in counted.most_common())}")
            for call in part:
                if OPENS.match(call[0]):
                    print(f"    {call[0]}({call[1][:70]}) = {call[2]} {call[3] or ''}")


if __name__ == "__main__":
    main()
