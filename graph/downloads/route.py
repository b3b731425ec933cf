"""Links to the frame of an answer, and the route that gives it as a file, a picture or data."""

from __future__ import annotations

import json
import os
import sys
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any
from urllib.parse import urlencode

from langgraph.runtime import Runtime
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response

from wideleaf.graph.channels import PlainData
from wideleaf.graph.context import Context
from wideleaf.graph.downloads.looks import (
    MAX_DRAWN,
    Look,
    compile_chart,
    name_tree,
    read_page,
    trace_rows,
)
from wideleaf.graph.drawings.svg import draw_svg
from wideleaf.graph.results.chart_parts import SCALE
from wideleaf.graph.serving.policy import PolicyError
from wideleaf.graph.serving.server import ADDRESS, PUBLIC, SERVER, user_of
from wideleaf.tools.charts.pictures import png_beside, png_of_svg
from wideleaf.tools.errors import ActionError, SourceError, WideleafError
from wideleaf.tools.exports.table_file import write_csv, write_parquet
from wideleaf.tools.steps.charting import draw_kept
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tree.lineage import is_id
from wideleaf.tools.tree.tree import FrameTree
from wideleaf.tools.writing import write_bytes, write_text

PATH = "/wideleaf/frames/"
PICTURE = "png"
"""The kind that is a picture: of pixels alone, so what cells say in it is no markup."""
TREE = "tree.png"
"""The kind that is a picture of the frames which the address names."""
TREE_DRAWING = "tree.svg"
"""The same as a drawing; each frame has its place among them as attribute ``data-frame``."""
TRACE = "trace.json"
LOOKS: dict[str, Callable[[FrameStore, Look], PlainData]] = {
    "json": read_page,
    TRACE: trace_rows,
    "vega.json": compile_chart,
}
"""The kinds that are data for a page."""
MAX_KNOWN = 1000
LONGEST = 6_000
"""Characters of an address that any browser and server takes."""
KINDS = {
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
    PICTURE: "image/png",
    TREE: "image/png",
    TREE_DRAWING: "image/svg+xml",
    **dict.fromkeys(LOOKS, "application/json"),
}
HEADERS = {
    "cache-control": "private, no-store",
    "cross-origin-resource-policy": "same-origin",  # another site's page may not embed it
    "x-content-type-options": "nosniff",
}
SHOWN = {**HEADERS, "cross-origin-resource-policy": "cross-origin"}
"""Of a picture: the pages that show a chat are other sites, and name themselves to no picture's
server where theirs is HTTPS. A page can show it so, and read nothing of it."""

_chosen: OrderedDict[tuple[str, str], tuple[Context, PlainData]] = OrderedDict()
"""By user and frame, what the client of a run set; nothing of it is in a link or on disk."""
_lock = Lock()


def frame_link(
    frame: str,
    settings: Context,
    runtime: Runtime[Any],
    tables: PlainData | None = None,
    kind: str = "csv",
) -> str:
    """The address of a frame on the server that this runs in; empty where none serves it.

    Args:
        frame: Its id.
        settings: The settings of its run as the client gave them.
        runtime: Of the run.
        tables: What messages brought to its thread, see `graph.state.Tables`.
        kind: One of `KINDS`.
    """
    address = os.environ.get(PUBLIC) or os.environ.get(ADDRESS, "")
    if not (is_id(frame) and address and SERVER in sys.modules) or settings.is_of_code:
        return ""
    with _lock:
        _chosen[user_of(runtime), frame] = (settings, tables or {})
        _chosen.move_to_end((user_of(runtime), frame))
        while len(_chosen) > MAX_KNOWN:
            _chosen.popitem(last=False)
    return f"{address.rstrip('/')}{PATH}{frame}.{kind}"


def tree_query(tree: FrameTree, label: str) -> str:
    """The part of an address that names the frames of a tree; empty where they are too many.

    Args:
        tree: The tree of a conversation, in which no step failed.
        label: Its answer.
    """
    for nodes in (tree.nodes, tree.plan(label)):
        query = urlencode([(node.label, node.id) for node in nodes])
        if len(nodes) <= MAX_DRAWN and len(query) <= LONGEST:
            return query
    return ""


def forget_links(user: str) -> None:
    """Forget what a user's runs had set."""
    with _lock:
        for key in [key for key in _chosen if key[0] == user]:
            del _chosen[key]


