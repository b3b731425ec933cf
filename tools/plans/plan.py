"""The plan: the fewest steps that make an answer, as a value that can be kept and run again."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError, model_validator

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.reading.reading import NOT_READ, Reading
from wideleaf.tools.errors import ActionError, SettingsError
from wideleaf.tools.plans.columns import find_leaf_columns, whole_families
from wideleaf.tools.steps.step import read_call
from wideleaf.tools.tables.table import Table
from wideleaf.tools.telling.calls import call_text, code_html, code_of
from wideleaf.tools.telling.element import element, html_text
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.lineage import is_unicode
from wideleaf.tools.tree.tree import FrameTree
from wideleaf.tools.verdicts.verdicts import Verdicts
from wideleaf.tools.words import one_line, printable
from wideleaf.tools.writing import write_text

FORM = "wideleaf.plan/1"
STEP_CHARACTERS = 200
THOUGHT_CHARACTERS = 300
COLUMNS_SHOWN = 8


class Leaf(BaseModel):
    """A raw table that a plan stands on, and what it needs of it.

    Attributes:
        label: Its label in the plan.
        source: The name of the table it was loaded from.
        fingerprint: Of that table's content when the plan was grown.
        columns: The columns that the steps name, with their kinds; what is only carried along
            is not among them. A kind is empty where the table was not at hand.
    """

    model_config = ConfigDict(frozen=True)

    label: str
    source: str
    fingerprint: str = ""
    columns: dict[str, str] = {}


class Step(BaseModel):
    """One action of a plan, resolved.

    Attributes:
        label: The label of the frame it makes.
        name: The action's name.
        arguments: Its arguments, resolved against the data it was grown on.
        parents: Labels of its input frames, in the action's order.
        thought: Why it was done.
        families: Families of which all members there were are named, as ``NDVI_*``.
        headers: What made-up headers stood for, where a pivot's columns are numbered.
    """

    model_config = ConfigDict(frozen=True)

    label: str
    name: str
    arguments: dict[str, JsonValue] = {}
    parents: tuple[str, ...] = ()
    thought: str = ""
    families: tuple[str, ...] = ()
    headers: dict[str, str] = {}

    @property
    def call(self) -> Call:
        """The step's action as a call."""
        return Call(name=self.name, arguments=self.arguments)


