"""What an index run did: what was built and reused by part, and what a model described."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from wideleaf.graph.describing import DescribeReport
from wideleaf.retrieval.index_build import BuildReport

FORM = "wideleaf.index/1"


class IndexReport(BaseModel):
    """What `index` gives back.

    Attributes:
        built: What was done and what was there, by table and part.
        described: What a model described; None where none was asked to.
        notes: What is odd about the data dictionary.
    """

    model_config = ConfigDict(frozen=True)

    built: BuildReport
    described: DescribeReport | None = None
    notes: tuple[str, ...] = ()

    @property
    def seconds(self) -> float:
        """How long it took, without the reading of the tables."""
        return self.built.seconds + (self.described.seconds if self.described else 0.0)

    def to_json(self) -> dict[str, Any]:
        """The report as plain data."""
        return {"form": FORM, **self.model_dump(mode="json"), "seconds": self.seconds}

    def __str__(self) -> str:
        parts = [str(self.built), *(f"note: {note}" for note in self.notes)]
        return "\n\n".join([*([str(self.described)] if self.described else []), "\n".join(parts)])
