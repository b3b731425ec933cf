"""Evaluations as they are compared: a folder's settings and rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from wideleaf.graph.options.role_models import ASKERS
from wideleaf.tools.errors import SettingsError
from wideleaf_evaluation.rows import SETTINGS, EvalRow, EvalSettings, read_rows

NAMES = {"craft": "CRAFT", "codestep": "CodeSTEP"}
"""What the paper calls the parts that can be left out."""


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
    def asks(self) -> bool:
        """Whether a model was asked, a live one that the settings do not name included."""
        return self.settings.asks_a_model() or any(row.requests for row in self.rows)

    @property
    def method(self) -> str:
        """The strategy, the roles that a model took, and what was left out."""
        settings, asks = self.settings, self.asks
        voting = settings.strategy == "vote"
        paths = (settings.vote_of or ("auto",)) if voting else (settings.strategy,)
        names = {"auto": "tree" if asks else "embedded planner"}
        name = " and ".join(names.get(path, path) for path in paths)
        name += f", vote of {settings.samples}" if voting else ""
        # What is left of a codestep without itself calls for no function either.
        crafts = settings.craft != "off" and "codestep" not in settings.without
        off = ("craft",) if asks and not crafts else ()
        left_out = [NAMES.get(word, word) for word in dict.fromkeys((*off, *settings.without))]
        roles = [role for role in ASKERS if getattr(settings, role) == "model"]
        name += f", {' & '.join(roles)} by a model" if roles else ""
        return f"{name} without {' & '.join(left_out)}" if left_out else name

    @property
    def model(self) -> str:
        """Who was asked, and at which privacy; a dash where nobody was."""
        settings = self.settings
        if not self.asks:
            return "-"
        name = settings.model or ("a server's model" if settings.base_url else "a live model")
        return f"{name} at {settings.privacy}"

    @property
    def sample(self) -> str:
        """How the questions were chosen."""
        settings = self.settings
        parts = [f"n={len(self.rows)}"]
        parts += [f"half {settings.half}"] if settings.half else []
        parts += [f"drawn with seed {settings.seed}"] if settings.n else []
        parts += ["named ones"] if settings.ids else []
        return ", ".join(parts)


def read_evaluation(folder: str | Path) -> Evaluation:
    """Read the folder of an evaluation.

    Raises:
        SettingsError: If it holds none.
    """
    folder = Path(folder)
    try:
        record = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
        settings = EvalSettings.model_validate(record)
    except (OSError, ValueError, ValidationError):
        raise SettingsError(
            f"{str(folder)!r} holds no evaluation; name a folder that `wideleaf eval SET --out "
            f"FOLDER` wrote, with {SETTINGS} in it"
        ) from None
    return Evaluation(str(folder), settings, tuple(read_rows(folder)))
