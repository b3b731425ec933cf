"""The frames that a function gets, as its prompt lists them: the columns that matter, in bounds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from wideleaf.agents.craft_task import CodeInput, CraftTask
from wideleaf.agents.requests import lines_within
from wideleaf.tools.tables.families import find_families
from wideleaf.tools.words import one_line

LONGEST_NAME = 160
"""A longer header is cut, and given by its place."""
LEAST_FAMILY = 4
LEAST_CHARACTERS = 3
"""A shorter name, in whatever words, is no sign that it is meant."""
SEEN_SHARE = 0.25
"""Of a frame's room, what was seen of it may take; the columns have the rest."""
_WORD = re.compile(r"[^\W_]+")


class FrameListing(NamedTuple):
    """A frame made ready to be listed in any room.

    Attributes:
        frame: The frame.
        head: Its parameter, label and shape.
        entries: Texts of columns, those that matter first, with how many each stands for.
    """

    frame: CodeInput
    head: str
    entries: tuple[tuple[str, int], ...]


def list_frames(task: CraftTask) -> list[FrameListing]:
    """Make the frames of a task ready; this looks at every column, once.

    Columns that the signature, the step, the question or the selection name come first, then the
    rest, families as one entry.
    """
    listings: list[FrameListing] = []
    for one in task.inputs:
        rows = "" if one.rows is None else f"{one.rows} row{'s' * (one.rows != 1)} x "
        shape = f"{rows}{len(one.columns)} column{'s' * (len(one.columns) != 1)}"
        head = f"`{one.parameter}` is {one_line(one.label, 80)}: {shape}"
        entries = {
            name: _entry(one.parameter, place, name, kind)
            for place, (name, kind) in enumerate(one.columns)
        }
        meant = [(entries.pop(name), 1) for name in _meant(one, task)]
        rest = _grouped(entries, dict(one.columns))
        listings.append(FrameListing(one, head, (*meant, *rest)))
    return listings


def inputs_text(frames: Sequence[FrameListing], characters: int) -> str:
    """List frames, each within its share of the room, and how many columns are left out."""
    texts, room = [], characters
    for place, one in enumerate(frames):
        texts.append(_text(one, room // (len(frames) - place)))
        room -= len(texts[-1]) + 1
    return "\n".join(texts)


def _text(one: FrameListing, room: int) -> str:
    """A frame, what was seen of it, and its columns as far as there is room."""
    left = room - len(one.head)
    if left < 0:
        return one_line(one.head, max(room, 1))
    seen = _seen(one.frame.observation, int(left * SEEN_SHARE))
    count, more = len(one.frame.columns), f"more, see {one.frame.parameter}.columns"
    entries = (f"  {text}" for text, _ in one.entries)
    kept = lines_within(entries, left - len(seen) - len(f"\n  and {count} {more}"))
    rest = count - sum(columns for _, columns in one.entries[: len(kept)])
    kept += [f"  and {rest} {more}"] * bool(rest and kept)
    return "\n".join([one.head, *kept]) + seen


def _entry(parameter: str, place: int, name: str, kind: str) -> str:
    shown = repr(name)  # blanks and invisible signs can be seen, and typed
    if len(shown) > LONGEST_NAME:
        shown = f"{parameter}.columns[{place}], which begins {shown[:60]}'…"
    return f"{shown} ({one_line(kind, 20)})"


def _grouped(entries: Mapping[str, str], kinds: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """Entries with the number of columns each stands for; a family is one."""
    found = {
        name: family
        for family in find_families(tuple(entries))
        if len(family.members) >= LEAST_FAMILY
        and len({kinds[name] for name in family.columns}) == 1
        for name in family.columns
    }
    told = set[str]()
    for name, entry in entries.items():
        family = found.get(name)
        if family is None:
            yield entry, 1
        elif family.notation not in told:
            told.add(family.notation)
            first, second, *_, last = [repr(n)[:LONGEST_NAME] for n in family.columns]
            count = len(family.columns)
            yield f"{first}, {second}, … {last} ({count} columns, {kinds[name]})", count


def _seen(observation: str, room: int) -> str:
    """What was seen beyond shape and columns, which stand in the first line."""
    told = (f"  | {one_line(line, 300)}" for line in observation.splitlines()[1:])
    return "".join(f"\n{line}" for line in lines_within(told, room))


def _meant(one: CodeInput, task: CraftTask) -> dict[str, None]:
    """The columns that the texts name, those of the nearest text first."""
    folded = {name: " ".join(name.split()).casefold() for name, _ in one.columns}
    found: dict[str, None] = {}
    for text in (task.signature, task.task, task.question, task.columns):
        said = " ".join(text.split()).casefold()
        words = {word.casefold() for word in _WORD.findall(text)}
        for name, plain in folded.items():
            parts = {word.casefold() for word in _WORD.findall(name)}
            if len(plain) < LEAST_CHARACTERS:
                named = plain in words
            else:
                named = plain in said or (bool(parts) and parts <= words)
            if named:
                found[name] = None
    return found
