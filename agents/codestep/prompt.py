"""The request for a program: sources, question and what was tried, in 4,000 tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wideleaf.agents.craft_task import Try
from wideleaf.agents.requests import CHARACTERS, json_size, lines_within, shorten_question
from wideleaf.prompts import render
from wideleaf.tools.privacy import Level, Policy
from wideleaf.tools.steps.observation import PREVIEW_COLUMNS
from wideleaf.tools.steps.preview import preview_facts, preview_table
from wideleaf.tools.tables.relations import TIMES
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.tree import Node
from wideleaf.tools.words import one_line, printable

TRY_CHARACTERS = 2_000
"""Of the code of the last try; of earlier ones the errors alone are shown."""
ERROR_CHARACTERS = 600
MIN_CODE = 250
TRIES_TOLD = 3
OBJECTION_CHARACTERS = 800
MIN_LINES = 4
CLOSED = "Not opened, "
FINDS = "; FindColumns looks for those not shown"
MORE = "  (more is left out for want of room)"

SEEN_CHARACTERS = 4_000
"""Of what was seen of a source beyond its shape and columns; the request has its own limit."""
LINE_CHARACTERS = 300
ROWS_SEEN = 40
"""Rows of a table of few columns; a program is written before anything else is seen of them."""
RELATIONS_SEEN = 24
"""Relations of a graph of which one fact is shown."""


class SourceSketch(NamedTuple):
    """A table or graph as a run opened it.

    Attributes:
        name: Its name.
        is_temporal: Whether it is a graph whose facts have times.
        seen: What was seen of its cells, as far as the privacy level lets it out.
    """

    name: str
    is_temporal: bool = False
    seen: tuple[str, ...] = ()


def write_program_prompt(
    question: str,
    sources: Sequence[SourceSketch],
    columns: str,
    level: Level,
    *,
    crafts: bool = True,
    flat: bool = False,
    tries: Sequence[Try] = (),
    objection: str = "",
    line: str = "",
) -> tuple[str, str]:
    """The system and the human message of one try.

    Args:
        question: The user's words.
        sources: The tables and graphs.
        columns: Text of them, with the columns and relations that were selected.
        level: The privacy level, so that the model knows what it is shown.
        crafts: Whether a function may be written for a step.
        flat: Whether a flat list of calls is asked for, as TrustUQA does.
        tries: Programs that did not do, and why; none where that is not told.
        objection: What the critic has against the last program's answer.
        line: The last line.
    """
    system = _system(sources, level, crafts=crafts, flat=flat)
    blocks = _blocks(columns, sources)
    room, code = CHARACTERS - json_size(system), TRY_CHARACTERS
    while True:
        human = render(
            "codestep_turn",
            sources="\n".join("\n".join(block) for block in blocks if block),
            question=shorten_question(question),
            tries=_list_tries(tries, objection, code),
            line=line,
        )
        over = json_size(human) - room
        longest = max(blocks, key=len)
        if over <= 0 or (len(longest) <= MIN_LINES and code <= MIN_CODE):
            return system, human
        if len(longest) > MIN_LINES:
            _shorten(longest, over)
        else:
            code = max(code // 2, MIN_CODE)


def _system(sources: Sequence[SourceSketch], level: Level, *, crafts: bool, flat: bool) -> str:
    times = f"\n{render('codestep_times')}" if any(one.is_temporal for one in sources) else ""
    one, two = ("step1", "step2") if flat else ("w1", "w2")
    functions = render(
        "codestep_functions",
        get="get_information" if flat else "get",
        compared="tail_entity_cmp" if flat else "tail_cmp",
        one=one,
        two=two,
        times=times,
    )
    sight = render(f"codestep_sight_{level}")
    if flat:
        return render("codestep_flat", functions=functions, sight=sight)
    craft = f"{render('codestep_craft')}\n" if crafts else ""
    return render("codestep", functions=functions, craft=craft, sight=sight)


def _blocks(columns: str, sources: Sequence[SourceSketch]) -> list[list[str]]:
    """Tables with their columns, and what is said of each source beyond these, as lines.

    What only an action could open is no source of a program.
    """
    lines = (line for line in columns.splitlines() if not line.startswith(CLOSED))
    offered = [line.replace(FINDS, "; not all are shown") for line in lines]
    temporal = (one.name for one in sources if one.is_temporal)
    timed = [f"The facts of {name} hold from a start to an end." for name in temporal]
    samples = ([f"Of {one.name} was seen:", *one.seen] for one in sources if one.seen)
    return [offered, timed, *samples]


def _shorten(lines: list[str], over: int) -> None:
    """Leave out the last lines of a block, by about as many characters as are over."""
    if lines[-1] == MORE:
        lines.pop()
    while over > -len(MORE) and len(lines) > MIN_LINES - 1:
        over -= len(lines.pop()) + 2
    lines.append(MORE)


def _list_tries(tries: Sequence[Try], objection: str, room: int) -> str:
    """What was tried: the errors of the last tries, the code of the last."""
    lines: list[str] = []
    first = max(len(tries) - TRIES_TOLD, 0)
    for number, one in enumerate(tries[first:], first + 1):
        if number == len(tries) and one.code:
            code = printable(one.code)
            if len(code) > room:
                code = f"{code[:room]}\n# the rest is left out"
            lines.append(f"Your last program was:\n```python\n{code}\n```")
        if one.error:
            lines.append(f"Try {number} failed: {one_line(one.error, ERROR_CHARACTERS)}")
    if objection:
        reason = one_line(objection, OBJECTION_CHARACTERS)
        lines.append(f"It ran, but {reason}. Where it was right all the same, write it again.")
    if lines:
        lines.append("Write the whole plan anew, mended; results that are right may be asked for "
                     "by the same calls.")  # fmt: skip
    return "".join(f"\n{line}" for line in lines) + "\n" * bool(lines)


def sketch_source(leaf: Node, table: Table, policy: Policy, columns: str = "") -> SourceSketch:
    """Sketch a source: statistics, and where cells may be told, rows or a fact of each relation.

    Args:
        leaf: Its node.
        table: The frame of it.
        policy: What may be told of cells.
        columns: What is shown of the columns and relations of all sources.
    """
    preview = leaf.observation.splitlines()[1:] if policy.allows("statistics") else []
    if policy.allows("values") and table.relations:
        relations = [one.name for one in table.relations if one.name in columns][:RELATIONS_SEEN]
        preview = preview_facts(table, relations).splitlines()
    elif policy.allows("values") and len(table.columns) <= PREVIEW_COLUMNS:
        preview = preview_table(table, table.columns, ROWS_SEEN).splitlines()
    lines = (f"  | {one_line(line, LINE_CHARACTERS)}" for line in preview)
    sample = tuple(lines_within(lines, SEEN_CHARACTERS))
    temporal = bool(table.relations) and set(TIMES) <= set(table.columns)
    return SourceSketch(repr(one_line(leaf.label, 100)), temporal, sample)
