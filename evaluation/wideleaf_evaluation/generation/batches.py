"""The requests of one table and role: which columns each shows, and when there are enough."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wideleaf.agents.turn import Usage
from wideleaf.graph.gateways import budget_spent
from wideleaf_evaluation.generation.question_writer import (
    PromptColumn,
    QuestionTask,
    QuestionWriter,
    Role,
)
from wideleaf_evaluation.generation.rows import QuestionTry, add_tries, good_tries

if TYPE_CHECKING:
    from wideleaf.graph.context import Context
    from wideleaf.tools.tables.table import Table
    from wideleaf_evaluation.generation.checks import Checks

GenerationProgress = Callable[[str, int, int], None]
BATCH = 10
"""Questions a request, as in the paper."""
USELESS = 2
"""After so many requests in a row that added nothing, a table and role are left."""
SHOWN_ROWS, SHOWN_COLUMNS, FEW_COLUMNS, OF_A_CLUSTER = 8, 24, 40, 6
"""Of a table of more than `FEW_COLUMNS`, each request shows others, `SHOWN_COLUMNS` at most."""


class Batches:
    """The requests of one table and role.

    Args:
        writer: Who writes questions.
        checks: Who says which are kept.
        table: The table.
        role: Who asks.
        n: How many to keep.
        context: The settings; `max_tokens` and `max_cost` hold.
        progress: Told how many are kept, of how many.
    """

    def __init__(
        self,
        writer: QuestionWriter,
        checks: Checks,
        table: Table,
        role: Role,
        n: int,
        context: Context,
        progress: GenerationProgress | None,
    ) -> None:
        self.writer, self.checks, self.table, self.role, self.n = writer, checks, table, role, n
        self.context, self.progress = context, progress
        self.usage = Usage()

    def run(self, rows: list[QuestionTry], out: Path, spent: Usage) -> str:
        """Ask until there are enough, adding to the rows; what came is kept request by request.

        Args:
            rows: All rows of the folder.
            out: The folder.
            spent: What was spent before.

        Returns:
            Why there are fewer than wanted; empty if there are enough.

        Raises:
            ModelError: If no reply can be had.
            SandboxError: If the sandbox fails.
        """
        name, role = self.checks.table, self.role
        while True:
            mine = [row for row in rows if (row.table, row.role) == (name, role)]
            successes = good_tries(mine)
            if self.progress:
                self.progress(f"{name}, {role}", min(len(successes), self.n), self.n)
            batches = 1 + max((row.batch for row in mine), default=-1)
            last = range(max(0, batches - USELESS), batches)
            if len(successes) >= self.n:
                return ""
            tally = f"{len(successes)} of {self.n} questions"
            if batches >= 2 * -(-self.n // BATCH) + USELESS:
                return f"{tally} after {batches} requests"
            if len(last) == USELESS and not any(row.batch in last for row in successes):
                return f"{tally}: {USELESS} requests in a row added nothing"
            if why := budget_spent(self.context, spent + self.usage):
                return f"{tally}: {why}"
            tries = self._ask(batches, [row.question for row in successes], self.n - len(successes))
            add_tries(out, tries)
            rows += tries

    def _ask(self, batch: int, earlier: list[str], rest: int) -> list[QuestionTry]:
        frame, name = self.checks.frame, self.checks.table
        columns = sample_columns(self.table, frame, batch)
        task = QuestionTask(
            table=name,
            role=self.role,
            count=min(BATCH, rest + 2) if batch else min(BATCH, rest),
            rows=frame.height,
            columns=columns,
            others=frame.width - len(columns),
            earlier=tuple(earlier),
        )
        came = self.writer.write(task, sample=batch)
        self.usage += came.usage
        model = self.writer.gateway.model_name
        if not came.made:
            none = QuestionTry(
                table=name,
                role=self.role,
                batch=batch,
                model=model,
                verdict="no question",
                why=came.problem,
            )
            return [none]
        tries: list[QuestionTry] = []
        for proposed in came.made:
            if len(good_tries(tries)) == rest:
                break
            tries.append(self.checks.check(proposed, self.role, batch, model))
        return tries


def sample_columns(table: Table, frame: Any, batch: int) -> tuple[PromptColumn, ...]:
    """The columns of a request with example cells; of a wide table, some of each cluster."""
    names = list(frame.columns)
    if len(names) > FEW_COLUMNS:
        names = _some_of(table, batch)
    rows = frame.select(names).sample(min(SHOWN_ROWS, frame.height), seed=batch)
    return tuple(
        PromptColumn(
            name=name,
            kind=table.kind(name),
            meaning=table.about.get(name, ""),
            cells=tuple("" if cell is None else str(cell) for cell in rows.get_column(name)),
        )
        for name in names
    )


def _some_of(table: Table, batch: int) -> list[str]:
    """Columns of a wide table: clusters in turn, beginning elsewhere with each request."""
    from wideleaf.retrieval.cards.cards import make_cards
    from wideleaf.retrieval.cards.clusters import make_clusters

    cards = make_cards(table.columns, tuple(table.about.items()))
    groups = [cluster.cards for cluster in make_clusters(cards)]
    references = {card.reference for group in groups for card in group}
    groups.append(tuple(card for card in cards if card.reference not in references))
    columns: dict[str, None] = {}
    for place in range(len(groups)):
        group = groups[(batch + place) % len(groups)]
        for turn in range(min(OF_A_CLUSTER, len(group))):
            card = group[(batch * OF_A_CLUSTER + turn) % len(group)]
            columns[card.columns[batch % len(card.columns)]] = None
    return list(columns)[:SHOWN_COLUMNS]
