"""The allow-list over the syntax of model-written code: the early, clear layer before the wall."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Collection
from typing import NoReturn

from wideleaf.tools.sandbox.inside.libraries import LIBRARIES
from wideleaf.tools.sandbox.syntax.advice import BUILTIN_ADVICE, COMPUTE, PLAIN, REFUSED
from wideleaf.tools.sandbox.syntax.attributes import (
    check_attribute,
    check_call,
    has_stars,
    is_dunder,
)
from wideleaf.tools.sandbox.syntax.form import check_form, check_size, quote, read_code, refuse
from wideleaf.tools.sandbox.syntax.libraries import is_library_module, library_of
from wideleaf.tools.sandbox.syntax.modules import MODULES
from wideleaf.tools.sandbox.syntax.names import BUILTINS, EXCEPTIONS, SHADOWED, WRITERS
from wideleaf.tools.sandbox.syntax.scope import Scope

_BUILTINS = frozenset(dir(builtins))


def check_code(code: str, *, function: str = "", columns: Collection[str] = ()) -> None:
    """Check model-written code against the allow-list, without running anything of it.

    It is no wall: it says early and clearly what would fail in the sandbox, and leaves less to
    the wall. What computes is allowed; what reads, writes, evaluates, reflects or lasts is not.

    Args:
        code: The program.
        function: The function that it must define; "": it must assign `result`.
        columns: The headers of its tables, which may follow a dot (`df.Rings`).

    Raises:
        ActionError: Of kind "code refused": the line, what is refused, what to write instead.
    """
    tree = read_code(code)
    try:
        checks = _Checks(Scope(tree, columns))
        for node in ast.walk(tree):
            checks.check(node)
    except RecursionError:  # names that stand for names that stand for names ...
        refuse(None, "the code is too involved to be checked; write it plainly")
    check_form(tree, function)


class _Checks:
    """One check for each kind of syntax node; a kind that is not listed is refused."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def check(self, node: ast.AST) -> None:
        """Check one node, not what is inside it."""
        check_size(node)
        kind = type(node)
        own: Callable[[ast.AST], None] | None = getattr(self, f"_{kind.__name__.lower()}", None)
        if own is not None:
            own(node)
        elif kind not in PLAIN:
            self._refuse_kind(node)

    def _refuse_kind(self, node: ast.AST) -> NoReturn:
        kind = type(node).__name__
        what, instead = REFUSED.get(kind, (kind, "write it plainly"))
        refuse(node, f"{what} is not allowed; {instead}")

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            top = alias.name.split(".")[0]
            plain = alias.name in MODULES and "." not in alias.name
            if not (plain or is_library_module(alias.name)):
                known = f"import {top}" if top in MODULES else "only " + _importable(top)
                refuse(node, f"import {alias.name} is not possible; {known}")
            module = alias.name if alias.asname else top
            self._bind_module(node, alias.asname or top, module)

    def _bind_module(self, node: ast.Import | ast.ImportFrom, name: str, module: str) -> None:
        self._bindable(node, name)
        if name in _BUILTINS:
            refuse(node, f"the name {name} is Python's own; choose another")
        if self.scope.modules[name] != module:
            refuse(node, f"the name {name} is the module {self.scope.modules[name]} already")

    def _importfrom(self, node: ast.ImportFrom) -> None:
        if node.module == "__future__" and [alias.name for alias in node.names] == ["annotations"]:
            return
        module = node.module or ""
        if node.level or not (module in MODULES or is_library_module(module)):
            known = _importable(module.split(".")[0])
            refuse(node, f"from {node.module or '.'} import is not possible; only {known}")
        for alias in node.names:
            name, dotted = alias.asname or alias.name, f"{module}.{alias.name}"
            if is_library_module(dotted):
                self._bind_module(node, name, dotted)
                continue
            if alias.name not in MODULES.get(module, ()):
                instead = COMPUTE if module in MODULES else f"only {_importable(module)}"
                refuse(node, f"{dotted} is not for programs here; {instead}")
            self._bindable(node, name)
            if library_of(self.scope.modules.get(name, "")):
                refuse(node, f"the name {name} is the module {self.scope.modules[name]} already")

    def _name(self, node: ast.Name) -> None:
        name, scope = node.id, self.scope
        if not isinstance(node.ctx, ast.Load):
            self._bindable(node, name)
            return
        if name.startswith("__"):
            refuse(node, f"the name {name} leads into Python's machinery; leave it out")
        if name in scope.modules and not scope.has_shadow(name):
            parent = scope.parents[node]
            if not isinstance(parent, ast.Attribute):
                refuse(node, f"the module {name} may not be handed on; write {name}.mean or alike")
        elif name in scope.bound or name in scope.imported:
            pass
        elif name in _BUILTINS - BUILTINS - EXCEPTIONS and name != "None":
            refuse(node, f"{name} is not allowed; {BUILTIN_ADVICE.get(name, COMPUTE)}")
        if name == "type" and name not in scope.bound:
            call = scope.parents[node]
            called = isinstance(call, ast.Call) and call.func is node and not has_stars(call)
            if not (called and isinstance(call, ast.Call) and len(call.args) == 1):
                refuse(node, "type may only be asked of one value: type(x)")
            if scope.libraries and not isinstance(scope.parents[call], ast.Compare):
                refuse(node, "type(x) may only be compared here; write isinstance(x, ...)")

    def _bindable(self, node: ast.AST, name: str) -> None:
        """Whether a program may give a name to something of its own."""
        if name.startswith("__"):
            refuse(node, f"the name {name} begins with two underscores; choose a plainer one")
        module = self.scope.modules.get(name)
        taken = name in self.scope.whole and not isinstance(node, ast.ImportFrom)
        if not isinstance(node, ast.Import) and (module in {"pandas", "numpy"} or taken):
            refuse(node, f"the name {name} is the module {module}; choose another")
        if name in _BUILTINS - BUILTINS - EXCEPTIONS - SHADOWED:
            refuse(node, f"the name {name} is Python's own; choose another")

    def _attribute(self, node: ast.Attribute) -> None:
        check_attribute(node, self.scope)

    def _call(self, node: ast.Call) -> None:
        check_call(node, self.scope)

    def _keyword(self, node: ast.keyword) -> None:
        if node.arg is not None and node.arg.startswith("__"):
            refuse(node, f"the keyword {node.arg} begins with two underscores; leave it out")

    def _arg(self, node: ast.arg) -> None:
        self._bindable(node, node.arg)

    def _constant(self, node: ast.Constant) -> None:
        if not isinstance(node.value, str):
            return
        if node.value in self.scope.headers:
            return
        if is_dunder(node.value) or node.value in WRITERS:
            refuse(node, f"the text {node.value!r} names what programs may not call; leave it out")

    def _functiondef(self, node: ast.FunctionDef) -> None:
        self._bindable(node, node.name)
        for decorator in node.decorator_list:
            plain = decorator.func if isinstance(decorator, ast.Call) else decorator
            if self.scope.function(plain) not in {"functools.cache", "functools.lru_cache"}:
                refuse(decorator, f"@{quote(decorator)} is not allowed; call the function itself")

    def _excepthandler(self, node: ast.ExceptHandler) -> None:
        if node.name is not None:
            self._bindable(node, node.name)

    def _try(self, node: ast.Try) -> None:
        if node.finalbody:
            refuse(
                node, "finally is not allowed; there is nothing to close: write it after the try"
            )

    def _with(self, node: ast.With) -> None:
        for item in node.items:
            call = item.context_expr
            known = isinstance(call, ast.Call) and item.optional_vars is None
            if not (known and isinstance(call, ast.Call)) or call.args:
                self._refuse_kind(node)
            plain = all(isinstance(one.value, ast.Constant) for one in call.keywords)
            if self.scope.function(call.func) != "numpy.errstate" or not plain:
                self._refuse_kind(node)

    def _withitem(self, node: ast.withitem) -> None:
        """Of the statement, which is checked first."""

    def _raise(self, node: ast.Raise) -> None:
        raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        if raised is None:
            return
        bound = self.scope.bound.get(raised.id) if isinstance(raised, ast.Name) else None
        caught = bound is not None and all(one is None for one in bound)
        own = isinstance(raised, ast.Name) and raised.id in EXCEPTIONS
        if not (own or (caught and raised is node.exc)):
            refuse(node, f"raise {quote(raised)}: raise ValueError, KeyError or alike")

    def _delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            base = target
            while isinstance(base, ast.Subscript | ast.Attribute):
                if isinstance(base, ast.Attribute):
                    refuse(node, f"del {quote(target)} is not allowed; delete names and items only")
                base = base.value
            if isinstance(target, ast.Name) and target.id not in self.scope.bound:
                refuse(node, f"del {target.id}: it is no variable of this program")

    def _matchas(self, node: ast.MatchAs | ast.MatchStar) -> None:
        if node.name is not None:
            self._bindable(node, node.name)

    _matchstar = _matchas

    def _matchmapping(self, node: ast.MatchMapping) -> None:
        if node.rest is not None:
            self._bindable(node, node.rest)


def _importable(top: str) -> str:
    """What may be imported: of a library its modules, else the modules without a dot."""
    own = [name for name in MODULES if library_of(name) == top != ""]
    return ", ".join(sorted(own or (*LIBRARIES, *(name for name in MODULES if "." not in name))))
