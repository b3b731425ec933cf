"""The gateway of a run's settings: to its model, at its pace and price, with its audit file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wideleaf.agents.models.gateway import Gateway
    from wideleaf.graph.context import Context


def gateway_of(context: Context) -> Gateway:
    """Open the door to the model that the settings name; nothing is sent yet.

    Raises:
        ModelError: If there is no such provider, its package is not installed, or it has no key.
        SettingsError: If the audit file cannot be written.
    """
    from wideleaf.agents.models.gateway import Gateway, Price
    from wideleaf.agents.models.ledger import ReplyCache
    from wideleaf.agents.models.models import connect

    model = connect(
        context.chat_model or context.model,
        base_url=context.base_url or None,
        api_key_env=context.api_key_env,
        timeout=context.timeout,
    )
    priced = context.prompt_price or context.reply_price
    return Gateway(
        model,
        context.policy,
        reply_form=context.reply_form,
        audit=Path(context.audit) if context.audit else None,
        cache=ReplyCache(Path(context.folder) / "replies") if context.cache else None,
        requests_per_second=context.requests_per_second,
        temperature=context.vote_temperature if context.strategy == "vote" else 0.0,
        price=Price(prompt=context.prompt_price, reply=context.reply_price) if priced else None,
    )
