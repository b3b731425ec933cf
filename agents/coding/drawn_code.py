"""Plotting calls in model-written programs become the frame they draw and a chart literal.

There is no plotting library in the sandbox, and no picture comes back from it. The first plotting
call, of pandas, matplotlib, seaborn or plotly, becomes its frame as ``result`` and the line
``chart = {...}``, which a model may also write itself: plain data, the arguments of the action
Chart.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from pydantic import JsonValue, ValidationError

from wideleaf.agents.coding.code_lines import parse_code
from wideleaf.tools.actions.chart import Chart

CHART, RESULT = "chart", "result"
LIBRARIES = frozenset(("matplotlib", "seaborn", "plotly"))
KINDS = {
    "line": "line", "plot": "line", "bar": "bar", "barh": "bar", "hist": "histogram",
    "box": "box", "boxplot": "box", "scatter": "scatter", "pie": "pie", "area": "area",
    "barplot": "bar", "countplot": "bar", "lineplot": "line", "scatterplot": "scatter",
    "histplot": "histogram", "heatmap": "heat map", "fill_between": "area",
    "histogram": "histogram", "imshow": "heat map", "violin": "violin", "funnel": "funnel",
}  # fmt: skip
"""Functions that draw, and the form of what they draw."""
PLOTLY = {"data_frame": "data", "names": "x", "values": "y", "color": "hue", "nbins": "bins"}
"""Keywords of plotly express, and the words that pandas and seaborn have for them."""
TITLES = ("title", "suptitle", "set_title")
SINGLE_SERIES = ("hist", "boxplot", "pie")
"""Functions of matplotlib whose first argument is what is measured."""


class ChartCall(NamedTuple):
    """A call that draws a chart: the expression of its frame, and the arguments of Chart."""

    frame: ast.expr
    chart: dict[str, JsonValue]


def replace_plot_calls(code: str) -> str:
    """A program without its plotting calls, and with what the first would draw as plain data.

    Args:
        code: The program; one that draws nothing stays as it is.
    """
    tree = parse_code(code)
    if tree is None:
        return code
    rewriter = _PlotRewriter()
    rewriter.visit(tree)
    if not rewriter.changed:
        return code
    lines = [ast.unparse(ast.fix_missing_locations(tree))]
    if rewriter.chart and not chart_of_code(code):
        title = {"title": rewriter.title} if rewriter.title else {}
        lines.append(f"{CHART} = { ({**rewriter.chart, **title})!r}")
    return "\n".join(lines)


def chart_of_code(code: str) -> dict[str, JsonValue]:
    """The arguments of Chart that a program's ``chart`` holds; none where it holds none.

    Args:
        code: The program.
    """
    tree = parse_code(code)
    for line in reversed(tree.body if tree else []):
        if isinstance(line, ast.Assign) and _names(line) == {CHART}:
            try:
                return Chart.model_validate(_read(line.value)).arguments()
            except ValidationError:
                return {}
    return {}


class _PlotRewriter(ast.NodeTransformer):
    """Takes plotting statements out of a program, but for the frame of the first chart."""

    def __init__(self) -> None:
        # Libraries, figures, axes and functions that return them, each with its library; a
        # function that returns the chart's frame has RESULT there.
        self.plotters = {"plt": "matplotlib"}
        self.chart: dict[str, JsonValue] = {}
        self.title = ""
        self.changed = False
        self.has_frame = self.returns_plot = False  # of the function that is read

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Visit what a statement holds; a block that loses all of its lines keeps ``pass``."""
        blocks = [name for name in ("body", "orelse", "finalbody") if getattr(node, name, None)]
        super().generic_visit(node)
        for name in blocks:
            if not getattr(node, name):
                setattr(node, name, [ast.Pass()])
        return node

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> ast.stmt | None:
        """An import without plotting libraries."""
        for one in [*node.names]:
            library = (getattr(node, "module", None) or one.name).split(".")[0]
            if library in LIBRARIES:
                self.plotters["ax"] = "matplotlib"  # of a loop over axes, or a parameter
                self.plotters[one.asname or one.name.split(".")[0]] = library
                node.names.remove(one)
                self.changed = True
        return node if node.names else None

    visit_ImportFrom = visit_Import

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """A function that draws the chart returns its frame."""
        outer, self.has_frame, self.returns_plot = self.has_frame, False, False
        self.generic_visit(node)
        if self.has_frame and not any(isinstance(one, ast.Return) for one in ast.walk(node)):
            node.body.append(ast.Return(ast.Name(RESULT, ast.Load())))
            self.returns_plot = True
        if self.returns_plot:
            self.plotters[node.name] = RESULT if self.has_frame else "matplotlib"
        self.has_frame, self.returns_plot = outer, False
        return node

    def visit_Return(self, node: ast.Return) -> ast.Return:
        """A figure or axes that a function returns are the chart's frame, if that is there."""
        if call := self._parse_chart_call(node.value):
            self.chart, self.has_frame = self.chart or call.chart, True
            node.value = call.frame
        elif self._is_plotting_call(node.value):
            node.value = ast.Name(RESULT, ast.Load()) if self.has_frame else ast.Constant(None)
        else:
            if isinstance(node.value, ast.Tuple):
                node.value.elts = [
                    ast.Constant(None) if self._is_plotting_call(one) else one
                    for one in node.value.elts
                ]
            return node
        self.changed = self.returns_plot = True
        return node

    def visit_Expr(self, node: ast.Expr | ast.Assign) -> ast.stmt | None:
        """A statement as it is, as the frame that it draws, or None where nothing is left."""
        call = self._parse_chart_call(node.value)
        if not (call or self._is_plotting_call(node.value)):
            for name in _names(node):  # its value is the program's own from here on
                self.plotters.pop(name, None)
            return node
        self.changed = True
        self.plotters |= dict.fromkeys(_names(node) - {RESULT}, "matplotlib")
        self.chart = self.chart or (call.chart if call else {})
        if call and call.chart is self.chart:  # one chart is one answer: the first
            self.has_frame = True
            return ast.Assign([ast.Name(RESULT, ast.Store())], call.frame)
        match node.value:
            case ast.Call(func=ast.Attribute(attr=name), args=[first, *_]) if name in TITLES:
                self.title = _text(_read(first))
        return None

    visit_Assign = visit_Expr

    def _is_plotting_call(self, value: ast.expr | None) -> bool:
        """Whether a value is of a plotting library: its figures, axes, titles and files."""
        if isinstance(value, ast.Tuple):
            return bool(value.elts) and all(map(self._is_plotting_call, value.elts))
        return _first_name(value) in self.plotters

    def _parse_chart_call(self, value: ast.expr | None) -> ChartCall | None:
        match value:
            case ast.Call(func=ast.Name(id=name)) if self.plotters.get(name) == RESULT:
                return ChartCall(value, self.chart)
            case ast.Call(func=ast.Attribute(value=of, attr=name), args=args, keywords=keywords):
                options = {one.arg: one.value for one in keywords if one.arg}
            case _:
                return None
        if library := self.plotters.get(_first_name(of)):
            if library == RESULT:  # of what a function returns: draw(df).show()
                return self._parse_chart_call(of)
            return _of_library(library, name, args, options)
        match of:
            case ast.Attribute(value=frame, attr="plot"):
                of = frame
            case _ if name == "plot":
                name = _text(_read(options.get("kind"))) or "line"
            case ast.Name() | ast.Subscript() if name in ("hist", "boxplot"):
                pass
            case _:
                return None
        return ChartCall(of, _chart(name, args, options)) if name in KINDS else None


