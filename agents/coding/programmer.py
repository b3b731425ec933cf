"""The programmer: answers a question by one pandas program, from names and types alone.

The method of DataFrame QA (Ye, Du and Wang 2024): P' = f(S, H, C, Q), A' = execute(P', df). The
program is one `Craft` of the tree, so that it is run in the sandbox, approved, kept, exported and
replayed as any other step.
"""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field

from pydantic import JsonValue

from wideleaf.agents.coding.code_blocks import extract_code
from wideleaf.agents.coding.crafter import ask_for_code
from wideleaf.agents.coding.drawn_code import chart_of_code, replace_plot_calls
from wideleaf.agents.coding.enrichment import REMEDIES, Remedy, enrich
from wideleaf.agents.coding.enrichment_words import TableSketch
from wideleaf.agents.coding.programmer_prompt import write_programmer_prompt
from wideleaf.agents.conversation.telling import whole_question
from wideleaf.agents.craft_task import CodeDraft, CodeInput, CraftTask
from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.turn import Reply, View
from wideleaf.retrieval.selection import FEW_COLUMNS, Selection
from wideleaf.tools.errors import ActionError
from wideleaf.tools.sources.naming import free_name, table_name
from wideleaf.tools.tables.profiling.column_profile import ColumnProfile
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import Node
from wideleaf.tools.words import one_line

TASK_CHARACTERS = 1_000
"""Of the question, as what the step is called; the prompt has it at its own length."""
FEW_TABLES = 4
"""More tables than this are handed to a program only where the question names columns of them."""

LONGEST_VARIABLE = 40
_TAKEN_LIST = """df pd np result math datetime re statistics collections itertools functools
match case type pandas numpy"""
TAKEN = frozenset(_TAKEN_LIST.split())
"""Names that a program has already, or may want for itself."""

ReadProfiles = Callable[[str, Table, Sequence[str]], Mapping[str, ColumnProfile]]
SelectColumns = Callable[[str], Selection]


