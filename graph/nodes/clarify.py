"""Clarification: a person is asked only where readings give different results, and sees them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from wideleaf.agents.answer.second_opinion import same_values
from wideleaf.agents.answer.writer import brief
from wideleaf.agents.conversation.remarks import read_remark
from wideleaf.agents.turn import Exchange
from wideleaf.graph.channels import PlainData
from wideleaf.graph.nodes.reviews import Decision, UnclearError, read_decision, review
from wideleaf.graph.results.text import escape
from wideleaf.graph.services import Services
from wideleaf.tools.actions.moves import Ask
from wideleaf.tools.errors import ActionError
from wideleaf.tools.steps.step import read_call
from wideleaf.tools.tree.call import Call

READ_AS = "Read as: "
"""How a note begins that says a reading."""
NONE = "none of these"
"""What a rejection without a word says."""


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
    action = read_call(Call(name="Ask", arguments=arguments))
    assert isinstance(action, Ask)
    with services.store.reading("Ask"):
        choices: list[tuple[Option, Any]] = []
        for reading, (label, key) in zip(action.readings, frames, strict=True):
            table = services.store.with_labels(key)
            if any(same_values(table, other) for _, other in choices):
                continue
            choices.append((Option(reading, brief(table), label), table))
    return action.question, [option for option, _ in choices]


def question_value(question: str, options: Sequence[Option], problem: str = "") -> PlainData:
    """The value of the interrupt that asks.

    Args:
        question: In words.
        options: The readings.
        problem: What was wrong with the answer before; empty at first.
    """
    plain = {"question": question, "options": [one._asdict() for one in options]}
    if problem:
        plain["problem"] = problem
    text = question_text(question, options, problem)
    text += "\n\nApprove to take the first; edit `reading`, or respond, to take another by its "
    text += "number or words, or to say it in words of your own."
    arguments = {"reading": options[0].reading}
    return review(
        plain, "choose_reading", arguments, text, ("approve", "edit", "respond", "reject")
    )


def question_text(question: str, options: Sequence[Option], problem: str = "") -> str:
    """A question and its readings by number, as Markdown; see `question_value`."""
    lines = [f"{number}. {escape(one.text)}" for number, one in enumerate(options, 1)]
    lead = [f"**{escape(problem)}**", ""] if problem else []
    return "\n".join([*lead, escape(question), "", *lines])


def read_choice(answer: object, options: Sequence[Option]) -> str:
    """What a person answers, as the words or the number of an option, or words of their own.

    Raises:
        UnclearError: If it is no answer, or the number of no option.
    """
    decision = read_decision(answer)
    text = _choice_text(decision, options)
    if find_option(text, options) is None:
        if text.strip(" .").isdecimal():
            raise UnclearError(f"{text!r} is none of the {len(options)} readings")
        offered = Exchange(said="", options=tuple((one.reading, one.label) for one in options))
        remark = read_remark(text, (offered,))
        if remark is not None and remark.kind == "choice":
            return options[remark.place].reading
    return text


def read_typed(text: str, options: Sequence[Option]) -> Option | None:
    """The option that a message means which came in place of an answer; None if it means none.

    Args:
        text: The message; empty if there was none.
        options: The readings.
    """
    try:
        return find_option(read_choice(text, options), options) if text else None
    except UnclearError:
        return None


def _choice_text(decision: Decision, options: Sequence[Option]) -> str:
    if decision.kind == "approve":
        return options[0].reading
    if decision.kind == "edit":
        reading = decision.arguments.get("reading")
        if not isinstance(reading, str | int) or not str(reading).strip():
            raise UnclearError("the edit has no 'reading'; give one by its number or its words")
        return str(reading)
    return decision.text.strip() or NONE


def find_option(answer: object, options: Sequence[Option]) -> Option | None:
    """The option that an answer means: its number, its reading, its frame or all of its text."""
    text = " ".join(str(answer).split()).casefold()
    if text.rstrip(".").isdecimal():
        number = int(text.rstrip("."))
        return options[number - 1] if 1 <= number <= len(options) else None
    for option in options:
        ways = (option.reading, option.label, option.text)
        if text in (" ".join(way.split()).casefold() for way in ways):
            return option
    return None


def take_option(option: Option, lead: str = "") -> PlainData:
    """A reading's frame as the offer of an answer.

    Args:
        option: The reading.
        lead: How the note begins that says it; empty for none.
    """
    note = f"{lead}{option.reading}." if lead else ""
    return {"label": option.label, "note": note, "reading": option.reading}


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
