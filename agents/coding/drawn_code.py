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
    made = ast.fix_missing_locations(taking.visit(tree))
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
        self.drawers = (
            {"plt", "sns", "ax", "px"} if any(one in code for one in LIBRARIES) else {"plt"}
        )
        self.chart: dict[str, JsonValue] = {}
        self.title = ""
        self.changed = False

    def visit_Import(self, node: ast.Import) -> ast.AST | None:
        return self._imported(node, [alias.name for alias in node.names])

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        return self._imported(node, [node.module or ""])

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return self._statement(node, node.value)

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        if self._draws(node.value) or self._drawn(node.value):
            self.drawers |= {*_names(node.targets)} - {RESULT}
        return self._statement(node, node.value)

    def visit_Return(self, node: ast.Return) -> ast.AST | None:
        if node.value is None or not (drawn := self._drawn(node.value)):
            return node
        self._keep(drawn)
        return ast.Return(drawn.frame)

    def _imported(self, node: ast.AST, names: Sequence[str]) -> ast.AST | None:
        if not any(name.split(".")[0] in LIBRARIES for name in names):
            return node
        self.changed = True
        return None

    def _statement(self, node: ast.stmt, value: ast.expr) -> ast.AST | None:
        if drawn := self._drawn(value):
            if self.chart:  # one chart is one answer: the first
                return None
            self._keep(drawn)
            return ast.Assign([ast.Name(RESULT, ast.Store())], drawn.frame)
        if self._draws(value):
            self.changed = True
            call = value if isinstance(value, ast.Call) else None
            if call and isinstance(call.func, ast.Attribute) and call.func.attr in TITLES:
                self.title = _text(call.args[0]) if call.args else self.title
            return None
        return node

    def _keep(self, drawn: Drawn) -> None:
        self.chart, self.changed = self.chart or drawn.chart, True

    def _draws(self, value: ast.expr) -> bool:
        """Whether a statement is of a drawing library: its figures, axes, titles and files."""
        while isinstance(value, (ast.Call, ast.Attribute, ast.Subscript)):
            value = value.func if isinstance(value, ast.Call) else value.value
        return isinstance(value, ast.Name) and value.id in self.drawers

    def _drawn(self, value: ast.expr) -> Drawn | None:
        if not (isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute)):
            return None
        name, of = value.func.attr, value.func.value
        options = {one.arg: one.value for one in value.keywords if one.arg}
        if self._draws(of):
            return _of_library(name, value.args, options)
        if isinstance(of, ast.Attribute) and of.attr == "plot" and name in KINDS:
            return Drawn(of.value, _chart(name, value.args, options))
        if name == "plot":
            kind = _text(options.get("kind")) or "line"
            return Drawn(of, _chart(kind, value.args, options)) if kind in KINDS else None
        if name in ("hist", "boxplot") and isinstance(of, (ast.Name, ast.Subscript)):
            return Drawn(of, _chart(name, value.args, options))
        return None


def _of_library(name: str, args: Sequence[ast.expr], options: dict[str, ast.expr]) -> Drawn | None:
    if name not in KINDS:
        return None
    if data := options.get("data"):
        return Drawn(data, _chart(name, args, options))
    given = [*args[:2]] or [options[one] for one in ("x", "y", "height") if one in options][:2]
    if not given:
        return None
    if name in OF_ONE:
        labels = options.get("labels")
        given = [labels, given[0]] if labels else [given[0]]
    if len(given) == 1:
        column = _text_of(given[0], "value")
        frame = _frame({column: given[0]})
        return Drawn(frame, {"form": KINDS[name], "y": [column]})
    x, y = _text_of(given[0], "x"), _text_of(given[1], "y")
    y = f"{y} (y)" if x == y else y
    return Drawn(_frame({x: given[0], y: given[1]}), {"form": KINDS[name], "x": x, "y": [y]})


def _chart(
    name: str, args: Sequence[ast.expr], options: dict[str, ast.expr]
) -> dict[str, JsonValue]:
    """Arguments of Chart, of those that a call names by words of its own."""
    made: dict[str, JsonValue] = {"form": KINDS[name]}
    stacked = options.get("stacked")
    if isinstance(stacked, ast.Constant) and stacked.value is True and made["form"] == "bar":
        made["form"] = "stacked bar"
    x = _text(options.get("x")) or (_text(args[0]) if args else "")
    y = _texts(options.get("y")) or _texts(options.get("column"))
    y = y or (_texts(args[1]) if len(args) > 1 else [])
    if made["form"] == "box" and options.get("by") is not None:
        x = _text(options["by"])
    bins = options.get("bins")
    if isinstance(bins, ast.Constant) and isinstance(bins.value, int) and bins.value > 1:
        made["bins"] = bins.value
    wide = options.get("binwidth")
    if isinstance(wide, ast.Constant) and isinstance(wide.value, int | float) and wide.value > 0:
        made["bin_width"] = wide.value
    found = {"x": x, "color": _text(options.get("hue")), "title": _text(options.get("title"))}
    made |= {key: told for key, told in found.items() if told}
    return {**made, "y": [*y]} if y else made


def _frame(columns: dict[str, ast.expr]) -> ast.expr:
    """``pd.DataFrame({...})`` of columns whose rows belong together by their places."""
    cells = [ast.Call(ast.Name("list", ast.Load()), [one], []) for one in columns.values()]
    table = ast.Dict([ast.Constant(name) for name in columns], [*cells])
    return ast.Call(ast.Attribute(ast.Name("pd", ast.Load()), "DataFrame", ast.Load()), [table], [])


def _text_of(value: ast.expr, otherwise: str) -> str:
    """What a column is called that an expression takes out of a frame."""
    inner = value.slice if isinstance(value, ast.Subscript) else None
    if isinstance(value, ast.Attribute) and value.attr == "index":
        return otherwise
    return _text(inner) or otherwise


def _text(value: ast.expr | None) -> str:
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else ""


def _texts(value: ast.expr | None) -> list[str]:
    if isinstance(value, (ast.List, ast.Tuple)):
        return [text for one in value.elts if (text := _text(one))]
    return [text] if (text := _text(value)) else []


def _names(targets: Sequence[ast.expr]) -> list[str]:
    flat = [one for t in targets for one in (t.elts if isinstance(t, ast.Tuple) else [t])]
    return [one.id for one in flat if isinstance(one, ast.Name)]
