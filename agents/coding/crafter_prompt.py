"""The request for one function: the five inputs of CRAFTQA, section 3.3, in 4,000 tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from wideleaf.agents.craft_task import CodeInput, CraftTask, Try, request_line
from wideleaf.agents.requests import (
    CHARACTERS,
    json_size,
    length_within,
    lines_within,
    shorten_question,
)
from wideleaf.prompts import render
from wideleaf.tools.craft.signature import Signature
from wideleaf.tools.privacy import Level
from wideleaf.tools.sandbox.syntax.modules import LIBRARY_MODULES, MODULES
from wideleaf.tools.tables.families import find_families
from wideleaf.tools.telling.outline import outline
from wideleaf.tools.words import one_line, printable

TASK_CHARACTERS = 1_500
ROOMS = {"tree": (1_500, 300), "inputs": (6_000, 400), "code": (3_000, 300)}
"""Characters that parts of the request may have, and those that they keep in any case.

Of longer code of the last try the beginning and the end are shown.
"""
ERROR_CHARACTERS = 700
RETURNS_CHARACTERS = 700
PARAMETERS_CHARACTERS = 400
LABEL_CHARACTERS = 80
GIVEN = ("pandas", "numpy")
LONGEST_NAME = 160
"""A longer header is cut, and given by its place."""
MIN_FAMILY = 4
MIN_CHARACTERS = 3
"""A shorter name, in whatever words, is no sign that it is meant."""
SEEN_SHARE = 0.25
"""Of a frame's room, what was seen of it may take; the columns have the rest."""
_WORD = re.compile(r"[^\W_]+")

KINDS = {"any": "any type", "other": "any type", "date": "date", "number": "number"}
RETURNS = {
    "number": "one number",
    "text": "one text",
    "boolean": "True or False",
    "date": "one date",
    "list": "a list",
    "any": "a DataFrame, or a number, a text, True or False, or a list, as the step needs",
    "table": "a DataFrame",
}


def write_crafter_prompt(task: CraftTask, signature: Signature, level: Level) -> tuple[str, str]:
    """The system and the human message of one try, never longer than `CHARACTERS`.

    Args:
        task: What is to be written, and what was tried: the last try is shown with what was wrong.
        signature: The expected signature, read.
        level: The privacy level, so that the model knows what it sees.
    """
    modules = [name for name in MODULES if name not in GIVEN and "." not in name]
    system = render(
        "craft",
        modules=", ".join(modules),
        libraries=_describe_libraries(),
        sight=render(f"craft_{level}"),
    )
    last = task.tries[-1] if task.tries else None
    rooms = {name: most for name, (most, _) in ROOMS.items()}
    frames, room = list_frames(task), CHARACTERS - json_size(system)
    while True:
        human = _human(task, signature, last, frames, rooms)
        over = json_size(human) - room
        if over <= 0:
            return system, human
        # The longest gives way first: none may crowd out the others.
        spare = {name: rooms[name] - least for name, (_, least) in ROOMS.items()}
        name = max(spare, key=spare.__getitem__)
        if not spare[name]:
            return system, _cut_to(human, room, request_line(task))
        rooms[name] -= min(max(min(over, 400), 50), spare[name])


def _describe_libraries() -> str:
    """The libraries that a function may import, each with its modules, in words."""
    parts: dict[str, dict[str, None]] = {}
    for module in LIBRARY_MODULES:
        library, part, *_ = module.split(".")
        parts.setdefault(library, {})[part] = None
    *entries, last = [f"{library} ({', '.join(modules)})" for library, modules in parts.items()]
    return f"{', '.join(entries)} and {last}"


def describe_return(signature: Signature) -> str:
    """What a function returns, in words."""
    if not signature.columns:
        return RETURNS[signature.returns]
    entries = (f"{name!r} ({KINDS.get(kind, kind)})" for name, kind in signature.columns)
    columns = [one_line(text, RETURNS_CHARACTERS) for text in entries]
    listing = lines_within(columns, RETURNS_CHARACTERS, lambda text: len(text) + 2) or columns[:1]
    if len(listing) < len(columns):
        listing.append(f"{len(columns) - len(listing)} more")
    plural = "s" * (len(signature.columns) != 1)
    return f"a DataFrame with the column{plural} {', '.join(listing)}, named exactly so"


