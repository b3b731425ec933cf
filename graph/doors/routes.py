"""The routes that a server of LangGraph has beside its own, and their gate."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Route

from wideleaf.graph.doors.own_data import PATH as MINE
from wideleaf.graph.doors.own_data import delete_own, tell_own
from wideleaf.graph.downloads.links import PATH as FRAMES
from wideleaf.graph.downloads.route import send_frame
from wideleaf.graph.serving.server import OriginGate

app = Starlette(
    routes=[
        Route(FRAMES + "{name:str}", send_frame),
        Route(MINE, tell_own, methods=["GET"]),
        Route(MINE, delete_own, methods=["DELETE"]),
    ],
    middleware=[Middleware(OriginGate)],
)
