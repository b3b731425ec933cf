"""Model-written code in a container: Docker or Podman, no network, nothing writable, one a call."""

from __future__ import annotations

import logging
import math
import os
import subprocess
from collections.abc import Sequence
from functools import lru_cache
from uuid import uuid4

from wideleaf.tools.errors import SandboxError
from wideleaf.tools.sandbox.answer import CallEnd
from wideleaf.tools.sandbox.call_process import (
    bootstrap_command,
    exchange,
    whole_request,
    why_unready,
)
from wideleaf.tools.sandbox.program import MEBIBYTE, Limits, Sandbox
from wideleaf.tools.sandbox.protection.programs import PACKAGES, is_docker, why_not, working_program

STARTUP = 120.0
"""Of which most is for a disk that has not been read yet."""
REMOVE_SECONDS = 10.0
BASE_MEMORY = 512
"""MiB for Python with pandas itself, beyond what the limits leave to the code."""
PROCESSES = 64
LABEL = "wideleaf.sandbox"
"""By which a person finds what was left, should this process itself be killed."""
NOBODY = "65534:65534"
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "NO_PROXY", "ALL_PROXY")
"""What Docker's own settings write into each container, passwords included, unless told not to."""
NOT_STARTED, SIGNALLED = 125, 128
COPIES = 4
"""How often a request is in the container's memory: as read, as Arrow, as pandas, and once more."""
ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "PYTHONPATH": "",
    "TZ": "UTC",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "JOBLIB_MULTIPROCESSING": "0",
    "ARROW_DEFAULT_MEMORY_POOL": "system",  # its own takes a GiB of addresses, beyond the limit
}

_log = logging.getLogger(__name__)


class ContainerSandbox(Sandbox):
    """A container for each call, removed after it.

    Args:
        program: ``docker`` or ``podman``, or the path of one.
        image: An image of this machine that holds python, pandas, numpy and pyarrow; it is never
            pulled.

    Raises:
        SandboxError: If the program is not there, does not answer, or has no such image.
    """

    name = "container"

    def __init__(self, program: str, image: str) -> None:
        if reason := why_not(program, image):
            raise SandboxError(f"no container: {reason}")
        self.program = program
        self.image = image

    def call(
        self, parts: Sequence[bytes | memoryview], limits: Limits, modules: Sequence[str]
    ) -> CallEnd:
        """Have a container of its own carry out a request; see `Sandbox.call`."""
        request = whole_request(parts, limits)
        name = f"wideleaf-{uuid4().hex}"
        memory = BASE_MEMORY + limits.memory_mb + COPIES * len(request) // MEBIBYTE
        end = exchange(
            arguments(self.program, self.image, name, memory, STARTUP + limits.seconds),
            request,
            startup=STARTUP,
            seconds=limits.seconds,
            most=limits.answer_bytes,
            environment=os.environ,  # of the client; the container gets none of it
            ended=lambda: self._remove(name),
        )
        if not end.ready:
            hint = ""
            if end.status == NOT_STARTED:
                hint = f"; see whether `{self.program} run --rm {self.image}` works by hand"
            elif not (end.late or end.flooded):
                hint = f"; the image must hold {PACKAGES}, for user {NOBODY}"
            raise SandboxError(
                f"the container of image {self.image!r} did not start by {self.program}: "
                f"{why_unready(end, STARTUP)}{hint}"
            )
        status = end.status
        if status is not None and status > SIGNALLED:  # how a client tells of a signal
            status = SIGNALLED - status
        if status == NOT_STARTED and not end.answer:
            raise SandboxError(f"{self.program} broke off while the container ran; try again")
        return end._replace(status=status)

    def _remove(self, name: str) -> None:
        """See to it that a container is gone; one that ended by itself is no longer there."""
        at_once = [] if is_docker(self.program) else ["--time=0"]  # Podman would ask it first
        try:
            subprocess.run(
                [self.program, "rm", "--force", "--volumes", *at_once, name],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=REMOVE_SECONDS,
            )
        except (OSError, subprocess.TimeoutExpired):
            _log.warning("the container %s could not be removed by %s", name, self.program)


@lru_cache(maxsize=4)
def container_sandbox(image: str) -> ContainerSandbox:
    """The sandbox of an image, by the first container program of this machine that has it.

    Raises:
        SandboxError: If there is none.
    """
    program, reason = working_program(image)
    if not program:
        raise SandboxError(f"no container: {reason}")
    return ContainerSandbox(program, image)


def arguments(program: str, image: str, name: str, memory: int, seconds: float) -> list[str]:
    """The command that starts a container in which there is nothing to reach.

    Args:
        program: ``docker`` or ``podman``.
        image: What it holds.
        name: The container's name, by which it is removed.
        memory: MiB, with no swap.
        seconds: Time on the processor, start included.
    """
    podman = not is_docker(program)
    cpu = math.ceil(seconds)
    return [
        program,
        "run",
        "--rm",
        "--interactive",
        f"--name={name}",
        f"--label={LABEL}",
        "--pull=never",
        "--network=none",
        "--read-only",
        *(["--read-only-tmpfs=false", "--http-proxy=false"] if podman else []),
        "--ipc=none",  # else /dev/shm can be written to
        "--cap-drop=ALL",
        "--security-opt=no-new-privileges",
        f"--pids-limit={PROCESSES}",
        f"--memory={memory}m",
        f"--memory-swap={memory}m",
        "--cpus=1",
        f"--ulimit=cpu={cpu}:{cpu}",
        "--ulimit=core=0:0",
        "--ulimit=fsize=0:0",
        f"--user={NOBODY}",
        "--workdir=/",
        "--hostname=sandbox",
        "--log-driver=none",  # else the answer's cells are kept in a log
        "--no-healthcheck",
        *([] if podman else [f"--env={word}=" for n in PROXIES for word in (n, n.lower())]),
        *(f"--env={name}={value}" for name, value in ENVIRONMENT.items()),
        "--entrypoint=python",
        *bootstrap_command(image),
    ]
