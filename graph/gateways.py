"""The gateways of a run's settings: to its models, at their pace and price, with its audit file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wideleaf.agents.models.gateway import Gateway
    from wideleaf.agents.turn import Usage
    from wideleaf.graph.context import Context
    from wideleaf.graph.options.role_models import Role


class Gateways:
    """The doors of one run, each opened once: roles of one model share its door and its pace.

    Args:
        context: The settings.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._open: dict[Role | None, Gateway] = {}

    def of(self, role: Role) -> Gateway:
        """The door to a role's model.

        Raises:
            ModelError: If the model cannot be had.
            SettingsError: If the audit file cannot be written.
        """
        own = role if self._context.model_of(role) else None
        if own not in self._open:
            self._open[own] = gateway_of(self._context, role)
        return self._open[own]

    def taken(self, role: Role) -> Gateway | None:
        """The door to a role's model where the settings give the role to a model, else None."""
        return self.of(role) if getattr(self._context, role) == "model" else None


def gateway_of(context: Context, role: Role = "supervisor") -> Gateway:
    """Open the door to the model that the settings name for a role; nothing is sent yet.

    Raises:
        ModelError: If there is no such provider, its package is not installed, or it has no key.
        SettingsError: If the audit file cannot be written.
    """
    from wideleaf.agents.models.gateway import Gateway, Price
    from wideleaf.agents.models.ledger import ReplyCache
    from wideleaf.agents.models.models import connect

    context = context.under_role(role)
    model = connect(
        context.chat_model or context.model,
        base_url=context.base_url or None,
        api_key_env=context.api_key_env,
        timeout=context.timeout,
    )
    samples = context.strategy == "vote" or context.verify == "paper"
    priced = context.prompt_price or context.reply_price
    return Gateway(
        model,
        context.policy,
        reply_form=context.reply_form,
        audit=Path(context.audit) if context.audit else None,
        cache=ReplyCache(Path(context.folder) / "replies") if context.cache else None,
        requests_per_second=context.requests_per_second,
        temperature=context.vote_temperature if samples else 0.0,
        price=Price(prompt=context.prompt_price, reply=context.reply_price) if priced else None,
    )


def budget_spent(context: Context, usage: Usage) -> str:
    """Which of the settings' budgets requests outside of a run have used up; empty if none is."""
    tokens = usage.prompt_tokens + usage.completion_tokens
    if context.max_tokens is not None and tokens >= context.max_tokens:
        return f"{tokens} tokens are spent; max_tokens is {context.max_tokens}"
    if context.max_cost is not None and (usage.cost or 0.0) >= context.max_cost:
        return f"{usage.cost} dollars are spent; max_cost is {context.max_cost}"
    return ""
