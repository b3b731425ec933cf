"""The dry run: what a question would show, send and cost, told before anything is sent."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from html import escape
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any, Self, cast
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict

from wideleaf.agents.supervisor.toolbox import tools_for
from wideleaf.agents.turn import View
from wideleaf.graph.context import Context
from wideleaf.graph.options.role_models import ROLES, Role
from wideleaf.graph.options.strategies import PLANS
from wideleaf.retrieval.selection import Pick, Selection
from wideleaf.tools.errors import KeylessError
from wideleaf.tools.privacy import Level
from wideleaf.tools.telling.element import element
from wideleaf.tools.tree.tree import FrameTree, Node
from wideleaf.tools.words import cut, one_line

if TYPE_CHECKING:
    from wideleaf.agents.codestep.thinker import ProgramThinker
    from wideleaf.agents.coding.programmer import Programmer
    from wideleaf.agents.supervisor.supervisor import Supervisor

CHARACTERS_A_TOKEN = 4
USUAL_TURNS = 4
REPLY_TOKENS = 150
"""What a run of a model takes as a rule, and a reply of it; a run may end sooner or go on."""
MILLION = 1_000_000
REFERENCE, LISTED_CHARACTERS = 80, 400
LETS_OUT: dict[Level, str] = {
    "schema": "names and types of columns, counts of rows, the question; no cell",
    "statistics": "names, types, counts, the question and statistics of columns; no cell",
    "samples": "names, types, counts, the question, statistics, and cells of frames",
}


class ColumnPreview(BaseModel):
    """Why a column or family would be shown, or nearly was.

    Attributes:
        reference: The column, or the family's notation.
        score: How well it fits.
        reason: Why, in the selector's words.
        meant: Whether the question means it, as far as the selector can tell.
    """

    model_config = ConfigDict(frozen=True)

    reference: str
    score: float
    reason: str
    meant: bool = False

    @classmethod
    def of(cls, pick: Pick) -> Self:
        """What a pick tells."""
        reference, score, reason = pick.reference, pick.score, pick.reason
        return cls(reference=reference, score=score, reason=reason, meant=pick.resolved)


class TablePreview(BaseModel):
    """What would be shown of a table.

    Attributes:
        name: Its name.
        columns: How many columns it has.
        shown: The columns and families shown, each once.
        aside: How many columns would not be shown.
        why: Of what is shown, score and reason.
        near: What nearly would be shown.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    columns: int
    shown: tuple[str, ...]
    aside: int
    why: tuple[ColumnPreview, ...] = ()
    near: tuple[ColumnPreview, ...] = ()

    @classmethod
    def of(cls, name: str, columns: int, selection: Selection) -> Self:
        """What a selection shows of a table."""
        why, near = (
            tuple(ColumnPreview.of(pick) for pick in picks if pick.table == name)
            for picks in (selection.picks, selection.near)
        )
        shown, aside = tuple(one.reference for one in why), selection.aside[name]
        return cls(name=name, columns=columns, shown=shown, aside=aside, why=why, near=near)


