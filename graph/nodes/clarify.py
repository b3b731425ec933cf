"""Clarification: a person is asked only where readings give different results, and sees them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from wideleaf.agents.answer.second_opinion import same_values
from wideleaf.agents.answer.writer import brief
from wideleaf.graph.services import Services
from wideleaf.graph.state import PlainData
from wideleaf.tools.actions.moves import Ask
from wideleaf.tools.errors import ActionError
from wideleaf.tools.steps.step import read_call
from wideleaf.tools.tree.call import Call


class Option(NamedTuple):
    """One reading of the question.

    Attributes:
        reading: In words.
        result: What it gives, in short; it holds cells and stays on this machine.
        label: The frame.
    """

    reading: str
    result: str
    label: str

    @property
    def text(self) -> str:
        """The option as a person is shown it."""
        return f"{self.reading}: {self.result}"


def options_of(
    arguments: PlainData, frames: Sequence[Sequence[str]], services: Services
) -> tuple[str, list[Option]]:
    """The question, and the readings that differ in their results, in their order.

    Args:
        arguments: Of the Ask.
        frames: Label and id of each reading's frame.
        services: Where the frames are.

    Raises:
        ActionError: If the arguments do not fit, or a frame cannot be read.
    """
    asked = read_call(Call(name="Ask", arguments=arguments))
    assert isinstance(asked, Ask)
    with services.store.reading("Ask"):
        kept: list[tuple[Option, Any]] = []
        for reading, (label, key) in zip(asked.readings, frames, strict=True):
            table = services.store.with_labels(key)
            if any(same_values(table, other) for _, other in kept):
                continue
            kept.append((Option(reading, brief(table), label), table))
    return asked.question, [option for option, _ in kept]


def find_option(said: object, options: Sequence[Option]) -> Option | None:
    """The option that an answer means: its number, its reading, its frame or all of its text."""
    text = " ".join(str(said).split()).casefold()
    if text.isdigit():
        number = int(text)
        return options[number - 1] if 1 <= number <= len(options) else None
    for option in options:
        ways = (option.reading, option.label, option.text)
        if text in (" ".join(way.split()).casefold() for way in ways):
            return option
    return None


def take_option(option: Option) -> PlainData:
    """The update that takes a reading: its frame is offered as the answer."""
    return {"choice": option.label, "chosen": {"label": option.label, "note": ""}}


def assumption(options: Sequence[Option]) -> PlainData:
    """What the person should know where the first reading was taken unasked."""
    first, *others = options
    rest = "; ".join(f"read as {other.reading!r} it would be {other.result}" for other in others)
    return {
        "label": first.label,
        "text": f"Read as {first.reading!r}; {rest}.",
        "options": [[option.reading, option.label] for option in options],
    }


def offer_text(assumed: PlainData) -> str:
    """How the person takes another of the readings with their next message."""
    others = enumerate(assumed["options"][1:], 2)
    ways = "; ".join(f"{number} for {reading!r}" for number, (reading, _) in others)
    return f"Another reading is taken by its number: {ways}."


def question_error(error: ActionError) -> str:
    """What the thinker is told of an Ask that cannot be asked; an error's cells are left out."""
    return f"nothing was asked: {error.text}"
