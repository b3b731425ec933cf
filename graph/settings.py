"""The environment's part in a run's settings: what a server that starts the graph may preset."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from langgraph.runtime import Runtime
from pydantic import ValidationError

from wideleaf.graph.channels import PlainData
from wideleaf.graph.context import Context, setting_error
from wideleaf.graph.serving.policy import POLICY, PolicyError, read_policy
from wideleaf.graph.serving.server import is_remote, trusts_clients, user_of
from wideleaf.graph.serving.users import USERS, has_users
from wideleaf.tools.errors import SettingsError
from wideleaf.tools.sources.naming import has_password
from wideleaf.tools.sources.spec import open_attached
from wideleaf.tools.tables.columns import nearest_names
from wideleaf.tools.words import one_line

SETTINGS = {*Context.model_fields} - {"chat_model"}
"""What can be set by name, from wherever it comes."""
PRESETS = {
    "model": "WIDELEAF_MODEL",
    "base_url": "WIDELEAF_BASE_URL",
    "privacy": "WIDELEAF_PRIVACY",
    "folder": "WIDELEAF_FOLDER",
}
OTHERS = "WIDELEAF_SETTINGS"
"""Other settings by name, as JSON."""
SOURCES = "WIDELEAF_SOURCES"
"""Paths separated as in PATH, or by line ends, which URLs need; ``demo`` is the demo's tables."""
TOLD = 80
"""Characters of a wrong value that a message repeats."""


def context_of(
    runtime: Runtime[Context],
    inputs: Mapping[str, Any] | None = None,
    fixed: Mapping[str, Any] | None = None,
) -> Context:
    """The settings of a run: the caller's, with what the environment presets.

    Behind a server, the client's settings count as far as the owner's policy lets them; those that
    code of the process gave (`Context.of_code`, `wideleaf.build_graph`) are the owner's own.

    Args:
        runtime: Of the node.
        inputs: What the input brought besides the question: ``sources`` and ``settings``; it wins
            over the context. What messages brought, ``tables``, is a `graph.state.Tables`.
        fixed: Settings of the graph's own, which nothing changes; of what a graph around it hands
            down it then takes a `Context` alone.

    Returns:
        In process, the caller's settings unchanged if they name sources. A graph around this one
        may hand down a mapping; what else it holds is that graph's own.

    Raises:
        PolicyError: If a client set what it may not.
        SettingsError: If the input sets what there is not, what does not fit, or what is fixed.
    """
    own = dict(fixed or {})
    handed = _take_context(runtime.context, own)
    request = {n: getattr(handed, n) for n in handed.model_fields_set if n not in own}
    if inputs:
        request |= read_given(inputs, own)
    unset = {} if request.get("sources") or own.get("sources") else presets()
    request |= _of_messages((inputs or {}).get("tables"), request, own)
    if is_remote(runtime) and not _is_trusted() and (inputs or not handed.is_of_code):
        fixed_here = {**dict(handed), **own} if handed.is_of_code else own
        return _settle_context(_made(request), user_of(runtime), fixed_here)
    if not (inputs or own) and handed.sources:
        return _with_attached(handed)
    context = _made({**{k: v for k, v in unset.items() if k not in own}, **request, **own})
    return _with_demo(context, Path(context.folder))


def given_context(runtime: Runtime[Context]) -> Context:
    """The settings as the caller gave them."""
    return _take_context(runtime.context, {})


def may_open(source: str, runtime: Runtime[Context]) -> bool:
    """Whether a message may name a source by its path.

    In process it may not, for whose messages they are is not known; on one's own machine, and in
    the folders that a server's policy lets clients name, it may.

    Args:
        source: As the message spells it.
        runtime: Of the node that reads the message.
    """
    if not is_remote(runtime):
        return False
    try:
        context = context_of(runtime, {"tables": {"sources": [source], "beside": False}})
    except SettingsError:
        return False
    return Path(context.sources[0]).expanduser().is_file()


def settle_client(context: Context, user: str, tables: PlainData | None = None) -> Context:
    """The settings of what a client asks for outside of a run.

    Args:
        context: What the client set.
        user: Who it is, by the server's authentication.
        tables: What messages brought, as a run's ``given`` has it.

    Raises:
        PolicyError: If it set what it may not.
    """
    request = {name: getattr(context, name) for name in context.model_fields_set}
    unset = {} if context.sources else presets()
    request |= _of_messages(tables, request, {})
    if not _is_trusted():
        return _settle_context(_made(request), user, {})
    context = _made({**unset, **request})
    return _with_demo(context, Path(context.folder))


def _settle_context(request: Context, user: str, fixed: Mapping[str, Any]) -> Context:
    """What a client's run runs under: the owner's settings, and what the policy lets it choose."""
    if has_users() and not user:
        raise PolicyError(
            f"this server answers its users alone ({USERS}), and who asks is not known"
        )
    policy, preset = read_policy(), presets()
    folder = Path(str(policy.settings.get("folder") or preset.get("folder", ".wideleaf")))
    if fixed.get("sources"):  # as in process: what stands beside tables of one's own is one's own
        preset = {"folder": str(folder)}
    context = policy.settle(request, preset, user, fixed)
    context = _with_demo(context, folder)
    return Context.of_code(**dict(context))


