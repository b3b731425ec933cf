"""The frames that a function gets, as its prompt lists them: the columns that matter, in bounds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
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
    return [_listed(one, task) for one in task.inputs]


def inputs_text(frames: Sequence[FrameListing], characters: int) -> str:
    """List frames, each within its share of the room, and how many columns are left out."""
    texts, room = [], characters
    for place, one in enumerate(frames):
        texts.append(_text(one, room // (len(frames) - place)))
        room -= len(texts[-1]) + 1
    return "\n".join(texts)


def _listed(one: CodeInput, task: CraftTask) -> FrameListing:
    rows = "" if one.rows is None else f"{one.rows} row{'s' * (one.rows != 1)} x "
    count = len(one.columns)
    shape = f"{rows}{count} column{'s' * (count != 1)}"
    kinds = dict(one.columns)
    places = {name: place for place, (name, _) in enumerate(one.columns)}
    meant = _meant(one, task)
    entries = [(_entry(name, kinds[name], one.parameter, places), 1) for name in meant]
    rest = [column for column in one.columns if column[0] not in meant]
    entries += _grouped(rest, one.parameter, places)
    return FrameListing(
        one, f"`{one.parameter}` is {one_line(one.label, 80)}: {shape}", tuple(entries)
    )


def _text(one: FrameListing, room: int) -> str:
    if len(one.head) > room:
        return one_line(one.head, max(room, 1))
    seen = _seen(one.frame.observation, int((room - len(one.head)) * SEEN_SHARE))
    columns = _columns(one, room - len(one.head) - len(seen))
    return f"{one.head}{columns}{seen}"


def _columns(one: FrameListing, room: int) -> str:
    """Entries of columns as long as there is room, and the number of those left out."""
    count, parameter = len(one.frame.columns), one.frame.parameter
    room -= len(f"\n  and {count} more, see {parameter}.columns")
    kept = lines_within((f"  {text}" for text, _ in one.entries), room)
    left = count - sum(columns for _, columns in one.entries[: len(kept)])
    more = f"\n  and {left} more, see {parameter}.columns" if left and kept else ""
    return "".join(f"\n{line}" for line in kept) + more


def _entry(name: str, kind: str, parameter: str, places: Mapping[str, int]) -> str:
    shown = repr(name)  # blanks and invisible signs can be seen, and typed
    if len(shown) > LONGEST_NAME:
        shown = f"{parameter}.columns[{places[name]}], which begins {shown[:60]}'…"
    return f"{shown} ({one_line(kind, 20)})"


def _grouped(
    columns: Sequence[tuple[str, str]], parameter: str, places: Mapping[str, int]
) -> list[tuple[str, int]]:
    """Entries with the number of columns each stands for; a family is one."""
    kinds = dict(columns)
    families = {
        name: family
        for family in find_families(tuple(kinds))
        if len(family.members) >= LEAST_FAMILY
        and len({kinds[name] for name in family.columns}) == 1
        for name in family.columns
    }
    entries, told = [], set[str]()
    for name, kind in columns:
        family = families.get(name)
        if family is None:
            entries.append((_entry(name, kind, parameter, places), 1))
        elif family.notation not in told:
            told.add(family.notation)
            names = [n for n in family.columns if n in kinds]
            some = ", ".join(repr(n)[:LONGEST_NAME] for n in (names[0], names[1]))
            last = repr(names[-1])[:LONGEST_NAME]
            entries.append((f"{some}, … {last} ({len(names)} columns, {kind})", len(names)))
    return entries


def _seen(observation: str, room: int) -> str:
    """What was seen beyond shape and columns, which stand in the first line."""
    told = (f"  | {one_line(line, 300)}" for line in observation.splitlines()[1:])
    return "".join(f"\n{line}" for line in lines_within(told, room))


def _meant(one: CodeInput, task: CraftTask) -> dict[str, None]:
    """The columns that the texts name, those of the nearest text first."""
    found: dict[str, None] = {}
    for text in (task.signature, task.task, task.question, task.columns):
        folded = " ".join(text.split()).casefold()
        words = {word.casefold() for word in _WORD.findall(text)}
        for name, _ in one.columns:
            if name not in found and _is_named(name, folded, words):
                found[name] = None
    return found


def _is_named(name: str, text: str, words: set[str]) -> bool:
    folded = " ".join(name.split()).casefold()
    if len(folded) < LEAST_CHARACTERS:
        return bool(folded) and folded in words
    parts = [part.casefold() for part in _WORD.findall(name)]
    return folded in text or (bool(parts) and words.issuperset(parts))
