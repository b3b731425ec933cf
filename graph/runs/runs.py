"""The runs of a folder: what is kept there, and what becomes of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from wideleaf.graph.bug_report import FOLDER, clear_errors
from wideleaf.graph.checkpoints.place import place_of
from wideleaf.graph.retention.contents import PartSize, frame_files, measure_parts
from wideleaf.graph.retention.marks import count_runs
from wideleaf.graph.runs.kinds import KINDS, Keeper, open_keeper
from wideleaf.graph.runs.removal import Removed, free_frames, purge_folder, take_away
from wideleaf.graph.runs.run import Run, table_of
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.tables.columns import nearest_names


class Runs:
    """The runs that a folder keeps: named threads, and answers that were saved in it.

    Args:
        folder: The folder of the runs.
        checkpoints: Where its named threads are, as for `wideleaf.ask`.

    Raises:
        SettingsError: If that is no place.
    """

    @clear_errors("the runs")
    def __init__(self, folder: str | Path = FOLDER, *, checkpoints: str = "") -> None:
        self.folder = Path(folder)
        self._checkpoints = checkpoints
        self._place = place_of(checkpoints, self.folder)

    @clear_errors("the runs")
    def all(self) -> list[Run]:
        """All runs, the latest first.

        Raises:
            SettingsError: If the place of the threads cannot be used.
        """
        with open_keeper(self._place) as keeper:
            return sorted(self._kept(keeper).values(), key=lambda run: run.changed, reverse=True)

    @clear_errors("the runs")
    def parts(self) -> list[PartSize]:
        """What the folder holds besides: how many files and bytes of each part."""
        return measure_parts(self.folder)

    @clear_errors("the run")
    def show(self, name: str) -> Run:
        """A run by its name.

        Raises:
            SettingsError: If there is none of that name.
        """
        with open_keeper(self._place) as keeper:
            return self._found(keeper, name)[2]

    @clear_errors("the run")
    def resume(self, name: str, *sources: Any, **settings: Any) -> Any:  # a Result or a Session
        """Go on with a run.

        Args:
            name: Of a thread.
            sources: Its tables, where they are elsewhere by now, or were handed in as frames.
            settings: Fields of `Context` that are others now, such as the model; whom `ask` or
                `Session` tells and asks back.

        Returns:
            Of a question its result; of a conversation the session, to go on asking; of a batch
            its answers.

        Raises:
            SettingsError: If there is none of that name, or it is not known how it was asked.
            WideleafError: As `wideleaf.ask` does.
        """
        from wideleaf.graph.sessions.run import ask
        from wideleaf.graph.sessions.session import Session

        run = self.show(name)
        tables, options = self._ways(run, sources, settings)
        if run.kind == "batch":
            from wideleaf.graph.batches.batch import batch
            from wideleaf.graph.batches.journal import BATCHES, Journal

            call = Journal(self.folder / BATCHES / run.name).call()
            options = {name: call[name] for name in ("column", "out") if name in call} | options
            return batch(call["questions"], *tables, **options)
        if run.kind == "conversation":
            return Session(*tables, thread=run.name, **options)
        return ask(run.question, *tables, thread=run.name, **options)

    @clear_errors("the run")
    def rename(self, name: str, new: str) -> None:
        """Give a run another name.

        Raises:
            SettingsError: If there is none of that name, the other is taken, or it is under way.
        """
        with open_keeper(self._place) as keeper:
            kind, old, _ = self._found(keeper, name)
            if not new.strip() or new in KINDS[kind].names(keeper):
                raise SettingsError(f"there is a run {new!r} already; choose another name")
            KINDS[kind].rename(keeper, old, new)

    @clear_errors("the run")
    def remove(self, *names: str) -> Removed:
        """Delete runs, with the frames that no other needs.

        Raises:
            SettingsError: If there is none of a name, or it is under way.
        """
        with open_keeper(self._place) as keeper:
            matches = [self._found(keeper, name) for name in names]
            return self._remove(keeper, {(kind, bare): run for kind, bare, run in matches})

    @clear_errors("the runs")
    def purge(self, older_than: timedelta | None = None) -> Removed:
        """Delete all that is kept: threads, frames, copies of tables, index, notes, and so on.

        Args:
            older_than: Only what was not changed for so long.

        Raises:
            SettingsError: If a run is under way.
        """
        if count_runs(self.folder):  # it would write again what was removed
            raise SettingsError(
                f"a run is under way in {str(self.folder)!r}; nothing was removed: end it, or wait"
            )
        with open_keeper(self._place) as keeper:
            if older_than is None:
                return purge_folder(keeper)
            before = datetime.now(UTC) - older_than
            kept = self._kept(keeper).items()
            old = {key: run for key, run in kept if run.changed < before}
            removed = self._remove(keeper, old)
            rest = self._kept(keeper).values()
            # Copies of tables that were handed in as frames are all that there is of them.
            needed = _ids(rest) | {table for run in rest for table in run.sources}
            sizes = take_away(keeper, before.timestamp(), needed)
            files, size = removed.files + len(sizes), removed.bytes + sum(sizes)
            return removed._replace(files=files, bytes=size)

    def __iter__(self) -> Iterator[Run]:
        return iter(self.all())

    def __getitem__(self, name: str) -> Run:
        return self.show(name)

    def __repr__(self) -> str:
        return table_of(self.all())

    def _kept(self, keeper: Keeper) -> dict[tuple[str, str], Run]:
        """All runs by kind and name."""
        files = frame_files(keeper.folder)
        return {
            (kind, name): _weigh(run, files)
            for kind, way in KINDS.items()
            for name in way.names(keeper)
            if (run := way.find(keeper, name))
        }

    def _found(self, keeper: Keeper, name: str) -> tuple[str, str, Run]:
        """The kind, name and run that a name means."""
        kinds, bare = list(KINDS), name
        before, colon, after = name.partition(":")
        if colon and before in KINDS:
            kinds, bare = [before], after
        there = [(kind, run) for kind in kinds if (run := KINDS[kind].find(keeper, bare))]
        if len(there) == 1:
            kind, run = there[0]
            return kind, bare, _weigh(run, frame_files(keeper.folder))
        if there:
            ways = " or ".join(repr(f"{kind}:{bare}") for kind, _ in there)
            raise SettingsError(f"{name!r} names several runs; right would be {ways}")
        names = [one for way in KINDS.values() for one in way.names(keeper)]
        near = nearest_names(name, names, limit=1)
        hint = f"; the nearest is {near[0]!r}" if near else ""
        raise SettingsError(f"no run {name!r} is kept in {str(self.folder)!r}{hint}")

    def _remove(self, keeper: Keeper, runs: dict[tuple[str, str], Run]) -> Removed:
        for kind, name in runs:
            KINDS[kind].remove(keeper, name)
        left = keeper.shelf.saver.compact() if runs and keeper.shelf else ""
        needed = _ids(self._kept(keeper).values())
        sizes = free_frames(keeper.folder, _ids(runs.values()), needed)
        return Removed(len(runs), len(sizes), sum(sizes), left)

    def _ways(
        self, run: Run, sources: tuple[Any, ...], settings: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        if run.kind not in ("question", "conversation", "batch") or run.status == "unreadable":
            what = run.note or f"it is {run.kind}, and finished"
            raise SettingsError(f"{run.name!r} cannot go on: {what}")
        tables = sources or run.sources
        if not sources and not all("=" in one for one in run.sources):
            listing = ", ".join(map(repr, run.sources)) or "none"
            raise SettingsError(
                f"where the tables of {run.name!r} are is not known ({listing}); name them"
            )
        if run.live and not {"model", "base_url"} & {*settings}:
            raise SettingsError(
                f"{run.name!r} was asked with a {run.live} from Python, which is not kept; name a "
                "model"
            )
        own = {"folder": self.folder, "checkpoints": self._checkpoints}
        return tuple(tables), {**run.settings, **own, **settings}


def _ids(runs: Iterable[Run]) -> frozenset[str]:
    """The frames that runs stand on."""
    return frozenset().union(*(run.ids for run in runs))


def _weigh(run: Run, files: dict[str, Path]) -> Run:
    """A run with the size of its frames."""
    sizes = [files[one].stat().st_size for one in run.ids if one in files]
    return run.model_copy(update={"frames": len(sizes), "frame_bytes": sum(sizes)})


runs = Runs
