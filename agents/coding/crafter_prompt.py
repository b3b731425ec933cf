"""The request for one function: the five inputs of CRAFTQA, section 3.3, in 4,000 tokens."""

from __future__ import annotations

from collections.abc import Sequence

from wideleaf.agents.coding.crafter_inputs import FrameListing, inputs_text, list_frames
from wideleaf.agents.craft_task import CraftTask, Try, request_line
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


def write_crafter_prompt(
    task: CraftTask, signature: Signature, level: Level, *, tells_errors: bool = True
) -> tuple[str, str]:
    """The system and the human message of one try, never longer than `CHARACTERS`.

    Args:
        task: What is to be written, and what was tried.
        signature: The expected signature, read.
        level: The privacy level, so that the model knows what it sees.
        tells_errors: Whether a further try is shown the last one and what was wrong with it;
            else it gets the same request again, as in the paper (CRAFTQA, section 3.4).
    """
    modules = [name for name in MODULES if name not in GIVEN and "." not in name]
    system = render(
        "craft",
        modules=", ".join(modules),
        libraries=_describe_libraries(),
        sight=render(f"craft_{level}"),
    )
    last = task.tries[-1] if task.tries and tells_errors else None
    rooms = {name: most for name, (most, _) in ROOMS.items()}
    frames, left = list_frames(task), CHARACTERS - json_size(system)
    while True:
        human = _human(task, signature, last, frames, rooms)
        over = json_size(human) - left
        if over <= 0:
            return system, human
        # The longest gives way first: none may crowd out the others.
        spare = {name: rooms[name] - least for name, (_, least) in ROOMS.items()}
        name = max(spare, key=spare.__getitem__)
        if not spare[name]:
            return system, _cut_to(human, left, request_line(task))
        rooms[name] -= min(max(min(over, 400), 50), spare[name])


def _describe_libraries() -> str:
    """The libraries that a function may import, each with its modules, in words."""
    parts: dict[str, dict[str, None]] = {}
    for module in LIBRARY_MODULES:
        library, part, *_ = module.split(".")
        parts.setdefault(library, {})[part] = None
    *told, last = [f"{library} ({', '.join(held)})" for library, held in parts.items()]
    return f"{', '.join(told)} and {last}"


def describe_return(signature: Signature) -> str:
    """What a function returns, in words."""
    if not signature.columns:
        return RETURNS[signature.returns]
    told = (f"{name!r} ({KINDS.get(kind, kind)})" for name, kind in signature.columns)
    columns = [one_line(text, RETURNS_CHARACTERS) for text in told]
    kept = lines_within(columns, RETURNS_CHARACTERS, lambda text: len(text) + 2) or columns[:1]
    if len(kept) < len(columns):
        kept.append(f"{len(columns) - len(kept)} more")
    plural = "s" * (len(signature.columns) != 1)
    return f"a DataFrame with the column{plural} {', '.join(kept)}, named exactly so"


def _human(
    task: CraftTask,
    signature: Signature,
    last: Try | None,
    frames: Sequence[FrameListing],
    rooms: dict[str, int],
) -> str:
    tried = ""
    if last is not None:
        code = _code(last.code, rooms["code"]) or "# no code"
        error = one_line(last.error, ERROR_CHARACTERS)
        tried = f"\n{render('craft_tried', code=code, error=error)}\n"
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
        tried=tried,
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
    kept = max(room - len(mark), 2)
    return f"{text[: kept * 2 // 3]}{mark}{text[len(text) - kept // 3 :]}"


def _cut_to(human: str, room: int, line: str) -> str:
    """The last resort, for texts that JSON writes twice as long: cut before the last line."""
    body = human.removesuffix(line)
    kept = body[: length_within(body, room - json_size(line) - 4)]  # a line end is two signs
    return f"{kept.rstrip()}\n\n{line}"
