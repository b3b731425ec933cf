"""What a reader says in tests: by rules, so that equal texts have equal verdicts."""

import json
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import narwhals as nw
import polars as pl

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.reading.match import Match
from wideleaf.tools.actions.reading.reading import Reading
from wideleaf.tools.actions.registry import find_action
from wideleaf.tools.tables.table import Table
from wideleaf.tools.verdicts.shelf import VerdictShelf
from wideleaf.tools.verdicts.task import Task
from wideleaf.tools.verdicts.verdicts import Verdict, Verdicts

SHELF = VerdictShelf(Path(mkdtemp()))


def say(task: Task, place: int, text: str) -> Verdict:
    """A verdict of the kind that a task wants, of the text that stands at a place."""
    values: dict[str, Any] = {
        "judge": place % 2 == 0,
        "label": task.classes[place % len(task.classes)] if task.classes else None,
        "extract": {
            field.name: {
                "text": text[:3],
                "number": place / 4,
                "boolean": place % 2 == 0,
                "date": f"2024-01-0{place + 1}",
            }[field.kind]
            for field in task.fields
        },
        "grade": place if place < 4 else 0,
        "summarise": f"{len(json.loads(text))} texts" if task.kind == "summarise" else "",
    }
    quote = text[:4] if task.quote else ""
    return Verdict(value=values[task.kind], confidence=place / 8, quote=quote)


def said(name: str, arguments: dict[str, Any], *frames: pl.DataFrame) -> dict[str, Any]:
    """Arguments of an action of a reader, with the hash of what was said of some frames."""
    tables = [Table(nw.from_native(frame.lazy())) for frame in frames]
    action = find_action(name).model_validate(arguments).resolve(*tables)
    assert isinstance(action, Reading)
    sides = action.sides(*tables)
    given = {}
    for place, (key, text) in enumerate(sides[0].items()):
        if isinstance(action, Match):
            keys = [other for other, title in sides[1].items() if title[0] == text[0]]
            given[key] = Verdict(value=[*keys], confidence=0.5)
        else:
            given[key] = say(action.task, place, text)
    verdicts = Verdicts(task=action.task, reader="a reader", given=given)
    return {**arguments, "verdicts": SHELF.put(verdicts)}


def ready(action: Action) -> Action:
    """An action that can be run: one of a reader with what was said."""
    return action.bind(SHELF.get) if isinstance(action, Reading) else action
