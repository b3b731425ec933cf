"""What a thinker gives back: its thought, its calls or why there are none, and what it cost."""

from __future__ import annotations

from typing import Any, Self

from pydantic import BaseModel, JsonValue, field_validator

from wideleaf.tools.action import Call
from wideleaf.tools.plain_data import whole


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
        said: The message as it came, where no move was wanted; code has marks that a thought
            is freed of.
        calls: What it wants done, side by side; arguments still hold the input labels.
        problem: Why this is no usable move and what would be one; then there are no calls.
        usage: What the reply cost.
        memory: A planner's own plain data, given back to it in its next turn.
        gives_up: Whether asking again would be of no use; ``problem`` then says why.
        confidence: How likely its answer is right, 0 to 1, of a thinker that can tell.
    """

    thought: str = ""
    said: str = ""
    calls: tuple[Call, ...] = ()
    problem: str = ""
    usage: Usage = Usage()
    memory: dict[str, JsonValue] = {}
    gives_up: bool = False
    confidence: float | None = None

    @field_validator("thought", "said", "problem", "memory")
    @classmethod
    def _whole(cls, given: Any) -> Any:
        return whole(given)