def read_given(inputs: Mapping[str, Any], fixed: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that an input brought, by name.

    Args:
        inputs: Its ``sources`` and ``settings``.
        fixed: What the graph was built with.

    Raises:
        SettingsError: If they are of another form, unknown, or others than those that are fixed.
    """
    settings, sources = inputs.get("settings") or {}, inputs.get("sources") or ()
    if not isinstance(settings, Mapping):
        text = one_line(repr(settings), TOLD)
        raise SettingsError(f"the input's settings={text} are no object of names and values")
    if isinstance(sources, str) or not all(isinstance(one, str) for one in sources):
        raise SettingsError(
            "the input's sources are no list of texts; a path or the id of a frame names a table, "
            "and frames in memory are given to wideleaf.build_graph"
        )
    if any(map(has_password, sources)):
        raise SettingsError(
            "a source of the input has a password, which every checkpoint would keep; name it in "
            f"the context, or in {SOURCES}"
        )
    for name in settings:
        if name == "sources":
            raise SettingsError("sources stand beside the input's settings, not among them")
        if name not in SETTINGS:
            raise SettingsError(unknown_setting(name))
    request = {**settings, **({"sources": tuple(sources)} if sources else {})}
    for name in request:
        if name in fixed and request[name] != fixed[name]:
            raise SettingsError(f"this graph was built with a {name} of its own; leave it out")
    return request


def unknown_setting(name: str) -> str:
    """That there is no setting of a name, and which is the nearest."""
    near = nearest_names(name, sorted(SETTINGS), limit=1)
    return f"there is no setting {name!r}{f'; the nearest is {near[0]!r}' if near else ''}"


def _take_context(context: Any, fixed: Mapping[str, Any]) -> Context:
    """What the caller, or a graph around this one, handed down."""
    if isinstance(context, Mapping) and not fixed:
        context = Context(**{k: v for k, v in context.items() if k in Context.model_fields})
    return context if isinstance(context, Context) else Context()


def _made(settings: dict[str, Any]) -> Context:
    try:
        return Context.of_code(**settings)
    except ValidationError as error:
        raise setting_error(error, settings) from None


def presets() -> dict[str, Any]:
    """What the environment sets.

    Raises:
        SettingsError: If what stands in `OTHERS` is no JSON object.
    """
    try:
        others = dict(json.loads(os.environ.get(OTHERS) or "{}"))
    except (ValueError, TypeError):
        raise SettingsError(f'{OTHERS} is no JSON object, such as {{"craft": "off"}}') from None
    preset: dict[str, Any] = {
        field: value for field, name in PRESETS.items() if (value := os.environ.get(name))
    }
    text = os.environ.get(SOURCES, "")
    parts = text.splitlines() if "\n" in text or "::" in text or "://" in text else None
    sources = tuple(part.strip() for part in parts or text.split(os.pathsep) if part.strip())
    return {**others, **preset, "sources": sources}


def _is_trusted() -> bool:
    # A policy is the narrower word of the two, and users are not to see each other's folders.
    return trusts_clients() and not os.environ.get(POLICY) and not has_users()


def _of_messages(tables: Any, request: Mapping[str, Any], own: Mapping[str, Any]) -> PlainData:
    """The sources of a thread to which messages brought tables; nothing where none did.

    Args:
        tables: A `graph.state.Tables`, as the state of the thread has it.
        request: The other settings, by name.
        own: Settings of the graph's own.

    Raises:
        SettingsError: If it is of another form, or the graph has tables of its own.
    """
    if not tables:
        return {}
    if own.get("sources"):
        raise SettingsError("this graph was built with tables of its own and takes no others")
    sources = tables.get("sources") if isinstance(tables, Mapping) else None
    if not isinstance(sources, list) or not all(isinstance(one, str) for one in sources):
        text = one_line(repr(tables), TOLD)
        raise SettingsError(f"the thread's tables={text} are no object with a list of sources")
    beside: Sequence[str] = ()
    if tables.get("beside"):
        # Of a server that trusts its clients its own tables stay; the demonstration makes room.
        own_tables = presets()["sources"] if _is_trusted() else ()
        beside = request.get("sources") or tuple(one for one in own_tables if one != "demo")
    return {"sources": tuple(dict.fromkeys((*sources, *beside)))}


def _with_attached(context: Context) -> Context:
    """The settings with the paths of tables that came with messages."""
    sources = open_attached(context.sources, Path(context.folder))
    return (
        context if sources == context.sources else context.model_copy(update={"sources": sources})
    )


def _with_demo(context: Context, folder: Path) -> Context:
    if context.sources != ("demo",):
        return _with_attached(context)
    from wideleaf.graph.demo_table import make_demo_tables

    paths = make_demo_tables(folder)
    return context.model_copy(update={"sources": tuple(map(str, paths))})
