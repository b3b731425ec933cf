"""Strategies: the ways to an answer, what can be left out of them, and what each needs."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

Path = Literal["auto", "tree", "pandas", "pot", "codestep"]
"""How one run answers a question; `vote` counts the answers of several."""
Strategy = Literal[Path, "vote"]
Ablation = Literal["craft", "codestep", "alignment", "schema"]
TREES: frozenset[Path] = frozenset({"auto", "tree"})
"""In these a model takes one action after another."""
PROGRAMS: tuple[Path, ...] = ("pandas", "pot")
"""In these the whole answer is one program that runs in the sandbox."""
PLANS: tuple[Path, ...] = (*PROGRAMS, "codestep")
"""In these a model writes all of it at once."""


def explain_unfit(
    paths: Collection[str],
    without: Collection[str],
    *,
    model: bool,
    crafts: bool,
    shows_cells: bool,
) -> str:
    """What a run's strategies lack; empty if nothing.

    Args:
        paths: The strategies that its answers come by.
        without: What is left out.
        model: Whether a model is asked.
        crafts: Whether code that a model wrote may run.
        shows_cells: Whether the privacy level lets cells out.
    """
    for path in paths:
        if path in PLANS and not model:
            return f"the strategy {path!r} needs a model to write the program; name one"
        if path in PROGRAMS and not crafts:
            return f"the strategy {path!r} runs code, which craft='off' forbids"
    if "pot" in paths and not shows_cells:
        return (
            "the strategy 'pot' shows a model the data itself, which only privacy 'samples' lets "
            "out"
        )
    if "schema" in without and (not model or {*paths} - TREES):
        return "'schema' can be left out of what a model of the tree is told alone"
    if "codestep" not in paths and {"craft", "codestep"} & {*without}:
        return (
            "without craft or codestep is of the strategy 'codestep' alone; craft='off' is of all"
        )
    return ""
