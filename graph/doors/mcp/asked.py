"""What was asked: the plan of each answer by the id of its frame, so that it can be run again."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from wideleaf.graph.channels import PlainData
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.plans.plan import Plan
from wideleaf.tools.tree.lineage import is_id
from wideleaf.tools.writing import write_text

ASKED = "asked"
"""Where the plans are, in a run's folder."""
FORM = "wideleaf.asked/1"
REMEMBERED = 100


class Kept(NamedTuple):
    """A plan that was kept.

    Attributes:
        plan: The plan.
        frames: Ids of frames that it stands on beside the tables.
    """

    plan: Plan
    frames: tuple[str, ...]


class AskedBook:
    """Plans on disk, and the questions of this process.

    Args:
        folder: The run's folder.

    Attributes:
        questions: By the ids of their frames, the last ones.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder / ASKED
        self.questions: OrderedDict[str, str] = OrderedDict()
        self._lock = Lock()

    def add(self, frame: str, plan: Plan, frames: Sequence[str]) -> None:
        """Keep the plan of an answer."""
        self.folder.mkdir(parents=True, exist_ok=True)
        record: PlainData = {"form": FORM, "frames": [*frames], "plan": plan.to_json()}
        write_text(self._path(frame), json.dumps(record, ensure_ascii=False))
        with self._lock:
            self.questions[frame] = plan.question
            self.questions.move_to_end(frame)
            while len(self.questions) > REMEMBERED:
                self.questions.popitem(last=False)

    def find(self, frame: str) -> Kept:
        """The plan of an answer.

        Raises:
            SettingsError: If there is none.
        """
        if is_id(frame) and self._path(frame).is_file():
            data = json.loads(self._path(frame).read_text(encoding="utf-8"))
            if data.get("form") == FORM:
                return Kept(Plan.read(data["plan"]), tuple(data["frames"]))
        raise SettingsError(
            f"no answer has the frame {frame[:48]!r}; an answer of this server's names its own in "
            "the field 'frame'"
        )

    def _path(self, frame: str) -> Path:
        return self.folder / f"{frame}.json"
