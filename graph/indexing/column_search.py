"""A look at the selection: which columns a question picks, why, and what nearly was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict

from wideleaf.graph.indexing.dry_run import CHARACTERS_A_TOKEN, first_request
from wideleaf.retrieval.selection import FEW_COLUMNS, Pick, Selection
from wideleaf.tools.words import one_line

if TYPE_CHECKING:
    from wideleaf.graph.context import Context
    from wideleaf.graph.services import Services
    from wideleaf.tools.tree.tree import Node

FORM = "wideleaf.columns/1"
LINES = 40
"""Of each sort of pick at most so many are listed in words; the JSON has all."""
LINE_CHARACTERS, REASON_CHARACTERS = 240, 100


class ColumnSearch(BaseModel):
    """What a question would pick.

    Attributes:
        question: The user's words.
        retriever: Who chose: ``index``, ``words`` or ``tso``.
        columns: How many columns each table has.
        selection: The picks, what nearly was one, and how the tables may be joined.
        problem: Why the selector's model was of no use, so that rules chose; empty if it was.
        text: Tables and columns as a model would be shown them.
        request_tokens: Of the first request of a run, at 4 characters each, all included.
        seconds: How long the selection took, without the reading of the tables.
    """

    model_config = ConfigDict(frozen=True)

    question: str
    retriever: str
    columns: dict[str, int]
    selection: Selection
    problem: str = ""
    text: str
    request_tokens: int
    seconds: float

    @property
    def picks(self) -> tuple[Pick, ...]:
        """All that would be shown, best first within each table."""
        return self.selection.picks

    @property
    def near(self) -> tuple[Pick, ...]:
        """What nearly was picked, best first."""
        return self.selection.near

    @property
    def joins(self) -> tuple[str, ...]:
        """How the tables found may be joined."""
        return self.selection.joins

    @property
    def text_tokens(self) -> int:
        """Of the text, at 4 characters each."""
        return -(-len(self.text) // CHARACTERS_A_TOKEN)

    def resolved(self) -> dict[str, tuple[str, ...]]:
        """By table, the columns that the question means."""
        return self.selection.resolved()

    def to_json(self) -> dict[str, Any]:
        """The look as plain data."""
        names = {table: list(columns) for table, columns in self.resolved().items()}
        more = {"resolved": names, "text_tokens": self.text_tokens}
        return {"form": FORM, **self.model_dump(mode="json"), **more}

    def __str__(self) -> str:
        matches = [pick for pick in self.picks if pick.resolved]
        beside = [pick for pick in self.picks if not pick.resolved]
        if matches:
            whole = {t for t, count in self.columns.items() if count <= FEW_COLUMNS}
            beside = [p for p in beside if p.table not in whole or p.score]
        lines = [
            *_section("Meant by the question", matches),
            *_section("Shown beside them" if matches else "Shown", beside),
            *_section("Nearly shown", self.near),
            *["Joins:"] * bool(self.joins),
            *(f"  {one_line(join, LINE_CHARACTERS)}" for join in self.joins),
            *[f"Rules took the place of the selector's model: {self.problem}"] * bool(self.problem),
        ]
        of = ", ".join(f"{one_line(t, 60)} {n}" for t, n in list(self.columns.items())[:LINES])
        cost = (
            f"Shown to a model: {len(self.text)} characters, about {self.text_tokens} tokens; the "
            f"first request about {self.request_tokens} tokens."
        )
        return "\n".join([*lines, f"Columns: {of}", cost, f"Chosen in {self.seconds:.2f} s."])


def first_tokens(
    question: str, context: Context, services: Services, nodes: Sequence[Node], text: str
) -> int:
    """Tokens of a run's first request; of one without a model, as one would be sent."""
    from wideleaf.agents.coding.programmer import Programmer
    from wideleaf.agents.supervisor.supervisor import Supervisor

    thinker = services.thinker
    if not isinstance(thinker, Supervisor | Programmer):
        from wideleaf.agents.models.gateway import Gateway
        from wideleaf.agents.models.script import Script

        gateway = Gateway(Script(), context.policy, reply_form=context.reply_form)
        thinker = Supervisor(
            gateway,
            interactive=context.interactive,
            profile=context.profile,
            crafts=context.craft != "off",
        )
    return first_request(question, context, thinker, nodes, text)


def _section(title: str, picks: Sequence[Pick]) -> list[str]:
    lines = [f"  {_line(pick)}" for pick in picks[:LINES]]
    more = [f"  and {len(picks) - LINES} more"] * (len(picks) > LINES)
    return [f"{title}:", *lines, *more] if picks else []


def _line(pick: Pick) -> str:
    name = one_line(f"{pick.table}: {pick.line}", LINE_CHARACTERS)
    reason = f"; {one_line(pick.reason, REASON_CHARACTERS)}" if pick.reason else ""
    return f"{name}  [{pick.score:.2f}{reason}]"
