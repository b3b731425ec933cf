"""The route that gives the frame of an answer as a file, a picture or data."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response

from wideleaf.graph.channels import PlainData
from wideleaf.graph.downloads.links import PICTURE, TREE, asked_for
from wideleaf.graph.downloads.looks import (
    Look,
    compile_chart,
    name_tree,
    read_page,
    trace_rows,
)
from wideleaf.graph.drawings.svg import draw_svg
from wideleaf.graph.results.chart_parts import SCALE
from wideleaf.graph.serving.policy import PolicyError
from wideleaf.graph.serving.server import identity_of
from wideleaf.tools.charts.pictures import png_beside, png_of_svg
from wideleaf.tools.errors import ActionError, SourceError, WideleafError
from wideleaf.tools.exports.table_file import write_csv, write_parquet
from wideleaf.tools.steps.charting import draw_kept
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tree.lineage import is_id
from wideleaf.tools.writing import write_bytes, write_text

TREE_DRAWING = "tree.svg"
"""The same as a drawing; each frame has its place among them as attribute ``data-frame``."""
TRACE = "trace.json"
LOOKS: dict[str, Callable[[FrameStore, Look], PlainData]] = {
    "json": read_page,
    TRACE: trace_rows,
    "vega.json": compile_chart,
}
"""The kinds that are data for a page."""
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


def send_frame(request: Request) -> Response:
    """Answer a request for ``ID.csv`` and the like; what is not the client's is not there.

    The run's settings are settled by the policy anew, so what it forbids by now is not given.
    """
    frame, _, kind = str(request.path_params["name"]).partition(".")
    if not is_id(frame) or kind not in KINDS:
        text = f"a frame is the id of an answer and one of {', '.join(KINDS)}, such as ID.csv"
        return PlainTextResponse(text, 404, HEADERS)
    identity = identity_of(request.scope.get("user"))
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
