"""What a cascade saves and keeps, over 6,000 texts with planted truth.

    python benchmarks/cascades.py [--level 0.9] [--noise 0] [--table reviews]

`texts/` has three tables of 2,000 rows (reviews, tickets, names of listings), whose labels were
planted as the texts were written, with five criteria and one set of classes each
(`criteria.json`). A reader answers by the labels, wrong in a share of `--noise`, so what is
measured is the cascade alone: recall and precision against that reader, and texts, requests and
tokens (4 characters each, 6 for an answer) against reading every text.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl
from langchain_core.messages import BaseMessage

from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.models.script import Script
from wideleaf.agents.reading.asker import Asker
from wideleaf.agents.reading.batches import batches_of
from wideleaf.agents.reading.budget import Budget
from wideleaf.agents.reading.reader import Reader
from wideleaf.retrieval.vectors.embedder import open_embedder
from wideleaf.tools.actions.reading.judge import Judge
from wideleaf.tools.actions.reading.label import Label
from wideleaf.tools.actions.reading.reading import Reading
from wideleaf.tools.privacy import Policy
from wideleaf.tools.tables.table import Table
from wideleaf.tools.verdicts.shelf import VerdictShelf

TEXTS = Path(__file__).parent / "texts"
TABLES = {"reviews": ("text", "main_topic"), "tickets": ("text", "topic"),
          "listings": ("name", "department")}  # fmt: skip
MOST = 25
ANSWER = 24


class Planted:
    """A model that answers by what was planted, and counts what it is sent."""

    def __init__(self, said: dict[str, Any]) -> None:
        self.said, self.requests, self.texts, self.characters = said, 0, 0, 0
        self.model = Script(policy=self.reply)

    def reply(self, messages: list[BaseMessage]) -> str:
        """Answer one request."""
        lines = [json.loads(line) for line in messages[-1].text.splitlines()]
        self.requests += 1
        self.texts += len(lines)
        self.characters += sum(len(one.text) for one in messages) + ANSWER * len(lines)
        return json.dumps({line["id"]: [self.said[line["text"]], 0.9] for line in lines})


def measure(name: str, level: float, noise: float) -> None:
    """Print a line for each criterion of a table, and one for its classes."""
    column, topic = TABLES[name]
    criteria = json.loads((TEXTS / "criteria.json").read_text(encoding="utf-8"))[name]
    rows = pl.read_parquet(TEXTS / f"{name}.parquet")
    labels = pl.read_parquet(TEXTS / f"{name}_labels.parquet")
    rows = rows.join(labels, on=rows.columns[0]).filter(pl.col(column).is_not_null())
    table = Table(nw.from_native(rows.select(column).lazy()))
    classes = tuple(sorted(rows[topic].drop_nulls().unique()))
    embedder = open_embedder("minilm")
    known: dict[tuple[str, ...], Any] = {}

    def encode(texts: Any) -> Any:
        key = tuple(texts)
        if key not in known:
            known[key] = embedder.embed(texts)
        return known[key]

    for criterion in (*criteria, topic):
        action: Reading = Label(columns=(column,), classes=classes)
        cells = rows[topic].fill_null(classes[-1]).to_list()
        if criterion != topic:
            action = Judge(columns=(column,), criterion=criteria[criterion], into="verdict")
            cells = [str(cell) in ("1", "1.0", "True", "true") for cell in rows[criterion]]
        truth = dict(zip(rows[column].to_list(), cells, strict=True))
        report(name, criterion, action, table, blur(truth, noise, classes), encode, level)


def blur(truth: dict[str, Any], noise: float, classes: tuple[str, ...]) -> dict[str, Any]:
    """What a reader says that is wrong now and then."""
    random = np.random.default_rng(0)
    return {
        text: value
        if random.random() >= noise
        else (not value if isinstance(value, bool) else classes[random.integers(len(classes))])
        for text, value in truth.items()
    }


def report(
    name: str,
    criterion: str,
    action: Reading,
    table: Table,
    said: dict[str, Any],
    encode: Any,
    level: float,
) -> None:
    """Judge in a cascade and print what came of it."""
    action = action.resolve(table)
    sides, planted = action.sides(table), Planted(said)
    every = batches_of(action.task, sides[0], MOST)
    whole = sum(len("".join(one.prompt())) + ANSWER * len(one.texts) for one in every)
    with tempfile.TemporaryDirectory() as folder:
        gateway = Gateway(planted.model, Policy(level="samples"))
        asker = Asker(gateway, VerdictShelf(Path(folder)), MOST)
        read = Reader(asker, encode, level).read(action, sides, Budget())
        given = asker.shelf.get(read.verdicts).given
    pairs = [(said[text], given[key].value) for key, text in sides[0].items()]
    right = sum(one == other for one, other in pairs) / len(pairs)
    quality = f"{right:.3f} as the reader"
    if isinstance(action, Judge):
        both = sum(one and other for one, other in pairs)
        recall = both / sum(one for one, _ in pairs)
        quality = f"recall {recall:.3f}, precision {both / sum(other for _, other in pairs):.3f}"
    print(
        f"{name} | {criterion} | {quality} | {planted.texts / len(pairs):.0%} of texts, "
        f"{planted.requests} of {len(every)} requests, {planted.characters / whole:.0%} of "
        f"{whole // 4} tokens",
        flush=True,
    )


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--level", type=float, default=0.9)
    parser.add_argument("--noise", type=float, default=0.0)
    parser.add_argument("--table", choices=TABLES, action="append")
    options = parser.parse_args()
    for name in options.table or TABLES:
        measure(name, options.level, options.noise)


if __name__ == "__main__":
    main()
