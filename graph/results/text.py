"""An answer in words: for a terminal, or as Markdown in which no cell says any markup."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from wideleaf.agents.answer.writer import phrase_column
from wideleaf.graph.channels import PlainData
from wideleaf.tools.telling.observations import step_text, written_steps
from wideleaf.tools.words import one_line, printable

if TYPE_CHECKING:
    from wideleaf.graph.results.result import Result


STEP_CHARACTERS = 300
VALUE_CHARACTERS = 80
LINES_OF_ANSWER = 30
SAMPLE_CHARACTERS = 120


def result_line(result: Result) -> str:
    """One line: ``<Result answered: 3.52 in 3 steps>``; a long value is cut."""
    plain = result.value is not None and not opening(result.answer, result.caveats)
    text = repr(result.value) if plain else result.answer
    caveats = f", {_many(len(result.caveats), 'caveat')}" if result.caveats else ""
    return (
        f"<Result {result.status}: {one_line(text, VALUE_CHARACTERS)} "
        f"in {_many(result.steps, 'step')}{caveats}>"
    )


def result_text(result: Result) -> str:
    """The result as a person reads it; nothing in it can drive a terminal."""
    return "\n".join(_lines(result))


def confidence_text(status: str | None, confidence: float | None) -> str:
    """How sure an answer is, in the one wording of shell, chat and notebook; empty if unknown."""
    return "" if confidence is None or status != "answered" else f"Confidence: {confidence:.0%}"


def opening(answer: str, caveats: Sequence[str]) -> tuple[str, ...]:
    """The first caveats, as far as the answer itself begins with them."""
    rest, prefix = answer, []
    for caveat in caveats:
        if not rest.startswith(caveat):
            break
        prefix.append(caveat)
        rest = rest.removeprefix(caveat).lstrip()
    return tuple(prefix)


def took(result: Result) -> str:
    """What the run took: steps, time, tokens and cost."""
    usage = result.usage
    parts = [_many(result.steps, "step"), f"{result.seconds:.2f} s"]
    if usage.requests or usage.cached:
        tokens = usage.prompt_tokens + usage.completion_tokens
        parts += [_many(usage.requests, "request"), f"{tokens} tokens"]
        if usage.cost:
            parts.append(f"{usage.cost:.4f} $")
    return ", ".join(parts)


def sample_lines(result: Result) -> Iterator[str]:
    """Each sample of a vote in a line: its votes, how it was answered and what it says."""
    for number, sample in enumerate(result.samples, 1):
        votes = f"{sample.votes} vote{'s' * (sample.votes != 1)}"
        how = f"{sample.strategy}{', crafted' * sample.crafted}"
        answer = one_line(sample.answer, SAMPLE_CHARACTERS) or "no answer"
        yield f"{number}. {votes} ({how}) {sample.status}: {answer}"


def _lines(result: Result) -> Iterator[str]:
    if result.question:
        yield f"Question: {one_line(result.question, 500)}"
    answer = printable(result.answer).splitlines()
    yield f"Answer ({result.status}): {answer[0] if answer else 'none'}"
    yield from (f"  {line}" for line in answer[1:LINES_OF_ANSWER])
    if len(answer) > LINES_OF_ANSWER:
        yield f"  ... {len(answer) - LINES_OF_ANSWER} more lines"
    if sure := confidence_text(result.status, result.confidence):
        yield sure
    further = result.caveats[len(opening(result.answer, result.caveats)) :]
    yield from (f"Note: {one_line(caveat, 500)}" for caveat in further)
    if result.samples:
        yield "Samples:"
        yield from (f"  {printable(line)}" for line in sample_lines(result))
    if result.label:
        yield "Steps:"
        for node in written_steps(result.tree.plan(result.label)):
            yield f"  {printable(step_text(node, STEP_CHARACTERS))}"
    yield f"Took {took(result)}"


def _many(count: int, unit: str) -> str:
    return f"{count} {unit}{'s' * (count != 1)}"


ROWS_SHOWN = 10
COLUMNS_SHOWN = 12
_MARKS = re.compile(
    r"""\\(?=[^\w\s]) | (?<!\s)\* | \*(?!\s) | (?<!\w)_ | _(?!\w)  # emphasis, escapes
    | [`~$]  # code, strokes, formulas
    | \[ | <(?=[a-z/!?]) | &(?=\#?\w+;)  # links, pictures, elements, entities
    | ^(?:\#{1,6}|[-+>]|\d+[.)])(?=\s|$) | ^(?:=|-)(?=[-=]+$)  # headings, lists, quotes, rules""",
    re.VERBOSE | re.IGNORECASE,
)

_BRACKETS = re.compile(r"[\[\]\\`<>&!*_]")
"""What could end the title of a picture, or be markup in it."""


def escape(text: str) -> str:
    """A line of text as Markdown that shows it as it is.

    A cell may hold a picture of another site, which a page would fetch, or a formula.
    """
    ends = max(map(text.rfind, ("](", "]:", "][")))  # sought once, not from each bracket on

    def mask(mark: re.Match[str]) -> str:
        harmless = mark[0] == "[" and mark.start() > ends
        return mark[0] if harmless else f"{mark[0][:-1]}{chr(92)}{mark[0][-1]}"

    return _MARKS.sub(mask, text)


def lines(text: str) -> str:
    """A text of several lines, each of which stays a line: the first a paragraph, the others items.

    Args:
        text: A text of plain words.
    """
    first, *others = [line for line in text.splitlines() if line.strip()] or [""]
    items = "\n".join(f"- {escape(line.strip())}" for line in others)
    return "\n\n".join(part for part in (escape(first), items) if part)


def image(title: str, url: str) -> str:
    """A picture at an address of ours, with its title for whoever does not see it."""
    return f"![{re.sub(_BRACKETS, '', ' '.join(title.split()))}]({url})"


def fence(code: str, language: str = "python") -> str:
    """Code as a block of its own, whatever signs it holds."""
    longest = max((len(run) for run in re.findall("`+", code)), default=0)
    ticks = "`" * max(3, longest + 1)
    return f"{ticks}{language}\n{code}\n{ticks}"


def table_text(table: PlainData) -> str:
    """The first rows and columns of an answer's table, numbers as the shell says them."""
    grid = []
    for place, column in enumerate(table["columns"][:COLUMNS_SHOWN]):
        cells = [row[place] for row in table["rows"]]
        are_numbers = {_is_number(cell) for cell in cells if cell is not None}
        shown = cells[:ROWS_SHOWN]
        texts = zip(shown, phrase_column(shown, str(column)), strict=True)
        rule = "---:" if are_numbers == {True} else "---"
        said = ("" if cell is None else _in_cell(text) for cell, text in texts)
        grid.append([_in_cell(str(column)), rule, *said])
    return "\n".join(f"| {' | '.join(row)} |" for row in zip(*grid, strict=True))


def size_text(table: PlainData) -> str:
    """How much of a table is shown."""
    total, width = table["total"], table.get("width", len(table["columns"]))
    height, wide = min(ROWS_SHOWN, len(table["rows"])), min(COLUMNS_SHOWN, len(table["columns"]))
    rows = f"{total} rows" if height == total else f"The first {height} of {total} rows"
    return rows if wide == width else f"{rows}, the first {wide} of {width} columns"


def _in_cell(text: str) -> str:
    return escape(" ".join(text.split())).replace("|", chr(92) + "|")


def _is_number(cell: Any) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)
