"""A plan as a Python script of its own: a block a step, on pandas frames, by queries of DuckDB."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from sys import stdlib_module_names

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.chart import Chart
from wideleaf.tools.errors import ActionError, SettingsError
from wideleaf.tools.exports.judged import tell_verdicts
from wideleaf.tools.exports.scripts.crafts import (
    CRAFT,
    author_of,
    craft_code,
    frame_words,
    program_code,
)
from wideleaf.tools.exports.scripts.steps import days_code, step_code
from wideleaf.tools.exports.scripts.words import (
    CodeBlock,
    NotInPandas,
    PandasScript,
    StepPlace,
    as_code,
    describe_needs,
    warn_of_model_code,
)
from wideleaf.tools.plans.plan import Leaf, Plan, Step
from wideleaf.tools.tables.relations import GRAPH
from wideleaf.tools.tables.table import Table
from wideleaf.tools.telling.calls import call_text
from wideleaf.tools.tree.call import Call

TAKEN_ALONG = (
    "wideleaf.tools.exports.scripts.along.frames",
    "wideleaf.tools.actions.inference.hypothesis_tests",
    "wideleaf.tools.actions.inference.fit_distributions",
    "wideleaf.tools.actions.inference.fit_models",
    "wideleaf.tools.exports.scripts.along.inference",
    "wideleaf.tools.exports.scripts.along.crafted",
)
"""The modules whose functions, classes and constants a script takes along where it needs them."""
OWN_NAMES = ("answer", "key", "rows", "part", "cells")
"""What a script calls its answer and the parts of its blocks."""
PARQUET = (".parquet", ".pq")
_SAID = 2_000
_OWN = ("wideleaf", "__future__")
_RUN_ACTION = "from wideleaf.tools.exports.scripts.library import run_action"


def plan_script(plan: Plan, tables: Mapping[str, Table], sources: Mapping[str, str]) -> str:
    """Write a plan as a Python script that needs pandas and DuckDB; the result is ``answer``.

    A step that no query says (`PCA`, `Anomaly`, `Predict`) calls the library, and a comment says
    so.

    Args:
        plan: The plan.
        tables: The leaves' tables, as they were loaded, and the frames of functions that a model
            wrote, which an export does not run; by label.
        sources: The Parquet files or folders of the leaves, by label.

    Raises:
        SettingsError: If a leaf is missing, or stands where pandas cannot read it alike.
        ActionError: If the frame of such a function is missing, or a header holds a null character.
    """
    script = script_parts(plan, tables, sources)
    lines = [
        "# -*- coding: utf-8 -*-",
        f"# {describe_needs(script)}",
        f"# Question: {comment_line(plan.question)}",
        *(f"# {line}" for line in warn_of_model_code(script)),
        "",
        *script.imports,
        "",
        "",
        script.helpers,
    ]
    for block in script.blocks:
        lines += ["", f"# {block.name}: {block.title}"]
        lines += [f"# {block.thought}"] if block.thought else []
        lines += [f"# Computed by the library: {block.library}"] if block.library else []
        lines += ["", f"# {block.author}", *block.program, "", ""] if block.program else []
        lines += block.code
    lines += ["", "# The answer", *script.ending, "", 'if __name__ == "__main__":']
    return "\n".join([*lines, "    print(answer)", ""])


def script_parts(
    plan: Plan, tables: Mapping[str, Table], sources: Mapping[str, str]
) -> PandasScript:
    """The parts of a plan's script; see `plan_script`.

    Raises:
        SettingsError: If a leaf is missing, or stands where pandas cannot read it alike.
    """
    names = variable_names([*(leaf.label for leaf in plan.leaves), *(s.label for s in plan.steps)])
    results: dict[str, Table] = {}
    blocks = []
    headers: dict[str, str] = {}
    for leaf in plan.leaves:
        if leaf.label not in tables or leaf.label not in sources:
            raise SettingsError(
                f"the plan stands on the table {leaf.label!r}, which was not handed in; give its "
                "table and its path"
            )
        results[leaf.label] = tables[leaf.label]
        blocks.append(_leaf(leaf, names[leaf.label], results[leaf.label], sources[leaf.label]))
    for step in plan.steps:
        at_hand = tables.get(step.label) if step.name == CRAFT else None
        headers |= step.headers
        block, results[step.label] = _step(
            step, plan.action(step), names, results, at_hand, headers
        )
        blocks.append(block)
    ending = _ending(plan, names[plan.answer], results[plan.answer])
    identifiers = _names_in(
        "\n".join([*(line for block in blocks for line in block.code), *ending])
    )
    helpers = _find_needed(identifiers)
    helpers += [frame_words()] if "_crafted_frame" in identifiers else []
    identifiers |= {name for text in helpers for name in _names_in(text)}
    lines = {_imports()[name] for name in identifiers | {"pd"} if name in _imports()}
    plain = sorted(
        line for line in lines if line.split()[1].partition(".")[0] in stdlib_module_names
    )
    others = sorted(lines.difference(plain), key=lambda line: line.split()[1])
    return PandasScript((*plain, *([""] if plain else []), *others), "\n\n\n".join(helpers), tuple(blocks), ending)  # noqa: E501  # fmt: skip


def variable_names(labels: list[str]) -> dict[str, str]:
    """A variable for each label, all unlike each other and the script's own names."""
    folds = {name.casefold() for name in (*_imports(), *OWN_NAMES, *_library())}
    names: dict[str, str] = {}
    for label in labels:
        stem = re.sub(r"[^A-Za-z0-9]+", "_", label).strip("_") or "frame"
        if stem[0].isdigit() or keyword.iskeyword(stem) or stem in dir(builtins):
            stem = f"frame_{stem}"
        name, number = stem, 2
        while name.casefold() in folds:  # a query tells no cases apart
            name, number = f"{stem}_{number}", number + 1
        folds.add(name.casefold())
        names[label] = name
    return names


