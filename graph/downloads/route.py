"""The server's route that gives the frame of an answer as CSV or Parquet."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path
from tempfile import mkdtemp

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response

from wideleaf.graph.downloads.links import asked_for
from wideleaf.graph.serving.policy import PolicyError
from wideleaf.tools.errors import ActionError, SourceError, WideleafError
from wideleaf.tools.exports.table_file import write_csv, write_parquet
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tree.lineage import is_id

KINDS = {"csv": "text/csv; charset=utf-8", "parquet": "application/vnd.apache.parquet"}
HEADERS = {
    "cache-control": "private, no-store",
    "cross-origin-resource-policy": "same-origin",  # another site's page may not embed it
    "x-content-type-options": "nosniff",
}


def send_frame(request: Request) -> Response:
    """Answer a request for ``ID.csv`` or ``ID.parquet``; what is not the client's is not there.

    The run's settings are settled by the policy anew, so what it forbids by now is not given.
    """
    frame, _, kind = str(request.path_params["name"]).partition(".")
    if not is_id(frame) or kind not in KINDS:
        text = f"a frame is the id of an answer and one of {', '.join(KINDS)}, such as ID.csv"
        return PlainTextResponse(text, 404, HEADERS)
    user = request.scope.get("user")
    identity = str(user.identity) if user is not None and user.is_authenticated else ""
    folder = Path(mkdtemp(prefix="wideleaf-"))
    try:
        path = write_frame(frame, kind, identity, folder)
    except (WideleafError, ActionError) as error:
        shutil.rmtree(folder, ignore_errors=True)
        refused = isinstance(error, PolicyError)
        return PlainTextResponse(str(error), 403 if refused else 404, HEADERS)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return FileResponse(
        path,
        media_type=KINDS[kind],
        filename=path.name,
        headers=HEADERS,
        background=BackgroundTask(partial(shutil.rmtree, folder, ignore_errors=True)),
    )


def write_frame(frame: str, kind: str, user: str, folder: Path) -> Path:
    """Write a frame of a user into a file.

    Args:
        frame: Its id.
        kind: ``csv`` or ``parquet``.
        user: Who asks, by the server's authentication; empty where it has none.
        folder: Where the file is put.

    Raises:
        PolicyError: If the policy no longer lets the user have it.
        SourceError: If the user's folder does not have it, or its tables are others by now.
    """
    from wideleaf.graph.services import services_of
    from wideleaf.graph.settings import settle_client

    asked, tables = asked_for(frame, user)
    context = settle_client(asked, user, tables)
    store = services_of(context, begins=True).store
    absent = f"the frame {frame} is not here, or its tables are others by now; ask again"
    path = folder / f"{frame}.{kind}"
    try:
        if not _stands(store, frame):
            raise SourceError(absent)
        with store.reading(f"the frame {frame}"):
            (write_csv if kind == "csv" else write_parquet)(store.with_labels(frame), path)
    except (KeyError, ActionError):
        raise SourceError(absent) from None
    return path


def _stands(store: FrameStore, frame: str) -> bool:
    """Whether a frame was made here, of tables as these settings name and allow them."""
    todo, seen = [frame], {frame}
    while todo:
        recipe = store.recipe(todo.pop())
        if recipe is None:
            return False
        if recipe.name == "Load":
            known = store.catalog.find(recipe.arguments["source"])
            if recipe.arguments.get("fingerprint") not in ("", known.fingerprint):
                return False
        fresh = [parent for parent in recipe.parents if parent not in seen]
        seen.update(fresh)
        todo += fresh
    return True