def _human(
    task: CraftTask,
    signature: Signature,
    last: Try | None,
    frames: Sequence[FrameListing],
    rooms: dict[str, int],
) -> str:
    attempt = ""
    if last is not None:
        code = _code(last.code, rooms["code"]) or "# no code"
        error = one_line(last.error, ERROR_CHARACTERS)
        attempt = f"\n{render('craft_tried', code=code, error=error)}\n"
    # The whole plan: the program where there is one, else the steps so far.
    program = f"```python\n{_code(task.program, rooms['tree'])}\n```"
    parameters = ", ".join(one.parameter for one in task.inputs)
    return render(
        "craft_turn",
        question=shorten_question(task.question),
        tree=program if task.program else outline(task.tree, rooms["tree"]),
        label=one_line(task.label, LABEL_CHARACTERS),
        task=_ends(printable(task.task), TASK_CHARACTERS),
        function=signature.function,
        parameters=one_line(parameters, PARAMETERS_CHARACTERS),
        returns=describe_return(signature),
        inputs=inputs_text(frames, rooms["inputs"]),
        tried=attempt,
        line=request_line(task),
    )


def _code(code: str, room: int) -> str:
    """Code within a fence that it cannot end."""
    return _ends(printable(code), room).replace("```", "` ` `")


def _ends(text: str, room: int) -> str:
    """A text whole, or its beginning and its end with a word on what is left out."""
    if len(text) <= room:
        return text
    mark = f"\n[... {len(text) - room} characters left out here ...]\n"
    length = max(room - len(mark), 2)
    return f"{text[: length * 2 // 3]}{mark}{text[len(text) - length // 3 :]}"


def _cut_to(human: str, room: int, line: str) -> str:
    """The last resort, for texts that JSON writes twice as long: cut before the last line."""
    body = human.removesuffix(line)
    excerpt = body[: length_within(body, room - json_size(line) - 4)]  # a line end is two signs
    return f"{excerpt.rstrip()}\n\n{line}"


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
        mentions = [(entries.pop(name), 1) for name in _meant(one, task)]
        rest = _group_families(entries, dict(one.columns))
        listings.append(FrameListing(one, head, (*mentions, *rest)))
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
    budget = room - len(one.head)
    if budget < 0:
        return one_line(one.head, max(room, 1))
    # Shape and columns, which the first line of it tells, stand in the head.
    sample_lines = (
        f"\n  | {one_line(line, 300)}" for line in one.frame.observation.splitlines()[1:]
    )
    sample = "".join(lines_within(sample_lines, int(budget * SEEN_SHARE), len))
    count, more = len(one.frame.columns), f"more, see {one.frame.parameter}.columns"
    entries = (f"  {text}" for text, _ in one.entries)
    lines = lines_within(entries, budget - len(sample) - len(f"\n  and {count} {more}"))
    rest = count - sum(columns for _, columns in one.entries[: len(lines)])
    lines += [f"  and {rest} {more}"] * bool(rest and lines)
    return "\n".join([one.head, *lines]) + sample


def _entry(parameter: str, place: int, name: str, kind: str) -> str:
    header = repr(name)  # blanks and invisible signs can be seen, and typed
    if len(header) > LONGEST_NAME:
        header = f"{parameter}.columns[{place}], which begins {header[:60]}'…"
    return f"{header} ({one_line(kind, 20)})"


def _group_families(
    entries: Mapping[str, str], kinds: Mapping[str, str]
) -> Iterator[tuple[str, int]]:
    """Entries with the number of columns each stands for; a family is one."""
    families = {
        name: family
        for family in find_families(tuple(entries))
        if len(family.members) >= MIN_FAMILY and len({kinds[name] for name in family.columns}) == 1
        for name in family.columns
    }
    notations = set[str]()
    for name, entry in entries.items():
        family = families.get(name)
        if family is None:
            yield entry, 1
        elif family.notation not in notations:
            notations.add(family.notation)
            first, second, *_, last = [repr(n)[:LONGEST_NAME] for n in family.columns]
            count = len(family.columns)
            yield f"{first}, {second}, … {last} ({count} columns, {kinds[name]})", count


def _meant(one: CodeInput, task: CraftTask) -> dict[str, None]:
    """The columns that the texts name, those of the nearest text first."""
    folded = {name: " ".join(name.split()).casefold() for name, _ in one.columns}
    names: dict[str, None] = {}
    for text in (task.signature, task.task, task.question, task.columns):
        phrase = " ".join(text.split()).casefold()
        words = {word.casefold() for word in _WORD.findall(text)}
        for name, plain in folded.items():
            parts = {word.casefold() for word in _WORD.findall(name)}
            if len(plain) < MIN_CHARACTERS:
                is_match = plain in words
            else:
                is_match = plain in phrase or (bool(parts) and parts <= words)
            if is_match:
                names[name] = None
    return names
