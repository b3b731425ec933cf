"""Programs that draw: what they would draw is taken out of their text, and drawn on this side.

No program draws: behind the wall there is nothing to draw with, and no picture comes back. A call
that would draw, of pandas, matplotlib or seaborn, becomes the frame that it draws as ``result``
and the line ``chart = {...}``, which a model may also write itself: plain data, read out of the
program's text as the arguments of the action Chart.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any, NamedTuple

from pydantic import JsonValue, TypeAdapter, ValidationError

from wideleaf.agents.coding.code_lines import parse_code
from wideleaf.tools.actions.chart import Chart

CHART, RESULT = "chart", "result"
LIBRARIES = frozenset(("matplotlib", "seaborn", "plotly"))
KINDS = {
    "line": "line", "plot": "line", "bar": "bar", "barh": "bar", "hist": "histogram",
    "box": "box", "boxplot": "box", "scatter": "scatter", "pie": "pie", "area": "area",
    "barplot": "bar", "countplot": "bar", "lineplot": "line", "scatterplot": "scatter",
    "histplot": "histogram", "heatmap": "heat map", "fill_between": "area",
}  # fmt: skip
"""Functions that draw, and the form of what they draw."""
TITLES = ("title", "suptitle", "set_title")
OF_ONE = ("hist", "boxplot", "pie")
"""Functions of matplotlib whose first argument is what is measured."""


class Drawn(NamedTuple):
    """A call that draws.

    Attributes:
        frame: The expression of what it draws.
        chart: Arguments of Chart.
    """

    frame: ast.expr
    chart: dict[str, JsonValue]


def take_out_drawing(code: str) -> str:
    """A program without what would draw, and with what it would have drawn as plain data.

    Args:
        code: The program; one that draws nothing stays as it is.
    """
    tree = parse_code(code)
    if tree is None:
        return code
    taking = _Taking(code)
    made = ast.fix_missing_locations(taking.visit(tree) or tree)
    if not (taking.changed or taking.chart):
        return code
    lines = [ast.unparse(made)]
    if taking.chart and not chart_of_code(code):
        title = {"title": taking.title} if taking.title else {}
        lines.append(f"{CHART} = { ({**taking.chart, **title})!r}")
    return "\n".join(lines)


def chart_of_code(code: str) -> dict[str, JsonValue]:
    """The arguments of Chart that a program's ``chart`` holds; none where it holds none.

    Args:
        code: The program.
    """
    tree = parse_code(code)
    for line in reversed(tree.body if tree else []):
        if isinstance(line, ast.Assign) and _names(line.targets) == [CHART]:
            try:
                told: Any = ast.literal_eval(line.value)
                plain = TypeAdapter(dict[str, JsonValue]).validate_python(told)
                return Chart.model_validate(plain).arguments()
            except (ValueError, ValidationError):
                return {}
    return {}


class _Taking(ast.NodeTransformer):
    """Takes statements that draw out of a program."""

    def __init__(self, code: str) -> None:
        self.drawers = {"plt"}
        if any(one in code for one in LIBRARIES):
            self.drawers |= {"sns", "ax", "px"}
        self.chart: dict[str, JsonValue] = {}
        self.title = ""
        self.changed = False

    def visit(self, node: ast.AST) -> ast.AST | None:
        """A statement as it is, as the frame that it draws, or None where nothing is left."""
        match node:
            case ast.Import(names=names) if any(map(_is_library, (one.name for one in names))):
                pass
            case ast.ImportFrom(module=str(name)) if _is_library(name):
                pass
            case ast.Return(value=ast.Call() as value) if drawn := self._drawn(value):
                self._keep(drawn)
                return ast.Return(drawn.frame)
            case ast.Expr() | ast.Assign():
                return self._statement(node, node.value)
            case _:
                return self.generic_visit(node)
        self.changed = True
        return None

    def _statement(self, node: ast.stmt, value: ast.expr) -> ast.stmt | None:
        if isinstance(node, ast.Assign) and (self._drawn(value) or self._draws(value)):
            self.drawers |= {*_names(node.targets)} - {RESULT}
        drawn, draws = self._drawn(value), self._draws(value)
        if drawn and not self.chart:  # one chart is one answer: the first
            self._keep(drawn)
            return ast.Assign([ast.Name(RESULT, ast.Store())], drawn.frame)
        if not (drawn or draws):
            return node
        match value:
            case ast.Call(func=ast.Attribute(attr=name), args=[first, *_]) if name in TITLES:
                self.title = _text(_read(first))
        self.changed = True
        return None

    def _keep(self, drawn: Drawn) -> None:
        self.chart, self.changed = self.chart or drawn.chart, True

    def _draws(self, value: ast.expr) -> bool:
        """Whether a statement is of a drawing library: its figures, axes, titles and files."""
        while isinstance(value, (ast.Call, ast.Attribute, ast.Subscript)):
            value = value.func if isinstance(value, ast.Call) else value.value
        return isinstance(value, ast.Name) and value.id in self.drawers

    def _drawn(self, value: ast.expr) -> Drawn | None:
        match value:
            case ast.Call(func=ast.Attribute(value=of, attr=name), args=args, keywords=keywords):
                options = {one.arg: one.value for one in keywords if one.arg}
            case _:
                return None
        if self._draws(of):
            return _of_library(name, args, options)
        match of:
            case ast.Attribute(value=frame, attr="plot") if name in KINDS:
                return Drawn(frame, _chart(name, args, options))
            case _ if name == "plot":
                name = _text(_read(options.get("kind"))) or "line"
                return Drawn(of, _chart(name, args, options)) if name in KINDS else None
            case ast.Name() | ast.Subscript() if name in ("hist", "boxplot"):
                return Drawn(of, _chart(name, args, options))
        return None


def _of_library(name: str, args: Sequence[ast.expr], options: dict[str, ast.expr]) -> Drawn | None:
    """What a function of a library draws: columns of a frame, or values of their own."""
    if name not in KINDS:
        return None
    if data := options.get("data"):
        return Drawn(data, _chart(name, args, options))
    given = [*args[:2]] or [options[one] for one in ("x", "y", "height") if one in options][:2]
    if name in OF_ONE and given:
        given = [*([options["labels"]] if "labels" in options else []), given[0]]
    if not given:
        return None
    *first, last = given
    y = _column(last, "y" if first else "value")
    x = [_column(one, "x") for one in first]
    y = f"{y} (y)" if y in x else y
    frame = _frame(dict(zip((*x, y), given, strict=True)))
    return Drawn(frame, {"form": KINDS[name], **({"x": x[0]} if x else {}), "y": [y]})


def _chart(
    name: str, args: Sequence[ast.expr], options: dict[str, ast.expr]
) -> dict[str, JsonValue]:
    """Arguments of Chart, of those that a call names by words of its own."""
    told = {key: _read(value) for key, value in options.items()}
    first, second, *_ = (*map(_read, args), None, None)
    form = KINDS[name]
    bins, width = told.get("bins"), told.get("binwidth")
    made: dict[str, JsonValue] = {
        "form": "stacked bar" if form == "bar" and told.get("stacked") is True else form,
        "bins": bins if isinstance(bins, int) and bins > 1 else None,
        "bin_width": width if isinstance(width, int | float) and width > 0 else None,
        "x": _text(told.get("by") if form == "box" and "by" in told else told.get("x") or first),
        "color": _text(told.get("hue")),
        "title": _text(told.get("title")),
        "y": [*(_texts(told.get("y")) or _texts(told.get("column")) or _texts(second))],
    }
    return {key: value for key, value in made.items() if value}


def _frame(columns: dict[str, ast.expr]) -> ast.expr:
    """``pd.DataFrame({...})`` of columns whose rows belong together by their places."""
    cells = [ast.Call(ast.Name("list", ast.Load()), [one], []) for one in columns.values()]
    table = ast.Dict([ast.Constant(name) for name in columns], [*cells])
    return ast.Call(ast.Attribute(ast.Name("pd", ast.Load()), "DataFrame", ast.Load()), [table], [])


def _column(value: ast.expr, otherwise: str) -> str:
    """What a column is called that an expression takes out of a frame."""
    return _text(_read(value.slice)) or otherwise if isinstance(value, ast.Subscript) else otherwise


def _read(value: ast.expr | None) -> object:
    """A constant, or a list of constants; None for what is neither."""
    try:
        return None if value is None else ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> list[str]:
    listed = value if isinstance(value, list | tuple) else [value]
    return [one for one in listed if isinstance(one, str) and one]


def _is_library(module: str) -> bool:
    return module.split(".")[0] in LIBRARIES


def _names(targets: Sequence[ast.expr]) -> list[str]:
    flat = [one for t in targets for one in (t.elts if isinstance(t, ast.Tuple) else [t])]
    return [one.id for one in flat if isinstance(one, ast.Name)]
