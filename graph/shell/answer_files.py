"""Files of an answer: its table, its plan or its chart, by the ending of the file's name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from wideleaf.graph.conversation.drawing import below_chart
from wideleaf.graph.results.frames import tell_refusals
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.exports.table_file import write_csv, write_parquet
from wideleaf.tools.writing import write_given, write_text

if TYPE_CHECKING:
    from wideleaf.graph.results.result import Result
    from wideleaf.tools.tables.table import Table

CHARTS = "charts"
"""Where pictures go that have no name, in a run's folder."""


def write_answer_file(result: Result, path: Path) -> Path:
    """Write an answer as what a file's name ends in.

    Args:
        result: The answer.
        path: The file.

    Raises:
        SettingsError: If it ends in something else, the answer cannot be that, or the file cannot
            be written.
    """
    write = WRITERS.get(path.suffix.casefold())
    if write is None:
        endings = ", ".join(WRITERS)
        raise SettingsError(
            f"{str(path)!r} has the ending {path.suffix!r}; it must be of {endings}"
        )
    write(result, path)
    return path


def write_picture(result: Result) -> Path:
    """Write the chart that a message asked for into the run's folder, named after what it draws.

    Raises:
        SettingsError: If it cannot be written there.
    """
    from wideleaf.tools.charts.chart import Chart

    chart = Chart.model_validate(result.drawn)
    label = below_chart(result.tree, result.label)
    name = f"{label}-{chart.form.replace(' ', '-')}.png"
    return chart.save(Path(result.folder) / CHARTS / name)


def _table(write: Callable[[Table, Path], None]) -> Callable[[Result, Path], None]:
    def run(result: Result, path: Path) -> None:
        store = result.store()
        with tell_refusals(), store.reading("the answer"), write_given(path) as part:
            write(store.with_labels(result.tree[result.label].id), part)

    return run


def _sql(result: Result, path: Path) -> None:
    write_text(path, f"{result.to_sql().rstrip()}\n")


def _script(result: Result, path: Path) -> None:
    write_text(path, f"{result.to_pandas().rstrip()}\n")


def _notebook(result: Result, path: Path) -> None:
    result.to_notebook(path)


def _chart(result: Result, path: Path) -> None:
    result.chart().save(path)


WRITERS: dict[str, Callable[[Result, Path], None]] = {
    ".csv": _table(write_csv),
    ".parquet": _table(write_parquet),
    ".sql": _sql,
    ".py": _script,
    ".ipynb": _notebook,
    ".png": _chart,
    ".svg": _chart,
}
"""By its ending what a file gets."""
