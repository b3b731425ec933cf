"""Links to the frames of answers, and what the clients of their runs had set."""

from __future__ import annotations

import os
import sys
from collections import OrderedDict
from threading import Lock
from typing import Any
from urllib.parse import urlencode

from langgraph.runtime import Runtime

from wideleaf.graph.channels import PlainData
from wideleaf.graph.context import Context
from wideleaf.graph.downloads.looks import MAX_DRAWN
from wideleaf.graph.serving.server import ADDRESS, PUBLIC, SERVER, user_of
from wideleaf.tools.tree.lineage import is_id
from wideleaf.tools.tree.tree import FrameTree

PATH = "/wideleaf/frames/"
PICTURE = "png"
"""The kind that is a picture: of pixels alone, so what cells say in it is no markup."""
TREE = "tree.png"
"""The kind that is a picture of the frames which the address names."""
MAX_KNOWN = 1000
LONGEST = 6_000
"""Characters of an address that any browser and server takes."""

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
