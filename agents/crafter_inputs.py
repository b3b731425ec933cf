"""The frames that a function gets, as its prompt lists them: the columns that matter, in bounds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from wideleaf.agents.craft_task import CraftTask, Input
from wideleaf.tools.families import find_families
from wideleaf.tools.wording import one_line

LONGEST_NAME = 160
"""A longer header is cut, and given by its place."""
LEAST_FAMILY = 4
LEAST_CHARACTERS = 3
"""A shorter name, in whatever words, is no sign that it is meant."""
SEEN_SHARE = 0.25
"""Of a frame's room, what was seen of it may take; the columns have the rest."""
_WORD = re.compile(r"[^\W_]+")


def inputs_text(task: CraftTask, characters: int) -> str:
    """List the frames, each within its share of the room.

    Columns that the signature, the step, the question or the selection name come first; then as
    many of the rest as there is room for, families as one entry; then how many there are more.

    Args:
        task: What is to be written.
        characters: The size that is not exceeded.
    """
    texts, room = [], characters
    for place, one in enumerate(task.inputs):
        share = room // (len(task.inputs) - place)
        texts.append(_input(one, _meant(one, task), share))
        room -= len(texts[-1]) + 1
    return "\n".join(texts)


def _input(one: Input, meant: Mapping[str, None], room: int) -> str:
    rows = "" if one.rows is None else f"{one.rows} row{'s' * (one.rows != 1)} x "
    count = len(one.columns)
    head = (
        f"`{one.parameter}` is {one_line(one.label, 80)}: {rows}{count} column{'s' * (count != 1)}"
    )
    if len(head) > room:
        return one_line(head, max(room, 1))
    seen = _seen(one.observation, int((room - len(head)) * SEEN_SHARE))
    columns = _columns(one, meant, room - len(head) - len(seen) - 4)
    return f"{head}{columns}{seen}"


def _columns(one: Input, meant: Mapping[str, None], room: int) -> str:
    """Entries of columns as long as there is room, and the number of those left out."""
    first = [(name, kind) for name, kind in one.columns if name in meant]
    order = {name: place for place, name in enumerate(meant)}
    first.sort(key=lambda column: order[column[0]])
    rest = [column for column in one.columns if column[0] not in meant]
    places = {name: place for place, (name, _) in enumerate(one.columns)}
    kept, used, shown = [], 0, 0
    tail = len(f"\n  and {len(one.columns)} more, see {one.parameter}.columns")
    entries = [(_entry(*column, one.parameter, places), 1) for column in first]
    entries += _grouped(rest, one.parameter, places)
    for text, columns in entries:
        used += len(text) + 3
        if used > room - tail:
            break
        kept.append(f"\n  {text}")
        shown += columns
    left = len(one.columns) - shown
    more = f"\n  and {left} more, see {one.parameter}.columns" if left else ""
    return "".join(kept) + (more if len(more) <= room or kept else "")


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
    kept, used = [], 0
    for line in observation.splitlines()[1:]:
        text = f"\n  | {one_line(line, 300)}"
        used += len(text)
        if used > room:
            break
        kept.append(text)
    return "".join(kept)


def _meant(one: Input, task: CraftTask) -> dict[str, None]:
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
