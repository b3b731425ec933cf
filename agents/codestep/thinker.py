"""CodeSTEP: a thinker that plans a question as steps and a program, and has it carried out.

The method of CRAFTQA (sections 3.2 to 3.4): the model is asked once for an analysis and the whole
plan as code, the code is read and verified, and its calls are carried out one by one as actions
of the tree, so that each step is kept, shown, approved, exported and replayed as any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Literal, Self

from pydantic import BaseModel, JsonValue

from wideleaf.agents.codestep.compiler import Compiler, is_rows
from wideleaf.agents.codestep.prompt import sketch_source, write_program_prompt
from wideleaf.agents.codestep.replies import FLAT_FUNCTIONS, read_program, read_reply
from wideleaf.agents.codestep.steps import FUNCTIONS, Program, Step
from wideleaf.agents.conversation.telling import whole_question
from wideleaf.agents.craft_task import Try
from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.turn import Reply, View
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import FrameTree, Node
from wideleaf.tools.words import one_line

THOUGHT_CHARACTERS = 300
CALLS = 20
"""So many are taken of one reply."""


class Memory(BaseModel, frozen=True):
    """What is kept between turns, as plain data of the run.

    Attributes:
        program: The program under way, in the one form of `steps.Program.code`; empty where it
            is to be written.
        labels: By result the labels of the frames of its calls, the last that of the result.
        tries: Programs that did not do, and why.
        more: How many programs may be written beyond the usual tries.
        offered: The label of the frame that was just offered as the answer.
        fallback: The label of the frame to offer if no better program can be had.
        objection: What the critic had against it.
        columns_asked: Whether it was asked which column of rows is the answer.
    """

    program: str = ""
    labels: dict[str, tuple[str, ...]] = {}
    tries: tuple[Try, ...] = ()
    more: int = 0
    offered: str = ""
    fallback: str = ""
    objection: str = ""
    columns_asked: bool = False

    @property
    def plain(self) -> dict[str, JsonValue]:
        """As the state keeps it."""
        return self.model_dump(mode="json")

    def failed(self, code: str, error: str) -> Self:
        """The same after a program that did not do."""
        tries = (*self.tries, Try(code=code, error=error))
        return self.model_copy(update={"tries": tries, "program": "", "labels": {}, "offered": ""})

    def written(self, program: str) -> Self:
        """The same with a new program, of which nothing was done."""
        return self.model_copy(update={"program": program, "labels": {}})

    def sent(self, labels: Mapping[str, tuple[str, ...]]) -> Self:
        """The same with the labels of what was sent off."""
        return self.model_copy(update={"labels": {**self.labels, **labels}})


class Progress:
    """How far a program has come, read off the tree.

    Args:
        memory: What was sent off.
        tree: What was made of it.
        aliases: Labels whose frame had been made before, and its label.
    """

    def __init__(self, memory: Memory, tree: FrameTree, aliases: Mapping[str, str]) -> None:
        self.nodes = {
            name: [tree.by_label.get(aliases.get(label, label)) for label in labels]
            for name, labels in memory.labels.items()
        }

    @property
    def results(self) -> dict[str, Node]:
        """The nodes of the results that are there."""
        last = {name: nodes[-1] for name, nodes in self.nodes.items() if nodes}
        return {name: node for name, node in last.items() if node and node.outcome == "ok"}

    def failure(self, name: str) -> Node | None:
        """The node in which a step failed."""
        return next((n for n in self.nodes.get(name, ()) if n and n.outcome != "ok"), None)

    def sizes(self) -> str:
        """How many rows each result has that is there, which tells where a plan ran dry."""
        rows = {name: node.rows for name, node in self.results.items() if node.rows is not None}
        summary = ", ".join(
            f"{name} {count} row{'s' * (count != 1)}" for name, count in rows.items()
        )
        return f"; it had made {summary}" if summary else ""


@dataclass(eq=False)
class ProgramThinker:
    """A thinker that plans all steps at once.

    Attributes:
        gateway: The door to the model; it knows the privacy level.
        tables: Gives the frame of a node's id.
        tries: Programs that may be written, T.
        verify: ``paper`` regenerates from the same input; ``error`` tells what was wrong, asks
            which column of rows is meant, and writes once more what the critic objects to.
        crafts: Whether a function may be written for a step.
        flat: Whether a flat list of calls is asked for, without analysis, program and craft, as
            in TrustUQA.
    """

    gateway: Gateway
    tables: Callable[[str], Table]
    _: KW_ONLY
    tries: int = 3
    verify: Literal["error", "paper"] = "error"
    crafts: bool = True
    flat: bool = False

    def think(self, view: View) -> Reply:
        """Ask for a program, or go on with the one there is; offer its answer's frame."""
        memory = Memory.model_validate(view.memory)
        if memory.offered:  # and sent back, or nobody would be asked again
            if memory.objection or self.verify == "paper":
                return self._offer(memory.offered, memory)
            objection = "; ".join(view.notes) or "it was not accepted"
            objection = re.sub(rf"\b{re.escape(memory.offered)}\b", "the answer", objection)
            objection += Progress(memory, view.tree, view.aliases).sizes()
            update = {"objection": objection, "more": memory.more + 1, "fallback": memory.offered}
            memory = memory.failed(memory.program, "").model_copy(update=update)
        if memory.program:
            return self._go_on(view, memory)
        return self._ask(view, memory)

    def prompt(self, view: View, memory: Memory) -> tuple[str, str]:
        """The system and the human message of one try."""
        earlier = memory.tries if self.verify == "error" else ()
        number = len(earlier) + 1
        policy, columns = self.gateway.policy, view.columns
        return write_program_prompt(
            whole_question(view),
            [sketch_source(n, self.tables(n.id), policy, columns) for n in _sources(view)],
            columns,
            policy.level,
            crafts=self.crafts,
            flat=self.flat,
            tries=earlier,
            objection=memory.objection,
            line=f"Write the program, try {number} of {max(self.tries + memory.more, number)}.",
        )

    def first_prompt(self, view: View) -> tuple[str, str]:
        """What would be sent first; for a dry run."""
        return self.prompt(view, Memory())

    def _ask(self, view: View, memory: Memory) -> Reply:
        """Ask for a program and go on with it; where the tries are used up, give up."""
        if self._is_over(memory):
            return self._give_up(memory)
        system, human = self.prompt(view, memory)
        # The sample keeps a cache from answering a further try with the reply to the last.
        reply = self.gateway.ask(system, human, sample=len(memory.tries))
        if reply.problem:
            return self._refuse_try(memory.failed("", reply.problem), reply)
        text = reply.said or reply.thought
        crafts = self.crafts and not self.flat
        functions = tuple(FUNCTIONS) if crafts else FLAT_FUNCTIONS
        sources = [leaf.label for leaf in _sources(view)]
        draft = read_reply(text, sources, functions=functions, flat=self.flat)
        if draft.program is None:
            return self._refuse_try(memory.failed(draft.code, draft.problem), reply)
        gone_on = self._go_on(view, memory.written(draft.program.code))
        idle = [one.name for one in draft.program.steps if one.name not in draft.program.needed]
        note = f"nothing uses {', '.join(idle)}, so it is left out" if idle else ""
        update = {"usage": reply.usage, "problem": gone_on.problem or note}
        return gone_on.model_copy(update=update)

    def _refuse_try(self, memory: Memory, reply: Reply) -> Reply:
        """A try that holds no program that can be carried out."""
        if self._is_over(memory):
            given_up = self._give_up(memory)
            return given_up.model_copy(update={"usage": reply.usage})
        problem = memory.tries[-1].error
        return Reply(problem=problem, memory=memory.plain, usage=reply.usage, counted=True)

    def _go_on(self, view: View, memory: Memory) -> Reply:
        """Send off what can be done now, offer the answer, or ask again where a step failed."""
        program = read_program(memory.program, [leaf.label for leaf in _sources(view)])
        needed = [step for step in program.steps if step.name in program.needed]
        progress = Progress(memory, view.tree, view.aliases)
        for step in needed:
            if failure := progress.failure(step.name):
                reason = _told(step, failure.error) + progress.sizes()
                return self._ask(view, memory.failed(memory.program, reason))
        answer = program.answer
        results = progress.results
        node = (view.tree.by_label if answer.is_source else results).get(answer.name)
        if node is not None:
            return self._answer(node.label, view, memory, program)
        labels = {name: node.label for name, node in results.items()}
        first = int(view.next_label.removeprefix("T"))
        compiler = Compiler(labels, lambda label: self.tables(view.tree[label].id), first)
        batch: dict[str, tuple[str, ...]] = {}
        for step in needed:
            inputs = {one.name for one in step.inputs if not one.is_source}
            if step.name in labels or not inputs <= labels.keys():
                continue
            if compiler.calls and len(compiler.calls) + len(step.inputs) + 2 > CALLS:
                break
            try:
                batch[step.name] = compiler.compile(step, _thought(step))
            except ActionError as error:
                reason = _told(step, error.text) + progress.sizes()
                memory = memory.failed(memory.program, reason)
                return self._refuse_try(memory, Reply())
        return Reply(
            thought="; ".join(dict.fromkeys(compiler.thoughts))[:THOUGHT_CHARACTERS],
            thoughts=tuple(compiler.thoughts),
            calls=tuple(compiler.calls),
            memory=memory.sent(batch).plain,
        )

    def _answer(self, label: str, view: View, memory: Memory, program: Program) -> Reply:
        """Offer the answer's frame; of rows the model is asked once which column is meant."""
        columns = self.tables(view.tree[label].id).columns
        asks = is_rows(columns) and self.verify == "error" and not memory.columns_asked
        if asks and not program.answer.is_source:
            name = program.answer.name
            text = (
                f"{name} holds whole rows of {len(columns) - 1} columns; say which column answers "
                f"the question: answer = get(source, relation=..., head_entity={name}); write "
                "the same program again if whole rows are asked for"
            )
            update = {"columns_asked": True, "more": memory.more + 1, "fallback": label}
            memory = memory.failed(memory.program, text).model_copy(update=update)
            return self._ask(view, memory)
        return self._offer(label, memory)

    def _offer(self, label: str, memory: Memory) -> Reply:
        finish = Call(name="Finish", arguments={"table": label})
        new_memory = memory.model_copy(update={"offered": label})
        thought = "The program's result is the answer."
        return Reply(thought=thought, calls=(finish,), memory=new_memory.plain)

    def _is_over(self, memory: Memory) -> bool:
        return len(memory.tries) >= self.tries + memory.more

    def _give_up(self, memory: Memory) -> Reply:
        """Say why there is no program; what was offered before is given after all."""
        if memory.fallback:
            return self._offer(memory.fallback, memory)
        errors = [one.error for one in memory.tries if one.error]
        last = errors[-1] if errors else "no reason was given"
        many = f"{len(memory.tries)} tries to write a program failed; the last: "
        text = f"{many if len(memory.tries) > 1 else ''}{last}"
        return Reply(problem=text, gives_up=True, memory=memory.plain)


def _sources(view: View) -> list[Node]:
    return [leaf for leaf in view.tree.leaves if leaf.outcome == "ok"]


def _thought(step: Step) -> str:
    return step.sentence or one_line(f"{step.name} = {step.code}", THOUGHT_CHARACTERS)


def _told(step: Step, error: str) -> str:
    return f"line {step.line}, {one_line(f'{step.name} = {step.code}', 160)}: {error}"
