"""The budget: what a step that reads may still spend, shared by requests that run side by side."""

from __future__ import annotations

from threading import Lock

from wideleaf.agents.models.ledger import Price
from wideleaf.agents.turn import Usage


class Budget:
    """Tokens and dollars that are left, and what was spent of them.

    A request is sent only where what it is likely to take is left, beside those under way, so that
    a limit holds in the middle of a step.

    Args:
        tokens: How many are left; None without a limit.
        cost: How many dollars are left, likewise.
        price: What they are reckoned by before a request.

    Attributes:
        usage: What was spent.
        empty: Which limit kept a request back; empty while none did.
    """

    def __init__(
        self, tokens: float | None = None, cost: float | None = None, price: Price | None = None
    ) -> None:
        self._tokens, self._cost, self._price = tokens, cost, price
        self._under_way = 0
        self._lock = Lock()
        self.usage = Usage()
        self.empty = ""

    def take(self, tokens: int) -> bool:
        """Set tokens aside for a request; False if they are not there."""
        with self._lock:
            used = self.usage.prompt_tokens + self.usage.completion_tokens
            dollars = self.usage.cost or 0.0
            if self._tokens is not None and used + self._under_way + tokens > self._tokens:
                self.empty = "max_tokens"
            elif self._cost is not None and self._price is not None:
                dollars += self._price.of(self._under_way + tokens, 0)
                self.empty = "max_cost" if dollars > self._cost else ""
            if not self.empty:
                self._under_way += tokens
            return not self.empty

    def settle(self, tokens: int, usage: Usage) -> None:
        """Count what a request took for which tokens had been set aside."""
        with self._lock:
            self._under_way -= tokens
            self.usage += usage
