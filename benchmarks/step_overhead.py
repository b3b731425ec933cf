"""What a step costs beyond a bare LangGraph loop with the same scripted model, by size of the tree.

    python benchmarks/step_overhead.py [--sizes 10 200] [--durability exit]

Both loops run side by side in one process, with the same scripted model, the same tools bound and
an in-memory checkpointer, which writes at the end (as `wl.ask` does) or after each step (as a named
thread does). The action is a filter over a table of six rows, so that what is
measured is the machinery. The action's own time (resolve, run and observe) is shown apart.
"""

from __future__ import annotations

import argparse
import itertools
import operator
import statistics
import tempfile
import time
from typing import Annotated, Any, TypedDict

import pandas as pd
from langchain_core.messages import HumanMessage, SystemMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph

from wideleaf.agents.models.script import Script
from wideleaf.graph.app import build_graph
from wideleaf.graph.context import Context
from wideleaf.graph.services import prepare_inputs, services_of
from wideleaf.tools.steps.step import Wish, perform
from wideleaf.tools.telling.schema import tool_schemas
from wideleaf.tools.tree.call import Call

TABLE = pd.DataFrame({"site": list("abcdef"), "amount": [1, 2, 3, 4, 5, 6]})


def moves(steps: int) -> list[Any]:
    """A script of so many filters on the leaf, each another one, then Finish."""
    filters = [
        ("Look.", "Filter", {"table": "t", "where": [{"column": "amount", "op": ">", "value": -n}]})
        for n in range(steps)
    ]
    return [*filters, ("Done.", "Finish", {"table": "T1"})]


def times(stream: Any) -> list[float]:
    """Seconds between the updates of a stream."""
    marks = [time.perf_counter()]
    for _ in stream:
        marks.append(time.perf_counter())
    return [b - a for a, b in itertools.pairwise(marks)]


def bare(steps: int, durability: Any) -> float:
    """Seconds a step in the plainest loop: a model node and a tool node."""

    class Loop(TypedDict):
        step: int
        done: Annotated[list[str], operator.add]

    model = Script(moves(steps)).bind_tools(tool_schemas())

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
    config: Any = {"configurable": {"thread_id": "b"}, "recursion_limit": 3 * steps + 10}
    start: Any = {"step": 0, "done": []}
    stream = graph.stream(start, config, stream_mode="updates", durability=durability)
    return _a_step(times(stream))


def ours(steps: int, durability: Any) -> tuple[float, float]:
    """Seconds a step in our graph, and seconds of the bare action within it."""
    with tempfile.TemporaryDirectory() as folder:
        context = Context(folder=folder, chat_model=Script(moves(steps)), max_steps=steps + 2)
        context = prepare_inputs(context, [{"t": TABLE}])
        graph = build_graph(InMemorySaver())
        config: Any = {"configurable": {"thread_id": "o"}, "recursion_limit": 4 * steps + 20}
        stream = graph.stream(
            {"question": "?"},
            config,
            context=context,
            stream_mode="updates",
            durability=durability,
        )
        spent = times(stream)[1:]
        services = services_of(context)
        load = Call(name="Load", arguments={"source": "t"})
        node = perform(Wish(load, "t"), services.store, services.policy)
        leaf = ("t", node.id)
        actions = []
        for n in range(20):
            where = [{"column": "amount", "op": ">", "value": -1000 - n}]
            started = time.perf_counter()
            perform(
                Wish(Call(name="Filter", arguments={"where": where}), "T1", [leaf]),
                services.store,
                services.policy,
            )
            actions.append(time.perf_counter() - started)
    return _a_step(spent), statistics.median(actions)


def _a_step(spent: list[float]) -> float:
    """Median seconds of a pair (think, act) over the last ten steps."""
    pairs = [a + b for a, b in zip(spent[0::2], spent[1::2], strict=False)]
    return statistics.median(pairs[-11:-1])


def main() -> None:
    """Print one row a size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 200])
    parser.add_argument("--durability", choices=("exit", "sync"), default="exit")
    options = parser.parse_args()
    bare(5, options.durability), ours(5, options.durability)
    print("nodes | bare ms | ours ms | of it the action | overhead ms")
    for size in options.sizes:
        plain = bare(size, options.durability)
        whole, action = ours(size, options.durability)
        over = whole - plain - action
        figures = [plain, whole, action, over]
        print(f"{size:5} | " + " | ".join(f"{1000 * figure:.2f}" for figure in figures))


if __name__ == "__main__":
    main()