class Plan(BaseModel):
    """The minimal sub-DAG that makes an answer; it knows of no engine and holds no frame.

    Attributes:
        form: The version of this form.
        question: What was asked.
        answer: Label of the frame that answers it: the last step's, or a leaf's.
        leaves: The raw tables; their Loads are not among the steps.
        steps: All other steps, parents before children.
        columns: The answer's columns as they are called in the plan, with their kinds; empty
            where the answer was not at hand.
        profile: The profile under which it was grown; the steps hold what it fixed.
        verdicts: What a model said of texts, where steps stand on that.
    """

    model_config = ConfigDict(frozen=True)

    form: str = FORM
    question: str = ""
    answer: str
    leaves: tuple[Leaf, ...]
    steps: tuple[Step, ...] = ()
    columns: dict[str, str] = {}
    profile: str = "standard"
    verdicts: tuple[Verdicts, ...] = ()

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        # A plan that comes from a file must not name frames that come later or never.
        labels: set[str] = set()
        parts = [(leaf.label, ()) for leaf in self.leaves]
        for label, parents in [*parts, *((step.label, step.parents) for step in self.steps)]:
            if label in labels or not labels.issuperset(parents):
                raise ValueError(f"step {label!r} stands twice or before a parent of it")
            labels.add(label)
        if self.answer not in labels:
            raise ValueError(f"the answer is {self.answer!r}, which no step makes")
        return self

    @classmethod
    def of(
        cls,
        tree: FrameTree,
        label: str,
        question: str = "",
        profile: str = "standard",
        tables: Mapping[str, Table] | None = None,
        headers: Mapping[str, Mapping[str, str]] | None = None,
        shelf: Callable[[str], Verdicts] | None = None,
    ) -> Self:
        """The plan of a node; what failed, was left or leads elsewhere is not in it.

        Args:
            tree: The tree.
            label: The answer's node.
            question: What was asked.
            profile: What the run's actions meant.
            tables: Frames by label, as many as are at hand; the kinds of columns and whole
                families are read from them.
            headers: By label of a step: what its made-up headers stand for.
            shelf: Finds what a model said of texts; without it the plan cannot be carried out
                elsewhere where it has steps of a reader.

        Raises:
            KeyError: If the tree has no such node.
        """
        nodes, tables, headers = tree.plan(label), tables or {}, headers or {}
        columns = find_leaf_columns(nodes, tables)
        leaves, steps = [], []
        for node in nodes:
            if node.parents:
                steps.append(
                    Step(
                        label=node.label,
                        name=node.action.name,
                        arguments=node.action.arguments,
                        parents=node.parents,
                        thought=node.thought,
                        families=whole_families(node.action, node.parents, tables),
                        headers=dict(headers.get(node.label, {})),
                    )
                )
                continue
            table = tables.get(node.label)
            leaves.append(
                Leaf(
                    label=node.label,
                    source=str(node.action.arguments.get("source", node.label)),
                    fingerprint=str(node.action.arguments.get("fingerprint", "")),
                    columns={
                        name: table.kind(name) if table and name in table.schema else ""
                        for name in columns[node.label]
                    },
                )
            )
        result = tables.get(label)
        hashes = dict.fromkeys(str(one.arguments.get("verdicts") or "") for one in steps)
        return cls(
            question=question,
            answer=label,
            leaves=tuple(leaves),
            steps=tuple(steps),
            columns={name: result.kind(name) for name in result.columns} if result else {},
            profile=profile,
            verdicts=tuple(shelf(one) for one in hashes if one) if shelf else (),
        )

    def action(self, step: Step) -> Action:
        """The action of a step, which can be run: one of a reader finds its verdicts here.

        Raises:
            ActionError: If it does not fit.
        """
        action = read_call(step.call)
        return action.bind(self._find_verdicts) if isinstance(action, Reading) else action

    def _find_verdicts(self, key: str) -> Verdicts:
        for one in self.verdicts:
            if one.hash == key:
                return one
        raise ActionError(
            f"the plan holds no verdicts {key!r}; save it where the run's folder is",
            kind=NOT_READ,
        )

    def to_json(self) -> dict[str, Any]:
        """The plan as plain data; ``form`` tells its version."""
        return self.model_dump(mode="json")

    def save(self, path: str | Path) -> Path:
        """Write the plan as JSON; `load` and ``wideleaf replay`` read it.

        Raises:
            SettingsError: If it cannot be written there.
        """
        text = json.dumps(self.to_json(), ensure_ascii=False, indent=1)
        return write_text(Path(path), text + "\n")

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a saved plan.

        Raises:
            SettingsError: If there is no such file, or it holds something else or another version.
        """
        path = Path(path)
        if not path.is_file():
            raise SettingsError(
                f"no saved plan {str(path)!r}; `wideleaf export RUN --plan FILE` makes one"
            )
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except (ValueError, RecursionError):
            raise SettingsError(f"{str(path)!r} holds no saved plan ({FORM})") from None
        return cls.read(data, str(path))

    @classmethod
    def read(cls, data: Any, where: str = "this") -> Self:
        """Make a plan of plain data.

        Raises:
            SettingsError: If it is no plan or one of another version; ``where`` names it.
        """
        form = data.get("form") if isinstance(data, dict) else None
        if not isinstance(form, str) or not form.startswith("wideleaf.plan/"):
            what = f"is of form {form!r}, no plan" if isinstance(form, str) else "holds no plan"
            raise SettingsError(f"{where!r} {what}; a plan is of form {FORM!r}")
        if form != FORM:
            raise SettingsError(f"{where!r} is of form {form!r}; this version reads {FORM!r}")
        if not is_unicode(data):
            raise SettingsError(f"{where!r} is no usable plan: it holds halves of characters")
        try:
            return cls.model_validate(data)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(str(part) for part in first["loc"]) or "it"
            raise SettingsError(
                f"{where!r} is no usable plan: {place}: {one_line(first['msg'], 200)}"
            ) from None

    def tree(self) -> FrameTree:
        """The plan as a tree of its own, with the ids its frames had when it was grown."""
        loads = [
            (leaf.label, Call(name="Load", arguments=_load_arguments(leaf)), ())
            for leaf in self.leaves
        ]
        return FrameTree.from_sequence(
            [*loads, *((s.label, s.call, s.parents) for s in self.steps)]
        )

    def lines(self) -> list[str]:
        """The steps as numbered lines; a thought stands under its step."""
        lines = [f"Question: {one_line(self.question, 500)}"] if self.question else []
        for number, leaf in enumerate(self.leaves, 1):
            lines.append(f"{number}. {_leaf_text(leaf)}")
        for number, step in enumerate(self.steps, len(self.leaves) + 1):
            of = " and ".join(one_line(parent, STEP_CHARACTERS) for parent in step.parents)
            call = call_text(step.call, STEP_CHARACTERS, step.parents, short=True)
            lines.append(f"{number}. {step.label} = {call} of {of}")
            if thought := one_line(step.thought, THOUGHT_CHARACTERS):
                lines.append(f"   {thought}")
            lines += [f"   | {line}".rstrip() for line in code_of(step.call).splitlines()]
        lines.append(f"Answer: {self.answer}")
        return [printable(line) for line in lines]

    def __repr__(self) -> str:
        names = ", ".join(one_line(leaf.source, 60) for leaf in self.leaves)
        return f"<Plan of {len(self.steps)} steps on {names}>"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        items = [f"<li>{escape(_leaf_text(leaf))}</li>" for leaf in self.leaves]
        for step in self.steps:
            call = html_text(
                call_text(step.call, STEP_CHARACTERS, step.parents, short=True), STEP_CHARACTERS
            )
            label = html_text(step.label, STEP_CHARACTERS)
            of = html_text(" and ".join(step.parents), STEP_CHARACTERS)
            thought = html_text(step.thought, THOUGHT_CHARACTERS)
            remark = f"<br><small>{thought}</small>" if thought else ""
            code = code_html(step.call)
            items.append(f"<li><b>{label}</b> = <code>{call}</code> of {of}{remark}{code}</li>")
        head = f'<p class="asked">{html_text(self.question, 500)}</p>' if self.question else ""
        end = f"<p>Answer: <b>{html_text(self.answer, STEP_CHARACTERS)}</b></p>"
        return element(head, f"<ol>{''.join(items)}</ol>", end)


def _load_arguments(leaf: Leaf) -> dict[str, JsonValue]:
    arguments: dict[str, JsonValue] = {"source": leaf.source}
    return {**arguments, "fingerprint": leaf.fingerprint} if leaf.fingerprint else arguments


def _leaf_text(leaf: Leaf) -> str:
    needs = [
        f"{one_line(name, 60)} ({kind})" if kind else one_line(name, 60)
        for name, kind in list(leaf.columns.items())[:COLUMNS_SHOWN]
    ]
    more = len(leaf.columns) - COLUMNS_SHOWN
    also = f" and {more} more" if more > 0 else ""
    origin = "" if leaf.source == leaf.label else f" from {one_line(leaf.source, 60)}"
    needed = f", uses {', '.join(needs)}{also}" if needs else ""
    return f"{one_line(leaf.label, 60)} = the table{origin}{needed}"
