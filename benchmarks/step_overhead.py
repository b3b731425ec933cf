"""What a step costs beyond a bare LangGraph loop with the same scripted model, by size of the tree.

    python benchmarks/step_overhead.py [--sizes 0 50 200] [--durability exit] [--runs 3]

A step is a thought and its action, a filter over a table of six rows, so that what is measured is
the machinery. Four loops run in one process, one after the other, with the same script and an
in-memory checkpointer that writes at the end (as `wl.ask` does) or after each step (as a named
thread and a server do): a bare one of a model node and a tool node; `ask`, whose tree grows to so
many nodes; `talk` and `chat`, whose conversation carries so many nodes of earlier answers into a
message of twenty steps. Milliseconds of processor time, all threads of the process together:
medians over a run's last steps, and of the runs. Shown apart is the filter's own (resolve, run,
observe), taken where the graph runs it, and the rest of the message: what is before the first
thought and after the last.
"""

from __future__ import annotations

import argparse
import itertools
import operator
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable
from typing import Annotated, Any, NamedTuple, TypedDict

import pandas as pd
from langchain_core.messages import HumanMessage, SystemMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph

from wideleaf.agents.models.script import Script
from wideleaf.graph.app import build_graph
from wideleaf.graph.chat import build_chat
from wideleaf.graph.context import Context
from wideleaf.graph.services import prepare_inputs
from wideleaf.graph.talk import build_talk
from wideleaf.tools.steps import series
from wideleaf.tools.steps.step import perform
from wideleaf.tools.telling.schema import tool_schemas

TABLE = pd.DataFrame({"site": list("abcdef"), "amount": [1, 2, 3, 4, 5, 6]})
STEPS = 20
"""Of the message that is measured."""
AN_ANSWER = 5
"""Nodes that an earlier answer stands on, one upon the other."""
LAST = 10
ACTIONS: list[float] = []


class Spent(NamedTuple):
    """Seconds of processor time: of a step, of the action in it, and of the rest of the message."""

    step: float
    action: float
    rest: float


def filters(steps: int, first: int = 0, *, chain: bool = False) -> list[Any]:
    """A script of so many filters, each another one, on the leaf or on each other; then Finish."""

    def call(n: int) -> dict[str, Any]:
        on = {} if chain and n else {"table": "t"}
        return {**on, "where": [{"column": "amount", "op": ">", "value": -1 - first - n}]}

    end = {} if chain else {"table": "t"}
    return [*(("Look.", "Filter", call(n)) for n in range(steps)), ("Done.", "Finish", end)]


def spent(stream: Iterable[Any]) -> Spent:
    """What a stream of updates took: the median of the last steps, and what no step took."""
    began = time.process_time()
    thoughts: list[float] = []
    ACTIONS.clear()
    for part in stream:
        update = part[1] if isinstance(part, tuple) else part
        if {"think", "supervisor"} & {*update}:
            thoughts.append(time.process_time())
    steps = [b - a for a, b in itertools.pairwise(thoughts)]
    rest = time.process_time() - began - thoughts[-1] + thoughts[0]
    actions = statistics.median(ACTIONS[-LAST:] or [0.0])
    return Spent(statistics.median(steps[-LAST:]), actions, rest)


def timed(*given: Any) -> Any:
    """`perform`, with what it took kept in `ACTIONS`."""
    started = time.process_time()
    node = perform(*given)
    ACTIONS.append(time.process_time() - started)
    return node


def bare(steps: int, durability: Any) -> Spent:
    """The plainest loop: a model node and a tool node."""

    class Loop(TypedDict):
        step: int
        done: Annotated[list[str], operator.add]

    model = Script(filters(steps)).bind_tools(tool_schemas())

    def think(state: Loop) -> dict[str, Any]:
        messages = [SystemMessage("Act."), HumanMessage(f"Step {state['step'] + 1} of {steps + 1}")]
        reply = model.invoke(messages)
        return {"step": state["step"] + 1, "done": [reply.tool_calls[0]["name"]]}

    def act(state: Loop) -> dict[str, Any]:
        return {"done": ["ok"]}

    builder = StateGraph(Loop)
    builder.add_node("think", think)
    builder.add_node("act", act)
    builder.add_edge(START, "think")
    builder.add_conditional_edges("think", lambda s: END if s["step"] > steps else "act")
    builder.add_edge("act", "think")
    graph = builder.compile(checkpointer=InMemorySaver())
    return run(graph, {"step": 0, "done": []}, steps, durability)


