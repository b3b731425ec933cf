"""A turn: what a thinker is shown, and what it gives back."""

from __future__ import annotations

from typing import Any, Protocol, Self

from pydantic import BaseModel, ConfigDict, JsonValue, SkipValidation, field_validator

from wideleaf.tools.plain_data import whole
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import FrameTree


class Exchange(BaseModel, frozen=True):
    """An earlier message of a conversation, and what became of it.

    Attributes:
        said: The person's words.
        reading: How they were read, in words that need no other message, where that is known.
        label: The node that holds what was answered, in the tree that the conversation shares;
            empty if there was no answer.
        status: How it ended, as `graph.state.Answer` has it.
        options: Of a question with several readings, each with the node that holds its result;
            the first was taken.
        confidence: How likely its answer is right, 0 to 1, where that was said.
        drawn: The words that a chart of it was asked for by; empty if there is none.
        chart: The arguments of the chart that was drawn of it.
        likely: Of a question that the embedded planner refused, the plan it was likeliest meant
            as, as plain data; empty if there is none, or an answer.
    """

    said: str
    reading: str = ""
    label: str = ""
    status: str = "answered"
    options: tuple[tuple[str, str], ...] = ()
    confidence: float | None = None
    drawn: str = ""
    chart: dict[str, JsonValue] = {}
    likely: dict[str, JsonValue] = {}


class View(BaseModel):
    """One turn's view of the run.

    Attributes:
        question: The user's words.
        tree: Everything done so far.
        columns: Text of the selected tables and columns, bounded.
        notes: What the graph has to say about the last turn, such as a rejected reply.
        step: This turn's number, from 1.
        max_steps: The last turn there can be.
        next_label: The label that the next frame will get.
        memory: The thinker's own plain data from its last reply.
        choice: Label of the frame whose reading the person chose, or that was taken where nobody
            could be asked; empty if nothing was asked.
        aliases: Labels whose frame had been made before, and its label.
        past: Of a conversation what was asked before, oldest first; its frames are in the tree.
        drawn: The words by which the person wants the answer drawn; empty if no chart is wanted.
        talks: Whether the question is part of a conversation, so that the person can answer.
        wanted: What the answer's columns are to be called, in order; empty for any names.
    """

    model_config = ConfigDict(frozen=True)

    question: str
    tree: SkipValidation[FrameTree]
    columns: str = ""
    notes: tuple[str, ...] = ()
    step: int = 1
    max_steps: int = 30
    next_label: str = "T1"
    memory: dict[str, JsonValue] = {}
    choice: str = ""
    aliases: dict[str, str] = {}
    past: tuple[Exchange, ...] = ()
    drawn: str = ""
    talks: bool = False
    wanted: tuple[str, ...] = ()


class Suggestions(BaseModel, frozen=True):
    """What may be asked, of a question that was refused or that only asks what there is.

    Attributes:
        nearest: Words of the question that were not understood, each with the columns nearest to
            it; none where none is near.
        readings: How the question may have been meant, the likeliest first: ``reading``, its
            ``columns`` and its ``confidence``.
        questions: Questions over the same tables that were tried and are answered.
        tables: Of a question that asks what there is: ``name``, ``rows``, how many columns it has
            (``width``) and the first ``columns``.
    """

    nearest: dict[str, tuple[str, ...]] = {}
    readings: tuple[dict[str, JsonValue], ...] = ()
    questions: tuple[str, ...] = ()
    tables: tuple[dict[str, JsonValue], ...] = ()

    def plain(self) -> dict[str, JsonValue]:
        """As plain data, without what it does not say."""
        fields: dict[str, JsonValue] = self.model_dump(mode="json", exclude_defaults=True)
        return fields


class Thinker(Protocol):
    """Whoever proposes the next step: the supervisor with a model, or the embedded planner."""

    def think(self, view: View) -> Reply:
        """Propose the next calls, or say in ``problem`` why there are none."""


class Usage(BaseModel, frozen=True):
    """What was spent; ``Usage()`` is nothing, and usages add up.

    Attributes:
        requests: Requests a model answered, each counted once however often it was retried.
        cached: Requests answered from the response cache, at no cost.
        prompt_tokens: Tokens sent.
        completion_tokens: Tokens received.
        cost: Dollars; None if a model without a known price was asked.
        estimated: Whether tokens were counted at 4 characters each for want of a report.
        largest: Tokens of the largest request, at 4 characters each of what was sent.
    """

    requests: int = 0
    cached: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = 0.0
    estimated: bool = False
    largest: int = 0

    def __add__(self, other: Usage) -> Self:
        unknown = self.cost is None or other.cost is None
        return self.model_copy(
            update={
                "requests": self.requests + other.requests,
                "cached": self.cached + other.cached,
                "prompt_tokens": self.prompt_tokens + other.prompt_tokens,
                "completion_tokens": self.completion_tokens + other.completion_tokens,
                "cost": None if unknown else (self.cost or 0.0) + (other.cost or 0.0),
                "estimated": self.estimated or other.estimated,
                "largest": max(self.largest, other.largest),
            }
        )


class Reply(BaseModel, frozen=True):
    """One turn's reply.

    Attributes:
        thought: Why, in the thinker's words.
        thoughts: Why each of the calls, in their order, where they differ in it.
        said: The message as it came, where no move was wanted; code has marks that a thought
            is freed of.
        calls: What it wants done, side by side; arguments still hold the input labels.
        problem: Why this is no usable move and what would be one; then there are no calls.
        usage: What the reply cost.
        memory: A planner's own plain data, given back to it in its next turn.
        again: Whether the thinker is to be asked again in the same turn: it was to be shown more.
        counted: Whether the thinker counts itself how often it is asked again.
        steers: Whether the thinker takes one action after another, so that a turn after which
            nothing is new is a sign that it is lost.
        gives_up: Whether asking again would be of no use; ``problem`` then says why.
        confidence: How likely its answer is right, 0 to 1, of a thinker that can tell.
        suggestions: What may be asked instead, where it gives up.
    """

    thought: str = ""
    thoughts: tuple[str, ...] = ()
    said: str = ""
    calls: tuple[Call, ...] = ()
    problem: str = ""
    usage: Usage = Usage()
    memory: dict[str, JsonValue] = {}
    again: bool = False
    counted: bool = False
    steers: bool = False
    gives_up: bool = False
    confidence: float | None = None
    suggestions: Suggestions = Suggestions()

    @field_validator("thought", "thoughts", "said", "problem", "memory")
    @classmethod
    def _whole(cls, field: Any) -> Any:
        return whole(field)
