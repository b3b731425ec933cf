"""Recipes: how each frame was made, kept on disk so that any process can make it again."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from wideleaf.tools.tree.lineage import node_id
from wideleaf.tools.writing import append_lines, write_text

RECIPES = "recipes.jsonl"
"""The file of recipes in a run's folder."""


class Recipe(NamedTuple):
    """An action and what it was applied to.

    Attributes:
        name: The action's name.
        arguments: Its arguments, resolved.
        parents: Ids of its input frames.
    """

    name: str
    arguments: dict[str, Any]
    parents: Sequence[str]


class RecipeBook:
    """Recipes by frame id, in one file.

    Several processes may write at once; a line that a crash cut short is passed over.

    Args:
        path: The file; made on first use.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known: dict[str, Recipe] = {}
        self._written: set[str] = set()

    def add(self, key: str, recipe: Recipe) -> None:
        """Write a recipe down, once a process."""
        if key in self._written:
            return
        line = json.dumps([key, recipe.name, recipe.arguments, list(recipe.parents)])
        append_lines(self.path, line)
        self._written.add(key)
        self._known[key] = Recipe(recipe.name, recipe.arguments, list(recipe.parents))

    def find(self, key: str) -> Recipe | None:
        """The recipe of a frame, or None if it was never made here.

        A recipe that is not the one its id was made of counts for nothing: it would give a wrong
        frame, or lead in a circle.
        """
        if key in self._known or not self.path.exists():
            return self._known.get(key)
        start = f'["{key}"'
        with self.path.open(encoding="utf-8") as lines:
            for line in lines:
                if line.startswith(start) and line.endswith("]\n"):
                    recipe = _read(key, line)
                    if recipe is not None:
                        self._known[key] = recipe
                        return recipe
        return None

    def parents(self) -> dict[str, list[str]]:
        """The ids of all frames that have a recipe, each with those of its inputs."""
        inputs: dict[str, list[str]] = {}
        for line in self._lines():
            with suppress(ValueError, TypeError, RecursionError):
                key, _, _, parents = json.loads(line)
                inputs[str(key)] = [*map(str, parents)]
        return inputs

    def forget(self, keys: Collection[str]) -> None:
        """Write the file anew without some recipes; nobody else may be adding to it.

        Raises:
            SettingsError: If it cannot be written.
        """
        starts = tuple(f'["{key}"' for key in keys)
        lines = [line for line in self._lines() if not line.startswith(starts)]
        if lines:
            write_text(self.path, "".join(lines), private=True)
        else:
            self.path.unlink(missing_ok=True)
        for key in keys:
            self._known.pop(key, None)
            self._written.discard(key)

    def _lines(self) -> list[str]:
        """The whole lines of the file."""
        if not self.path.exists():
            return []
        with self.path.open(encoding="utf-8") as lines:
            return [line for line in lines if line.endswith("]\n")]


def _read(key: str, line: str) -> Recipe | None:
    try:
        _, name, arguments, parents = json.loads(line)
        right = node_id(parents, name, arguments) == key
    except (ValueError, TypeError, RecursionError):
        return None
    return Recipe(name, arguments, parents) if right else None