@dataclass(eq=False)
class Programmer:
    """A thinker that plans one step, and the writer of its code.

    Attributes:
        gateway: The door to the model; it knows the privacy level.
        tables: Gives the frame of a node's id.
        select: Chooses columns of wide tables for a question; without it their first are shown.
        profiles: What is known of columns' cells, by the leaf's label, its table and the columns
            wanted; asked only where the privacy level lets something of it out.
        notes: What the user says of tables as a whole, by name.
        lower_case: Whether text is compared in small letters, as the paper does.
        verify: ``paper`` regenerates from the same input; ``error`` tells what was wrong.
        steps: What the prompt is enriched with.
    """

    gateway: Gateway
    tables: Callable[[str], Table]
    _: KW_ONLY
    select: SelectColumns | None = None
    profiles: ReadProfiles | None = None
    notes: Mapping[str, str] = field(default_factory=dict)
    lower_case: bool = False
    verify: str = "error"
    steps: Sequence[Remedy] = REMEDIES

    def think(self, view: View) -> Reply:
        """Ask for one program; when it has run, offer its frame, or end where it failed."""
        craft_label = str(view.memory.get("asked", ""))
        if not craft_label:
            return self._first(view)
        crafted = (node for node in reversed(view.tree.nodes) if node.action.name == "Craft")
        program = view.tree.by_label.get(craft_label) or next(
            crafted, None
        )  # or what the program repeats
        if program is None:  # refused before it made a node
            why = "; ".join(view.notes) or "no reason was given"
            return _give_up(f"the program was not run: {why}", view)
        if program.outcome != "ok":
            return _give_up(f"no program ran that answers this: {program.error}", view)
        if reply := self._draw(view, program):
            return reply
        note = "Text was compared in lower case." if self.lower_case else ""
        chart = view.tree.by_label.get(str(view.memory.get("drawn", "")))
        label = chart.label if chart is not None and chart.outcome == "ok" else program.label
        finish = Call(name="Finish", arguments={"table": label, "note": note})
        return Reply(
            thought="The program's result is the answer.", calls=(finish,), memory=view.memory
        )

    def write(self, task: CraftTask) -> CodeDraft:
        """Ask the model for the program; see `agents.craft_task.CodeWriter`.

        Raises:
            ModelError: If no reply can be had.
        """
        return ask_for_code(
            self.gateway,
            task,
            self.prompt(task),
            lambda text: CodeDraft(code=replace_plot_calls(self.read_reply(text))),
        )

    def read_reply(self, text: str) -> str:
        """The program of a reply.

        Raises:
            ActionError: If it holds none.
        """
        code = extract_code(text)
        if not code.strip():
            raise ActionError("the reply holds no code; write it between [PYTHON] and [/PYTHON]")
        return code

    def prompt(self, task: CraftTask) -> tuple[str, str]:
        """The system and the human message of one try."""
        sketches = self.sketches(task)
        policy = self.gateway.policy
        enriched = enrich(
            task.question, sketches, policy, lower_case=self.lower_case, steps=self.steps
        )
        return write_programmer_prompt(
            self.told(task),
            sketches,
            enriched,
            policy.level,
            lower_case=self.lower_case,
        )

    def told(self, task: CraftTask) -> CraftTask:
        """The task as a model is told of it: in the paper's way without earlier tries."""
        return task if self.verify == "error" else task.without_tries()

    def first_prompt(self, view: View) -> tuple[str, str]:
        """What would be sent first, before any step is taken; for a dry run."""
        labels = self._leaves(view)
        pairs = zip(labels, variables(labels), strict=True)
        question = whole_question(view)
        task = CraftTask(
            question=question,
            task=question,
            label=view.next_label,
            inputs=tuple(CodeInput(label=label, parameter=name) for label, name in pairs),
            tree=view.tree,
            columns=view.columns,
        )
        return self.prompt(task)

    def sketches(self, task: CraftTask) -> list[TableSketch]:
        """The tables of a task as its prompt knows them."""
        tables = {one.label: self.tables(task.tree[one.label].id) for one in task.inputs}
        wide = any(len(table.columns) > FEW_COLUMNS for table in tables.values())
        candidates = self.select(task.question).picks if wide and self.select else ()
        picks = sorted(
            candidates, key=lambda pick: not pick.resolved
        )  # what the question means first
        sketches: list[TableSketch] = []
        for one in task.inputs:
            table = tables[one.label]
            types = {column: _type_word(table, column) for column in table.columns}
            selection = tuple(types)
            if len(selection) > FEW_COLUMNS:
                own = [name for pick in picks if pick.table == one.label for name in pick.columns]
                matches = tuple(name for name in dict.fromkeys(own) if name in types)
                selection = matches or selection[:FEW_COLUMNS]
            profiles: Mapping[str, ColumnProfile] = {}
            if self.profiles is not None and self.gateway.policy.allows("statistics"):
                profiles = self.profiles(one.label, table, selection)
            sketch = TableSketch(
                name=one.parameter,
                types=types,
                about=dict(table.about),
                text=self.notes.get(one.label, ""),
                chosen=selection,
                profiles=dict(profiles),
            )
            sketches.append(sketch)
        return sketches

    def _first(self, view: View) -> Reply:
        labels = self._leaves(view)
        arguments: dict[str, JsonValue] = {
            "task": one_line(whole_question(view), TASK_CHARACTERS),
            "form": "program",
            "tables": list(labels),
            "names": list(variables(labels)),
        }
        if self.lower_case:
            arguments["lower_case"] = True
        return Reply(
            thought="One program over the tables answers this.",
            calls=(Call(name="Craft", arguments=arguments),),
            memory={"asked": view.next_label},
        )

    def _draw(self, view: View, program: Node) -> Reply | None:
        """The chart that the program says its frame is; None without one, and once it was tried."""
        chart = chart_of_code(str(program.action.arguments.get("code", "")))
        if not chart or view.memory.get("drawn"):
            return None
        call = Call(name="Chart", arguments={"table": program.label, **chart})
        memory: dict[str, JsonValue] = {**view.memory, "drawn": view.next_label}
        return Reply(thought="The program wants it drawn.", calls=(call,), memory=memory)

    def _leaves(self, view: View) -> Sequence[str]:
        """The tables a program gets: all of a few, else those with columns the question means."""
        labels = [leaf.label for leaf in view.tree.leaves if leaf.outcome == "ok"]
        if len(labels) <= FEW_TABLES or self.select is None:
            return labels
        targets = self.select(whole_question(view)).resolved()
        return [label for label in labels if label in targets] or labels


def _give_up(why: str, view: View) -> Reply:
    return Reply(problem=why, gives_up=True, memory=view.memory)


def variables(labels: Sequence[str]) -> tuple[str, ...]:
    """The variables that hold tables: ``df`` for one alone, else names made of the tables' own.

    Args:
        labels: The tables' names.
    """
    if len(labels) == 1:
        return ("df",)
    names: list[str] = []
    earlier: set[str] = set()
    for label in labels:
        name = table_name(label).lower()[:LONGEST_VARIABLE]
        if keyword.iskeyword(name) or name in TAKEN or hasattr(builtins, name):
            name = f"table_{name}"
        names.append(free_name(name, earlier))
    return tuple(names)


def _type_word(table: Table, column: str) -> str:
    """The type of a column in the paper's short words."""
    dtype = table.schema[column]
    kind = table.kind(column)
    if kind == "number":
        return "int" if dtype.is_integer() else "float"
    return {"text": "str", "boolean": "bool", "other": "object"}.get(kind, kind)
