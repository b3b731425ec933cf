"""A result in words for a terminal: the answer, its caveats, its steps and what it took."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from wideleaf.graph.results.sampled import sample_lines
from wideleaf.tools.telling.observations import step_text, written_steps
from wideleaf.tools.words import one_line, printable

if TYPE_CHECKING:
    from wideleaf.graph.results.result import Result

STEP_CHARACTERS = 300
VALUE_CHARACTERS = 80
LINES_OF_ANSWER = 30


def result_line(result: Result) -> str:
    """One line: ``<Result answered: 3.52 in 3 steps>``; a long value is cut."""
    plain = result.value is not None and not opening(result.answer, result.caveats)
    said = repr(result.value) if plain else result.answer
    caveats = f", {_many(len(result.caveats), 'caveat')}" if result.caveats else ""
    return (
        f"<Result {result.status}: {one_line(said, VALUE_CHARACTERS)} "
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
    rest, found = answer, []
    for caveat in caveats:
        if not rest.startswith(caveat):
            break
        found.append(caveat)
        rest = rest.removeprefix(caveat).lstrip()
    return tuple(found)


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
