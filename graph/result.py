"""The result of a question: answer, value, frame, tree, caveats and what it took."""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from pydantic import BaseModel, ConfigDict

from wideleaf.agents.replies import Usage
from wideleaf.graph.state import State, tree_of
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.tree import FrameTree

if TYPE_CHECKING:
    import pandas as pd

FORM = "wideleaf.result/1"


class Result(BaseModel):
    """What `ask` gives back.

    Attributes:
        question: The user's words.
        status: ``answered``, ``partial`` (a budget or a cancel ended the run), ``unanswered``
            (nobody knew how) or ``failed`` (an error ended it).
        answer: The answer in words; every number in it stands in the frame.
        value: The answer as plain data: one cell, a list, one row as a dict, or a list of rows.
        label: The node that holds it; empty if none does.
        tree: Every step that was taken.
        caveats: What the reader should know.
        usage: Requests, tokens and cost of the model.
        steps: Number of thoughts.
        seconds: Working time of all steps.
        error: ``code`` and ``message``, where the status is ``failed``.
        sources: The tables, as ``name=path``.
        folder: Where the frames are kept.
    """

    model_config = ConfigDict(frozen=True)

    question: str
    status: str
    answer: str
    value: Any = None
    label: str = ""
    tree: FrameTree
    caveats: tuple[str, ...] = ()
    usage: Usage = Usage()
    steps: int = 0
    seconds: float = 0.0
    error: dict[str, str] = {}
    sources: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    folder: str = ".wideleaf"

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The answer's frame as pandas; an empty one if there is no answer."""
        import pandas as pd

        if not self.label:
            return pd.DataFrame()
        return self.frame_of(self.label)

    def frame_of(self, label: str) -> pd.DataFrame:
        """The frame of any node as pandas, made again from its lineage if need be.

        Raises:
            KeyError: If the tree has no such node.
        """
        from wideleaf.tools.sources import open_catalog
        from wideleaf.tools.store import FrameStore

        folder = Path(self.folder)
        store = FrameStore(folder, open_catalog(self.sources, folder, self.denied))
        return store.labelled(self.tree[label].id).to_pandas()

    def to_json(self) -> dict[str, Any]:
        """The result as plain data, in a form that carries its version."""
        return {"form": FORM, **self.model_dump(mode="json")}

    def save(self, path: str | Path) -> Path:
        """Write the result as JSON; `load` and ``wideleaf show`` read it."""
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(self.to_json(), ensure_ascii=False, indent=1))
        return path

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a saved result.

        Raises:
            SettingsError: If there is no such file or it holds something else.
        """
        path = Path(path)
        if not path.is_file():
            raise SettingsError(f"no saved run {str(path)!r}; `wideleaf ask --save FILE` makes one")
        try:
            data = json.loads(path.read_text())
            form = data.pop("form")
        except (ValueError, KeyError, AttributeError, TypeError):
            raise SettingsError(f"{str(path)!r} holds no saved run ({FORM})") from None
        if form != FORM:
            raise SettingsError(f"{str(path)!r} is of form {form!r}; this version reads {FORM!r}")
        return cls.model_validate(data)

    @classmethod
    def of_state(cls, state: State, **run: Any) -> Self:
        """Read a result out of a finished or cut-off state."""
        return cls(
            question=state["question"],
            status=state.get("status", "partial"),
            answer=state.get("answer", ""),
            value=state.get("value"),
            label=state.get("label", ""),
            tree=tree_of(state),
            caveats=tuple(state.get("caveats", ())),
            usage=Usage.model_validate(state.get("usage", {})),
            steps=state.get("step", 0),
            seconds=state.get("seconds", 0.0),
            error=state.get("error", {}),
            **run,
        )