def _of_library(
    library: str, name: str, args: Sequence[ast.expr], options: dict[str, ast.expr]
) -> ChartCall | None:
    """What a function of a library draws: columns of a frame, or values of their own."""
    if name not in KINDS:
        return None
    if library == "plotly":
        options = {PLOTLY.get(key, key): value for key, value in options.items()}
    if data := options.get("data"):
        return ChartCall(data, _chart(name, args, options))
    takes_frame = library != "matplotlib" or KINDS[name] == "heat map"
    if takes_frame and args and (len(args) == 1 or _texts(_read(args[1]))):
        return ChartCall(args[0], _chart(name, args[1:], options))
    expressions = [*args[:2]] or [options[one] for one in ("x", "y", "height") if one in options][
        :2
    ]
    if name in SINGLE_SERIES and expressions and "y" not in options:
        expressions = [*([options["labels"]] if "labels" in options else []), expressions[0]]
    if not expressions:
        return None
    *first, last = expressions
    y = _column(last, "y" if first else "value")
    x = [_column(one, "x") for one in first]
    y = f"{y} (y)" if y in x else y
    columns = zip((*x, y), map(ast.unparse, expressions), strict=True)
    cells = ", ".join(f"{name!r}: list({value})" for name, value in columns)
    frame = ast.parse(f"pd.DataFrame({{{cells}}})", mode="eval").body
    return ChartCall(frame, {"form": KINDS[name], **({"x": x[0]} if x else {}), "y": [y]})


def _chart(
    name: str, args: Sequence[ast.expr], options: dict[str, ast.expr]
) -> dict[str, JsonValue]:
    """Arguments of Chart, of those that a call names by words of its own."""
    keywords = {key: _read(value) for key, value in options.items()}
    first, second, *_ = (*map(_read, args), None, None)
    form = KINDS[name]
    bins, width = keywords.get("bins"), keywords.get("binwidth")
    chart: dict[str, JsonValue] = {
        "form": "stacked bar" if form == "bar" and keywords.get("stacked") is True else form,
        "bins": bins if isinstance(bins, int) and bins > 1 else None,
        "bin_width": width if isinstance(width, int | float) and width > 0 else None,
        "x": _text(
            keywords.get("by") if form == "box" and "by" in keywords else keywords.get("x") or first
        ),
        "color": _text(keywords.get("hue")),
        "title": _text(keywords.get("title")),
        "y": [*(_texts(keywords.get("y")) or _texts(keywords.get("column")) or _texts(second))],
    }
    return {key: value for key, value in chart.items() if value}


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
    members = value if isinstance(value, list | tuple) else [value]
    return [one for one in members if isinstance(one, str) and one]


def _first_name(value: ast.expr | None) -> str:
    """The name that a chain of calls, attributes and subscripts begins with."""
    while isinstance(value, (ast.Call, ast.Attribute, ast.Subscript)):
        value = value.func if isinstance(value, ast.Call) else value.value
    return value.id if isinstance(value, ast.Name) else ""


def _names(node: ast.stmt) -> set[str]:
    """The names that a statement assigns."""
    parts = [part for one in getattr(node, "targets", []) for part in ast.walk(one)]
    return {one.id for one in parts if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
