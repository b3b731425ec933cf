"""The systems that are compared, each asked one question in a process of its own.

Every system gets the same files. Those that need frames get them by the plainest reader, with
pandas' defaults: `read_csv`, `read_excel` of all sheets, `read_parquet`, tables of SQLite whole.
Each is set up as its own documentation does it; changed are only the address and the name of the
model, how long it waits for a reply, that failed requests are not sent again by the client, and
the most requests where it has such a setting. The temperature is nowhere set.

A module of the standard library alone until a system is chosen, so that it runs with the
interpreter of any environment: `python peers_systems.py JOB.json`, see `peers.py`.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

REQUESTS = 12
PATIENCE = 7200.0
CODE_SECONDS = 300
SQLITE_COLUMNS = 2000
ROWS_KEPT = 2000

Said = dict[str, Any]
Ask = Callable[[], Said]


def read_tables(paths: list[str]) -> dict[str, Any]:
    """Read files into frames by their names; a file of several tables gives several frames."""
    import pandas as pd

    tables: dict[str, Any] = {}
    for path in map(Path, paths):
        kind = path.suffix.lower()
        if kind in (".csv", ".txt"):
            tables[path.stem] = pd.read_csv(path)
        elif kind in (".tsv", ".tab"):
            tables[path.stem] = pd.read_csv(path, sep="\t")
        elif kind in (".xlsx", ".xls", ".xlsm"):
            sheets = pd.read_excel(path, sheet_name=None)
            one = len(sheets) == 1
            tables |= {path.stem if one else f"{path.stem}_{s}": f for s, f in sheets.items()}
        elif kind == ".parquet":
            tables[path.stem] = pd.read_parquet(path)
        elif kind == ".json":
            tables[path.stem] = pd.read_json(path)
        elif kind in (".db", ".sqlite", ".sqlite3"):
            tables |= _read_sqlite(path)
        else:
            raise ValueError(f"no plain reader for {path.name}")
    return tables


def _read_sqlite(path: Path) -> dict[str, Any]:
    import sqlite3

    import pandas as pd

    with sqlite3.connect(path) as base:
        told = base.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
        names = [name for (name,) in told if not name.startswith("sqlite_")]
        return {name: pd.read_sql_query(f'SELECT * FROM "{name}"', base) for name in names}


def pandasai(job: dict[str, Any]) -> Ask:
    """PandasAI 3 with its LiteLLM extension; its own readers where it has one for the file."""
    import pandasai as pai
    from pandasai.helpers.sql_sanitizer import sanitize_sql_table_name_lowercase as named
    from pandasai_litellm.litellm import LiteLLM

    model = "openai/" + job["model"]
    patience = {"timeout": PATIENCE, "max_retries": 0}
    llm = LiteLLM(model=model, api_key="none", api_base=job["url"], **patience)
    pai.config.set({"llm": llm})
    tables = read_tables(job["paths"])  # what its read_csv and read_excel do, for all kinds of file
    frames = []
    for name, table in tables.items():
        try:
            frames.append(pai.DataFrame(table, _table_name=named(name)))
        except (ValueError, TypeError):  # it takes no name of a column that is no plain word
            plain = [re.sub(r"\W", "_", str(column)) for column in table.columns]
            frames.append(pai.DataFrame(table.set_axis(plain, axis=1), _table_name=named(name)))

    def ask() -> Said:
        first, *others = frames
        asked = job["question"]
        told = pai.chat(asked, *frames) if others else first.chat(asked)
        if told.type == "error":
            return {"status": "failed", "answer": str(told), "error": last_line(told.error)}
        return {"answer": str(told), "value": told.value}

    return ask


def langchain_pandas(job: dict[str, Any]) -> Ask:
    """LangChain's pandas agent, of the type that calls tools."""
    from langchain_experimental.agents import create_pandas_dataframe_agent

    frames = list(read_tables(job["paths"]).values())
    agent = create_pandas_dataframe_agent(
        _chat_model(job),
        frames if len(frames) > 1 else frames[0],
        agent_type="tool-calling",
        max_iterations=REQUESTS,
        allow_dangerous_code=True,
    )
    return lambda: {"answer": _text_of(agent.invoke({"input": job["question"]})["output"])}


