"""Functions that model-written code gives to pandas, itself or by name: `agg`, `apply`, ..."""

import ast
from collections.abc import Iterator

from wideleaf.tools.sandbox.syntax.form import quote, refuse
from wideleaf.tools.sandbox.syntax.libraries import library_of
from wideleaf.tools.sandbox.syntax.names import BUILTINS, FUNCTIONS, METHODS
from wideleaf.tools.sandbox.syntax.scope import MOST_BINDINGS, Scope, own_nodes

BY_NAME = frozenset({"agg", "aggregate", "apply", "transform", "pipe"})
"""Methods that take a function, or its name, as their first argument."""
PIVOTS = {"pivot_table": 3, "crosstab": 5}
"""Those with `aggfunc`, and how many arguments come before it in the longest form."""
_PLAIN_KEYWORDS = frozenset(
    {
        "axis",
        "raw",
        "result_type",
        "args",
        "by_row",
        "include_groups",
        "numeric_only",
        "interpolation",
    }
)
_MAKERS = frozenset({"functools.partial", "operator.itemgetter", "functools.lru_cache"})
_FUNCTION_ADVICE = (
    "write a function (a lambda, np.median), or the name of a plain one as a text, such as "
    "'mean', 'sum', 'nunique', 'first'"
)
_ESTIMATOR_ADVICE = (
    "of a frame write a function or the name of a plain one; of an estimator call it by a name "
    "that is assigned it and nothing else: scaler = StandardScaler(); scaler.transform(...)"
)
_ESTIMATOR_MAKERS = frozenset({"make_pipeline", "make_union", "make_column_transformer"})


def check_function_names(call: ast.Call, method: str, scope: Scope) -> None:
    """Check what is given to `agg` and its kin: pandas calls any method whose name it is given.

    Raises:
        ActionError: If it is neither a function nor the name of a reduction or transform.
    """
    receiver = call.func.value if isinstance(call.func, ast.Attribute) else call
    if method == "transform" and makes_estimator(receiver, scope, set()):
        return  # it takes cells, and calls nothing by a name
    for node, paired in _functions_of(call, method, scope):
        wrong = _wrong(node, scope, paired=paired, texts=method != "pipe", seen=set())
        if wrong is not None:
            instead = _ESTIMATOR_ADVICE if "sklearn" in scope.libraries else _FUNCTION_ADVICE
            refuse(
                node if hasattr(node, "lineno") else call,
                f"{method}(...) is given {quote(wrong)}; {instead}",
            )


def _functions_of(call: ast.Call, method: str, scope: Scope) -> Iterator[tuple[ast.AST, bool]]:
    """The arguments of a call that are functions or their names, and whether pairs may be."""
    if method in PIVOTS:
        of_pandas = scope.function(call.func) is not None
        at = PIVOTS[method] + (method == "pivot_table" and of_pandas)
        given = call.args
        if any(isinstance(one, ast.Starred) for one in given):
            refuse(call, f"{method}(*...): write its arguments out")
        yield from ((one, False) for one in given[at : at + 1])
        for keyword in call.keywords:
            if keyword.arg is None:
                refuse(call, f"{method}(**...): write its arguments out")
            if keyword.arg == "aggfunc":
                yield keyword.value, False
        return
    first = call.args[:1]
    yield from ((one, False) for one in first)
    for keyword in call.keywords:
        if keyword.arg in {"func", "arg"}:
            yield keyword.value, False
        elif method in {"agg", "aggregate"} and keyword.arg not in _PLAIN_KEYWORDS:
            plain = isinstance(keyword.value, ast.Constant) and not isinstance(
                keyword.value.value, str
            )
            if not plain and not (first and keyword.arg is not None):
                yield keyword.value, True
        elif keyword.arg is None:
            refuse(call, f"{method}(**...): write its arguments out")


