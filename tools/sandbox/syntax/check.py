"""The check of model-written code before it runs: the early, clear layer before the wall."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Collection
from typing import NoReturn

from wideleaf.tools.sandbox.syntax import names as lists
from wideleaf.tools.sandbox.syntax import texts
from wideleaf.tools.sandbox.syntax.form import check_form, check_size, quote, read_code, refuse
from wideleaf.tools.sandbox.syntax.modules import (
    GIVEN,
    LIBRARY_MODULES,
    MODULES,
    is_library_module,
    is_module,
    library_of,
    list_importable,
)

_BUILTINS = frozenset(dir(builtins)) - {"None"}
_BY_NAME = frozenset({"agg", "aggregate", "apply", "transform", "pipe", "pivot_table", "crosstab"})
"""Functions of pandas that call a method whose name they are given."""
_BY_NAME_ADVICE = (
    "write a function (a lambda, np.median), or the name of a plain one as a text, such as "
    "'mean', 'sum', 'nunique', 'first'"
)
_SETTABLE = frozenset({"columns", "index", "name", "names"})
_RECORD = frozenset({"_asdict", "_replace", "_fields", "_make"})
_FREE_KEYWORDS = frozenset({"assign", "agg", "aggregate", "rename", "namedtuple", "format"})
"""Functions whose keywords are names of the program's own."""


def check_code(code: str, *, function: str = "", columns: Collection[str] = ()) -> None:
    """Check the syntax and the names of model-written code, without running anything of it.

    It is no wall: it says early and clearly what would fail in the sandbox, and leaves less to
    the wall. What imports, reads, writes, evaluates or reflects is refused by its name; whatever
    a program reaches beside these names the wall holds, or the hook of a process without one.

    Args:
        code: The program.
        function: The function that it must define; "": it must assign `result`.
        columns: The headers of its tables, which may follow a dot (`df.Rings`).

    Raises:
        ActionError: Of kind "code refused": the line, what is refused, what to write instead.
    """
    tree = read_code(code)
    checks = _Checks(tree, frozenset(columns))
    for node in ast.walk(tree):
        checks.check(node)
    check_form(tree, function)


