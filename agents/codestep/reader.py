"""The reader: code that a model wrote as typed steps; none of it is evaluated."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from typing import NoReturn

from wideleaf.agents.codestep.calls import Given, Invocation, make_step, single
from wideleaf.agents.codestep.steps import (
    IGNORED,
    Ref,
    Step,
    find_function,
    form_of,
    plain_name,
)
from wideleaf.tools.errors import ActionError
from wideleaf.tools.sandbox.syntax.form import quote, read_code, refuse

Lines = tuple[int, int]
"""First and last line of a statement."""

MAX_STEPS = 20
SHOWN = 12
"""Of the results there are, when one is named that is not."""

_REFUSALS: Mapping[str, tuple[type[ast.AST], ...]] = {
    "a plan has no loops: functions take whole sets at once": (
        *(ast.For, ast.While, ast.AsyncFor),
        *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
    ),
    "a plan defines nothing and does not call itself: write its calls one by one": (
        *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda),
    ),
    "a plan has no branches: write the calls one below the other": (
        *(ast.If, ast.IfExp, ast.Match, ast.Try, ast.With),
    ),
    "only functions compute: keep(...) compares, set_difference(...) takes away": (
        *(ast.BinOp, ast.Compare, ast.BoolOp, ast.UnaryOp),
    ),
    "a result is taken whole: keep(...), min(...) and max(...) choose of it": (ast.Subscript,),
    "a plan is calls of functions: w1 = get(...)": (ast.AST,),
}
"""What to write instead of what is no plan of calls; the first that fits is said."""
_SETS: Mapping[type[ast.operator], str] = {
    ast.BitOr: "set_union",
    ast.BitAnd: "set_intersection",
}
_WRAPPERS = frozenset(("list", "tuple", "str", "float"))
"""Around a result they change nothing."""
_ANSWERS = ("answer", "final_answer", "result", "final_result")


def read_steps(
    code: str, sources: Sequence[str], functions: Collection[str]
) -> tuple[list[tuple[Step, Lines]], Ref]:
    """Read code as steps, each with its lines, and the result that answers; none of it is run.

    Args:
        code: As the model wrote it.
        sources: The names of tables and graphs.
        functions: Those that may be called.

    Raises:
        ActionError: If it is more than calls of these functions; names the line and what would
            be right.
    """
    reader = _Reader(sources, functions)
    reader.read(read_code(code))
    return reader.steps, reader.answer()


class _Reader:
    def __init__(self, sources: Sequence[str], functions: Collection[str]) -> None:
        plain = {plain_name(name): name for name in reversed(sources)}
        self.sources = {**plain, **{name: name for name in sources}}
        self.functions = functions
        self.names: dict[str, Given] = {}
        self.steps: list[tuple[Step, Lines]] = []
        self.lines: Lines = (1, 1)
        self.asked: Given = None
        self.origins: dict[str, Ref] = {}
        self.reserved: set[str] = set()

    def read(self, tree: ast.Module) -> None:
        self.reserved = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        for node in tree.body:
            self.lines = (node.lineno, node.end_lineno or node.lineno)
            self.statement(node)
        if not self.steps:
            refuse(None, f"the program calls no function; write {form_of('get')}")
        if len(self.steps) > MAX_STEPS:
            text = f"the program has {len(self.steps)} steps; {MAX_STEPS} is the most: write a "
            refuse(None, f"{text}shorter one, with craft(...) for what takes many steps")

    def answer(self) -> Ref:
        """What the program gives as its answer: named so, shown in the end, or its last result."""
        choice = next((self.names[name] for name in _ANSWERS if name in self.names), None)
        match single(self.asked if choice is None else choice):
            case None:
                return Ref(name=self.steps[-1][0].name)
            case Ref() as found:
                return found
            case str(name) if name in self.sources:
                return Ref(name=self.sources[name], is_source=True)
            case tuple():
                refuse(None, "the answer is one result, not several; put them together by "
                             f"set_union(w1, w2), or by {form_of('craft')}")  # fmt: skip
            case written:
                refuse(None, f"the answer {written!r} is written down; let a step compute it")

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
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                if isinstance(self.names.get(name), Ref):
                    fresh = self.fresh(f"{name}_2")
                    refuse(node, f"{name} is assigned twice; give the second result a name of its "
                                 f"own, such as {fresh}")  # fmt: skip
                self.names[name] = self.value(value, name)
            case ast.Assign() | ast.AnnAssign():
                refuse(node, f"{quote(node)}: a line gives one result one name: w1 = ...")
            case ast.AugAssign():
                refuse(node, f"{quote(node)}: a result is not changed; give the new one a new name")
            case _:
                self.refuse_form(node)

    def show(self, expressions: Sequence[ast.expr]) -> None:
        """What is printed, or stands alone, is meant as the answer; words beside it are not."""
        parts: list[Given] = []
        for one in expressions:
            for part in one.values if isinstance(one, ast.JoinedStr) else [one]:
                inner = part.value if isinstance(part, ast.FormattedValue) else part
                value = None if isinstance(inner, ast.Constant) else self.value(inner)
                parts += value if isinstance(value, tuple) else (value,)
        if results := tuple(one for one in parts if isinstance(one, Ref)):
            self.asked = results

    def value(self, node: ast.expr, name: str = "", *, fills: bool = False) -> Given:
        """What an expression stands for: a constant, a source, or the result of a step.

        Args:
            node: The expression.
            name: What a result is called.
            fills: Whether a result stands in a text by its name, as in words for a craft.
        """
        match node:
            case ast.Constant(value=value) if isinstance(value, str | bool | int | float | None):
                return value
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=value)) if isinstance(
                value, int | float
            ):
                return -value
            case ast.JoinedStr():
                return self.text(node, fills=fills)
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
            case ast.Starred():
                refuse(node, f"{quote(node)}: give each argument by itself")
            case ast.BinOp(op=ast.BitOr() | ast.BitAnd() | ast.Add()):
                return self.combine(node, name)
        self.refuse_form(node)

    def combine(self, node: ast.BinOp, name: str) -> Given:
        """What ``|`` and ``&`` of two results and ``+`` of two texts stand for."""
        sides = left, right = self.value(node.left), self.value(node.right)
        function = _SETS.get(type(node.op), "")
        if function and isinstance(left, Ref) and isinstance(right, Ref):
            return self.step(function, sides, {}, node, name)
        if not function and isinstance(left, str) and isinstance(right, str):
            return left + right
        self.refuse_form(node)

    def text(self, node: ast.JoinedStr, *, fills: bool) -> str:
        inner = [one.value if isinstance(one, ast.FormattedValue) else one for one in node.values]
        parts: list[str] = []
        for value in map(self.value, inner):
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
        listing = ", ".join(map(repr, [*dict.fromkeys(self.sources.values())][:SHOWN]))
        refuse(node, f"{node.id} was never assigned; {there}, the sources {listing}")

    def call(self, node: ast.Call, name: str) -> Given:
        spelling = self.function_name(node)
        if spelling in _WRAPPERS and len(node.args) == 1 and not node.keywords:
            return self.value(node.args[0], name)
        function = find_function(spelling)
        if function not in self.functions:
            near = get_close_matches(spelling.casefold(), [*self.functions], 1)
            near += ["craft"] * ("craft" in self.functions and near != ["craft"])
            instead = f"; write {' or '.join(f'{one}(...)' for one in near)}" if near else ""
            listing = ", ".join(self.functions)
            refuse(node, f"there is no function {spelling}; the functions are {listing}{instead}")
        fills = function == "craft"
        arguments: list[Given] = []
        keywords: dict[str, Given] = {}
        for one in node.args:
            if not (isinstance(one, ast.Name) and one.id in IGNORED and one.id not in self.names):
                arguments.append(self.value(one, fills=fills))
        for keyword in node.keywords:
            if keyword.arg is None:
                refuse(node, f"{quote(node)}: give each argument by itself")
            if keyword.arg not in IGNORED:
                keywords[keyword.arg] = self.value(keyword.value, fills=fills)
        return self.step(function, arguments, keywords, node, name)

    def function_name(self, node: ast.Call) -> str:
        match node.func:
            case ast.Name(id=written):
                return written
            case ast.Attribute(value=ast.Name(id=base), attr=written) if base not in self.names:
                return written
        refuse(node, f"{quote(node.func)}: results have no functions of their own; write "
                     f"{form_of('set_union')} and the like")  # fmt: skip

    def step(
        self,
        function: str,
        arguments: Sequence[Given],
        keywords: Mapping[str, Given],
        node: ast.expr,
        name: str,
    ) -> Ref:
        own = name if name and plain_name(name) not in self.sources else self.fresh(name or "part")
        call = Invocation(
            function, arguments, keywords, own, node.lineno, self.sources, self.origins
        )
        try:
            step = make_step(call)
        except ActionError as error:
            refuse(node, f"{quote(node)}: {error.text}")
        self.steps.append((step, self.lines))
        result = self.names[own] = Ref(name=own)
        source = getattr(step, "source", None) or step.inputs[0]
        self.origins[own] = source if source.is_source else self.origins[source.name]
        return result

    def fresh(self, name: str) -> str:
        number, free = 1, name
        while free in self.names or free in self.reserved or plain_name(free) in self.sources:
            number += 1
            free = f"{name}_{number}"
        return free

    def refuse_form(self, node: ast.AST) -> NoReturn:
        """Refuse what is no plan of calls, by what it is."""
        what = next(text for text, kinds in _REFUSALS.items() if isinstance(node, kinds))
        crafts = "craft" in self.functions
        refuse(node, f"{quote(node)}: {what}"
                     + f"; {form_of('craft')} does what no function does" * crafts)  # fmt: skip