def config_of(steps: int) -> Any:
    """A thread, with room for so many steps."""
    return {"configurable": {"thread_id": "one"}, "recursion_limit": 4 * steps + 40}


def run(graph: Any, given: Any, steps: int, durability: Any, context: Any = None) -> Spent:
    """Stream a run as a page does, and measure it."""
    how = {"stream_mode": "updates", "subgraphs": True, "durability": durability}
    return spent(graph.stream(given, config_of(steps), context=context, **how))


class Bench:
    """A table, a script and the settings over both.

    Args:
        folder: For the run's files.
        durability: When checkpoints are written.
    """

    def __init__(self, folder: str, durability: Any) -> None:
        self.script, self.durability = Script(), durability
        context = Context(folder=folder, chat_model=self.script, max_steps=400)
        self.context = prepare_inputs(context, [{"t": TABLE}])

    def ask(self, nodes: int) -> Spent:
        """A question whose tree grows to so many nodes."""
        self.script.moves = filters(nodes)
        given = {"question": "Show the sites."}
        return run(build_graph(InMemorySaver()), given, nodes, self.durability, self.context)

    def talk(self, nodes: int) -> Spent:
        """A message of a conversation that carries so many nodes."""
        return self._message(build_talk(InMemorySaver()), lambda text: {"message": text}, nodes)

    def chat(self, nodes: int) -> Spent:
        """The same through the chat of Studio and the server."""
        graph = build_chat()
        graph.checkpointer = InMemorySaver()
        return self._message(graph, lambda text: {"messages": [HumanMessage(text)]}, nodes)

    def _message(self, graph: Any, said: Callable[[str], Any], nodes: int) -> Spent:
        for turn in range(nodes // AN_ANSWER):
            self.script.moves = filters(AN_ANSWER, 1000 * (turn + 1), chain=True)
            text = f"Show the sites with more than {turn}."
            graph.invoke(said(text), config_of(AN_ANSWER), context=self.context, durability="exit")
        record = graph.get_state(config_of(0)).values.get("conversation") or {"nodes": {"t": {}}}
        assert len(record["nodes"]) == nodes + 1, "the conversation carries other nodes"
        self.script.moves = filters(STEPS)
        return run(graph, said("Show the sites with less."), STEPS, self.durability, self.context)


def main() -> None:
    """Print one row a loop and size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[0, 50, 200])
    parser.add_argument("--durability", choices=("exit", "async", "sync"), default="exit")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    series.perform = timed  # type: ignore[assignment]  # for want of a seam, and only here
    rows: dict[tuple[str, int], list[tuple[float, ...]]] = {}
    for turn in range(options.runs + 1):
        for size in options.sizes:
            for name in ("ask", "talk", "chat"):
                with tempfile.TemporaryDirectory() as folder:
                    bench = Bench(folder, options.durability)
                    nodes = max(size, STEPS) if name == "ask" else size
                    ours = getattr(bench, name)(nodes)
                    plain = bare(nodes if name == "ask" else STEPS, options.durability).step
                    over = ours.step - plain - ours.action
                    row = (plain, ours.step, ours.action, over, ours.rest)
                    rows.setdefault((name, nodes), []).extend([row] if turn else [])  # first: warm
    print("loop | nodes | bare ms | ours ms | ratio | the action ms | overhead ms | rest ms")
    for (name, nodes), measured in sorted(rows.items()):
        figures = [1000 * statistics.median(column) for column in zip(*measured, strict=True)]
        figures.insert(2, figures[1] / figures[0])
        print(f"{name} | {nodes:5} | " + " | ".join(f"{figure:.2f}" for figure in figures))


if __name__ == "__main__":
    main()
