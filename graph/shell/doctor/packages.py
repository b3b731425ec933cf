"""The doctor on Python, the packages and the weights of the embedding model."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from wideleaf.graph.shell.doctor.checks import Check, CheckState, state_of
from wideleaf.tools.errors import SettingsError

if TYPE_CHECKING:
    from packaging.requirements import Requirement

    from wideleaf.graph.context import Context

PACKAGE = "wideleaf"
JAVA, JAVA_SECONDS = 17, 10.0
_VERSION = re.compile(r'version "(?:1\.)?(\d+)')
"""Java 8 calls itself 1.8."""


def packages(context: Context) -> Iterator[Check]:
    """Python and the packages against the bounds, and the extras."""
    try:
        requirements = metadata.requires(PACKAGE) or []
        python = metadata.metadata(PACKAGE)["Requires-Python"] or ""
    except metadata.PackageNotFoundError:
        text = "is not installed as a package, so that its bounds are unknown: pip install -e ."
        yield Check(PACKAGE, "note", text)
        requirements, python = [], ""
    yield _python(python)
    yield from _packages(requirements)


def _python(bounds: str) -> Check:
    from packaging.specifiers import SpecifierSet

    here = platform.python_version()
    if SpecifierSet(bounds).contains(here, prereleases=True):
        return Check("Python", "ok", f"{here}{bounds and f' ({bounds})'}")
    return Check("Python", "missing", f"{here}, but {bounds} is needed", SettingsError.exit_code)


def _packages(requirements: list[str]) -> Iterator[Check]:
    """All that is needed in one line, unless something is wrong; then each extra."""
    from packaging.requirements import Requirement

    needed: list[Requirement] = []
    extras: dict[str, list[Requirement]] = {}
    for text in requirements:
        one = Requirement(text)
        if one.marker is None or one.marker.evaluate({"extra": ""}):
            needed.append(one)
            continue
        extra = re.search(r"extra == [\"']([^\"']+)", str(one.marker))
        if extra and one.marker.evaluate({"extra": extra[1]}):
            extras.setdefault(extra[1], []).append(one)
    problems = [problem for one in needed if (problem := _problem(one))]
    for problem in problems:
        yield Check("packages", "missing", f"{problem}: pip install -U {PACKAGE}", 2)
    if needed and not problems:
        versions = ", ".join(f"{one.name} {metadata.version(one.name)}" for one in needed)
        yield Check("packages", "ok", versions)
    for name in sorted(extras):
        lacking = [problem for one in extras[name] if (problem := _problem(one))]
        detail = f"not there ({'; '.join(lacking)}): pip install '{PACKAGE}[{name}]'"
        yield Check(f"extra {name}", state_of(not lacking), detail if lacking else "is there")


def _problem(requirement: Requirement) -> str:
    try:
        version = metadata.version(requirement.name)
    except metadata.PackageNotFoundError:
        return f"{requirement.name} is not installed"
    if requirement.specifier.contains(version, prereleases=True):
        return ""
    return f"{requirement.name} {version} is not {requirement.specifier}"


def weights(context: Context) -> Iterator[Check]:
    """torch, and the embedding model's weights; neither is loaded."""
    from wideleaf.retrieval.vectors.embedder import MINILM, SentenceEmbedder

    unused = "" if context.retriever != "words" else "; retriever='words' needs none"
    try:
        yield Check("torch", "ok", metadata.version("torch"))
    except metadata.PackageNotFoundError:
        text = "is not installed; the index of wide tables needs it, retriever='words' does not"
        yield Check("torch", "note" if unused else "missing", text, 0 if unused else 2)
    if context.embedder != MINILM:
        there = Path(context.embedder).is_dir()
        detail = "a folder that is there" if there else "no folder; looked for among downloads"
        yield Check(
            "embedding model", state_of(there), f"{context.embedder!r}: {detail} at first use"
        )
        return
    try:
        SentenceEmbedder(MINILM)
    except (SettingsError, OSError) as error:
        yield Check("embedding model", "note" if unused else "missing", f"{error}{unused}", 2)
        return
    yield Check("embedding model", "ok", "all-MiniLM-L6-v2, all its files have the right sha256")


def spark(context: Context) -> Iterator[Check]:
    """PySpark and a Java for it; needed where the engine is named."""
    wrong: CheckState = "missing" if context.engine == "spark" else "note"
    need = "" if wrong == "missing" else "; only engine='spark' needs it"
    try:
        version = metadata.version("pyspark")
    except metadata.PackageNotFoundError:
        text = f"PySpark is not installed: pip install '{PACKAGE}[spark]'{need}"
        yield Check("Spark", wrong, text, SettingsError.exit_code)
        return
    java = _java()
    if java >= JAVA:
        yield Check("Spark", "ok", f"PySpark {version}, Java {java}")
        return
    detail = f"Java {java} is found" if java else "no Java is found by JAVA_HOME or on the path"
    text = f"PySpark {version}, but {detail}; {JAVA} or newer is right{need}"
    yield Check("Spark", wrong, text, SettingsError.exit_code)


def _java() -> int:
    """The major version of Java as PySpark finds it; 0 for none."""
    home = os.environ.get("JAVA_HOME", "")
    program = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    if not program:
        return 0
    try:
        process = subprocess.run(
            [program, "-version"],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=JAVA_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return 0
    match = _VERSION.search((process.stderr + process.stdout).decode(errors="replace"))
    return int(match[1]) if match else 0