class DryRun(BaseModel):
    """What `ask` would do; nothing was sent and no step was taken.

    Attributes:
        question: The user's words.
        tables: What would be shown of each table.
        prompt: The text about tables and columns, as it would stand in a request.
        model: The model; empty for the embedded planner.
        host: Where requests would go: a server's address without a password, or what the
            model's provider has set; empty where nothing leaves.
        roles: Roles that a model of their own, or the one of all, takes beside the steps: each
            with the model and where it is asked.
        privacy: The level.
        lets_out: What that level lets out.
        prompt_tokens: Of the first request, at 4 characters each.
        run_tokens: Of a usual run, in and out.
        most_tokens: What the budgets allow at most, in and out.
        turns: How many turns a usual run was taken to have; of a vote those of all samples.
        cost: Dollars of a usual run; None without prices.
        denied: Columns nothing may use.
        reading: What it takes at most to have a model read each text of a column once, where the
            model that steers may want that.
    """

    model_config = ConfigDict(frozen=True)

    question: str
    tables: tuple[TablePreview, ...]
    prompt: str
    model: str = ""
    host: str = ""
    roles: tuple[str, ...] = ()
    privacy: Level = "schema"
    lets_out: str = ""
    prompt_tokens: int = 0
    run_tokens: int = 0
    most_tokens: int = 0
    turns: int = 0
    cost: float | None = None
    denied: tuple[str, ...] = ()
    reading: tuple[str, ...] = ()

    @property
    def sends(self) -> bool:
        """Whether a run would send anything."""
        return bool(self.host or self.roles)

    def to_json(self) -> dict[str, Any]:
        """The dry run as plain data."""
        return {"form": "wideleaf.dry_run/1", **self.model_dump(mode="json")}

    def __str__(self) -> str:
        lines = ["Dry run; nothing was sent.", *self._facts()]
        return "\n".join([*lines, *(f"  {line}" for line in self.prompt.splitlines())])

    def _facts(self) -> list[str]:
        shares = [f"{t.name}: {t.columns - t.aside} of {t.columns} columns" for t in self.tables]
        columns = [f"Shown: {', '.join(shares)}"]
        for title, picks in (
            ("Meant by the question", [c for t in self.tables for c in t.why if c.meant]),
            ("Nearly shown", [c for t in self.tables for c in t.near]),
        ):
            labels = [f"{one_line(c.reference, REFERENCE)} ({c.score:.2f})" for c in picks]
            columns += [f"{title}: {cut(labels, LISTED_CHARACTERS)}"] * bool(labels)
        recipients = [f"Sent for a role: {one}" for one in self.roles]
        if not self.host:
            if recipients:
                steps = "The embedded planner takes the steps."
                return [steps, *recipients, f"Privacy {self.privacy}: {self.lets_out}", *columns]
            return ["Nothing would leave this machine: the embedded planner answers.", *columns]
        cost = "no price is set" if self.cost is None else f"about ${self.cost:.4f}"
        return [
            f"Sent to: {self.model or 'the model'} at {self.host}",
            *recipients,
            f"Privacy {self.privacy}: {self.lets_out}",
            f"First request: about {self.prompt_tokens} tokens",
            f"A run of {self.turns} turns: about {self.run_tokens} tokens, {cost}; "
            f"at most {self.most_tokens} tokens by the budgets",
            *(f"To read {one}" for one in self.reading),
            *columns,
        ]

    def _repr_html_(self) -> str:
        facts = "".join(f"<li>{escape(fact)}</li>" for fact in self._facts())
        title = "<p><b>Dry run; nothing was sent.</b></p>"
        return element(title, f"<ul>{facts}</ul>", f"<pre>{escape(self.prompt)}</pre>")