def langchain_sql(job: dict[str, Any]) -> Ask:
    """LangChain's SQL agent over SQLite, or DuckDB where a table is too wide for SQLite."""
    from langchain_community.agent_toolkits import create_sql_agent
    from langchain_community.utilities import SQLDatabase

    agent = create_sql_agent(
        _chat_model(job),
        db=SQLDatabase.from_uri(_as_database(read_tables(job["paths"]))),
        agent_type="tool-calling",
        max_iterations=REQUESTS,
    )
    return lambda: {"answer": _text_of(agent.invoke({"input": job["question"]})["output"])}


def _as_database(tables: dict[str, Any]) -> str:
    """The address of a database in the working folder that holds the frames as tables."""
    if max(len(table.columns) for table in tables.values()) <= SQLITE_COLUMNS:
        import sqlite3

        with sqlite3.connect("tables.db") as base:
            for name, table in tables.items():
                table.to_sql(name, base, index=False)
        return "sqlite:///tables.db"
    import duckdb

    with duckdb.connect("tables.duckdb") as base:
        for name, table in tables.items():
            base.register("handed", table)
            base.execute(f'CREATE TABLE "{name}" AS SELECT * FROM handed')
            base.unregister("handed")
    return "duckdb:///tables.duckdb"


def smolagents(job: dict[str, Any]) -> Ask:
    """The CodeAgent of smolagents, with the frames as additional arguments."""
    from smolagents import CodeAgent, OpenAIModel

    model = OpenAIModel(
        model_id=job["model"],
        api_base=job["url"],
        api_key="none",
        client_kwargs={"timeout": PATIENCE, "max_retries": 0},
    )
    agent = CodeAgent(  # after the last step it asks once more for an answer
        tools=[],
        model=model,
        additional_authorized_imports=["pandas", "numpy"],
        max_steps=REQUESTS - 1,
    )
    tables = {re.sub(r"\W|^(?=\d)", "_", name): t for name, t in read_tables(job["paths"]).items()}

    def ask() -> Said:
        told = agent.run(job["question"], additional_args=tables)
        return {"answer": str(told), "value": told}

    return ask


PLAIN = """\
Answer a question about tables with pandas. The frames are in the dict `tables`:

{tables}

Question: {question}

Reply with one block of Python code that prints the answer and nothing else. If the tables cannot \
answer the question, let it print "cannot be answered" and why."""
REPAIR = "The code failed:\n\n{error}\n\nReply with the corrected code."
RUNNER = """\
import sys
sys.path.insert(0, {here!r})
import numpy as np
import pandas as pd
from peers_systems import read_tables
tables = read_tables({paths!r})
"""


def plain(job: dict[str, Any]) -> Ask:
    """A prompt with names, dtypes and three rows; its code is run, repaired once on an error."""
    import openai

    client = openai.OpenAI(base_url=job["url"], api_key="none", timeout=PATIENCE, max_retries=0)
    shown = []
    for name, table in read_tables(job["paths"]).items():
        types = "\n".join(f"  {column}: {kind}" for column, kind in table.dtypes.items())
        rows = table.head(3).to_csv(index=False)
        shown.append(f"tables[{name!r}], {len(table)} rows\n{types}\nFirst rows:\n{rows}")
    told = PLAIN.format(tables="\n".join(shown), question=job["question"])
    messages: list[Any] = [{"role": "user", "content": told}]

    def ask() -> Said:
        error = ""
        for _ in range(2):
            reply = client.chat.completions.create(model=job["model"], messages=messages)
            written = reply.choices[0].message.content or ""
            printed, error = _run_code(written, job["paths"])
            if not error:
                return {"answer": printed, "value": _literal(printed)}
            messages.append({"role": "assistant", "content": written})
            messages.append({"role": "user", "content": REPAIR.format(error=error[-2000:])})
        return {"status": "failed", "answer": "", "error": last_line(error)}

    return ask


def _run_code(written: str, paths: list[str]) -> tuple[str, str]:
    """What the code of a reply printed, and its error."""
    block = re.search(r"```(?:python|py)?\s*\n(.*?)```", written, re.DOTALL)
    code = RUNNER.format(here=str(Path(__file__).parent), paths=paths)
    code += block[1] if block else written
    command = [sys.executable, "-c", code]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=CODE_SECONDS)
    except subprocess.TimeoutExpired:
        return "", f"not done after {CODE_SECONDS} seconds"
    return ran.stdout.strip(), (ran.stderr or "it failed") if ran.returncode else ""


def _literal(printed: str) -> Any:
    try:
        return ast.literal_eval(printed)
    except (SyntaxError, ValueError):
        return None


