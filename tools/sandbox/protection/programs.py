"""Which container program works on this machine, and whether it has an image; nothing is pulled."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from functools import lru_cache

from wideleaf.tools.errors import SandboxError

PROGRAMS = ("docker", "podman")
ASK_SECONDS = 3.0
FRESH_SECONDS = 60.0
PACKAGES = "python, pandas, numpy and pyarrow"
IMAGE_FORM = re.compile(r"[A-Za-z0-9][\w.\-/:@]{0,254}", re.ASCII)


def program_on_path() -> str:
    """Which container program is on the path: ``docker``, ``podman`` or none (empty)."""
    return next((name for name in PROGRAMS if shutil.which(name)), "")


def working_program(image: str) -> tuple[str, str]:
    """The first container program that answers and has an image.

    Returns:
        Its name and an empty text, or an empty name and why there is none.
    """
    if not image:
        there = program_on_path()
        no_program = "" if there else f"neither {' nor '.join(PROGRAMS)} is on the path, and "
        return "", f"{no_program}no image is named; {_advice()}"
    if not IMAGE_FORM.fullmatch(image):
        return "", f"{image!r} is no image's name; {_advice()}"
    try:
        this_minute = int(time.monotonic() // FRESH_SECONDS)
        return _working(image, os.environ.get("PATH", ""), this_minute), ""
    except SandboxError as error:
        return "", str(error)


@lru_cache(maxsize=4)
def _working(image: str, path: str, this_minute: int) -> str:
    """What works is asked for once a minute; what does not is asked anew each time."""
    reasons = []
    for name in PROGRAMS:
        if shutil.which(name, path=path):
            reason = why_not(name, image)
            if not reason:
                return name
            reasons.append(reason)
    raise SandboxError("; ".join(reasons) or f"neither {' nor '.join(PROGRAMS)} is on the path")


def why_no_container(image: str) -> str:
    """Why no container can be used; empty if one can."""
    return working_program(image)[1]


def why_not(program: str, image: str) -> str:
    """Why this program cannot run this image; empty if it can."""
    if not IMAGE_FORM.fullmatch(image):
        return f"{image!r} is no image's name; {_advice()}"
    if daemon := daemon_problem(program):
        return daemon
    status, reply = _asked(program, "image", "inspect", "--format={{.Id}}", image)
    if status == 0:
        return ""
    return (
        f"{program} has no image {image!r} ({reply}); it is never pulled in a run: "
        f"{program} pull {image}, or build one that holds {PACKAGES}; docs/how-to/models.md has a "
        "Dockerfile of three lines"
    )


def daemon_problem(program: str) -> str:
    """Why a container program does not work at all; empty if it answers within three seconds."""
    if not shutil.which(program):
        return f"{program!r} is not on the path"
    status, reply = _asked(program, "info", "--format={{json .ID}}" if is_docker(program) else "")
    return f"{program} does not answer ({reply}); start its service" if status else ""


def is_docker(program: str) -> bool:
    """Whether a container program is Docker, by its name; else it is Podman."""
    return "podman" not in os.path.basename(program)


def _asked(program: str, *words: str) -> tuple[int, str]:
    """The status of a short question to the container program, and the first line it said."""
    try:
        process = subprocess.run(
            [program, *filter(None, words)],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=ASK_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return 1, f"no answer within {ASK_SECONDS:g} s"
    except OSError as error:
        return 1, str(error.strerror or error)
    lines = (process.stderr or process.stdout).decode(errors="replace").strip().splitlines()
    problem = process.returncode
    if not problem and words[0] == "info" and "cannot connect" in " ".join(lines).lower():
        problem = 1  # some versions tell of it and end with 0
    return problem, next((line.strip()[:200] for line in lines if line.strip()), "it said nothing")


def _advice() -> str:
    return (
        f"put the name of one that holds {PACKAGES} into the setting sandbox_image "
        "(--sandbox-image); docs/how-to/models.md has a Dockerfile of three lines"
    )
