"""The crafter: has a model write the function of one step that no action covers."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Literal

from wideleaf.agents.coding.code_blocks import extract_code
from wideleaf.agents.coding.code_lines import free_names, has_function, parse_code
from wideleaf.agents.coding.crafter_prompt import write_crafter_prompt
from wideleaf.agents.craft_task import CodeDraft, CraftTask
from wideleaf.agents.models.gateway import Gateway
from wideleaf.tools.craft.signature import Signature, read_signature
from wideleaf.tools.errors import ActionError

Verify = Literal["error", "paper"]


class Crafter:
    """A writer of functions (CRAFTQA, section 3.3).

    Nothing it is given back is run here: the code is read, held against the allow-list and
    handed on.

    Args:
        gateway: The door to the model; it knows the privacy level.
        verify: Whether a further try is shown the ``error`` of the last, or gets the very same
            request again, as in the ``paper`` (section 3.4).
    """

    def __init__(self, gateway: Gateway, verify: Verify = "error") -> None:
        self.gateway = gateway
        self.verify = verify

    def write(self, task: CraftTask) -> CodeDraft:
        """Ask for the function once; see `craft_task.CodeWriter`.

        Raises:
            ModelError: If no reply can be had.
        """
        try:
            signature = read_signature(task.signature)
        except ActionError as error:
            return CodeDraft(problem=error.text)
        told = task if self.verify == "error" else task.without_tries()
        prompt = write_crafter_prompt(told, signature, self.gateway.policy.level)
        return ask_for_code(
            self.gateway, task, prompt, lambda answer: read_function(answer, task, signature)
        )


def ask_for_code(
    gateway: Gateway, task: CraftTask, prompt: tuple[str, str], parse: Callable[[str], CodeDraft]
) -> CodeDraft:
    """Ask once for code, and hold what is read of the reply against the allow-list.

    Args:
        gateway: The door to the model.
        task: What is to be written.
        prompt: The system and the human message.
        parse: Takes the code out of a reply; an `ActionError` says why there is none.

    Raises:
        ModelError: If no reply can be had.
    """
    from wideleaf.tools.sandbox.syntax.check import check_code

    # The sample keeps a cache from answering a further try with the reply to the last.
    reply = gateway.ask(*prompt, sample=len(task.tries))
    draft = CodeDraft(problem=reply.problem)
    if not reply.problem:
        try:
            draft = parse(reply.said or reply.thought)
            if not draft.problem:
                columns = [column for one in task.inputs for column, _ in one.columns]
                check_code(draft.code, function=draft.function, columns=columns)
        except ActionError as error:
            draft = draft.model_copy(update={"problem": error.text})
    return draft.model_copy(update={"usage": reply.usage})


def read_function(text: str, task: CraftTask, signature: Signature) -> CodeDraft:
    """Read the function out of a reply, and say why it cannot be called, if it cannot.

    A function of another name is taken where it is the only one. What stands beside the
    functions, such as an example of their use, is left out.

    Args:
        text: The reply.
        task: What was asked for.
        signature: The expected signature, read.

    Raises:
        ActionError: If the reply holds no code.
    """
    name = signature.function
    head = f"def {name}({', '.join(one.parameter for one in task.inputs)}):"
    code = extract_code(text, name)
    if not code:
        text = f"the reply holds no code; write the whole function `{head}` in one ```python block"
        raise ActionError(text)
    tree = parse_code(code)
    if tree is not None:
        code, tree = _definitions(code, tree)
        functions = {part.name: part for part in tree.body if isinstance(part, ast.FunctionDef)}
        if name not in functions and len(functions) == 1:
            name = next(iter(functions))
        if name in functions and (problem := _misfit(functions[name], len(task.inputs))):
            return CodeDraft(code=code, function=name, problem=f"{problem}; write `{head}`")
    return CodeDraft(code=code, function=name)


def _definitions(code: str, tree: ast.Module) -> tuple[str, ast.Module]:
    """The imports, the functions and what these need; no call of them, no made-up frames."""
    if not has_function(tree):
        return code, tree
    functions = [ast.Module([part], []) for part in tree.body if isinstance(part, ast.FunctionDef)]
    needed = set().union(*map(free_names, functions))
    parts = [part for part in tree.body if _is_needed(part, needed)]
    if len(parts) == len(tree.body):
        return code, tree
    lines = code.split("\n")
    starts = [min(getattr(n, "lineno", part.lineno) for n in ast.walk(part)) for part in parts]
    blocks = zip(starts, parts, strict=True)
    text = "\n".join("\n".join(lines[first - 1 : part.end_lineno]) for first, part in blocks)
    mended = parse_code(text)
    return (text, mended) if mended is not None else (code, tree)


def _is_needed(part: ast.stmt, needed: set[str]) -> bool:
    """Whether a statement beside the functions is to be kept; what is strange is, to be refused."""
    match part:
        case ast.If(test=test):
            return "__name__" not in {n.id for n in ast.walk(test) if isinstance(n, ast.Name)}
        case ast.Expr(value=value):
            return isinstance(value, ast.Constant)
        case ast.Assign() | ast.AnnAssign():
            targets = part.targets if isinstance(part, ast.Assign) else [part.target]
            names = {n.id for one in targets for n in ast.walk(one) if isinstance(n, ast.Name)}
            return bool(names & needed)
    return True


def _misfit(function: ast.FunctionDef, frames: int) -> str:
    """Why a function cannot be called with so many frames; empty if it can."""
    takes = function.args
    most = len(takes.posonlyargs) + len(takes.args)
    least = most - len(takes.defaults)
    if least <= frames and (frames <= most or takes.vararg) and None not in takes.kw_defaults:
        return ""
    clause = f"{frames} frame{'s' * (frames != 1)} {'are' if frames != 1 else 'is'} given"
    return f"{function.name} takes {least} parameter{'s' * (least != 1)}, but {clause}"
