"""What generating questions tells at its end: what was kept, what was not and why, and the cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from wideleaf.agents.turn import Usage
from wideleaf.graph.generation.rows import WHY, QuestionTry, good_tries


class GenerationReport(BaseModel):
    """What generating questions did, earlier starts in the folder included.

    Attributes:
        folder: Where the set is.
        kept: Questions kept, by table and role.
        types: Of those kept, by role and type (DataFrame QA, Table 2).
        thrown: How many were thrown away, by why.
        short: Tables and roles with fewer questions than wanted, and why.
        requests: Requests that the model answered now.
        tokens: Tokens in and out now.
        cost: Dollars; None where no price is known.
        seconds: How long it took.
    """

    model_config = ConfigDict(frozen=True)

    folder: str
    kept: dict[str, dict[str, int]]
    types: dict[str, dict[str, int]] = {}
    thrown: dict[str, int] = {}
    short: tuple[str, ...] = ()
    requests: int = 0
    tokens: int = 0
    cost: float | None = 0.0
    seconds: float = 0.0

    def __str__(self) -> str:
        lines = []
        for table, roles in self.kept.items():
            counts = ", ".join(f"{count} {role}" for role, count in roles.items())
            lines.append(f"{table}: {counts}")
        for role, types in self.types.items():
            lines.append(f"{role}: " + ", ".join(f"{n} {kind}" for kind, n in types.items()))
        thrown = [f"{count} {why}" for why, count in self.thrown.items()]
        lines.append(f"thrown away: {', '.join(thrown) or 'none'}")
        lines += self.short
        lines.append(f"{self.requests} requests, {self.tokens} tokens, {self.seconds:.1f} s")
        return "\n".join([*lines, f"wideleaf eval {self.folder}"])


def generation_report(
    out: Path, rows: Sequence[QuestionTry], short: Sequence[str], usage: Usage, seconds: float
) -> GenerationReport:
    """Count what the folder holds.

    Args:
        out: The folder.
        rows: All that was tried.
        short: Tables and roles with fewer questions than wanted.
        usage: What this start took.
        seconds: How long it took.
    """
    kept: dict[str, dict[str, int]] = {}
    types: dict[str, dict[str, int]] = {}
    for row in good_tries(rows):
        _add(kept, row.table, row.role)
        _add(types, row.role, row.type)
    thrown = Counter(row.verdict for row in rows)
    return GenerationReport(
        folder=str(out),
        kept=kept,
        types=types,
        thrown={why: thrown[why] for why in WHY if why in thrown},
        short=tuple(short),
        requests=usage.requests,
        tokens=usage.prompt_tokens + usage.completion_tokens,
        cost=usage.cost,
        seconds=seconds,
    )


def _add(counts: dict[str, dict[str, int]], one: str, other: str) -> None:
    inner = counts.setdefault(one, {})
    inner[other] = inner.get(other, 0) + 1
