"""The doctor on what leaves this machine: tracing, and a model, asked only if it is named."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from wideleaf.graph.shell.doctor.checks import Finding
from wideleaf.tools.errors import ModelError, PrivacyError, WideleafError

if TYPE_CHECKING:
    from wideleaf.graph.context import Context

SYSTEM, HUMAN = "Answer with one word.", "Say: ready."


def tracing(context: Context) -> Iterator[Finding]:
    """Whether a tracer would send runs away."""
    from wideleaf.agents.models.gateway import TRACING, refuse_tracing

    try:
        refuse_tracing(context.policy)
    except PrivacyError as error:
        yield Finding("tracing", "missing", str(error), PrivacyError.exit_code)
    else:
        on = [name for name in TRACING if os.environ.get(name)]
        told = f"; set: {', '.join(f'{name}={os.environ[name]}' for name in on)}" if on else ""
        yield Finding("tracing", "ok", f"nothing refused at privacy {context.privacy!r}{told}")


def model(context: Context) -> Iterator[Finding]:
    """Whether the model of the settings answers with a word; nothing of any table is in it."""
    if not context.asks_a_model:
        yield Finding(
            "model", "ok", "none is named, so none was asked; --model or --base-url would"
        )
        return
    from wideleaf.graph.gateways import gateway_of

    name = context.model or context.base_url
    begun = time.perf_counter()
    try:
        reply = gateway_of(context).ask(SYSTEM, HUMAN)
    except WideleafError as error:
        yield Finding("model", "missing", str(error), error.exit_code)
        return
    seconds = time.perf_counter() - begun
    if reply.problem:
        text = f"{name!r} answers, but {reply.problem}"
        yield Finding("model", "missing", text, ModelError.exit_code)
        return
    used = reply.usage.prompt_tokens + reply.usage.completion_tokens
    yield Finding("model", "ok", f"{name!r} answered in {seconds:.1f} s ({used} tokens)")