def dry_run(question: str, context: Context) -> DryRun:
    """Tell what a run would show and send; the sources are read, no model is asked.

    Args:
        question: The user's words.
        context: The settings, with sources.

    Raises:
        WideleafError: If a source, the model or a setting cannot be used.
    """
    from wideleaf.graph.readers import forecast_columns
    from wideleaf.graph.selection import open_sources, select_columns
    from wideleaf.graph.services import services_of

    services = services_of(context)
    catalog = services.store.catalog
    with services.store.reading("the dry run"):
        selection, _, _ = select_columns(question, services, sends=False)
        nodes, columns = open_sources(question, services, selection)
    report = DryRun(
        question=question,
        tables=tuple(
            TablePreview.of(name, len(catalog.header(name).columns), selection)
            for name in selection.aside
        ),
        prompt=columns,
        privacy=context.privacy,
        roles=tuple(_roles(context)),
        lets_out=_lets_out(context),
        denied=context.denied,
    )
    if not context.asks_a_model:
        return report
    firsts, turns, prompt, most = [], 0, 0, 0
    voting = context.strategy == "vote"
    for path in islice(cycle(context.paths), context.samples if voting else 1):
        # With a model it is one of these.
        thinker = cast("Supervisor | Programmer | ProgramThinker", services.solvers[path].thinker)
        firsts.append(first := first_request(question, context, thinker, nodes, columns))
        writes = path in PLANS  # a request for each try, and none for a turn
        usual = 1 if writes else min(USUAL_TURNS, context.max_steps)
        turns, prompt = turns + usual, prompt + first * usual
        most += (first + REPLY_TOKENS) * (context.tries if writes else context.max_steps)
    reply = REPLY_TOKENS * turns
    priced = context.prompt_price or context.reply_price
    cost = (prompt * context.prompt_price + reply * context.reply_price) / MILLION
    return report.model_copy(
        update={
            "model": _name(context.under_role("supervisor")),
            "host": _host(context.under_role("supervisor")),
            "prompt_tokens": firsts[0],
            "run_tokens": prompt + reply,
            "most_tokens": min(most, context.max_tokens or most),
            "turns": turns,
            "cost": cost if priced else None,
            "reading": tuple(forecast_columns(question, services)),
        }
    )


def _lets_out(context: Context) -> str:
    if not context.asks_any_model:
        return "nothing"
    shared = f"; to the reader alone cells of {', '.join(context.shared)}" * bool(context.shared)
    return LETS_OUT[context.privacy] + shared


def without_key(context: Context) -> Context:
    """The settings for a dry run: models whose key is missing are not asked, and need none.

    Raises:
        WideleafError: If the model cannot be used for another reason.
    """
    from wideleaf.agents.models.script import Script

    live = {"chat_model": Script()}
    models = tuple(
        one.model_copy(update=live) if _lacks_key(context, one.role) else one
        for one in context.models
    )
    if context.model and _lacks_key(context.model_copy(update={"models": ()}), "supervisor"):
        context = context.model_copy(update=live)
    return context.model_copy(update={"models": models})


def _lacks_key(context: Context, role: Role) -> bool:
    from wideleaf.graph.gateways import gateway_of

    try:
        gateway_of(context, role)
    except KeylessError:
        return True
    return False


def first_request(
    question: str,
    context: Context,
    thinker: Supervisor | Programmer | ProgramThinker,
    nodes: Sequence[Node],
    columns: str,
) -> int:
    """Tokens of the first request of a run, at 4 characters each, tools included."""
    from wideleaf.agents.codestep.thinker import ProgramThinker
    from wideleaf.agents.coding.programmer import Programmer

    tree = FrameTree()
    for node in nodes:
        tree = tree.grow(node)
    view = View(question=question, tree=tree, columns=columns, max_steps=context.max_steps)
    if isinstance(thinker, Programmer | ProgramThinker):
        return sum(map(len, thinker.first_prompt(view))) // CHARACTERS_A_TOKEN + 1
    described = tools_for(
        question, tree, asks=context.interactive, columns=columns, reads=bool(thinker.prose())
    )
    system, human = thinker.prompt(view, described)
    tools = json.dumps(described, separators=(",", ":"))
    return (len(system) + len(human) + len(tools)) // CHARACTERS_A_TOKEN + 1


def _roles(context: Context) -> Iterator[str]:
    """The roles that a model takes beside the supervisor's, each with its model and host."""
    for role in ROLES[1:]:
        by_model = getattr(context, role, "") == "model" or (
            role == "crafter" and context.model_of(role) and context.asks_a_model
        )
        if by_model:
            own = context.under_role(role)
            yield f"{role}, {_name(own)} at {_host(own)}"


def _name(context: Context) -> str:
    live = context.chat_model
    return context.model or (type(live).__name__ if live is not None else "")


def _host(context: Context) -> str:
    """The server's host and port, never a user or password that an address may hold."""
    if not context.base_url:
        return "the server of the model's provider"
    parts = urlsplit(context.base_url)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.hostname or 'the given server'}{port}"
