"""The programmer's prompt: the paper's (S, H, C, Q) in 4,000 tokens, however wide a table is."""

from __future__ import annotations

from collections.abc import Sequence

from wideleaf.agents.coding.enrichment import Enrichment
from wideleaf.agents.coding.enrichment_words import TableSketch
from wideleaf.agents.craft_task import CraftTask, Try, request_line
from wideleaf.agents.requests import CHARACTERS, json_size, lines_within, shorten_question
from wideleaf.prompts import render
from wideleaf.tools.privacy import Level
from wideleaf.tools.tables.families import Family, find_families
from wideleaf.tools.words import one_line

TRY_CHARACTERS = 2_400
"""Of the code of the last try; of earlier ones the errors alone are shown."""
ERROR_CHARACTERS = 500
COLUMNS_SHARE = 0.6
"""Of the room that is left, what names and types may take; notes get the rest."""
LONGEST_NAME = 300
"""A longer header is left out of the list, for a part of it would be no column."""
MIN_FAMILY = 5
"""Where more members of a family than this were selected, it is written as one range."""
MAX_RANGES = 8
"""Of families where there is no room for all names."""
JOIN_LINES = ("Foreign keys: ", "Joins: ")

SIGHT: dict[Level, str] = {
    "schema": ", never a cell",
    "statistics": " and some statistics, never a cell",
    "samples": " and some values",
}


def write_programmer_prompt(
    task: CraftTask,
    tables: Sequence[TableSketch],
    enriched: Enrichment,
    level: Level,
    *,
    lower_case: bool = False,
) -> tuple[str, str]:
    """The system and the human message of one try.

    Args:
        task: What is to be written, and what was tried.
        tables: The tables, in the order in which the program gets them.
        enriched: The question and what is said beside it.
        level: The privacy level, so that the model knows what it is shown.
        lower_case: Whether text is in small letters.
    """
    system = _system(tables, enriched, level, lower_case)
    fixed = {
        "question": shorten_question(enriched.question),
        "tries": tell_tries(task.tries),
        "line": request_line(task),
    }
    bare = render("pandas_turn", tables="", facts="", **fixed)
    room = CHARACTERS - json_size(system) - json_size(bare) - 40
    joins = [line for line in task.columns.splitlines() if line.startswith(JOIN_LINES)]
    facts = [one_line(line, 500) for line in joins] if len(tables) > 1 else []
    facts = [f"- {fact}\n" for fact in (*facts, *enriched.facts)]
    text = _tables(tables, max(int(room * COLUMNS_SHARE), room - sum(map(json_size, facts))))
    notes = "".join(lines_within(facts, room - json_size(text), json_size))
    return system, render("pandas_turn", tables=text, facts=notes, **fixed)


def _system(
    tables: Sequence[TableSketch], enriched: Enrichment, level: Level, lower_case: bool
) -> str:
    names = [f"`{sketch.name}`" for sketch in tables]
    if len(names) == 1:
        also = ", under the name `df`, too" if names[0] != "`df`" else ""
        about, loaded = "a dataframe", f"The dataframe {names[0]} is loaded and ready{also}."
    else:
        about = f"{len(names)} dataframes"
        listing = f"{', '.join(names[:-1])} and {names[-1]}"
        loaded = f"The dataframes {listing} are loaded and ready; `df` is {names[0]}."
    assumptions = []
    if lower_case:
        assumptions.append("All text in the dataframes has been converted to lower case.")
    types = {type_ for sketch in tables for type_ in sketch.types.values()}
    if types & {"date", "datetime"}:
        assumptions.append("Columns of type date and datetime hold datetime64: compare them with "
                           "pd.Timestamp, take parts of them with .dt.")  # fmt: skip
    return render(
        "pandas_system",
        tables=about,
        sight=SIGHT[level],
        loaded=loaded,
        assumptions="".join(f"- {line}\n" for line in assumptions),
        requirements="".join(f"- {line}\n" for line in enriched.requirements),
    )


