"""What the names in model-written code stand for: modules, functions, and what is assigned."""

import ast
import re
from collections.abc import Collection, Iterator

from wideleaf.tools.sandbox.syntax.libraries import is_library_module, library_of, values_with
from wideleaf.tools.sandbox.syntax.modules import GIVEN, MODULES

Binding = ast.AST | None
"""What a name was bound to: an expression, a function, or nothing that the syntax tells."""
MOST_BINDINGS = 200
"""A name with more meanings means nothing that the syntax tells."""
_WORD = re.compile(r"[^\W\d]\w*")
_FILLING = {"append": 0, "extend": 0, "update": 0, "insert": 1, "setdefault": 1}
"""Methods that put something into a container, and before which argument."""


class Scope:
    """The names of a program; one table for all its functions, so a name may mean several things.

    Attributes:
        modules: Names that stand for modules (`pd` -> "pandas").
        whole: Those of them that the code imports itself.
        imported: Names imported from modules (`date` -> ("datetime", "date")).
        bound: What else each name was bound to.
        parts: What was put into the container of a name (`d["a"] = ...`, `d.append(...)`).
        columns: The table's headers, and texts of the code that may be headers it makes; none
            where the code imports a library, of whose values each attribute has to be listed.
        values: The attributes that values may have here.
    """

    def __init__(self, tree: ast.Module, columns: Collection[str]) -> None:
        self.modules = dict(GIVEN)
        self.whole: set[str] = set()
        self.imported: dict[str, tuple[str, str]] = {}
        self.bound: dict[str, list[Binding]] = {}
        self.parents: dict[ast.AST, ast.AST] = {}
        self.libraries: set[str] = set()
        self.columns = set(columns)
        self.headers = frozenset(columns)
        self.parts: dict[str, list[ast.AST]] = {}
        self._over_names: list[tuple[ast.AST, str]] = []
        self._calls: dict[str, list[ast.Call]] = {}
        for node in ast.walk(tree):
            for child in ast.iter_child_nodes(node):
                self.parents[child] = node
            self._take_in(node)
        self.columns = set() if self.libraries else self.columns
        self.values = values_with(frozenset(self.libraries))
        for target, listed in self._over_names:
            over = self.bound.get(listed, [None])
            self._bind_each(target, *(over if len(over) <= MOST_BINDINGS else [None]))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                self._bind_parameters(node)
            elif isinstance(node, ast.Lambda):
                for one in parameters(node.args):
                    self._add(one, None)

    def _take_in(self, node: ast.AST) -> None:
        match node:
            case ast.Import(names=names):
                for alias in names:
                    top = alias.name.split(".")[0]
                    self._import(alias.asname or top, alias.name if alias.asname else top)
            case ast.ImportFrom(module=str(module), names=names):
                for alias in names:
                    name = alias.asname or alias.name
                    if is_library_module(f"{module}.{alias.name}"):
                        self._import(name, f"{module}.{alias.name}")
                        continue
                    self.imported[name] = (module, alias.name)
                    if library := library_of(module):
                        self.libraries.add(library)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._bind(target, value)
            case ast.AnnAssign(target=target, value=value) if value is not None:
                self._bind(target, value)
            case (
                ast.AugAssign(target=target, value=value)
                | ast.NamedExpr(target=target, value=value)
            ):
                self._bind(target, value)
            case (
                ast.For(target=target, iter=ast.Name(id=name))
                | ast.comprehension(target=target, iter=ast.Name(id=name))
            ):
                self._over_names.append((target, name))
            case ast.For(target=target, iter=over) | ast.comprehension(target=target, iter=over):
                self._bind_each(target, over)
            case ast.FunctionDef(name=name):
                self._add(name, node)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                self._add(name, None)
            case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                self._add(name, None)
            case ast.Call(func=ast.Name(id=name)):
                self._calls.setdefault(name, []).append(node)
                self._note_keywords(node)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)):
                self._note_keywords(node)
                if method in _FILLING:
                    given = [*node.args, *(keyword.value for keyword in node.keywords)]
                    self.parts.setdefault(name, []).extend(given[_FILLING[method] :])
            case ast.Call():
                self._note_keywords(node)
            case ast.Constant(value=str(text)) if len(text) <= 200:
                self.columns.update(_WORD.findall(text))
            case _:
                pass

    def _import(self, name: str, module: str) -> None:
        self.modules.setdefault(name, module)
        self.whole.add(name)
        if library := library_of(module):
            self.libraries.add(library)

    def _note_keywords(self, call: ast.Call) -> None:
        self.columns.update(keyword.arg for keyword in call.keywords if keyword.arg)

    def _add(self, name: str, binding: Binding) -> None:
        self.bound.setdefault(name, []).append(binding)

    def _bind(self, target: ast.AST, value: Binding) -> None:
        match target, value:
            case ast.Name(id=name), _:
                self._add(name, value)
            case (
                (ast.Tuple(elts=targets) | ast.List(elts=targets)),
                (ast.Tuple(elts=values) | ast.List(elts=values)),
            ) if len(targets) == len(values):
                for one, other in zip(targets, values, strict=True):
                    self._bind(one, other)
            case ((ast.Tuple(elts=targets) | ast.List(elts=targets)), _):
                for one in targets:
                    self._bind(one, None)
            case ast.Starred(value=inner), _:
                self._bind(inner, None)
            case ast.Subscript(value=ast.Name(id=name)), ast.AST():
                self.parts.setdefault(name, []).append(value)
            case _:
                pass

    def _bind_each(self, target: ast.AST, *over: Binding) -> None:
        for listed in over:
            if isinstance(listed, ast.List | ast.Tuple | ast.Set):
                for one in listed.elts:
                    self._bind(target, one)
            else:
                self._bind(target, None)

    def _bind_parameters(self, function: ast.FunctionDef) -> None:
        """Bind parameters to their defaults and to what the program's own calls give."""
        given = function.args
        plain = [one.arg for one in (*given.posonlyargs, *given.args)]
        found: dict[str, list[Binding]] = {one: [] for one in parameters(given)}
        for name, default in zip(reversed(plain), reversed(given.defaults), strict=False):
            found[name].append(default)
        for one, known in zip(given.kwonlyargs, given.kw_defaults, strict=True):
            found[one.arg] += [known] if known is not None else []
        calls = self._calls.get(function.name, [])
        if len(self.bound[function.name]) * len(calls) > MOST_BINDINGS:
            calls, found = [], {one: [] for one in found}
        for call in calls:
            for name, value in zip(plain, call.args, strict=False):
                found[name].append(None if isinstance(value, ast.Starred) else value)
            for keyword in call.keywords:
                for name in [keyword.arg] if keyword.arg else list(found):
                    found.setdefault(name, []).append(keyword.value if keyword.arg else None)
        for name, values in found.items():
            unknown = not values or name in {
                getattr(given.vararg, "arg", 0),
                getattr(given.kwarg, "arg", 0),
            }
            for binding in [None] if unknown else values:
                self._add(name, binding)

    def module(self, node: ast.AST) -> str | None:
        """The dotted name of the module that an expression stands for, if it is one."""
        if isinstance(node, ast.Name):
            return self.modules.get(node.id)
        if isinstance(node, ast.Attribute):
            inner = self.module(node.value)
            if inner is not None and is_module(f"{inner}.{node.attr}"):
                return f"{inner}.{node.attr}"
        return None

    def function(self, node: ast.AST) -> str | None:
        """The dotted name of a module's function or class, if an expression stands for one."""
        if isinstance(node, ast.Name) and node.id in self.imported:
            return ".".join(self.imported[node.id])
        if isinstance(node, ast.Attribute):
            module = self.module(node.value)
            if module is not None and self.module(node) is None:
                return f"{module}.{node.attr}"
        return None

    def has_shadow(self, name: str) -> bool:
        """Whether a module's name stands for something else too."""
        return name in self.bound or name in self.imported


def parameters(given: ast.arguments) -> list[str]:
    """The names of a function's parameters."""
    every = (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg)
    return [one.arg for one in every if one is not None]


def is_module(dotted: str) -> bool:
    """Whether a dotted name is a module of the list, or on the way to one."""
    return any(one == dotted or one.startswith(f"{dotted}.") for one in MODULES)


def own_nodes(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """The nodes of a function's body, without those of functions inside it."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)