class _Checks:
    """One check for each kind of syntax node; a kind that is not listed is refused.

    Attributes:
        headers: The columns of the tables.
        modules: Names that stand for modules (`pd` -> "pandas").
        imported: Names of what is imported from modules.
        bound: What else the program gives a name to; one table for all its functions.
        caught: Those names that stand for exceptions.
        libraries: Those beyond pandas and numpy that it imports.
        parents: By node the one around it.
    """

    def __init__(self, tree: ast.Module, headers: frozenset[str]) -> None:
        self.headers = headers
        self.modules = dict(GIVEN)
        self.imported: set[str] = set()
        self.bound: set[str] = set()
        self.caught: set[str] = set()
        self.libraries: set[str] = set()
        self.parents: dict[ast.AST, ast.AST] = {}
        for node in ast.walk(tree):
            self.parents.update((child, node) for child in ast.iter_child_nodes(node))
            self._take_in(node)

    def _take_in(self, node: ast.AST) -> None:
        match node:
            case ast.Import(names=names):
                for alias in names:
                    top = alias.name.split(".")[0]
                    self._bind(node, alias.asname or top, alias.name if alias.asname else top)
            case ast.ImportFrom(module=str(module), names=names):
                self.libraries |= {library_of(module)} - {""}
                for alias in names:
                    name, dotted = alias.asname or alias.name, f"{module}.{alias.name}"
                    self._bind(node, name, dotted if is_library_module(dotted) else "")
                    self.imported.add(name)
            case (
                ast.Name(id=str(name), ctx=ast.Store())
                | ast.FunctionDef(name=str(name))
                | ast.arg(arg=str(name))
                | ast.ExceptHandler(name=str(name))
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
                | ast.MatchMapping(rest=str(name))
            ):
                self._bind(node, name)
                self.bound.add(name)
                self.caught |= {name} if isinstance(node, ast.ExceptHandler) else set()
            case _:
                pass

    def _bind(self, node: ast.AST, name: str, module: str = "") -> None:
        """A name that a program gives to something of its own, or to a module."""
        if name.startswith("__"):
            refuse(node, f"the name {name} begins with two underscores; choose a plainer one")
        if name in _BUILTINS - lists.BUILTINS - lists.EXCEPTIONS - lists.SHADOWED:
            refuse(node, f"the name {name} is Python's own; choose another")
        if module:
            self.modules[name] = module
            self.libraries |= {library_of(module)} - {""}

    def check(self, node: ast.AST) -> None:
        """Check one node, not what is inside it."""
        check_size(node)
        kind = type(node)
        own: Callable[[ast.AST], None] | None = getattr(self, f"_{kind.__name__.lower()}", None)
        if own is not None:
            own(node)
        elif kind not in lists.PLAIN:
            self._refuse_kind(node)

    def _refuse_kind(self, node: ast.AST) -> NoReturn:
        kind = type(node).__name__
        what, instead = lists.REFUSED.get(kind, (kind, "write it plainly"))
        refuse(node, f"{what} is not allowed; {instead}")

    # Imports and names

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            top = alias.name.split(".")[0]
            plain = alias.name in MODULES and "." not in alias.name
            if not (plain or is_library_module(alias.name)):
                hint = f"import {top}" if top in MODULES else "only " + list_importable(top)
                refuse(node, f"import {alias.name} is not possible; {hint}")

    def _importfrom(self, node: ast.ImportFrom) -> None:
        if node.module == "__future__" and [alias.name for alias in node.names] == ["annotations"]:
            return
        module = node.module or ""
        if node.level or not (module in MODULES or is_library_module(module)):
            hint = list_importable(module.split(".")[0])
            refuse(node, f"from {node.module or '.'} import is not possible; only {hint}")
        for alias in node.names:
            dotted = f"{module}.{alias.name}"
            why = self._why_withheld(alias.name, dotted)
            if alias.name == "*" or alias.name.startswith("_"):
                why = "is not for programs here; name what is used"
            if why:
                refuse(node, f"{dotted}: {alias.name} {why}")

    def _name(self, node: ast.Name) -> None:
        name = node.id
        if not isinstance(node.ctx, ast.Load):
            return
        if name.startswith("__"):
            refuse(node, f"the name {name} leads into Python's machinery; leave it out")
        is_own = name in self.bound | self.imported | self.modules.keys()
        if not is_own and name in _BUILTINS - lists.BUILTINS - lists.EXCEPTIONS:
            refuse(node, f"{name} is not allowed; {lists.BUILTIN_ADVICE.get(name, lists.COMPUTE)}")
        if name == "type" and not is_own:
            self._type(node)

    def _type(self, node: ast.Name) -> None:
        """`type` makes classes, of three arguments, and what it tells can be called."""
        call = self.parents[node]
        if not isinstance(call, ast.Call) or call.func is not node:
            refuse(node, "type may only be asked of one value: type(x)")
        if len(call.args) != 1 or call.keywords or isinstance(call.args[0], ast.Starred):
            refuse(node, "type may only be asked of one value: type(x)")
        if self.libraries and not isinstance(self.parents[call], ast.Compare):
            refuse(node, "type(x) may only be compared here; write isinstance(x, ...)")

    def _constant(self, node: ast.Constant) -> None:
        text = node.value
        if isinstance(text, str) and text not in self.headers and texts.names_withheld(text):
            refuse(node, f"the text {text!r} names what programs may not call; leave it out")

    # What follows a dot

    def _spell_name(self, node: ast.AST) -> str:
        """The dotted name that an expression spells out from a module on; empty for any other."""
        if isinstance(node, ast.Name):
            return "" if node.id in self.bound else self.modules.get(node.id, "")
        if isinstance(node, ast.Attribute) and (inner := self._spell_name(node.value)):
            return f"{inner}.{node.attr}"
        return ""

    def _why_withheld(self, name: str, dotted: str = "") -> str:
        """Why an attribute is not for programs; empty if it is."""
        if is_module(dotted):
            return ""
        above, library = dotted.rpartition(".")[0], library_of(dotted)
        if library and above not in LIBRARY_MODULES and is_module(above):
            return f"is not for programs here; only {list_importable(library)}"
        why = lists.WITHHELD.get(name, lists.OF_LIBRARIES.get(name, "") if self.libraries else "")
        if not why and (dotted or name not in self.headers):
            why = (
                lists.WITHHELD["loadtxt"]
                if name.startswith("read_")
                else lists.OF_MODULES.get(name, "")
            )
        return why

    def _attribute(self, node: ast.Attribute) -> None:
        name, dotted = node.attr, self._spell_name(node)
        record = name in _RECORD or name[1:].isdecimal()  # of rows as itertuples gives them
        if name.startswith("_") and not record:
            refuse(node, f"{quote(node)}: names with a leading underscore are not for programs")
        column = "" if dotted else f"; for a column write {quote(node.value)}[{name!r}]"
        if not isinstance(node.ctx, ast.Load):
            if name not in _SETTABLE or dotted:
                refuse(node, f"{quote(node)} may not be assigned or deleted{column}")
        elif why := self._why_withheld(name, dotted):
            refuse(node, f"{quote(node)}: {name} {why}{column}")
        elif name in lists.CALLED_AT_ONCE:
            self._check_call(node)

    def _check_call(self, node: ast.Attribute) -> None:
        name, call = node.attr, self.parents[node]
        if name == "format":
            texts.check_format(node)
        if not isinstance(call, ast.Call) or call.func is not node:
            refuse(node, f"{quote(node)} is not called at once; write {quote(node)}(...)")
        if name == "query":
            texts.check_condition(call, self.modules)
        elif name != "format" and (call.args or any(k.arg is None for k in call.keywords)):
            refuse(node, f"{name}(...) with an argument writes; write {name}()")

    # Calls

    def _call(self, node: ast.Call) -> None:
        callee = node.func
        name = callee.id if isinstance(callee, ast.Name) else getattr(callee, "attr", "")
        own = isinstance(callee, ast.Name) and name in self.bound
        free = name in _FREE_KEYWORDS and not (node.args and name in _BY_NAME)
        for keyed in node.keywords:
            if keyed.arg in lists.KEYWORDS and not (own or free):
                refuse(node, f"{quote(callee)}({keyed.arg}=...) reaches out; leave it out")
        if name in _BY_NAME and not own:
            for text in texts.texts_given(node):
                if text in lists.WRITERS or (self._why_withheld(text) and text not in self.headers):
                    refuse(node, f"{name}(...) is given {text!r}; {_BY_NAME_ADVICE}")

    def _keyword(self, node: ast.keyword) -> None:
        if node.arg is not None and node.arg.startswith("__"):
            refuse(node, f"the keyword {node.arg} begins with two underscores; leave it out")

    # Statements

    def _functiondef(self, node: ast.FunctionDef) -> None:
        for decorator in node.decorator_list:
            plain = decorator.func if isinstance(decorator, ast.Call) else decorator
            name = plain.id if isinstance(plain, ast.Name) else getattr(plain, "attr", "")
            if name not in {"cache", "lru_cache"}:
                refuse(decorator, f"@{quote(decorator)} is not allowed; call the function itself")

    def _try(self, node: ast.Try) -> None:
        if node.finalbody:
            refuse(
                node, "finally is not allowed; there is nothing to close: write it after the try"
            )

    def _with(self, node: ast.With) -> None:
        for item in node.items:
            match item:
                case ast.withitem(
                    ast.Call(ast.Attribute(attr="errstate") | ast.Name("errstate"), [], keywords),
                    None,
                ) if all(isinstance(one.value, ast.Constant) for one in keywords):
                    pass
                case _:
                    self._refuse_kind(node)

    def _raise(self, node: ast.Raise) -> None:
        raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        is_exception = isinstance(raised, ast.Name) and raised.id in lists.EXCEPTIONS | self.caught
        if raised is not None and not is_exception:
            refuse(node, f"raise {quote(raised)}: raise ValueError, KeyError or alike")

    def _delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            if isinstance(target, ast.Attribute):
                refuse(node, f"del {quote(target)} is not allowed; delete names and items only")
            if isinstance(target, ast.Name) and target.id not in self.bound:
                refuse(node, f"del {target.id}: it is no variable of this program")
