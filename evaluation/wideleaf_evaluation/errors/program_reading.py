"""What a pandas program does, read out of its syntax tree; nothing of it is run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, NamedTuple

CHOOSING = {"isin", "between", "query", "filter"}
TEXT_TESTS = {"contains", "startswith", "endswith", "match", "fullmatch"}
TEXT_FOLDS = {"lower", "upper", "casefold", "strip", "lstrip", "rstrip", "title", "capitalize"}
REDUCING = {"sum", "mean", "median", "min", "max", "count", "nunique", "size", "prod", "len"}
SPREAD = {"std", "var", "sem", "skew", "kurt", "quantile", "mode", "corr", "cov"}
GROUPING = {"groupby", "pivot", "pivot_table", "crosstab", "value_counts", "resample"}
ORDERING = {"sort_values", "sort_index", "nlargest", "nsmallest", "rank"}
BEST = {"idxmax", "idxmin", "argmax", "argmin"}
SHAPING = {
    *("merge", "join", "concat", "melt", "stack", "unstack", "explode", "transform", "apply"),
    *("map", "assign", "cut", "qcut", "rolling", "expanding", "shift", "diff", "pct_change"),
    *("cumsum", "cumprod", "cummax", "cummin", "agg", "aggregate", "describe", "corrwith"),
    *("get_dummies", "interpolate", "ewm", "select_dtypes", "to_datetime", "polyfit"),
}
NAMING = GROUPING | ORDERING | {"set_index", "drop_duplicates", "duplicated", "drop"}
"""Methods whose texts are names of columns."""
NAMING_WORDS = {"by", "columns", "index", "values", "subset", "on", "id_vars", "value_vars"}


class ProgramCondition(NamedTuple):
    """A comparison of a column with a constant.

    Attributes:
        column: The column.
        test: ``==``, ``<`` and so on, or the name of a method such as ``isin``.
        value: The constant; of ``isin``, one of them.
        folded: Whether the cells are brought to one case, or stripped, first.
    """

    column: str
    test: str
    value: Any
    folded: bool = False


class ProgramReading(NamedTuple):
    """What a program does, as far as its text tells.

    Attributes:
        parsed: Whether it is Python at all.
        columns: Names of columns that it uses.
        made: Names of columns that it makes itself.
        conditions: What rows it chooses by constants.
        methods: Methods and functions that it calls, in no order.
        constants: Numbers and texts in it.
        statements: How many statements do more than name a part.
        sums: How many times results are reckoned with: sums, differences, ratios.
        nested: How many comparisons are with an aggregate.
    """

    parsed: bool = False
    columns: frozenset[str] = frozenset()
    made: frozenset[str] = frozenset()
    conditions: tuple[ProgramCondition, ...] = ()
    methods: frozenset[str] = frozenset()
    constants: frozenset[str] = frozenset()
    statements: int = 0
    sums: int = 0
    nested: int = 0


def read_program(code: str, names: frozenset[str] = frozenset()) -> ProgramReading:
    """Read a program; one that is no Python reads as nothing.

    Args:
        code: Its text.
        names: Names of the table's columns, so that ``df.age`` is told from a method.
    """
    try:
        tree = ast.parse(code)
        nodes = list(ast.walk(tree))
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return ProgramReading()
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    methods = {_name(node.func) for node in nodes if isinstance(node, ast.Call)} - {""}
    columns: set[str] = set()
    new_columns: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Subscript):
            (new_columns if isinstance(node.ctx, ast.Store) else columns).update(_names(node))
        elif isinstance(node, ast.Attribute) and id(node) not in called and node.attr in names:
            columns.add(node.attr)
        elif isinstance(node, ast.Call):
            columns.update(_arguments(node))
            new_columns.update(_find_new_names(node))
    statements = [n for n in nodes if isinstance(n, ast.stmt) and not isinstance(n, ast.Import)]
    return ProgramReading(
        parsed=True,
        columns=frozenset(columns),
        made=frozenset(new_columns),
        conditions=tuple(_conditions(nodes)),
        methods=frozenset(methods),
        constants=frozenset(repr(n.value) for n in nodes if isinstance(n, ast.Constant)),
        statements=sum(_works(s) for s in statements),
        sums=sum(_reckons(n) for n in nodes),
        nested=sum(_nests(n) for n in nodes),
    )


def _name(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _texts(node: ast.AST | None) -> Iterator[str]:
    """Constant texts of a node: itself, or those of a list, tuple or the keys of a dict."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        for element in node.elts:
            yield from _texts(element)
    elif isinstance(node, ast.Dict):
        for key in node.keys:
            yield from _texts(key)


