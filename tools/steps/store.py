"""The frame store: frames by lineage id, outside the tree, made again if they are lost."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import RLock

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.craft import Craft
from wideleaf.tools.actions.reading.reading import Reading
from wideleaf.tools.conditions.matching import Align
from wideleaf.tools.craft.consent import Consents
from wideleaf.tools.engines.engine import Engine
from wideleaf.tools.errors import SourceError
from wideleaf.tools.latest import Latest
from wideleaf.tools.queries.database import CELLS_KEPT, database_of, write_parquet
from wideleaf.tools.queries.meeting import meet, need_few
from wideleaf.tools.sources.catalog import Catalog
from wideleaf.tools.sources.normal import FRAMES, TABLES, is_whole
from wideleaf.tools.sources.reading_errors import as_own_error
from wideleaf.tools.steps.damage import damage, read_through, take_away
from wideleaf.tools.steps.disclosure import Origin, find_origin
from wideleaf.tools.steps.placement import run_where_it_stands
from wideleaf.tools.steps.recipes import RECIPES, Recipe, RecipeBook
from wideleaf.tools.steps.runner import CraftRunner
from wideleaf.tools.steps.sweeps import swept_at
from wideleaf.tools.tables.table import Table, is_far
from wideleaf.tools.tree.lineage import is_id, node_id
from wideleaf.tools.verdicts.shelf import VerdictShelf
from wideleaf.tools.writing import explain_writes

FRAMES_IN_MEMORY = 512
COLUMNS_IN_MEMORY = 100_000
"""Of all frames in memory; what a scan knows of a column takes a kilobyte or more."""
FEWEST = 16
"""So many frames stay, however wide."""
STEPS_TOLD = 1_000
SLOW_SECONDS = 0.5
CELLS_WORTH_KEEPING = 50_000_000
CELLS_WORTH_BRINGING = 2_000_000
"""Cells of a slow query of a database that are kept here; fewer than a look shows always are, so
that an answer can be read when the database was written to."""


class FrameStore:
    """Frames by id: a query while that is cheap, a Parquet file where it was eager or slow.

    Data never enters the tree or a checkpoint; both hold ids. Each id's recipe (parents and
    resolved action) is kept on disk, so any process can make the frame again.

    Args:
        folder: Where recipes and materialised frames live; made on first use.
        catalog: The sources that Load may open.
        engine: Who holds the data; the catalog's if not given.
        runner: What runs crafted code; by default one that runs what this folder ran before.
        align: Finds the value of a column that is meant by words which no cell equals.
    """

    def __init__(
        self,
        folder: Path,
        catalog: Catalog,
        engine: Engine | None = None,
        runner: CraftRunner | None = None,
        align: Align | None = None,
    ) -> None:
        self.folder = folder
        self.align = align
        self.runner = runner or CraftRunner(known=Consents(folder).holds)
        self.catalog = catalog
        self.engine = engine or catalog.engine
        self.engine.allow(folders=[folder / FRAMES])
        self.verdicts = VerdictShelf(folder)
        self._recipes = RecipeBook(folder / RECIPES)
        self._frames: OrderedDict[str, Table] = OrderedDict()
        self._queries: Latest[Table] = Latest(FRAMES_IN_MEMORY)
        self._columns = 0
        self._origins: dict[str, Origin] = {}
        self._told: dict[str, tuple[str, ...]] = {}
        self._lock = RLock()
        self._swept = swept_at(folder)

    def grow(self, action: Action, parents: Sequence[str]) -> tuple[str, Table]:
        """Run a resolved action on the frames of these ids and keep what it makes.

        Returns:
            The new frame's id and the frame.

        Raises:
            ActionError: If the action cannot be run on these frames.
        """
        name, arguments = type(action).__name__, action.arguments()
        key = node_id(parents, name, arguments)
        with self._lock:
            self._forget_swept()
            if key in self._frames:
                return key, self._frames[key]
        table = self._run(key, action, parents, self.inputs(action, parents))
        self._recipes.add(key, Recipe(name, arguments, parents))
        if not action.lazy:
            table = self._materialise(key, table)
        self._keep(key, table)
        return key, table

    def get(self, key: str) -> Table:
        """The frame of an id: from memory, from its file, or by its recipe.

        Raises:
            KeyError: If the id was never made in this store.
        """
        with self._lock:
            self._forget_swept()
            if key in self._frames:
                self._frames.move_to_end(key)
                return self._frames[key]
        if not is_id(key):
            raise KeyError(f"{key!r} is no id of a frame")
        path = self._path(key)
        if path.exists() and is_whole(path):  # a power cut may leave it empty
            with suppress(OSError):  # when it was used last, for those who keep the folder small
                os.utime(path)
            table = Table(self.engine.scan(path))
            self._keep(key, table)
            return table
        recipe = self._recipes.find(key)
        if recipe is None:
            raise KeyError(f"no frame {key!r} in {self.folder}; it was made with another folder")
        return self._replay(recipe)

    def with_labels(self, key: str) -> Table:
        """The frame of an id as a person reads it: made-up headers replaced by what they stand for.

        Where the privacy level keeps cells in, headers that would be cells are numbered in the
        tree; only the answer, which stays on this machine, gets the real ones.
        """
        table, fitting = self.get(key), self.labels(key)
        return Table(table.frame.rename(fitting)) if fitting else table

    def labels(self, key: str) -> dict[str, str]:
        """What made-up headers of a frame stand for, where that is no header of it already."""
        table = self.get(key)
        headers = {
            column: real for column, real in self._headers(key).items() if column in table.columns
        }
        rest = set(table.columns) - {*headers}
        return {column: real for column, real in headers.items() if real not in rest}

    def headers(self, key: str) -> dict[str, str]:
        """What headers that this very step made up stand for; none where they are the values."""
        recipe = self._recipes.find(key)
        if recipe is None:
            return {}
        action = self.action(recipe)
        inputs = self.inputs(action, recipe.parents)
        if isinstance(action, Craft):
            return self.runner.headers(key, action, inputs)
        return action.new_headers(*inputs)

    def origin(self, key: str) -> Origin:
        """What stands behind a frame, by its recipe and those of the frames it was made of.

        Each frame is followed once, however many ways lead to it.
        """
        todo = [key]
        while todo:
            recipe = self._recipes.find(todo[-1])
            parents = list(recipe.parents) if recipe else []
            missing = [parent for parent in parents if parent not in self._origins]
            if missing and todo[-1] not in self._origins:
                todo += missing
                continue
            current = todo.pop()
            if recipe is not None and current not in self._origins:
                action = self.action(recipe)
                origins = [self._origins[parent] for parent in parents]
                tables = self.inputs(action, parents)
                self._origins[current] = find_origin(action, tables, self.get(current), origins)
            else:
                self._origins.setdefault(current, Origin())
        return self._origins[key]

    def tell(self, key: str, caveats: tuple[str, ...]) -> None:
        """Keep in memory what a person should know of the step that made a frame."""
        with self._lock:
            if len(self._told) >= STEPS_TOLD:
                self._told.clear()
            self._told[key] = caveats

    def told(self, key: str) -> tuple[str, ...] | None:
        """What `tell` was given of a frame; None if it is not, or no longer, known."""
        return self._told.get(key)

    def recipe(self, key: str) -> Recipe | None:
        """How a frame was made; None if it was never made in this folder."""
        return self._recipes.find(key)

    def lineage(self, key: str) -> Iterator[str]:
        """Names of the actions that made a frame, the last one first, along first parents.

        A source that gives its rows in no order is a ``view``, not a ``Load``.
        """
        recipe = self._recipes.find(key)
        while recipe is not None:
            has_order = recipe.name != "Load" or self.catalog.has_order(recipe.arguments["source"])
            yield recipe.name if has_order else "view"
            recipe = self._recipes.find(recipe.parents[0]) if recipe.parents else None

    def loads(self, key: str) -> frozenset[tuple[str, str]]:
        """The sources that a frame was made of: name and fingerprint; none if that is not known."""
        recipes = self.recipes(key)
        return frozenset(
            (str(one.arguments.get("source")), str(one.arguments.get("fingerprint")))
            for one in recipes.values()
            if one.name == "Load"
        )

    def recipes(self, key: str) -> dict[str, Recipe]:
        """How a frame and each that it is made of were made, by id; empty if one is not known."""
        recipes: dict[str, Recipe] = {}
        todo = [key]
        while todo:
            recipe = self._recipes.find(one := todo.pop())
            if recipe is None:
                return {}
            recipes[one] = recipe
            todo += [parent for parent in recipe.parents if parent not in recipes]
        return recipes

    @contextmanager
    def reading(self, purpose: str) -> Iterator[None]:
        """Hold the engine's turn while frames are read; tell which file cannot be.

        Args:
            purpose: What is being done, for the message.

        Raises:
            SourceError: If a file is damaged, or gone; names it and what to do.
            ActionError: If memory did not suffice, or no table can hold a value.
        """
        with as_own_error(purpose, self.damage), self.engine.turn():
            yield

    def damage(self) -> str:
        """Which file of the run cannot be read through, in words; empty if all can.

        Damaged frames are taken away, for each is made again by its recipe when it is needed.
        """
        with self.engine.turn():
            return damage(self.catalog, self.folder / TABLES) or self._drop_damaged()

    def _drop_damaged(self) -> str:
        with self._lock:
            paths = [self._path(key) for key in self._frames]
            lost = [path for path in paths if path.exists() and not self._is_readable(path)]
            for path in lost:
                take_away(path)
            if lost:
                self._frames.clear()  # whatever reads one of them is lost with it
                self._columns = 0
        if not lost:
            return ""
        return "a frame that was kept was damaged and has been taken away; ask again"

    def _is_readable(self, path: Path) -> bool:
        try:
            read_through(self.engine.scan(path))
        except Exception:  # by whatever its engine says of it
            return False
        return True

    def settle(self, key: str, seconds: float, rows: int) -> None:
        """Write a frame to disk if looking at it was slow, so that it is computed once.

        Args:
            key: The frame.
            seconds: How long the look took.
            rows: How many it has.
        """
        table = self.get(key)
        if table.relations:  # it is a file of facts as it is, and must be known for a graph
            return
        slow, cells = seconds >= SLOW_SECONDS, rows * len(table.columns)
        far = is_far(table.frame)
        if not far and not any(source.place == "lake" for source in self.catalog.all):
            if slow and cells <= CELLS_WORTH_KEEPING:
                self._keep(key, self._materialise(key, table))
            return
        recipe = self._recipes.find(key)
        whole = recipe is None or not recipe.parents  # a table of another place stays there
        if not far and recipe is not None and recipe.parents:  # no column is fetched to be kept
            whole = len(table.columns) >= len(self.get(recipe.parents[0]).columns)
        if not whole and cells <= (CELLS_WORTH_BRINGING if slow else CELLS_KEPT):
            if far:
                self._queries.keep(key, table)
            self._keep(key, self._materialise(key, table))

    def keep(self, key: str) -> bool:
        """Write a frame to disk, so that it can be read by its id alone, unless it is too large."""
        table = self.get(key)
        if table.count() * len(table.columns) > CELLS_WORTH_KEEPING:
            return False
        self._keep(key, self._materialise(key, table))
        return True

    def inputs(self, action: Action, parents: Sequence[str]) -> list[Table]:
        """The tables an action works on, all in one place; a Load's is its source.

        Raises:
            SourceError: If the source is not what it was when the leaf was grown.
        """
        from wideleaf.tools.actions.load import Load

        if isinstance(action, Load):
            fingerprint = self.catalog.find(action.source).fingerprint
            if action.fingerprint not in ("", fingerprint):
                raise SourceError(
                    f"table {action.source!r} is another one than this frame was made of: other "
                    "cells, other columns denied, or another table of that name; ask anew"
                )
            return [self.catalog.table(action.source)]
        tables = [self.get(parent) for parent in parents]
        there = [self._queries.get(p) or t for p, t in zip(parents, tables, strict=True)]
        return meet(tables, there, [partial(self._bring, parent) for parent in parents])

    def action(self, recipe: Recipe) -> Action:
        """The action of a recipe, which can be run."""
        from wideleaf.tools.actions.registry import find_action

        return self.bound(find_action(recipe.name).model_validate(recipe.arguments))

    def bound(self, action: Action) -> Action:
        """An action that can be run: one of a reader finds its verdicts in this folder."""
        return action.bind(self.verdicts.get) if isinstance(action, Reading) else action

    def _run(
        self, key: str, action: Action, parents: Sequence[str], inputs: Sequence[Table]
    ) -> Table:
        if not isinstance(action, Craft):
            return run_where_it_stands(action, inputs, [partial(self._bring, p) for p in parents])
        result = self.runner.run(action, inputs)
        self.runner.keep(key, action, result)
        return result.table

    def _headers(
        self, key: str, headers: dict[str, dict[str, str]] | None = None
    ) -> dict[str, str]:
        """What made-up headers of a frame and of those it was made of stand for."""
        headers = {} if headers is None else headers
        if key not in headers:
            recipe = self._recipes.find(key)
            headers[key] = {}
            for parent in recipe.parents if recipe else ():
                headers[key] |= self._headers(parent, headers)
            headers[key] |= self.headers(key)
        return headers[key]

    def _replay(self, recipe: Recipe) -> Table:
        return self.grow(self.action(recipe), recipe.parents)[1]

    def _forget_swept(self) -> None:
        """Forget all frames where some were taken away: any may read the file of one of them."""
        if (swept := swept_at(self.folder)) != self._swept:
            self._swept = swept
            self._frames.clear()
            self._columns = 0
            self._recipes = RecipeBook(self.folder / RECIPES)

    def _keep(self, key: str, table: Table) -> None:
        with self._lock:
            before = self._frames.pop(key, None)
            self._columns += len(table.schema) - (len(before.schema) if before else 0)
            self._frames[key] = table
            while len(self._frames) > FRAMES_IN_MEMORY or (
                self._columns > COLUMNS_IN_MEMORY and len(self._frames) > FEWEST
            ):
                self._columns -= len(self._frames.popitem(last=False)[1].schema)

    def _materialise(self, key: str, table: Table) -> Table:
        path = self._path(key)
        if not path.exists() or not is_whole(path):
            with explain_writes(self.folder):
                path.parent.mkdir(parents=True, exist_ok=True)
                if database_of(table.frame) is None:
                    self.engine.write(table.frame, path)
                else:
                    write_parquet(table.frame, path)
        return Table(self.engine.scan(path), table.about, table.relations, table.measures)

    def _bring(self, key: str) -> Table:
        """A frame of a database as a file here.

        Raises:
            ActionError: If it has too many cells for that.
        """
        table = self.get(key)
        if database_of(table.frame) is None:
            return table
        need_few(table)
        return self._materialise(key, table)

    def _path(self, key: str) -> Path:
        return self.folder / FRAMES / f"{key}.parquet"
