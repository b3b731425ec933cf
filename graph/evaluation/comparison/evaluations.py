"""Evaluations as they are compared: a folder's settings and rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from wideleaf.graph.context import PROGRAMS
from wideleaf.graph.evaluation.rows import SETTINGS, EvalRow, EvalSettings, read_rows
from wideleaf.tools.errors import SettingsError


class Evaluation(NamedTuple):
    """A folder of rows.

    Attributes:
        name: The folder.
        settings: What the questions were asked with.
        rows: What came of each.
    """

    name: str
    settings: EvalSettings
    rows: tuple[EvalRow, ...]

    @property
    def method(self) -> str:
        """The strategy, and what was left out of it."""
        asks = self.settings.asks_a_model()
        known = {"auto": "tree" if asks else "embedded planner"}
        name = known.get(self.settings.strategy, self.settings.strategy)
        left_out = list(self.settings.without)
        if asks and self.settings.strategy not in PROGRAMS and self.settings.craft == "off":
            left_out.insert(0, "CRAFT")
        return f"{name} without {' & '.join(left_out)}" if left_out else name

    @property
    def model(self) -> str:
        """Who was asked, and at which privacy; a dash where nobody was."""
        settings = self.settings
        if not settings.asks_a_model():
            return "-"
        return f"{settings.model or 'the model of a server'} at {settings.privacy}"

    @property
    def sample(self) -> str:
        """How the questions were chosen."""
        settings = self.settings
        told = [f"n={len(self.rows)}"]
        told += [f"half {settings.half}"] if settings.half else []
        told += [f"drawn with seed {settings.seed}"] if settings.n else []
        told += ["named ones"] if settings.ids else []
        return ", ".join(told)


def read_evaluation(folder: str | Path) -> Evaluation:
    """Read the folder of an evaluation.

    Raises:
        SettingsError: If it holds none.
    """
    folder = Path(folder)
    try:
        told = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
        settings = EvalSettings.model_validate(told)
    except (OSError, ValueError, ValidationError):
        raise SettingsError(
            f"{str(folder)!r} holds no evaluation; name a folder that `wideleaf eval SET --out "
            f"FOLDER` wrote, with {SETTINGS} in it"
        ) from None
    return Evaluation(str(folder), settings, tuple(read_rows(folder)))
