"""CodeSTEP: a thinker that plans a question as steps and a program, and has it carried out.

The method of CRAFTQA (sections 3.2 to 3.4): the model is asked once for an analysis and the whole
plan as code, the code is read and verified, and its calls are carried out one by one as actions
of the tree, so that each step is kept, shown, approved, exported and replayed as any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Literal

from wideleaf.agents.codestep.compiler import Compiler, is_rows
from wideleaf.agents.codestep.memory import Memory, Progress
from wideleaf.agents.codestep.prompt import sketch_source, write_program_prompt
from wideleaf.agents.codestep.reader import read_program
from wideleaf.agents.codestep.replies import FLAT_FUNCTIONS, read_reply
from wideleaf.agents.codestep.steps import FUNCTIONS, Program, Step
from wideleaf.agents.conversation.telling import whole_question
from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.turn import Reply, View
from wideleaf.tools.errors import ActionError
from wideleaf.tools.tables.table import Table
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import Node
from wideleaf.tools.words import one_line

THOUGHT_CHARACTERS = 300
CALLS = 20
"""So many are taken of one reply."""


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
        return self._ask_again(view, memory)

    def prompt(self, view: View, memory: Memory) -> tuple[str, str]:
        """The system and the human message of one try."""
        told = memory.tries if self.verify == "error" else ()
        number = len(memory.tries) + 1
        policy, columns = self.gateway.policy, view.columns
        return write_program_prompt(
            whole_question(view),
            [sketch_source(n, self.tables(n.id), policy, columns) for n in _sources(view)],
            columns,
            policy.level,
            crafts=self.crafts,
            flat=self.flat,
            tries=told,
            objection=memory.objection,
            line=f"Write the program, try {number} of {max(self.tries + memory.more, number)}.",
        )

    def first_prompt(self, view: View) -> tuple[str, str]:
        """What would be sent first; for a dry run."""
        return self.prompt(view, Memory())

    def _ask(self, view: View, memory: Memory) -> Reply:
        system, human = self.prompt(view, memory)
        # The sample keeps a cache from answering a further try with the reply to the last.
        reply = self.gateway.ask(system, human, sample=len(memory.tries))
        if reply.problem:
            return self._refused(memory.failed("", reply.problem), reply)
        text = reply.said or reply.thought
        crafts = self.crafts and not self.flat
        functions = tuple(FUNCTIONS) if crafts else FLAT_FUNCTIONS
        sources = [leaf.label for leaf in _sources(view)]
        draft = read_reply(text, sources, functions=functions, flat=self.flat)
        if draft.program is None:
            return self._refused(memory.failed(draft.code, draft.problem), reply)
        gone_on = self._go_on(view, memory.written(draft.program.code))
        idle = [one.name for one in draft.program.steps if one.name not in draft.program.needed]
        note = f"nothing uses {', '.join(idle)}, so it is left out" if idle else ""
        update = {"usage": reply.usage, "problem": gone_on.problem or note}
        return gone_on.model_copy(update=update)

    def _refused(self, memory: Memory, reply: Reply) -> Reply:
        """A try that holds no program that can be carried out."""
        if self._is_over(memory):
            given_up = self._give_up(memory)
            return given_up.model_copy(update={"usage": reply.usage})
        problem = memory.tries[-1].error
        return Reply(problem=problem, memory=memory.plain, usage=reply.usage, counted=True)

    def _ask_again(self, view: View, memory: Memory) -> Reply:
        return self._give_up(memory) if self._is_over(memory) else self._ask(view, memory)

    def _go_on(self, view: View, memory: Memory) -> Reply:
        """Send off what can be done now, offer the answer, or ask again where a step failed."""
        program = read_program(memory.program, [leaf.label for leaf in _sources(view)])
        needed = [step for step in program.steps if step.name in program.needed]
        progress = Progress(memory, view.tree, view.aliases)
        for step in needed:
            if failure := progress.failure(step.name):
                told = _told(step, failure.error) + progress.sizes()
                return self._ask_again(view, memory.failed(memory.program, told))
        answer = program.answer
        results = progress.results
        node = (view.tree.by_label if answer.is_source else results).get(answer.name)
        if node is not None:
            return self._answer(node.label, view, memory, program)
        done = {name: node.label for name, node in results.items()}
        first = int(view.next_label.removeprefix("T"))
        compiler = Compiler(done, lambda label: self.tables(view.tree[label].id), first)
        sent: dict[str, tuple[str, ...]] = {}
        for step in needed:
            inputs = {one.name for one in step.inputs if not one.is_source}
            if step.name in done or not inputs <= done.keys():
                continue
            if compiler.calls and len(compiler.calls) + len(step.inputs) + 2 > CALLS:
                break
            try:
                sent[step.name] = compiler.compile(step, _thought(step))
            except ActionError as error:
                told = _told(step, error.text) + progress.sizes()
                memory = memory.failed(memory.program, told)
                return self._refused(memory, Reply())
        return Reply(
            thought="; ".join(dict.fromkeys(compiler.thoughts))[:THOUGHT_CHARACTERS],
            thoughts=tuple(compiler.thoughts),
            calls=tuple(compiler.calls),
            memory=memory.sent(sent).plain,
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
        kept = memory.model_copy(update={"offered": label})
        thought = "The program's result is the answer."
        return Reply(thought=thought, calls=(finish,), memory=kept.plain)

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
