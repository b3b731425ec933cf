"""A conversation with the embedded planner over one tree, without a graph around it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
from reading import read_sources

from wideleaf.agents.planner.planner import EmbeddedPlanner
from wideleaf.agents.turn import Exchange, Reply, View
from wideleaf.tools.privacy import Policy
from wideleaf.tools.sources.opening import Catalog
from wideleaf.tools.steps.step import Wish, perform
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.steps.trial import bare, labels
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import FrameTree


class Talk:
    """A conversation with the planner over one tree, with the moves a graph would make."""

    def __init__(self, folder: Path, **frames: pl.DataFrame) -> None:
        catalog = Catalog(read_sources(frames, folder / "sources"))
        self.store = FrameStore(folder / "frames", catalog)
        self.tree = FrameTree()
        for name in frames:
            call = Call(name="Load", arguments={"source": name})
            self.tree = self.tree.grow(perform(Wish(call, name), self.store, Policy()))
        self.planner = EmbeddedPlanner(self.store.get, least=0.25)
        self.past: tuple[Exchange, ...] = ()
        self.note = ""

    def reply(self, message: str) -> Reply:
        memory: dict[str, Any] = {}
        for _ in range(20):
            view = View(question=message, tree=self.tree, memory=memory, past=self.past)
            reply = self.planner.think(view)
            if reply.problem or reply.calls[0].name in ("Finish", "Ask"):
                return reply
            memory = dict(reply.memory)
            call = reply.calls[0]
            if call.name == "Backtrack":
                self.tree = self.tree.back(str(call.arguments["to"]), "another reading")
                continue
            parents = [(label, self.tree[label].id) for label in labels(call)]
            label = f"T{len(self.tree.nodes)}"
            wish = Wish(bare(call), label, parents)
            self.tree = self.tree.grow(perform(wish, self.store, Policy()))
        raise AssertionError("the planner does not come to an end")

    def say(self, message: str) -> list[tuple[Any, ...]]:
        """The rows that answer a message; of several readings those of the first."""
        reply = self.reply(message)
        assert not reply.problem, reply.problem
        arguments = reply.calls[0].arguments
        listed = arguments.get("tables")
        label = str(listed[0] if isinstance(listed, list) else arguments["table"])
        self.note = str(arguments.get("note", arguments.get("readings")))
        self.past = (*self.past, Exchange(said=message, label=label))
        return [tuple(row.values()) for row in self.store.get(self.tree[label].id).rows(50)]
