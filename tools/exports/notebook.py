"""A plan as a Jupyter notebook: a cell a step, with what it does and why above it."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from wideleaf.tools.charts.pictures import png_picture
from wideleaf.tools.exports.scripts.script import comment_line, script_parts
from wideleaf.tools.exports.scripts.words import describe_needs, warn_of_model_code
from wideleaf.tools.plans.plan import Plan
from wideleaf.tools.sources.fingerprint import derive_fingerprint
from wideleaf.tools.tables.table import Table
from wideleaf.tools.writing import write_text

_MARKS = re.compile(r"([\\`*_{}\[\]()#+\-.!|~$^:])")


def plan_notebook(
    plan: Plan,
    tables: Mapping[str, Table],
    sources: Mapping[str, str],
    path: Path,
    caveats: Sequence[str] = (),
) -> Path:
    """Write a plan as a notebook that runs from top to bottom with pandas.

    Args:
        plan: The plan.
        tables: The leaves' tables, as they were loaded, by label.
        sources: The Parquet files or folders of the leaves, by label.
        path: The file to write.
        caveats: What the reader of the answer should know; told in the last cell.

    Returns:
        The path.

    Raises:
        SettingsError: If a leaf is missing, or stands where pandas cannot read it alike.
    """
    script = script_parts(plan, tables, sources)
    cells = [
        _markdown(f"# {_escape_text(plan.question) or 'A plan'}"),
        _markdown(f"{describe_needs(script)} Run the cells from top to bottom."),
        _code("\n".join(script.imports)),
    ]  # fmt: skip
    if warned := warn_of_model_code(script):
        cells.append(_markdown("\n\n".join(map(_escape_text, warned))))
    if script.helpers:
        cells += [_markdown("What the steps below make use of"), _code(script.helpers)]
    for block in script.blocks:
        lines = [
            f"**{_escape_text(block.name)}**: {_escape_text(block.title)}",
            _escape_text(block.thought),
        ]
        if block.library:
            lines.append(f"Computed by the library: {_escape_text(block.library)}.")
        cells.append(_markdown("\n\n".join(line for line in lines if line)))
        if block.program:
            cells.append(_code("\n".join([f"# {block.author}", *block.program])))
        cells.append(_code("\n".join([*block.code, f"{block.name}.head()"])))
        if block.chart:
            cells += [_markdown("The chart as it was drawn of these rows:"), _chart(block.chart)]
    ending = ["## The answer", *(f"- {_escape_text(caveat)}" for caveat in caveats)]
    cells.append(_markdown("\n\n".join(ending)))
    cells.append(_code("\n".join([*script.ending, "answer"])))
    for place, cell in enumerate(cells):
        # The same plan makes the same file, so that versions of it can be compared.
        cell["id"] = derive_fingerprint(json.dumps(cell, sort_keys=True), str(place))[:16]
    notebook = {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return write_text(Path(path), json.dumps(notebook, indent=1) + "\n")


def _escape_text(text: str) -> str:
    """Text of others as Markdown that shows it and does nothing."""
    return _MARKS.sub(r"\\\1", escape(comment_line(text), quote=False))


def _chart(spec: Mapping[str, Any]) -> dict[str, Any]:
    """A cell that shows a chart, with its picture for who opens the notebook and runs nothing."""
    kind = f"application/vnd.vegalite.v{spec['$schema'].rsplit('/v', 1)[1].split('.')[0]}+json"
    text = json.dumps(spec, ensure_ascii=False, sort_keys=True)
    lines = [
        "import json",
        "",
        f"spec = json.loads({text!r})",
        f"display({{{kind!r}: spec}}, raw=True)",
    ]
    picture = b64encode(png_picture(dict(spec), 1.0)).decode()
    output = {
        "output_type": "display_data",
        "metadata": {},
        "data": {kind: spec, "image/png": picture, "text/plain": "a chart"},
    }
    return {**_code("\n".join(lines)), "outputs": [output]}


def _markdown(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": text.splitlines(keepends=True)}


def _code(text: str) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": text.splitlines(keepends=True),
    }