def asked_for(frame: str, user: str) -> tuple[Context, PlainData]:
    """What the client of a frame's run set, and the tables that messages brought to its thread.

    Nothing, where this process did not run it.

    Args:
        frame: Its id.
        user: Who asks; what another asked for is not told.
    """
    with _lock:
        return _chosen.get((user, frame), (Context(), {}))


def send_frame(request: Request) -> Response:
    """Answer a request for ``ID.csv`` and the like; what is not the client's is not there.

    The run's settings are settled by the policy anew, so what it forbids by now is not given.
    """
    frame, _, kind = str(request.path_params["name"]).partition(".")
    if not is_id(frame) or kind not in KINDS:
        text = f"a frame is the id of an answer and one of {', '.join(KINDS)}, such as ID.csv"
        return PlainTextResponse(text, 404, HEADERS)
    user = request.scope.get("user")
    identity = str(user.identity) if user is not None and user.is_authenticated else ""
    pairs = [*request.query_params.multi_items()]
    with ExitStack() as stack:
        room = TemporaryDirectory(prefix="wideleaf-", ignore_cleanup_errors=True)
        folder = Path(stack.enter_context(room))
        try:
            path = write_frame(frame, kind, identity, folder, pairs)
        except (WideleafError, ActionError) as error:
            status = 403 if isinstance(error, PolicyError) else 404
            return PlainTextResponse(str(error), status, HEADERS)
        tidy_up = stack.pop_all().close
    inline = kind in (PICTURE, TREE)
    return FileResponse(
        path,
        media_type=KINDS[kind],
        filename=path.name,
        headers=SHOWN if inline else HEADERS,
        content_disposition_type="inline" if inline else "attachment",
        background=BackgroundTask(tidy_up),
    )


def write_frame(
    frame: str, kind: str, user: str, folder: Path, pairs: Sequence[tuple[str, str]] = ()
) -> Path:
    """Write a frame of a user into a file.

    Args:
        frame: Its id.
        kind: One of `KINDS`; only what a Chart made has a picture of its own.
        user: Who asks, by the server's authentication; empty where it has none.
        folder: Where the file is put.
        pairs: Label and id of each frame of a tree; of a look at a frame, see `Look.of_query`.

    Raises:
        PolicyError: If the policy no longer lets the user have it.
        SourceError: If the user's folder does not have it, or its tables are others by now.
    """
    from wideleaf.graph.services import services_of
    from wideleaf.graph.settings import settle_client

    settings, tables = asked_for(frame, user)
    context = settle_client(settings, user, tables)
    store = services_of(context, begins=True).store
    absent = f"the frame {frame} is not here, or its tables are others by now; ask again"
    path = folder / f"{frame}.{kind}"
    try:
        named = (key for _, key in pairs) if kind in (TREE, TREE_DRAWING) else ()
        if not all(_stands(store, one) for one in (frame, *named)):
            raise SourceError(absent)
        with store.reading(f"the frame {frame}"):
            if kind == PICTURE:
                write_bytes(path, png_beside(draw_kept(store, frame).spec, SCALE))
            elif kind == TREE:
                write_bytes(path, png_of_svg(draw_tree(store, pairs, frame, paper=True), SCALE))
            elif kind == TREE_DRAWING:
                write_text(path, draw_tree(store, pairs, frame, paper=False))
            elif kind in LOOKS:
                shown = LOOKS[kind](store, Look.of_query(frame, pairs))
                write_text(path, json.dumps(shown, ensure_ascii=False, allow_nan=False))
            else:
                (write_csv if kind == "csv" else write_parquet)(store.with_labels(frame), path)
    except KeyError:
        raise SourceError(absent) from None
    except ActionError as error:
        raise SourceError(error.text if kind == TRACE else absent) from None
    return path


def draw_tree(
    store: FrameStore, pairs: Sequence[tuple[str, str]], answer: str, *, paper: bool
) -> str:
    """Draw the frames that an address names, as SVG.

    Args:
        store: Where they are.
        pairs: Label and id of each; the client could have written them.
        answer: The id of the answer's.
        paper: Whether it stands on white, see `draw_svg`.

    Raises:
        SourceError: If the names fit no tree that was made here.
        KeyError: If a frame is not here.
        ActionError: If a frame cannot be made again.
    """
    tree = name_tree(store, pairs, answer)
    return draw_svg(tree, tree.head, paper=paper)


def _stands(store: FrameStore, frame: str) -> bool:
    """Whether a frame was made here, of tables as these settings name and allow them."""
    loads = store.loads(frame)
    return bool(loads) and all(
        fingerprint in ("", store.catalog.find(name).fingerprint) for name, fingerprint in loads
    )
