"""A smoke test of what is installed: no file is missing, all modules import, all doors answer.

Run it from outside the checkout by the Python that it is installed for:
``python -P smoke.py CHECKOUT [WHEEL ...]``. The checkout says what must be there; a wheel that is
named must hold just that.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from fnmatch import fnmatch
from importlib import import_module
from importlib.resources import files
from pathlib import Path, PurePosixPath
from types import SimpleNamespace
from typing import Any

PACKED = ("*.py", "*.md", "*.txt", "*.tsv", "py.typed")
PACKAGES = ("wideleaf", "wideleaf_evaluation")
PAGE = Path("graph", "page")  # whose source is not packed, and what is built of it is
SHELL = Path(sys.executable).with_name("wideleaf")
QUESTION, VALUE = "What is the mean height?", 2.5


def package_files(checkout: Path, package: str) -> dict[str, Path]:
    """Where each file of a package stands, by its name in a wheel."""
    links = checkout / ".types"  # the folders as packages; a wheel has the same shape
    paths = [
        Path(folder, name)
        for folder, _, names in os.walk(links / package, followlinks=True)
        for name in names
        if any(fnmatch(name, pattern) for pattern in PACKED)
        and not Path(folder).is_relative_to(links / package / PAGE / "source")
    ]
    paths += (links / package / PAGE / "static").glob("*")
    return {path.relative_to(links).as_posix(): path for path in paths}


def need_complete_wheel(wheel: Path, wanted: dict[str, Path]) -> None:
    """Compare the files in a wheel with those that it must hold."""
    with zipfile.ZipFile(wheel) as packed:
        names = {name for name in packed.namelist() if ".dist-info/" not in name}
        missing, extra = sorted(wanted.keys() - names), sorted(names - wanted.keys())
        assert not missing, f"{wheel} lacks {missing}"
        assert not extra, f"{wheel} holds what the checkout does not: {extra}"
        other = [name for name in names if packed.read(name) != wanted[name].read_bytes()]
        assert not other, f"{wheel} holds other text than the checkout: {other}"


def need_installed(name: str, path: Path) -> None:
    """Import a module, or read a text, and compare it with the checkout's."""
    place = PurePosixPath(name)
    package = ".".join(place.parent.parts)
    if name.endswith(".py") and place.stem not in ("__init__", "__main__"):
        import_module(f"{package}.{place.stem}")
    installed = files(import_module(package)) / place.name
    assert installed.is_file(), f"{name} is not installed"
    assert installed.read_bytes() == path.read_bytes(), f"{installed} is not {path}"


def answers(checkout: Path, folder: Path) -> Iterator[tuple[str, Any]]:
    """Ask one question by each door: the shell's, the library's and those of Studio."""
    table = folder / "plots.csv"
    table.write_text("site,height\na,1\nb,4\n")
    settings = {"sources": [str(table)], "folder": str(folder / "kept")}

    words = ["ask", QUESTION, table, "--json", "--folder", settings["folder"]]
    done = subprocess.run([SHELL, *words], capture_output=True, text=True, check=True, cwd=folder)
    yield "wideleaf ask", json.loads(done.stdout)["value"]

    import wideleaf as wl

    yield "wl.ask", wl.ask(QUESTION, table, folder=settings["folder"]).value

    config = json.loads((checkout / "langgraph.json").read_text())
    questions = {
        "ask": {"question": QUESTION},
        "chat": {"messages": [{"role": "user", "content": QUESTION}]},
    }
    assert questions.keys() == config["graphs"].keys()
    for name, graph in config["graphs"].items():
        # No run is under way when a server opens a graph to look at it.
        opened = load(graph["path"])(SimpleNamespace(execution_runtime=None))
        state = opened.invoke(questions[name], context=settings)
        answer = state["value"] if name == "ask" else state["messages"][-1].content
        yield f"the graph {name!r}", VALUE if str(VALUE) in str(answer) else answer
    assert callable(load(config["http"]["app"]))


def load(path: str) -> Any:
    """What ``module:name`` names."""
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


def main() -> None:
    """Run all of it; a fault ends it with a traceback."""
    checkout, *wheels = [Path(word).resolve() for word in sys.argv[1:]]
    packages = {name: package_files(checkout, name) for name in PACKAGES}
    for wheel in wheels:
        wanted = packages[wheel.name.partition("-")[0]]
        need_complete_wheel(wheel, wanted)
        print(f"{wheel.name} in {wheel.parent.name}: {len(wanted)} files, as in the checkout")
    for package, wanted in packages.items():
        for name, path in sorted(wanted.items()):
            need_installed(name, path)
        print(f"{import_module(package).__file__}: {len(wanted)} files import or are read")
    subprocess.run([SHELL, "eval", "--help"], check=True, stdout=subprocess.DEVNULL)
    print("wideleaf eval is a command of the shell")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = str(Path(folder, "state"))
        for door, value in answers(checkout, Path(folder)):
            assert value == VALUE, f"{door} answered {value!r} instead of {VALUE}"
            print(f"{door} answers {value}")


main()
