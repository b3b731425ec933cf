"""The reader: code that a model wrote as a program of typed steps; none of it is evaluated."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from typing import NoReturn

from wideleaf.agents.codestep.calls import Given, Place, make_step
from wideleaf.agents.codestep.comments import sentences_of
from wideleaf.agents.codestep.functions import FUNCTIONS, IGNORED, find_function, plain_name
from wideleaf.agents.codestep.steps import Program, Ref, Step
from wideleaf.tools.errors import ActionError
from wideleaf.tools.sandbox.syntax.form import quote, read_code, refuse

MOST_STEPS = 20
SHOWN = 12
"""Of the results there are, when one is named that is not."""

_LOOPS = (
    *(ast.For, ast.While, ast.AsyncFor),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_CHOICES = (ast.If, ast.IfExp, ast.Match, ast.Try, ast.With)
_SETS = {ast.BitOr: "set_union", ast.BitAnd: "set_intersection"}
_WRAPPERS = frozenset(("list", "tuple", "str", "float"))
"""Around a result they change nothing."""
_ANSWERS = ("answer", "final_answer", "result", "final_result")


def read_program(
    code: str,
    sources: Sequence[str],
    *,
    analysis: Sequence[str] = (),
    functions: Collection[str] = tuple(FUNCTIONS),
) -> Program:
    """Read a program; nothing of it is run, and nothing but calls of its functions is left.

    Args:
        code: As the model wrote it.
        sources: The names of tables and graphs.
        analysis: The steps in words that stood before it.
        functions: Those that may be called.

    Raises:
        ActionError: If it cannot be read as one; names the line and what would be right.
    """
    try:
        return _Reader(code, sources, functions).read(analysis)
    except ActionError as error:
        raise ActionError(error.text, kind="program") from None


class _Reader:
    def __init__(self, code: str, sources: Sequence[str], functions: Collection[str]) -> None:
        self.code = code
        plain = {plain_name(name): name for name in reversed(sources)}
        self.sources = {**plain, **{name: name for name in sources}}
        self.functions = functions
        self.names: dict[str, Given] = {}
        self.steps: list[Step] = []
        self.asked: Given = None
        self.origins: dict[str, Ref] = {}
        self.reserved: set[str] = set()

    def read(self, analysis: Sequence[str]) -> Program:
        tree = read_code(self.code)
        self.reserved = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        counts: list[int] = []
        statements: list[tuple[int, int]] = []
        for node in tree.body:
            before = len(self.steps)
            self.statement(node)
            if made := len(self.steps) - before:
                counts.append(made)
                statements.append((node.lineno, node.end_lineno or node.lineno))
        if not self.steps:
            refuse(None, f"the program calls no function; write {FUNCTIONS['get'].form}")
        if len(self.steps) > MOST_STEPS:
            text = f"the program has {len(self.steps)} steps; {MOST_STEPS} is the most: write a "
            refuse(None, f"{text}shorter one, with craft(...) for what takes many steps")
        said = sentences_of(self.code, statements, analysis)
        sentences = [one for one, many in zip(said, counts, strict=True) for _ in range(many)]
        steps = tuple(
            step.model_copy(update={"sentence": sentence})
            for step, sentence in zip(self.steps, sentences, strict=True)
        )
        return Program(steps=steps, answer=self.answer())

    def answer(self) -> Ref:
        """What the program gives as its answer: named so, shown in the end, or its last result."""
        named = next((self.names[name] for name in _ANSWERS if name in self.names), None)
        found = named if named is not None else self.asked
        if isinstance(found, str) and found in self.sources:
            found = Ref(name=self.sources[found], is_source=True)
        if isinstance(found, tuple) and len(found) == 1:
            found = found[0]
        if isinstance(found, tuple):
            refuse(None, "the answer is one result, not several; put them together by "
                         f"set_union(w1, w2), or by {FUNCTIONS['craft'].form}")  # fmt: skip
        if found is not None and not isinstance(found, Ref):
            refuse(None, f"the answer {found!r} is written down; let a step compute it")
        return found if isinstance(found, Ref) else Ref(name=self.steps[-1].name)

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Import() | ast.ImportFrom() | ast.Pass():
                pass
            case ast.Expr(value=ast.Constant(value=str())):
                pass
            case ast.Expr(value=ast.Call(func=ast.Name(id="print"), args=shown)):
                self.show(shown)
            case ast.Expr(value=value) | ast.Return(value=ast.expr() as value):
                self.show([value])
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self.assign(name, value, node)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                self.assign(name, value, node)
            case ast.Assign() | ast.AnnAssign():
                refuse(node, f"{quote(node)}: a line gives one result one name: w1 = ...")
            case ast.AugAssign():
                refuse(node, f"{quote(node)}: a result is not changed; give the new one a new name")
            case _:
                self.refuse_form(node)

    def assign(self, name: str, value: ast.expr, node: ast.stmt) -> None:
        if name in self.names and isinstance(self.names[name], Ref):
            fresh = self.fresh(f"{name}_2")
            refuse(node, f"{name} is assigned twice; give the second result a name of its own, "
                         f"such as {fresh}")  # fmt: skip
        self.names[name] = self.value(value, name)

    def show(self, shown: Sequence[ast.expr]) -> None:
        """What is printed, or stands alone, is meant as the answer; words beside it are not."""
        parts: list[Given] = []
        for one in shown:
            filled = one.values if isinstance(one, ast.JoinedStr) else [one]
            for part in filled:
                inner = part.value if isinstance(part, ast.FormattedValue) else part
                value = None if isinstance(inner, ast.Constant) else self.value(inner)
                parts += value if isinstance(value, tuple) else (value,)
        if found := tuple(one for one in parts if isinstance(one, Ref)):
            self.asked = found

    def value(self, node: ast.expr, name: str = "") -> Given:
        """What an expression stands for: a constant, a source, or the result of a step."""
        match node:
            case ast.Constant(value=value) if isinstance(value, str | bool | int | float | None):
                return value
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=value)) if isinstance(
                value, int | float
            ):
                return -value
            case ast.JoinedStr():
                return self.text(node, fills=False)
            case (
                ast.List(elts=parts)
                | ast.Tuple(elts=parts)
                | ast.Set(elts=parts)
                | ast.Dict(values=parts)
            ):
                return tuple(self.value(part) for part in parts)
            case ast.Name():
                return self.named(node)
            case ast.Call():
                return self.call(node, name)
            case ast.BinOp(op=ast.BitOr() | ast.BitAnd() as sign):
                sides = [self.value(node.left), self.value(node.right)]
                if all(isinstance(side, Ref) for side in sides):
                    return self.step(_SETS[type(sign)], sides, {}, node, name)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                both = self.value(left), self.value(right)
                if isinstance(both[0], str) and isinstance(both[1], str):
                    return both[0] + both[1]
        self.refuse_form(node)

    def text(self, node: ast.expr, *, fills: bool) -> Given:
        """An f-string of constants; in words for a craft a result stands by its name."""
        if not isinstance(node, ast.JoinedStr):
            return self.value(node)
        parts = []
        for part in node.values:
            inner = part.value if isinstance(part, ast.FormattedValue) else part
            value = self.value(inner)
            if isinstance(value, Ref) and not fills:
                refuse(node, f"{quote(node)}: a result is no text; give {value.name} itself")
            parts.append(value.name if isinstance(value, Ref) else str(value))
        return "".join(parts)

    def named(self, node: ast.Name) -> Given:
        if node.id in self.names:
            return self.names[node.id]
        if source := self.sources.get(plain_name(node.id)):
            return Ref(name=source, is_source=True)
        results = [name for name, value in self.names.items() if isinstance(value, Ref)]
        there = f"the results so far are {', '.join(results[-SHOWN:])}" if results else (
            "there are no results yet"
        )  # fmt: skip
        listed = ", ".join(map(repr, [*dict.fromkeys(self.sources.values())][:SHOWN]))
        refuse(node, f"{node.id} was never assigned; {there}, the sources {listed}")

    def call(self, node: ast.Call, name: str) -> Given:
        written = self.function_name(node)
        if written in _WRAPPERS and len(node.args) == 1 and not node.keywords:
            return self.value(node.args[0], name)
        function = find_function(written)
        if function not in self.functions:
            near = get_close_matches(written.casefold(), [*self.functions], 1)
            near += ["craft"] * ("craft" in self.functions and near != ["craft"])
            instead = f"; write {' or '.join(f'{one}(...)' for one in near)}" if near else ""
            listed = ", ".join(self.functions)
            refuse(node, f"there is no function {written}; the functions are {listed}{instead}")
        fills = function == "craft"
        if any(isinstance(one, ast.Starred) for one in node.args):
            refuse(node, f"{quote(node)}: give each argument by itself")
        given = [self.text(one, fills=fills) for one in node.args if not self.is_idle(one)]
        named: dict[str, Given] = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                refuse(node, f"{quote(node)}: give each argument by itself")
            if keyword.arg not in IGNORED:
                named[keyword.arg] = self.text(keyword.value, fills=fills)
        return self.step(function, given, named, node, name)

    def is_idle(self, node: ast.expr) -> bool:
        """Whether an argument is what the paper has every call hand on."""
        return isinstance(node, ast.Name) and node.id in IGNORED and node.id not in self.names

    def function_name(self, node: ast.Call) -> str:
        match node.func:
            case ast.Name(id=written):
                return written
            case ast.Attribute(value=ast.Name(id=base), attr=written) if base not in self.names:
                return written
        refuse(node, f"{quote(node.func)}: results have no functions of their own; write "
                     f"{FUNCTIONS['set_union'].form} and the like")  # fmt: skip

    def step(
        self,
        function: str,
        given: Sequence[Given],
        named: Mapping[str, Given],
        node: ast.expr,
        name: str,
    ) -> Ref:
        own = name if name and plain_name(name) not in self.sources else self.fresh(name or "part")
        place = Place(own, node.lineno, self.sources, self.origins)
        try:
            step = make_step(function, given, named, place)
        except ActionError as error:
            refuse(node, f"{quote(node)}: {error.text}")
        self.steps.append(step)
        made = self.names[own] = Ref(name=own)
        source = getattr(step, "source", None) or step.inputs[0]
        self.origins[own] = source if source.is_source else self.origins[source.name]
        return made

    def fresh(self, name: str) -> str:
        number, free = 1, name
        while free in self.names or free in self.reserved or plain_name(free) in self.sources:
            number += 1
            free = f"{name}_{number}"
        return free

    def refuse_form(self, node: ast.AST) -> NoReturn:
        """Refuse what is no plan of calls, by what it is."""
        craft = f"; {FUNCTIONS['craft'].form} does what no function does" * (
            "craft" in self.functions
        )
        if isinstance(node, _LOOPS):
            what = "a plan has no loops: functions take whole sets at once"
        elif isinstance(node, _DEFINITIONS):
            what = "a plan defines nothing and does not call itself: write its calls one by one"
        elif isinstance(node, _CHOICES):
            what = "a plan has no branches: write the calls one below the other"
        elif isinstance(node, ast.BinOp | ast.Compare | ast.BoolOp | ast.UnaryOp):
            what = "only functions compute: keep(...) compares, set_difference(...) takes away"
        elif isinstance(node, ast.Subscript):
            what = "a result is taken whole: keep(...), min(...) and max(...) choose of it"
        else:
            what = "a plan is calls of functions: w1 = get(...)"
        refuse(node, f"{quote(node)}: {what}{craft}")
