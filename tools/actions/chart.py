"""Chart: a frame drawn, in a form that was asked for or that suits it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator
from pydantic.json_schema import SkipJsonSchema

from wideleaf.tools.actions.projection import Projection
from wideleaf.tools.charts.choosing import Places
from wideleaf.tools.charts.forms import FORMS, NEAREST, Form, form_of, plain_name
from wideleaf.tools.charts.points import MANY_BINS
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Fact, caveat
from wideleaf.tools.tables.columns import AnyColumns, Columns, resolve_column, resolve_columns
from wideleaf.tools.tables.table import Table
from wideleaf.tools.words import cut

if TYPE_CHECKING:
    from wideleaf.tools.charts.chart import Chart as Drawing

TITLE_CHARACTERS = 200
LEFT_CHARACTERS = 120
WORDS = {"type": "string"}
"""A form may go by any of its names, and its words are no telling ones: line, area, small."""
SUMMED_UP = ("histogram", "box")
"""Forms of which the number of marks tells of cells."""


def _nearest_form(form: Any) -> Any:
    """The form in place of one that is not drawn here, with what was asked for."""
    spelling = form.get("form") if isinstance(form, dict) else None
    name = plain_name(spelling) if isinstance(spelling, str) else ""
    if name not in NEAREST or form.get("instead_of"):
        return form
    return {**form, "form": NEAREST[name], "instead_of": name}


def _check_form(form: Any) -> Any:
    if not isinstance(form, str):
        return form
    try:
        return form_of(form)
    except ActionError as error:
        raise ValueError(error.text) from None


class Chart(Projection):
    """Draw the frame's rows as they are; Group and Sort first, then Finish with the chart's frame.

    Its frame has the columns that are drawn, and of the rows all: the picture is made of it
    whenever it is shown.
    """

    purpose = "chart"
    keeps = frozenset(("rows", "order"))
    phrases = (
        "draw", "chart", "charts", "diagram", "visualize", "visualise", "histogram", "scatter",
        "scatter plot", "panels",
    )  # fmt: skip
    places = frozenset(("x", "y", "color", "facet", "columns"))

    form: Annotated[Form | None, BeforeValidator(_check_form), WithJsonSchema(WORDS)] = Field(
        default=None, description=f"{', '.join(FORMS)}; by default what suits the columns."
    )
    x: str = Field(default="", description="Column along the chart; by default the keys.")
    y: AnyColumns = Field(default=(), description="Columns of numbers; several are series.")
    color: str = Field(default="", description="Column of series, or of a heat map's rows.")
    facet: str = Field(default="", description="Column of panels (small multiples).")
    title: str = Field(default="", max_length=TITLE_CHARACTERS)
    bins: int | None = Field(default=None, ge=2, le=MANY_BINS, description="Of a histogram.")
    bin_width: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    # The form that was asked for, where it is not drawn here.
    instead_of: SkipJsonSchema[str] = Field(default="", max_length=TITLE_CHARACTERS)
    # The columns that are drawn; filled in by resolve.
    columns: SkipJsonSchema[Columns] = Field(default=(), min_length=0)

    _nearest = model_validator(mode="before")(_nearest_form)

    def resolve(self, *tables: Table) -> Self:
        """Name the columns, choose the form, and draw once to see that it can be drawn.

        Raises:
            ActionError: If it cannot; says what would be right.
        """
        from wideleaf.tools.charts.chart import lay_out_frame

        table = tables[0]
        axes: dict[str, Any] = {
            place: resolve_column(name, table)
            for place in ("x", "color", "facet")
            if (name := getattr(self, place))
        }
        action = self.model_copy(update={**axes, "y": resolve_columns(self.y, table)})
        if self.columns:
            action = action.model_copy(update={"columns": resolve_columns(self.columns, table)})
            if not table.count():  # a plan over other tables may come to no row
                return action
        frame = table.collect(*action._read(table), purpose="Chart")
        form, headers = lay_out_frame(frame, action.form, action._places({}))
        columns = tuple(name for name in frame.columns if name in headers)
        return action.model_copy(update={"form": form, "columns": columns})

    def notes(self, tables: Sequence[Table], result: Table) -> list[Fact]:
        """Tell the form, the axes, how many marks there are and what was cut; no cell."""
        if not result.count():
            return [caveat("There is no row, so nothing is drawn")]
        chart = self.draw(result)
        count = len(chart.spec["data"]["values"])
        y = cut(map(repr, chart.y), LEFT_CHARACTERS)
        by = f" along {chart.x!r}" if chart.x else ""
        apart = f", by {chart.color!r}" if chart.color else ""
        facts = [Fact(text=f"A {chart.form} chart: {y}{by}{apart}")]
        if self.instead_of:
            text = f"No {self.instead_of} is drawn here; the nearest form is {chart.form!r}"
            facts.append(caveat(text))
        matter: Any = "statistics" if chart.form in SUMMED_UP else "names"
        facts.append(Fact(text=f"{count} mark{'s' * (count != 1)}", matter=matter))
        if chart.reading:
            facts.append(Fact(text=chart.reading, matter=matter))
        if rest := [name for name in tables[0].columns if name not in result.columns]:
            sentence = f"Not drawn: {cut(map(repr, rest), LEFT_CHARACTERS)}"
            facts.append(
                Fact(text=sentence, caveat=not self.y)
            )  # who names columns leaves out others
        return facts + [caveat(text, matter) for text in chart.caveats]

    def draw(
        self, table: Table, title: str = "", headers: Mapping[str, str] | None = None
    ) -> Drawing:
        """The chart of a frame that `run` made.

        Args:
            table: The frame.
            title: What stands above it where the action has no title.
            headers: What made-up headers stand for, for the person who sees it.

        Raises:
            ActionError: If it cannot be drawn.
        """
        from wideleaf.tools.charts.chart import draw_chart

        real = headers or {}
        frame = table.collect(*self._read(table), purpose="Chart")
        frame = frame.rename({name: real[name] for name in frame.columns if name in real})
        return draw_chart(frame, self.form, self.title or title, self._places(real))

    def _places(self, real: Mapping[str, str]) -> Places:
        """Which columns are to stand where, by the headers that a person sees."""
        names = (self.x, self.color, self.facet, *self.y)
        x, color, facet, *y = (real.get(name, name) for name in names)
        return Places(
            x=x, y=tuple(y), color=color, facet=facet, bins=self.bins, width=self.bin_width
        )

    def _read(self, table: Table) -> tuple[str, ...]:
        """What has to be read of a table: where an axis is left to the rule, all of it."""
        if self.columns:
            return self.columns
        return self._places({}).named if self.x and self.y else table.columns