def _wrong(
    node: ast.AST, scope: Scope, *, paired: bool, texts: bool, seen: set[tuple[str, bool]]
) -> ast.AST | None:
    """The first part of an expression that may be no function and no listed name of one."""

    def first(parts: list[ast.expr | None], paired: bool = paired) -> ast.AST | None:
        tried = (
            _wrong(one, scope, paired=paired, texts=texts, seen=seen)
            for one in parts
            if one is not None
        )
        return next((one for one in tried if one is not None), None)

    match node:
        case ast.Constant(value=str(name)):
            return None if texts and name in FUNCTIONS else node
        case ast.Constant(value=None) | ast.Lambda() | ast.FunctionDef():
            return None
        case ast.Tuple(elts=[_, function]) if paired:
            return first([function], paired=False)
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            return first(list(parts), paired=True)
        case ast.Dict(values=parts):
            return first(list(parts), paired=True)
        case ast.IfExp(body=one, orelse=other):
            return first([one, other])
        case ast.BinOp(left=one, right=other, op=ast.Add() | ast.BitOr()):
            return first([one, other])
        case ast.ListComp(elt=one) | ast.DictComp(value=one):
            return first([one], paired=True)
        case ast.Starred(value=one) | ast.NamedExpr(value=one) | ast.Subscript(value=one):
            return first([one])
        case ast.Attribute(value=base, attr=name):
            typed = isinstance(base, ast.Name) and base.id in BUILTINS - set(scope.bound)
            known = scope.function(node) is not None or scope.function(base) is not None
            return None if known or typed or name in METHODS else node
        case ast.Call():
            return _wrong_call(node, scope, texts=texts, seen=seen)
        case ast.Name(id=name):
            return _wrong_name(node, name, scope, paired=paired, texts=texts, seen=seen)
        case _:
            return node


def makes_estimator(node: ast.AST, scope: Scope, seen: set[str]) -> bool:
    """Whether an expression can be nothing but an estimator of scikit-learn.

    That is a call of one of its classes or makers, a `fit` or `set_output` of that, or a name that
    is assigned such alone; not a parameter, nor what a loop takes out of a list.
    """
    match node:
        case ast.Call(func=ast.Attribute(value=base, attr="fit" | "set_output")):
            return makes_estimator(base, scope, seen)
        case ast.Call(func=ast.Name(id=name)) if name in scope.bound:
            return False
        case ast.Call(func=function):
            module, _, name = (scope.function(function) or "").rpartition(".")
            is_maker = name[:1].isupper() or name in _ESTIMATOR_MAKERS
            return library_of(module) == "sklearn" and is_maker
        case ast.Name(id=name) if name in scope.bound and name not in {*seen, *scope.imported}:
            made = scope.bound[name]
            return (
                len(made) <= MOST_BINDINGS
                and all(
                    isinstance(scope.parents.get(one), ast.Assign | ast.AnnAssign | ast.NamedExpr)
                    and makes_estimator(one, scope, {*seen, name})
                    for one in made
                    if one is not None
                )
                and None not in made
            )
        case _:
            return False


def _wrong_name(
    node: ast.AST,
    name: str,
    scope: Scope,
    *,
    paired: bool,
    texts: bool,
    seen: set[tuple[str, bool]],
) -> ast.AST | None:
    if name in scope.imported or (name, paired) in seen:
        return None
    seen.add((name, paired))  # a name is looked into once: names may hold each other
    if name not in scope.bound:
        return None if name in BUILTINS else node
    meanings = [*scope.bound[name], *scope.parts.get(name, ())]
    if len(meanings) > MOST_BINDINGS:
        return node
    for one in meanings:
        if one is None:
            return node
        if _wrong(one, scope, paired=paired, texts=texts, seen=seen) is not None:
            return node
    return None


def _wrong_call(
    node: ast.Call, scope: Scope, *, texts: bool, seen: set[tuple[str, bool]]
) -> ast.AST | None:
    """A call that gives a function: `partial(f, 2)`, `NamedAgg`, or a def that returns one."""
    function = scope.function(node.func)
    given: list[ast.AST]
    if function in _MAKERS:
        given = list(node.args[:1]) if function != "operator.itemgetter" else []
    elif function == "pandas.NamedAgg":
        given = [*node.args[1:2], *(k.value for k in node.keywords if k.arg == "aggfunc")]
    elif isinstance(node.func, ast.Name) and node.func.id in scope.bound:
        made = scope.bound[node.func.id]
        if not all(isinstance(one, ast.FunctionDef) for one in made):
            return node
        if (key := (f"{node.func.id}()", True)) in seen:
            return None
        seen.add(key)
        given = [
            inner.value
            for one in made
            if isinstance(one, ast.FunctionDef)
            for inner in own_nodes(one)
            if isinstance(inner, ast.Return) and inner.value is not None
        ]
    elif isinstance(node.func, ast.Name) and node.func.id in {"dict", "list"}:
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
    elif _is_fromkeys(node.func):
        given = list(node.args[1:2])
    else:
        return node
    wrong = (_wrong(one, scope, paired=True, texts=texts, seen=seen) for one in given)
    return next((one for one in wrong if one is not None), None)


def _is_fromkeys(function: ast.expr) -> bool:
    match function:
        case ast.Attribute(value=ast.Name(id="dict"), attr="fromkeys"):
            return True
        case _:
            return False