def _names(node: ast.Subscript) -> Iterator[str]:
    """Columns of ``df["a"]``, ``df[["a", "b"]]`` and the second part of ``df.loc[rows, "a"]``."""
    if isinstance(node.value, ast.Attribute) and node.value.attr in ("loc", "at", "iloc", "iat"):
        if isinstance(node.slice, ast.Tuple) and len(node.slice.elts) > 1:
            yield from _texts(node.slice.elts[1])
        return
    yield from _texts(node.slice)


def _arguments(node: ast.Call) -> Iterator[str]:
    method = _name(node.func)
    if method in NAMING:
        for argument in node.args:
            yield from _texts(argument)
    if method in ("agg", "aggregate") and node.args and isinstance(node.args[0], ast.Dict):
        yield from _texts(node.args[0])
    for keyword in node.keywords:
        if keyword.arg in NAMING_WORDS:
            yield from _texts(keyword.value)


def _find_new_names(node: ast.Call) -> Iterator[str]:
    method = _name(node.func)
    for keyword in node.keywords:
        if method in ("assign", "agg", "aggregate") and keyword.arg:
            yield keyword.arg
        elif keyword.arg in ("name", "names", "value_name", "var_name"):
            yield from _texts(keyword.value)
        elif method == "rename" and isinstance(keyword.value, ast.Dict):
            for value in keyword.value.values:
                yield from _texts(value)


_TESTS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _conditions(nodes: list[ast.AST]) -> Iterator[ProgramCondition]:
    for node in nodes:
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            test = _TESTS.get(type(node.ops[0]), "")
            left, right = node.left, node.comparators[0]
            if _is_constant(left):
                left, right, test = right, left, _TURNED.get(test, test)
            if test and _is_constant(right) and (column := _column(left)):
                yield ProgramCondition(column, test, ast.literal_eval(right), _folds_case(left))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            if node.func.attr not in CHOOSING | TEXT_TESTS:
                continue
            if column := _column(node.func.value):
                folded = _folds_case(node.func.value) or any(k.arg == "case" for k in node.keywords)
                for value in _constants(node.args[0]):
                    yield ProgramCondition(column, node.func.attr, value, folded)


def _is_constant(node: ast.AST) -> bool:
    return any(True for _ in _constants(node)) and not isinstance(node, (ast.List, ast.Tuple))


def _constants(node: ast.AST) -> Iterator[Any]:
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        for element in node.elts:
            yield from _constants(element)
        return
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return
    if isinstance(value, (str, int, float, bool)):
        yield value


def _column(node: ast.AST) -> str:
    """The column that an expression is of: ``df["a"].str.lower()`` is of ``a``."""
    while True:
        if isinstance(node, ast.Subscript):
            names = list(_names(node))
            if names:
                return names[0] if len(names) == 1 else ""
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name):
                return node.attr  # df.age
            node = node.value
        else:
            return ""


def _folds_case(node: ast.AST) -> bool:
    return any(isinstance(n, ast.Attribute) and n.attr in TEXT_FOLDS for n in ast.walk(node))


def _assigns(node: ast.AST) -> bool:
    if isinstance(node, ast.Assign):
        return any(isinstance(t, ast.Name) and t.id == "result" for t in node.targets)
    if isinstance(node, (ast.AnnAssign, ast.AugAssign)):
        return isinstance(node.target, ast.Name) and node.target.id == "result"
    return isinstance(node, ast.Return) and node.value is not None


def _works(node: ast.stmt) -> bool:
    """Whether a statement does more than name a condition or a part of the table."""
    calls = any(isinstance(n, ast.Call) for n in ast.walk(node))
    stores = any(
        isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store) for n in ast.walk(node)
    )
    return calls or stores or _assigns(node) or isinstance(node, (ast.For, ast.While, ast.If))


def _reckons(node: ast.AST) -> bool:
    """Whether a node reckons with two results, neither of them a constant."""
    signs = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
    if not (isinstance(node, ast.BinOp) and isinstance(node.op, signs)):
        return False
    return not (_is_constant(node.left) or _is_constant(node.right))


def _nests(node: ast.AST) -> bool:
    if not isinstance(node, ast.Compare):
        return False
    calls = (n for n in ast.walk(node) if isinstance(n, ast.Call))
    return any(_name(n.func) in (REDUCING | SPREAD) - {"len", "size"} for n in calls)
