"""A made-up Docker for tests: takes docker's words, writes them down, and runs the rest here.

What runs is in a session of its own, as under a daemon: killing the client does not end it, and
only ``rm`` does. How it misbehaves is said by the word in the file `mood` beside it.
"""

from __future__ import annotations

import json
import os
import sys
import textwrap
from pathlib import Path

PROGRAM = """\
import json, os, signal, subprocess, sys, time
place, python = {place!r}, {python!r}
words = sys.argv[1:]
with open(place + "/asked", "a") as file:
    file.write(json.dumps(words) + "\\n")
with open(place + "/mood") as file:
    mood = file.read()

def end(status, said=""):
    print(said, file=sys.stderr)
    sys.exit(status)

if words[0] == "info":
    if mood == "hangs":
        time.sleep(60)
    if mood == "no daemon":
        end(1, "Cannot connect to the Docker daemon at unix:///var/run/docker.sock.")
    if mood == "no daemon, status 0":
        end(0, "ERROR: Cannot connect to the Docker daemon")
    print('"an id"')
elif words[:2] == ["image", "inspect"]:
    if words[-1] != "tables:1":
        end(1, "Error response from daemon: No such image: " + words[-1])
    print("sha256:1")
elif words[0] == "rm":
    try:
        with open(place + "/" + words[-1]) as file:
            os.killpg(int(file.read()), signal.SIGKILL)
    except (OSError, ValueError):
        end(1, "No such container")
elif words[0] == "run":
    at = words.index("tables:1")
    options = dict(word.split("=", 1) for word in words[1:at] if "=" in word)
    environment = dict(w[6:].split("=", 1) for w in words[1:at] if w.startswith("--env="))
    if mood == "refuses":
        end(125, "docker: Error response from daemon: cgroups: no such controller.")
    if mood == "no python":
        end(127, "exec: python: executable file not found in $PATH")
    if mood == "garbage":
        print("<html>welcome</html>" * 10)
        sys.exit(0)
    if mood == "silent":
        sys.exit(0)
    if mood == "echo":
        sys.stdout.buffer.write(sys.stdin.buffer.read())
        sys.exit(0)
    if mood == "flood":
        while True:
            os.write(1, bytes(1 << 20))
    if mood == "client dies":
        lost = subprocess.Popen(
            [python, "-IS", "-c", "import time; time.sleep(60)"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        with open(place + "/" + options["--name"], "w") as file:
            file.write(str(lost.pid))
        os._exit(125)
    flags = ["-S"] if mood == "no packages" else []
    inner = subprocess.Popen(
        [python, *flags, *words[at + 1 :]], env=environment, cwd="/", start_new_session=True
    )
    with open(place + "/" + options["--name"], "w") as file:
        file.write(str(inner.pid))
    if mood == "killed":
        time.sleep(0.05)
        inner.kill()
    status = inner.wait()
    os.remove(place + "/" + options["--name"])
    sys.exit(status if status >= 0 else 128 - status)
"""


class FakeDocker:
    """A program on the path.

    Args:
        folder: Where it is written.
        name: ``docker`` or ``podman``.
    """

    def __init__(self, folder: Path, name: str = "docker") -> None:
        self.place = folder / f"{name}-files"
        self.place.mkdir(parents=True)
        self.path = folder / name
        code = PROGRAM.format(place=str(self.place), python=sys.executable)
        self.path.write_text(f"#!{sys.executable} -IS\n{textwrap.dedent(code)}")
        self.path.chmod(0o755)
        self.mood("")

    def mood(self, word: str) -> None:
        """How it behaves from now on."""
        (self.place / "mood").write_text(word)

    @property
    def asked(self) -> list[list[str]]:
        """The words of each call."""
        file = self.place / "asked"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    @property
    def running(self) -> list[int]:
        """What still runs under it."""
        left = []
        for file in self.place.glob("wideleaf-*"):
            try:
                os.kill(int(file.read_text()), 0)
            except (ProcessLookupError, ValueError):
                continue
            left.append(int(file.read_text()))
        return left