def wideleaf(job: dict[str, Any]) -> Ask:
    """Wideleaf with the model, at its default privacy; it reads the files itself."""
    return _ask_wideleaf(job, model="openai:" + job["model"], base_url=job["url"])


def wideleaf_alone(job: dict[str, Any]) -> Ask:
    """Wideleaf without a model."""
    return _ask_wideleaf(job)


def _ask_wideleaf(job: dict[str, Any], **settings: Any) -> Ask:
    import wideleaf as wl

    if settings:
        settings |= {"timeout": PATIENCE, "max_seconds": PATIENCE, "max_steps": REQUESTS}

    def ask() -> Said:
        told = wl.ask(job["question"], *job["paths"], **settings)
        done = {"answered": "answered", "partial": "failed", "failed": "failed"}
        status = done.get(told.status, "refused")
        said = {"status": status, "answer": told.answer, "value": told.value}
        return said | {"ended": told.status, "caveats": list(told.caveats)}

    return ask


def _chat_model(job: dict[str, Any]) -> Any:
    from langchain_openai import ChatOpenAI

    return ChatOpenAI(
        model=job["model"], base_url=job["url"], api_key="none", timeout=PATIENCE, max_retries=0
    )


def _text_of(content: Any) -> str:
    """The text of a reply, whole or in parts."""
    if isinstance(content, list):
        return "".join(p if isinstance(p, str) else p.get("text", "") for p in content)
    return str(content)


SYSTEMS: dict[str, Callable[[dict[str, Any]], Ask]] = {
    "pandasai": pandasai,
    "langchain-pandas": langchain_pandas,
    "langchain-sql": langchain_sql,
    "smolagents": smolagents,
    "plain": plain,
    "wideleaf": wideleaf,
    "wideleaf-alone": wideleaf_alone,
}


def as_data(value: Any) -> Any:
    """A value as what JSON knows; a frame or series as its columns and rows."""
    if hasattr(value, "to_frame") and hasattr(value, "reset_index"):  # a series or an index
        value = value.reset_index()
    if hasattr(value, "columns") and hasattr(value, "itertuples"):
        if value.index.names != [None]:
            value = value.reset_index()
        rows = [as_data(list(row)) for row in value.head(ROWS_KEPT).itertuples(index=False)]
        return {"columns": [str(column) for column in value.columns], "rows": rows}
    if isinstance(value, dict):
        return {str(key): as_data(part) for key, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [as_data(part) for part in list(value)[:ROWS_KEPT]]
    if hasattr(value, "tolist"):  # an array or a scalar of numpy
        return as_data(value.tolist())
    if isinstance(value, float) and value != value:
        return None
    if value is None or isinstance(value, str | int | float):
        return value
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


PACKAGES = {
    "pandasai": ("pandasai", "pandasai-litellm", "litellm", "pandas"),
    "langchain": ("langchain-experimental", "langchain-community", "langchain-openai", "pandas"),
    "smolagents": ("smolagents", "openai", "pandas"),
    "plain": ("openai", "pandas"),
    "wideleaf": ("wideleaf", "langchain-openai"),
}


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def last_line(text: str | None) -> str:
    """The last line of an error."""
    return (str(text or "").strip().splitlines() or [""])[-1][:500]


def _stay_here(event: str, args: tuple[Any, ...]) -> None:
    """Refuse every address but this machine's own."""
    if event == "socket.connect" and isinstance(args[1], tuple):
        host = str(args[1][0])
    elif event == "socket.getaddrinfo":
        host = str(args[0])
    else:
        return
    if host not in ("127.0.0.1", "localhost", "::1", "None"):
        raise PermissionError(f"no network here: {host}")


def main() -> None:
    """Ask one system one question, and write what it said."""
    job = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    sys.addaudithook(_stay_here)
    said: Said = {"status": "failed", "answer": "", "value": None}
    try:
        ask = SYSTEMS[job["system"]](job)
        said["start_seconds"] = round(time.process_time(), 3)
        said |= {"status": "answered", **ask()}
    except Exception as error:  # whatever ends a system is its answer: it told that it failed
        said |= {"status": "failed", "error": f"{type(error).__name__}: {error}"[:2000]}
    said["value"] = as_data(said["value"])
    said["versions"] = {name: _version(name) for name in PACKAGES[job["system"].split("-")[0]]}
    Path(job["out"]).write_text(json.dumps(said, default=str), "utf-8")


if __name__ == "__main__":
    main()