def _tables(tables: Sequence[TableSketch], room: int) -> str:
    """All tables, each with an equal share of the room; what one leaves goes to the next."""
    many = len(tables) > 1
    blocks = [f"You are given {len(tables)} pandas dataframes."] if many else []
    room -= sum(map(json_size, blocks))
    for place, sketch in enumerate(tables):
        head = f"The dataframe `{sketch.name}`:" if many else (
            f"You are given a pandas dataframe named `{sketch.name}`:"
        )  # fmt: skip
        blocks.append(_block(sketch, head, room // (len(tables) - place)))
        room -= json_size(blocks[-1])
    return "\n".join(blocks)


def _block(sketch: TableSketch, head: str, room: int) -> str:
    """What of a table is listed: all of a narrow one, else what was selected, families as one.

    Names give way to a count where there is no room for them, those that were selected last first.
    """
    selection = set(sketch.chosen)
    families = find_families(tuple(sketch.types)) if len(selection) < len(sketch.types) else []
    members = {family: [c for c in family.columns if c in selection] for family in families}
    ranges = {
        family: _range(sketch, family, part)
        for family, part in members.items()
        if len(part) > MIN_FAMILY
    }
    room -= json_size(_list_columns(sketch, head, [], [], len(sketch.types)))
    entries = lines_within(ranges.values(), room, json_size)
    singles = selection.difference(*(members[family] for family in ranges))
    fit = [name for name in sketch.types if name in singles and len(name) <= LONGEST_NAME]
    # Those chosen first stay longest; of many families a few leave room for them.
    first = {name: place for place, name in enumerate(sketch.chosen)}
    fit.sort(key=first.__getitem__)

    def size(name: str) -> int:
        return json_size(repr(name)) + json_size(repr(sketch.types[name]))

    if len(entries) > MAX_RANGES and sum(map(size, fit)) > room - sum(map(json_size, entries)):
        entries = entries[:MAX_RANGES]
    subset = set(lines_within(fit, room - sum(map(json_size, entries)), size))
    ranged = sum(len(family.columns) for family in [*ranges][: len(entries)])
    names = [name for name in sketch.types if name in subset]
    return _list_columns(sketch, head, names, entries, len(sketch.types) - len(names) - ranged)


def _list_columns(
    sketch: TableSketch, head: str, names: Sequence[str], ranges: Sequence[str], rest: int
) -> str:
    types = [sketch.types[name] for name in names]
    lines = [head, f"- Columns: {list(names)!r}", f"- Data Types: {types!r}", *ranges]
    if rest:
        also = "further " if names or ranges else ""
        lines.append(f"- {rest} {also}column{'s' * (rest != 1)} that are not listed here")
    return "\n".join(lines)


def _range(sketch: TableSketch, family: Family, members: Sequence[str]) -> str:
    columns = family.columns
    line = f"- Family of {len(columns)} {sketch.types[columns[0]]} columns that differ in one "
    line += f"{family.axis}: {columns[0]!r} to {columns[-1]!r}"
    if len(members) < len(columns):
        line += f"; the question seems to mean {members[0]!r} to {members[-1]!r}"
    return line


def tell_tries(tries: Sequence[Try]) -> str:
    """What was tried, in words for the next try: the errors of all, the code of the last.

    Args:
        tries: Oldest first.
    """
    lines: list[str] = []
    for number, one in enumerate(tries, 1):
        error = one_line(one.error, ERROR_CHARACTERS)
        if number == len(tries) and one.code:
            code = one.code
            if json_size(code) > TRY_CHARACTERS:
                code = f"{code[: TRY_CHARACTERS // 2]}\n[the rest is left out]"
            lines.append(f"Your try {number} was:\n[PYTHON]\n{code}\n[/PYTHON]")
        if number > len(tries) - 3:
            lines.append(f"Try {number} failed: {error}")
    if lines:
        lines.append("Write the whole code anew, mended.")
    return "".join(f"{line}\n" for line in lines)
