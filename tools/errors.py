"""The errors that a person or a model reads: the value that was wrong, and what would be right."""

import traceback
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any, ClassVar

_PACKAGE = __name__.partition(".")[0]
_SHELL = "IPython"


class WideleafError(RuntimeError):
    """An error that reaches the user as one clear message.

    Attributes:
        code: A stable word for machines (part of the JSON output).
        exit_code: What the shell command returns for it.
        result: The result so far, if the run had begun; its tree shows every step taken.
    """

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1
    result: Any = None

    def _render_traceback_(self) -> list[str]:
        """What IPython shows: where the caller's own code came in, and the message."""
        return [*_own_lines(self.__traceback__), f"{type(self).__name__}: {self}"]


class SettingsError(WideleafError):
    """A setting, option or question that cannot be used as it is."""

    code = "settings"
    exit_code = 2


class SourceError(WideleafError):
    """A table that cannot be read: missing, empty, unreadable or of an unknown form."""

    code = "source"
    exit_code = 3


class ModelError(WideleafError):
    """A model that cannot be reached or does not answer in the protocol."""

    code = "model"
    exit_code = 4


class KeylessError(ModelError):
    """A model that needs a key, where there is none."""


class PrivacyError(WideleafError):
    """Something was about to leave the machine that the privacy level keeps in."""

    code = "privacy"
    exit_code = 5


class SandboxError(WideleafError):
    """The sandbox cannot be had or broke down: no wall here, or its process died."""

    code = "sandbox"
    exit_code = 8


class BugError(WideleafError):
    """Something that nobody foresaw, which is ours to mend; its cause is the error itself.

    Attributes:
        trace: The file that holds the trace; empty if it could be written nowhere.
    """

    code = "bug"
    exit_code = 9
    trace: str = ""


class ActionError(Exception):
    """The one error that becomes an observation; anything else is our bug, see `BugError`.

    Args:
        text: What was wrong and what would be right; holds names, types, counts and
            literals that the caller wrote itself, never a cell's value.
        kind: A short word for the sort of failure; two of one kind at one head force a
            backtrack.
        private: A further sentence that holds cell values; only the ``samples`` privacy
            level lets it out.
    """

    def __init__(self, text: str, *, kind: str = "argument", private: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.kind = kind
        self.private = private


def need_none(what: str, arguments: Mapping[str, object]) -> None:
    """Refuse arguments that do not go together with another.

    Args:
        what: What takes none of them.
        arguments: By name: what was given, if anything.

    Raises:
        ActionError: Names the first that was given.
    """
    if wrong := next((name for name, value in arguments.items() if value), None):
        raise ActionError(f"{what} takes no {wrong}; leave it out", kind=f"argument {wrong}")


def _own_lines(trace: TracebackType | None) -> Iterator[str]:
    """The lines of a traceback down to the one that called this package, without IPython's own."""
    for frame, line in traceback.walk_tb(trace):
        package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if package == _PACKAGE:
            return
        if package != _SHELL:
            summary = traceback.StackSummary.extract(iter([(frame, line)]))
            yield from (text.rstrip("\n") for text in summary.format())
