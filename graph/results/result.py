"""The result of a question: answer, value, frame, tree, caveats and what it took."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

from pydantic import (
    BaseModel,
    ConfigDict,
    PrivateAttr,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from wideleaf.agents.turn import Usage
from wideleaf.graph.ballots import Poll
from wideleaf.graph.drawings.page import AnswerTree
from wideleaf.graph.results.fit import with_whole_value
from wideleaf.graph.results.frames import Leaves, leaves_in, make_plan, tell_refusals
from wideleaf.graph.results.run_file import FORM, read_run, write_run
from wideleaf.graph.state import AskState, tree_of
from wideleaf.tools.errors import SettingsError, SourceError
from wideleaf.tools.tree.tree import FrameTree

if TYPE_CHECKING:
    import pandas as pd

    from wideleaf.graph.results.asides import Aside
    from wideleaf.tools.charts.chart import Chart
    from wideleaf.tools.plans.plan import Plan
    from wideleaf.tools.provenance.provenance import Trace
    from wideleaf.tools.steps.store import FrameStore

STRANGE = (
    "this saved run was not written by you on this machine, or was changed since, so the tables "
    "that it names are not opened; replay it on tables that you hand in (wideleaf replay RUN "
    "TABLE...), or load it with trust=True (--trust) if you know what it names"
)


class Result(BaseModel):
    """What `ask` gives back.

    Attributes:
        question: The user's words.
        status: ``answered``, ``partial`` (a budget or a cancel ended the run), ``unanswered``
            (nobody knew how) or ``failed`` (an error ended it).
        answer: The answer in words; every number in it stands in the frame.
        value: The answer as plain data: one cell, a list, one row as a dict, or a list of rows.
        label: The node that holds it; empty if none does.
        tree: Every step that was taken; it draws itself in a notebook, and printed in words.
        caveats: What the reader should know.
        usage: Requests, tokens and cost of the model.
        steps: Number of thoughts.
        seconds: Working time of all steps.
        error: ``code`` and ``message``, where the status is ``failed``.
        confidence: How likely the answer is right, 0 to 1, where that can be told: the embedded
            planner's calibrated estimate, or the share of votes of a model's samples.
        objections: How often a model's answer was sent back before it was given.
        sources: The tables, as ``name=path``.
        denied: Columns that nothing could use.
        folder: Where the frames are kept.
        profile: What the actions meant.
        selector: The settings by which columns were chosen: retriever, least_similarity,
            embedder, dictionary.
        strategy: Of a sample: how it was answered.
        votes: Of a sample: how many gave its answer; 0 if it has none.
        drawn: Of an answer that is a chart, the chart as plain data; `chart` draws it anew.
        suggestions: Of a question that was refused, or that asks what there is, what may be asked,
            see `graph.state.Answer`.
        samples: Of a vote: every sample as a result of its own. Answer, tree and steps are those
            of the earliest that won, usage and seconds of all.
    """

    model_config = ConfigDict(frozen=True)

    def __dir__(self) -> list[str]:
        inherited = set(dir(BaseModel))
        return [name for name in super().__dir__() if name[:1] == "_" or name not in inherited]

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
    confidence: float | None = None
    objections: int = 0
    sources: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    folder: str = ".wideleaf"
    profile: str = "standard"
    selector: dict[str, str | float] = {}
    strategy: str = ""
    votes: int = 0
    drawn: dict[str, Any] = {}
    suggestions: dict[str, Any] = {}
    samples: tuple[Result, ...] = ()

    _strange: bool = PrivateAttr(default=False)

    @field_validator("tree")
    @classmethod
    def _know_answer(cls, tree: FrameTree, info: ValidationInfo) -> FrameTree:
        return AnswerTree.of(tree, info.data.get("label", ""))

    @property
    def crafted(self) -> bool:
        """Whether code that a model wrote has run on the way."""
        return any(n.action.name == "Craft" and n.outcome == "ok" for n in self.tree.nodes)

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The answer's frame as pandas; an empty one if there is no answer."""
        import pandas as pd

        return self.frame_of(self.label) if self.label else pd.DataFrame()

    def frame_of(self, label: str) -> pd.DataFrame:
        """The frame of any node as pandas, made again from its lineage if need be.

        Raises:
            KeyError: If the tree has no such node.
            WideleafError: If what it is made of cannot be read any more.
        """
        store = self.store()
        with tell_refusals(), store.reading(f"the frame {label}"):
            return store.with_labels(self.tree[label].id).to_pandas()

    def store(self) -> FrameStore:
        """The frames of this run, opened anew; a frame that is gone is made again.

        Raises:
            SourceError: If a table of the run is gone, or a stranger named it (see `load`).
        """
        from wideleaf.tools.sources.opening import open_catalog
        from wideleaf.tools.steps.store import FrameStore

        if self._strange:
            raise SourceError(STRANGE)
        folder = Path(self.folder)
        return FrameStore(folder, open_catalog(self.sources, folder, self.denied))

    @cached_property
    def plan(self) -> Plan:
        """The fewest steps that make the answer: kept, replayed on new data, or exported.

        Raises:
            SettingsError: If there is no answer.
        """
        from wideleaf.tools.plans.plan import Plan

        label = self._answer_label()
        try:
            return make_plan(self.tree, label, self.question, self.profile, self.store())
        except (SourceError, KeyError):  # the tables are gone; the steps are known without them
            return Plan.of(self.tree, label, self.question, self.profile)

    def to_sql(self, dialect: str = "duckdb") -> str:
        """The plan as one SQL query over the tables as they were loaded.

        Raises:
            SettingsError: If there is no answer, or a step cannot be said in SQL.
        """
        from wideleaf.tools.exports.query import plan_sql

        leaves = self.leaves()
        with tell_refusals():
            return plan_sql(self.plan, leaves.tables, dialect, repairs=leaves.repairs)

    def to_pandas(self) -> str:
        """The plan as a pandas script that needs no Wideleaf; its `answer` is the frame.

        Raises:
            SettingsError: If there is no answer, or a step cannot be said in pandas.
        """
        from wideleaf.tools.exports.scripts.script import plan_script

        leaves = self.leaves()
        with tell_refusals():
            return plan_script(self.plan, leaves.tables, leaves.paths)

    def to_notebook(self, path: str | Path) -> Path:
        """The plan as a notebook, a cell a step.

        Raises:
            SettingsError: If there is no answer, or a step cannot be said in pandas.
        """
        from wideleaf.tools.exports.notebook import plan_notebook

        leaves = self.leaves()
        with tell_refusals():
            return plan_notebook(
                self.plan, leaves.tables, leaves.paths, Path(path), caveats=self.caveats
            )

    def chart(self, form: str | None = None) -> Chart:
        """The answer as a chart: the one that was asked for, else its frame, in a form by rule.

        Args:
            form: Another form (``line``, ``pie``).

        Raises:
            SettingsError: If there is no answer, no such form, or nothing to draw in it.
        """
        from wideleaf.tools.charts.chart import draw_chart
        from wideleaf.tools.steps.charting import draw_kept

        label = self._answer_label()
        with tell_refusals():
            if self.tree[label].action.name != "Chart":
                return draw_chart(self.frame_of(label), form, self.question)
            store = self.store()
            with store.reading(f"the chart {label}"):
                return draw_kept(store, self.tree[label].id, form)

    def trace(self, row: int = 0, column: str | None = None) -> Trace:
        """Where a cell of the answer comes from: the rows of the raw tables that made it.

        Args:
            row: Which row of `frame`, from 0.
            column: Which column of it; none for the row as a whole.

        Raises:
            SettingsError: If there is no answer, or no such row or column in it.
        """
        from wideleaf.tools.provenance.provenance import trace_cell

        label = self._answer_label()
        with tell_refusals():
            return trace_cell(self.tree, label, self.store(), row, column, self.frame)

    @cached_property
    def left_aside(self) -> tuple[Aside, ...]:
        """The columns of the sources that the answer did not use, grouped, each with its reason."""
        from wideleaf.graph.results.asides import explain_asides

        return explain_asides(
            self.question, self.tree, self.label, self.store(), self.denied, self.selector
        )

    def _answer_label(self) -> str:
        if not self.label:
            reason = f"the run ended {self.status!r} and made no answer"
            raise SettingsError(f"{reason}; ask again, or look at its tree")
        return self.label

    def leaves(self) -> Leaves:
        """The plan's tables as they were loaded, where they are and their repairs, by label."""
        return leaves_in(self.plan, self.tree, self.store())

    def __str__(self) -> str:
        from wideleaf.graph.results.text import result_text

        return result_text(self)

    def __repr__(self) -> str:
        from wideleaf.graph.results.text import result_line

        return result_line(self)

    def _repr_html_(self) -> str:
        from wideleaf.graph.results.page import result_html

        return result_html(self)

    def to_json(self) -> dict[str, Any]:
        """The result as plain data, in a form that carries its version."""
        return {"form": FORM, **self.model_dump(mode="json")}

    def save(self, path: str | Path) -> Path:
        """Write the result as JSON, whole or not at all; `load` and ``wideleaf show`` read it.

        Raises:
            SettingsError: If it cannot be written there.
        """
        return write_run(self.to_json(), Path(path), own=not self._strange)

    @classmethod
    def load(cls, path: str | Path, *, trust: bool = False) -> Self:
        """Read a saved result.

        A saved result names tables, files and a folder by their paths. Those of a file that
        another user or machine wrote are not opened: its answer, tree and plan can be read, and
        the plan replayed on tables that you hand in.

        Args:
            path: The file.
            trust: Open what it names all the same.

        Raises:
            SettingsError: If there is no such file or it holds something else.
        """
        data, own = read_run(Path(path))
        try:
            result = cls.model_validate(data)
        except ValidationError as error:
            place = ".".join(str(part) for part in error.errors()[0]["loc"])
            raise SettingsError(f"{str(path)!r} is no usable run: {place} does not fit") from None
        result._strange = not (trust or own)
        for sample in result.samples:
            sample._strange = result._strange
        return result

    @classmethod
    def of_state(cls, state: AskState, **run: Any) -> Self:
        """Read a result out of a finished or cut-off state, which may hold a part of the value."""
        spent, review = state.get("spent") or {}, state.get("review") or {}
        poll = Poll.of_ballots(state.get("ballots") or [])
        samples = (
            cls.of_state(cast("AskState", one), **run, strategy=one["strategy"], votes=votes)
            for one, votes in zip(poll.ballots, poll.votes.values(), strict=True)
        )
        result = cls(
            question=state["question"],
            status=state.get("status") or "partial",
            answer=state.get("answer", ""),
            value=state.get("value"),
            label=state.get("label", ""),
            tree=tree_of(state),
            caveats=tuple(state.get("caveats", ())),
            usage=Usage.model_validate(spent.get("usage", {})),
            steps=(state.get("memory") or {}).get("step", 0),
            seconds=spent.get("seconds", 0.0),
            error=state.get("error") or {},
            confidence=state.get("confidence"),
            objections=review.get("objections", 0) + bool(review.get("opinion")),
            drawn=state.get("chart") or {},
            suggestions=state.get("suggestions") or {},
            samples=tuple(samples),
            **run,
        )
        return with_whole_value(result, state.get("rest") or "")
