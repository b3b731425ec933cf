"""The named threads of a place: which there are, what they hold, held, renamed and deleted."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from langgraph.checkpoint.base import CheckpointTuple
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from wideleaf.graph.checkpoints.place import PATIENCE, Place, needs_postgresql
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.plain_data import texts_in

if TYPE_CHECKING:
    from wideleaf.graph.checkpoints.postgres import DatabaseSaver
    from wideleaf.graph.checkpoints.sqlite import ThreadSaver

T = TypeVar("T")
FRAME = re.compile(r"(?<![0-9a-f])[0-9a-f]{24}(?![0-9a-f])")
FIRST = {"step": -1}
"""What the metadata of a thread's first checkpoint says, and of no other."""


def frames_in(plain: Any) -> frozenset[str]:
    """The ids of frames that stand anywhere in plain data."""
    return frozenset(id for text in texts_in(plain) for id in FRAME.findall(text))


def frames_of(latest: CheckpointTuple) -> frozenset[str]:
    """The ids of all frames that a checkpoint speaks of."""
    pending = [value for _, _, value in latest.pending_writes or ()]
    return frames_in([latest.checkpoint["channel_values"], pending])


class Unread(JsonPlusSerializer):
    """Reads nothing, so that threads are listed whatever a stranger put into one."""

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Nothing."""


class Shelf:
    """The threads of one place, whichever it is.

    Args:
        place: Where they are.
        saver: LangGraph's, opened there.
    """

    def __init__(self, place: Place, saver: ThreadSaver | DatabaseSaver) -> None:
        self.place, self.saver = place, saver

    def names(self) -> list[str]:
        """The names of all threads."""
        saver = copy.copy(self.saver)
        saver.serde = Unread()
        listing = saver.list(None, filter=FIRST)
        keys = {str(one.config["configurable"]["thread_id"]) for one in listing}
        prefix = self.place.prefix
        return sorted(key.removeprefix(prefix) for key in keys if key.startswith(prefix))

    def size(self, thread: str) -> int:
        """The bytes of all checkpoints of a thread and of what is written beside them."""
        return self.saver.size(self.place.key(thread))

    def find(self, thread: str, read: Callable[[CheckpointTuple], T]) -> T | Exception | None:
        """A thread.

        Args:
            thread: Its name.
            read: Makes something of its last checkpoint.

        Returns:
            What that is, or why it cannot be read; None if there is no thread of that name.
        """
        try:
            config: Any = {"configurable": {"thread_id": self.place.key(thread)}}
            latest = self.saver.get_tuple(config)
            return read(latest) if latest else None
        except self.saver.error:
            raise
        except Exception as error:
            # Whatever a checkpoint of another version, or a stranger's, makes of itself.
            return error

    @contextmanager
    def held(self, thread: str) -> Iterator[None]:
        """Hold a thread: two runs on one would lose a branch without a word.

        Raises:
            SettingsError: If it is running elsewhere.
        """
        with self.saver.held(self.place.key(thread)) as mine:
            if not mine:
                raise SettingsError(
                    f"thread {thread!r} is running elsewhere; wait for it, or name another thread"
                )
            yield

    def rename(self, old: str, new: str) -> None:
        """Give a thread another name."""
        with self.held(old), self.held(new):
            self.saver.rename_thread(self.place.key(old), self.place.key(new))

    def remove(self, thread: str) -> None:
        """Delete a thread."""
        with self.held(thread):
            self.saver.delete_thread(self.place.key(thread))


@contextmanager
def open_shelf(place: Place) -> Iterator[Shelf]:
    """The threads of a place, which is made where there is none.

    Raises:
        SettingsError: If it cannot be used.
    """
    if place.url:
        with needs_postgresql():
            from wideleaf.graph.checkpoints.postgres import open_database
        with open_database(place.url, PATIENCE) as database:
            yield Shelf(place, database)
    else:
        from wideleaf.graph.checkpoints.sqlite import open_checkpoints

        with open_checkpoints(place.path, PATIENCE) as file:
            yield Shelf(place, file)
