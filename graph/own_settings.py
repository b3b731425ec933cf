"""Settings of a graph's own, and those that come with a question: what every node runs under.

Three hands may set something. `build_graph` fixes what its graph runs under wherever it stands; a
question brings sources and settings in the input; and the context comes from whoever calls, or
from the graph around. What was fixed stays, the input wins over the context.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any

from langchain_core.runnables import Runnable
from langgraph.runtime import Runtime
from langgraph.types import Command
from pydantic import ValidationError

from wideleaf.graph.channels import Given, PlainData
from wideleaf.graph.context import Context, make_context, setting_error
from wideleaf.graph.run_context import RunContext
from wideleaf.graph.serving.policy import PolicyError
from wideleaf.graph.settings import context_of, presets
from wideleaf.graph.state import Inputs
from wideleaf.graph.threads import need_same
from wideleaf.graph.updates import failure_update
from wideleaf.tools.errors import SettingsError, WideleafError

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

MODEL = ("model", "chat_model", "base_url", "api_key_env")
"""Settings that name one model together: a key goes to the host that it was named with."""


INPUTS = ("sources", "settings", "tables")
"""What a question was given that settings are read from, see `graph.channels.Given`."""


class OwnSettings:
    """What `build_graph` was given; frames in memory are read at the first question, and once.

    Args:
        sources: As `wideleaf.ask` takes them, one or several; None for none.
        model: ``provider:name`` or a LangChain chat model.
        base_url: An OpenAI-compatible server.
        settings: Other fields of `Context`.

    Attributes:
        context: All but the sources, with defaults.
        has_sources: Whether there are any.

    Raises:
        SettingsError: If there is no such setting or its value does not fit.
    """

    def __init__(self, sources: Any, model: Any, base_url: str | None, settings: Any) -> None:
        fields = {**settings, **({"model": model} if model else {})}
        fields |= {"base_url": base_url} if base_url else {}
        self.context = make_context(**fields)
        names = {*fields, *(MODEL if {*fields} & {*MODEL} else ())}
        self._plain = {name: getattr(self.context, name) for name in names}
        self._sources = sources
        self._lock = Lock()
        self.has_sources = not _is_nothing(sources)

    def __bool__(self) -> bool:
        return self.has_sources or bool(self._plain)

    def settled(self, **more: Any) -> Context:
        """The settings of a question, with those that come with it.

        Raises:
            SettingsError: If one of them does not fit.
        """
        fields = {**dict(self.context), **self.fields(), **more}
        try:
            return Context.of_code(**fields)
        except ValidationError as error:
            raise setting_error(error, more) from None

    def fields(self) -> PlainData:
        """The settings that are fixed, by name.

        Raises:
            SourceError: If a frame among the sources cannot be read.
        """
        with self._lock:
            if self.has_sources and "sources" not in self._plain:
                self._plain["sources"] = self._addresses()
        return dict(self._plain)

    def _addresses(self) -> tuple[str, ...]:
        """Every source as text: a path as it is, so that a file written since is read again."""
        several = isinstance(self._sources, list | tuple)
        entries = list(self._sources) if several else [self._sources]
        texts = [text for one in entries for text in _texts(one)]
        if None not in texts:
            return tuple(text for text in texts if text is not None)
        from wideleaf.graph.services import prepare_inputs

        folder = self._plain.get("folder") or presets().get("folder", self.context.folder)
        return prepare_inputs(self.context.model_copy(update={"folder": folder}), entries).sources


def _is_nothing(sources: Any) -> bool:
    return sources is None or (isinstance(sources, Sequence | Mapping) and not sources)


def _texts(source: Any) -> list[str | None]:
    """A source as texts; None for what is no path."""
    if isinstance(source, Mapping):
        return [text and f"{name}={text}" for name, one in source.items() for text in _texts(one)]
    return [os.fspath(source) if isinstance(source, str | os.PathLike) else None]


def take_inputs(state: Inputs) -> Given:
    """What a question brings in the input beside its words.

    Args:
        state: With the channels of the input.
    """
    sources, settings = state.get("sources"), state.get("settings")
    given: Given = {"sources": sources} if sources else {}
    return {**given, "settings": settings} if settings else given


def with_settings(
    own: OwnSettings | None, node: Callable[..., Any], *, on_error: str | None = None
) -> Callable[..., Any]:
    """Let a node before a run work under the settings that are the question's.

    Args:
        own: What the graph was built with.
        node: A function of state and runtime.
        on_error: Of the first node, where settings that cannot be used lead as the failure that
            they are; empty where an edge leads on from it. None lets the error rise.
    """

    @functools.wraps(node)
    def work(state: Any, runtime: Runtime[Any]) -> Any:
        try:
            context = RunContext(_settle(own, state, runtime))
        except PolicyError:
            raise
        except WideleafError as error:
            if on_error is None:
                raise
            failure = failure_update(error.code, str(error))
            return Command(goto=on_error, update=failure) if on_error else failure
        return node(state, runtime.override(context=context))

    return work


def run_under(
    own: OwnSettings | None, graph: CompiledStateGraph[Any, RunContext, Any, Any]
) -> Callable[..., Any]:
    """Make the door of a run, or of a vote: a node that settles its settings, once.

    Whoever resumes a run comes through it again, and must have what it was begun with.

    Args:
        own: What the graph around it was built with.
        graph: The run; its nodes find settings and services in the runtime's context.
    """

    def enter(state: Any, runtime: Runtime[Context]) -> Runnable[Any, Any]:
        # What a node gives back that runs is run on its input by LangGraph, waited for or not.
        return graph.bind(context=_open(own, state, runtime))

    return enter


def _open(own: OwnSettings | None, state: Any, runtime: Runtime[Context]) -> RunContext:
    """Settings and services of a run that begins or goes on.

    Raises:
        SettingsError: If it goes on under others. It is left as it is, to go on as it began.
    """
    try:
        context = RunContext(_settle(own, state, runtime))
    except PolicyError:
        raise
    except WideleafError:
        if state.get("status") != "failed":
            raise
        return RunContext(Context.of_code())  # the settings are what is wrong, as is told
    try:
        need_same(state, context)
    except SettingsError:
        raise
    except WideleafError:  # a table cannot be had any more: the node that needs it says so
        pass
    return context


def _settle(own: OwnSettings | None, state: Any, runtime: Runtime[Context]) -> Context:
    given = state.get("given") or {}
    inputs = {name: given[name] for name in INPUTS if given.get(name)}
    return context_of(runtime, inputs, own.fields() if own else {})
