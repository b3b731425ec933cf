"""A chat on a thread, and tables to attach to its messages."""

import base64
import io

import pandas as pd
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

import wideleaf as wl
from wideleaf.graph.chat import build_chat

TRIALS = "site,yield\nA,1\nA,3\nB,8\n"
MEAN = "What is the mean yield?"


def attached(text, name="trials.csv", kind="text/csv"):
    data = base64.b64encode(text if isinstance(text, bytes) else text.encode()).decode()
    return {"type": "file", "mimeType": kind, "data": data, "metadata": {"filename": name}}


class Talk:
    """A chat on a thread."""

    def __init__(self, folder, **settings):
        self.graph = build_chat()
        self.graph.checkpointer = InMemorySaver()  # as a server gives its own
        self.config = {"configurable": {"thread_id": "1"}}
        self.context = wl.Context(folder=str(folder), **settings)

    def say(self, *blocks):
        texts = [{"type": "text", "text": one} if isinstance(one, str) else one for one in blocks]
        said = {"messages": [HumanMessage(texts)]}
        self.state = self.graph.invoke(said, self.config, context=self.context)
        return self.state["messages"][-1].text

    @property
    def thread(self):
        return self.graph.get_state(self.config).values


def workbook(**sheets):
    sink = io.BytesIO()
    with pd.ExcelWriter(sink, engine="openpyxl") as writer:
        for name, frame in sheets.items():
            frame.to_excel(writer, sheet_name=name, index=False)
    return sink.getvalue()
