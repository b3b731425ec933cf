"""The MCP server around a desk, over standard input and output or over HTTP on this machine."""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Callable
from functools import partial
from threading import Event, Thread
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from wideleaf.graph.bug_report import clear_error, plain_error
from wideleaf.graph.channels import PlainData
from wideleaf.graph.doors.mcp.desk import Desk
from wideleaf.graph.doors.mcp.looks import CSV_ROWS
from wideleaf.graph.doors.mcp.tools import ToolForm, tool_forms
from wideleaf.graph.events import StoppedError
from wideleaf.tools.errors import SettingsError, WideleafError

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server


SCHEME, FRAMES = "wideleaf", "frames"
FRAME_TEMPLATE = f"{SCHEME}://{FRAMES}/{{id}}{{?first,rows}}"
MAX_DIGITS = 11


def frame_uri(id: str, **page: int) -> str:
    """The address of a frame, or of some of its rows."""
    query = "&".join(f"{name}={value}" for name, value in page.items())
    return f"{SCHEME}://{FRAMES}/{id}{'?' * bool(query)}{query}"


def read_uri(uri: str) -> PlainData:
    """The frame and the page that an address names.

    Raises:
        SettingsError: If it names none.
    """
    parts = urlsplit(uri)
    page = dict(parse_qsl(parts.query, keep_blank_values=True))
    fields = {"first", "rows"}
    fits = (parts.scheme, parts.netloc) == (SCHEME, FRAMES) and {*page} <= fields
    if not fits or not all(
        number.isdecimal() and len(number) <= MAX_DIGITS for number in page.values()
    ):
        raise SettingsError(f"there is no resource {uri[:200]!r}; one is {FRAME_TEMPLATE}")
    numbers = {name: int(number) for name, number in page.items()}
    return {"frame": parts.path.removeprefix("/"), "first": 0, "rows": CSV_ROWS, **numbers}


NAME = "wideleaf"
CSV = "text/csv"
INSTRUCTIONS = (
    "Questions in plain language over the tables of this server. Call describe to see the tables, "
    "ask for an answer, columns to find columns of wide tables. An answer names a frame: give its "
    "id to ask as one of the frames, to replay, or read it as a resource."
)


