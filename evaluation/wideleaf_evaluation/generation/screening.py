"""Screening a set: the questions that a model cannot answer by the functions given alone."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict

from wideleaf.tools.errors import SettingsError
from wideleaf.tools.writing import write_text
from wideleaf_evaluation.item import QUESTIONS, Item
from wideleaf_evaluation.rows import read_lines
from wideleaf_evaluation.sets import load_set

if TYPE_CHECKING:
    from wideleaf.graph.context import Context
    from wideleaf_evaluation.generation.screener import Screener

SCREENED = "screened.jsonl"
ScreeningProgress = Callable[[int, int], None]


class ScreenedQuestion(BaseModel):
    """What came of one question.

    Attributes:
        id: The set's name of it.
        model: Who was asked.
        code: The program that it wrote.
        beyond: Whether that calls for more than the functions given.
        problem: Why there is no program.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    model: str = ""
    code: str = ""
    beyond: bool = False
    problem: str = ""


def screen_set(
    folder: str | Path,
    out: str | Path,
    context: Context,
    *,
    progress: ScreeningProgress | None = None,
    **choice: Any,
) -> list[ScreenedQuestion]:
    """Make a set of the questions that need more than predefined functions (CRAFTQA, A.1).

    A start that was cut off goes on; the set is written when it ends and where it breaks off.

    Args:
        folder: A set of questions over one table each, as WikiSQL's.
        out: The folder of the new set; its questions are those whose program calls
            ``out_of_predefined()``, with their tables.
        context: The settings; the model is the one that screens.
        progress: Told how many are screened, of how many.
        choice: What `load_set` takes besides: ``name``, ``half``, ``ids``, ``n``, ``seed``.

    Returns:
        What came of each question.

    Raises:
        SettingsError: If there is no model, or the folder holds something else.
        ModelError: If no reply can be had; what came until then stays.
    """
    from wideleaf.graph.gateways import gateway_of
    from wideleaf_evaluation.generation.screener import Screener

    if not context.asks_a_model:
        raise SettingsError("screening needs a model; name one (--model provider:name, --base-url)")
    out = Path(out)
    before = read_screened(out)
    if not before and (out / QUESTIONS).exists():
        raise SettingsError(f"{str(out)!r} holds a set that was not screened; name another folder")
    items = load_set(folder, unpack_to=out / "unpacked", **choice)
    screener = Screener(gateway_of(context))
    out.mkdir(parents=True, exist_ok=True)
    by_id = {one.id: one for one in before}
    try:
        with (out / SCREENED).open("a", encoding="utf-8") as file:
            for number, item in enumerate(items, 1):
                if item.id not in by_id:
                    one = _screen(item, screener, context)
                    file.write(one.model_dump_json() + "\n")
                    file.flush()
                    by_id[item.id] = one
                if progress:
                    progress(number, len(items))
    finally:
        _write(out, [item for item in items if item.id in by_id and by_id[item.id].beyond])
    return [by_id[item.id] for item in items]


def read_screened(out: Path) -> list[ScreenedQuestion]:
    """What the folder holds of earlier starts.

    Raises:
        SettingsError: If the file is of something else.
    """
    return read_lines(out / SCREENED, ScreenedQuestion, "screened questions")


def _screen(item: Item, screener: Screener, context: Context) -> ScreenedQuestion:
    from wideleaf.tools.sources.opening import open_catalog

    catalog = open_catalog(item.sources, Path(context.folder), context.denied, context.engine)
    table = catalog.table(catalog.names[0])
    verdict = screener.screen(item.question, {name: table.kind(name) for name in table.columns})
    model = context.model or type(context.chat_model).__name__
    return ScreenedQuestion(
        id=item.id, model=model, code=verdict.code, beyond=verdict.beyond, problem=verdict.problem
    )


def _write(out: Path, items: Sequence[Item]) -> None:
    """Write the set: its questions, and the tables that they are asked of, by their old names."""
    lines = []
    for item in items:
        line = {"id": item.id, "question": item.question, "table": item.group, "answer": item.gold}
        extras = {"gold_sql": item.gold_query, "type": item.type, "hardness": item.hardness}
        lines.append(json.dumps({**line, **extras}, ensure_ascii=False) + "\n")
        path = out / item.group
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(item.sources[0], path)
    write_text(out / QUESTIONS, "".join(lines))