def comment_line(text: str) -> str:
    """Text of others as it can stand in a comment: one line of characters that can be shown."""
    plain = "".join(sign if sign.isprintable() else " " for sign in text)
    short = " ".join(plain.split())
    return short if len(short) <= _SAID else f"{short[:_SAID]} ..."


def _leaf(leaf: Leaf, name: str, table: Table, path: str) -> CodeBlock:
    path = path.removeprefix(GRAPH)  # facts in a Parquet file like any other
    if "::" in path or "://" in path or not path or path.startswith("spark:"):
        raise SettingsError(
            f"the table {leaf.source!r} is held by a database ({path.partition('?')[0]!r}), which "
            "pandas does not read; hand in its rows as Parquet or CSV and ask again, or take SQL"
        )
    if not path.lower().endswith(PARQUET) and not Path(path).is_dir():
        raise SettingsError(
            f"{path!r} is no Parquet file, and pandas would read it otherwise than Wideleaf did; "
            "give the Parquet copy that Wideleaf keeps of it"
        )
    odd = [n for n, dtype in table.schema.items() if getattr(dtype, "time_zone", None)]
    if odd:
        raise SettingsError(
            f"the column {odd[0]!r} of {leaf.source!r} holds times of a zone, which the script "
            "would take for others; Derive with cast makes times without one"
        )
    columns = as_code(list(table.columns))
    title = f"the table {comment_line(leaf.source)}, as Wideleaf read it and keeps it"
    return CodeBlock(name, title, "", (f"{name} = _load({path!r}, {columns})",))


def _step(
    step: Step,
    plan_action: Action,
    names: Mapping[str, str],
    results: Mapping[str, Table],
    at_hand: Table | None,
    headers: Mapping[str, str],
) -> tuple[CodeBlock, Table]:
    inputs = [results[parent] for parent in step.parents]
    action = plan_action.resolve(*inputs)
    if step.name == CRAFT and at_hand is None:
        raise ActionError(
            f"step {step.label!r} ({CRAFT}) holds code that a model wrote, and an export does not "
            "run it; replay the plan on these tables, then export that run",
            kind="not run",
        )
    table = at_hand or action.run(*inputs)
    name, frames = names[step.label], [names[parent] for parent in step.parents]
    library, program, author = "", [], ""
    try:
        if step.name == CRAFT:
            author = comment_line(author_of(action, name))
            program = program_code(action, name)
            code = craft_code(action, name, frames, inputs, table)
            code += days_code(name, table)
        else:
            code = step_code(action, StepPlace(name, frames, inputs, table))
    except NotInPandas as error:
        library = comment_line(f"no query says {error}")
        arguments = as_code(action.arguments())
        code = [f"{name} = run_action({step.name!r}, {arguments}, [{', '.join(frames)}])"]
    wording = call_text(Call(name=step.name, arguments=step.arguments), 300, frames)
    judged = f", {said}" if (said := tell_verdicts(action)) else ""
    title = comment_line(f"{wording} of {' and '.join(frames)}{judged}")
    thought = comment_line(step.thought)
    chart = action.draw(table, headers=headers).spec if isinstance(action, Chart) else {}
    block = CodeBlock(name, title, thought, tuple(code), library, tuple(program), author, chart)
    return block, table


def _ending(plan: Plan, name: str, table: Table) -> tuple[str, ...]:
    """The answer under the headers that a person reads, where a pivot's columns are numbered."""
    headers: dict[str, str] = {}
    for step in plan.steps:
        headers |= {
            column: real for column, real in step.headers.items() if column in table.columns
        }
    rest = {*table.columns} - {*headers}
    fitting = {column: real for column, real in headers.items() if real not in rest}
    if not fitting:
        return (f"answer = _plain({name})",)
    return (f"answer = _plain({name}).rename(columns={as_code(fitting)})",)


@cache
def _modules() -> list[str]:
    """The source of the modules that a script takes parts of along."""
    places = [module.rpartition(".") for module in TAKEN_ALONG]
    return [
        files(package).joinpath(f"{name}.py").read_text(encoding="utf-8")
        for package, _, name in places
    ]


@cache
def _library() -> dict[str, str]:
    """What a script may take along, by name, as source text."""
    sources = {}
    for text in _modules():
        for node in ast.parse(text).body:
            match node:
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                    first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
                case (
                    ast.Assign(targets=[ast.Name(id=name)])
                    | ast.AnnAssign(target=ast.Name(id=name))
                ):
                    first = node.lineno
                case _:
                    continue
            sources[name] = "\n".join(text.splitlines()[first - 1 : node.end_lineno])
    return sources


@cache
def _imports() -> dict[str, str]:
    """The line that imports each name that these modules have from elsewhere."""
    lines = {"run_action": _RUN_ACTION}
    for text in _modules():
        for node in ast.parse(text).body:
            if isinstance(node, ast.ImportFrom) and not f"{node.module}".startswith(_OWN):
                for one in node.names:
                    line = ast.ImportFrom(node.module, [one], 0)
                    lines[one.asname or one.name] = ast.unparse(line)
            elif isinstance(node, ast.Import):
                lines |= {one.asname or one.name: ast.unparse(ast.Import([one]))
                          for one in node.names}  # fmt: skip
    return lines


def _names_in(code: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}


def _find_needed(identifiers: set[str]) -> list[str]:
    library = _library()
    pending, needs = [name for name in library if name in identifiers], set()
    while pending:
        name = pending.pop()
        if name not in needs:
            needs.add(name)
            pending += [one for one in _names_in(library[name]) if one in library]
    return [text for name, text in library.items() if name in needs]