def build_server(desk: Desk) -> Server[Any]:
    """An MCP server whose tools and resources are those of a desk.

    Raises:
        SettingsError: If the extra ``mcp`` is not installed.
    """
    from importlib.metadata import version

    try:
        import mcp_types as types
        from mcp.server.lowlevel import Server
    except ImportError:
        raise SettingsError(
            "the MCP server needs the package mcp: pip install 'wideleaf[mcp]'"
        ) from None
    forms = {form.name: form for form in tool_forms()}

    async def list_tools(ctx: Any, params: Any) -> Any:
        return types.ListToolsResult(tools=[_describe_tool(form) for form in forms.values()])

    async def call_tool(ctx: Any, params: Any) -> Any:
        if params.name not in forms:
            names = ", ".join(forms)
            text = f"there is no tool {params.name!r}; there are {names}"
            raise _refusal(types.INVALID_PARAMS, SettingsError(text))
        form, arguments = forms[params.name], params.arguments or {}
        try:
            check_arguments(form, arguments)
            reply = await _answer_call(desk, form, arguments, ctx)
        except Exception as error:  # whatever it is, the agent reads one line
            return _report_error(types, form, clear_call_error(error, desk, form.name))
        return _wrap_reply(types, reply, links=desk.policy.allows("values"))

    async def list_resources(ctx: Any, params: Any) -> Any:
        latest = reversed([*desk.asked.questions.items()])
        resources = [
            types.Resource(uri=frame_uri(id), name=id, title=question[:120], mime_type=CSV)
            for id, question in latest
        ]
        return types.ListResourcesResult(resources=resources)

    async def list_templates(ctx: Any, params: Any) -> Any:
        template = types.ResourceTemplate(
            uri_template=FRAME_TEMPLATE,
            name="frame",
            description="Rows of an answer's frame, some at a time, as CSV with a header.",
            mime_type=CSV,
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(ctx: Any, params: Any) -> Any:
        from anyio import to_thread

        try:
            page = await to_thread.run_sync(partial(desk.csv, **read_uri(params.uri)))
        except Exception as error:  # likewise
            raise _refusal(
                types.INVALID_PARAMS, clear_call_error(error, desk, "a frame"), params.uri
            ) from None
        text, end = page.pop("text"), page["first"] + page["rows"]
        if end < page["total"]:
            id = read_uri(params.uri)["frame"]
            page["next"] = frame_uri(id, first=end, rows=page["rows"])
        meta = {f"{NAME}/{name}": value for name, value in page.items()}
        part = types.TextResourceContents(uri=params.uri, mime_type=CSV, text=text, _meta=meta)
        return types.ReadResourceResult(contents=[part])

    return Server(
        NAME,
        version=version(NAME),
        title="Wideleaf",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
    )


def check_arguments(form: ToolForm, arguments: PlainData) -> None:
    """Refuse arguments that are not of a tool's schema.

    Raises:
        SettingsError: Names the first that does not fit.
    """
    from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # no types
    from jsonschema.exceptions import best_match  # type: ignore[import-untyped]  # no types

    wrong = best_match(Draft202012Validator(form.takes).iter_errors(arguments))
    if wrong is not None:
        where = ".".join(map(str, wrong.absolute_path))
        subject = f"argument {where}" if where else "arguments"
        raise SettingsError(f"the {subject} of {form.name} do not fit: {wrong.message[:300]}")


async def _answer_call(desk: Desk, form: ToolForm, arguments: PlainData, ctx: Any) -> PlainData:
    """Do the work of a call beside the protocol; whoever calls it off ends it at its next step."""
    from anyio import from_thread, to_thread

    work: Callable[..., PlainData] = getattr(desk, form.name)
    if form.name != "ask":
        return await to_thread.run_sync(partial(work, **arguments), abandon_on_cancel=True)
    stop, steps = Event(), 0

    def tell(text: str) -> None:
        nonlocal steps
        steps += 1
        if not stop.is_set():
            from_thread.run(ctx.session.report_progress, float(steps), None, text)

    call = partial(work, **arguments, told=tell, stop=stop)
    try:
        return await to_thread.run_sync(call, abandon_on_cancel=True)
    finally:
        stop.set()


def _describe_tool(form: ToolForm) -> Any:
    import mcp_types as types

    return types.Tool(
        name=form.name,
        title=form.title,
        description=form.description,
        input_schema=form.takes,
        output_schema=form.gives,
        annotations=types.ToolAnnotations(read_only_hint=True, open_world_hint=False),
    )


def _wrap_reply(types: Any, reply: PlainData, *, links: bool) -> Any:
    """A result; a run that failed is an error of the tool, which the outer model may mend.

    A frame is named in the text alone: of a link as content some clients make a file for a model.
    """
    if links and reply.get("frame"):
        reply = {**reply, "resource": frame_uri(reply["frame"])}
    text = types.TextContent(type="text", text=json.dumps(reply, ensure_ascii=False))
    failed = reply.get("status") == "failed"
    return types.CallToolResult(content=[text], structured_content=reply, is_error=failed)


def _report_error(types: Any, form: ToolForm, error: WideleafError) -> Any:
    shape = form.gives["properties"]["form"]["const"]
    reply = {"form": shape, "status": "failed", "error": plain_error(error)}
    text = f"{error.code}: {error}"
    content = [types.TextContent(type="text", text=text)]
    return types.CallToolResult(content=content, structured_content=reply, is_error=True)


def _refusal(number: int, error: WideleafError, uri: str = "") -> Exception:
    from mcp.shared.exceptions import MCPError

    data: PlainData = {**plain_error(error), **({"uri": uri} if uri else {})}
    return MCPError(number, str(error), data)


def clear_call_error(error: Exception, desk: Desk, doing: str) -> WideleafError:
    """What a call ended by, in words."""
    if isinstance(error, WideleafError):
        return error
    if isinstance(error, StoppedError):
        return SettingsError("the call was called off")
    return clear_error(error, f"the tool {doing}", desk.folder) or SettingsError(str(error))


LOOPBACK = "127.0.0.1"


def serve_stdio(desk: Desk) -> None:
    """Serve one client over this process's standard input and output."""
    server = build_server(desk)
    import anyio
    from mcp.server.stdio import stdio_server

    _warm(desk)

    async def serve() -> None:
        async with stdio_server() as (reads, writes):
            await server.run(reads, writes, server.create_initialization_options())

    anyio.run(serve)


def serve_http(desk: Desk, port: int) -> None:
    """Serve the clients of this machine by streamable HTTP, at ``/mcp``.

    Args:
        desk: What is served.
        port: On the loopback interface, any free one if 0; no other interface is listened on, for
            nothing tells clients apart.

    Raises:
        SettingsError: If the port cannot be had.
    """
    app = build_server(desk).streamable_http_app(host=LOOPBACK)
    import uvicorn

    try:
        listening = socket.create_server((LOOPBACK, port))
    except (OSError, OverflowError) as error:
        raise SettingsError(f"port {port} cannot be had ({error}); name another") from None
    _warm(desk)
    with listening:
        place = f"http://{LOOPBACK}:{listening.getsockname()[1]}/mcp"
        print(f"serving {place}", file=sys.stderr, flush=True)
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        server.run(sockets=[listening])


def _warm(desk: Desk) -> None:
    """Read the tables while the client says hello; what is wrong with them is told here, too."""

    def read() -> None:
        try:
            desk.open()
        except Exception as error:
            print(
                f"error: {clear_call_error(error, desk, 'at the start')}",
                file=sys.stderr,
                flush=True,
            )

    Thread(target=read, daemon=True).start()
