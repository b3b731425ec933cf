"""Compare systems that answer questions over tables, each behind the same model and a recorder.

    python benchmarks/peers_questions.py FOLDER
    python benchmarks/peers.py FOLDER --system NAME --base-url URL --out OUT.jsonl [--python PYTHON]
    python benchmarks/peers.py FOLDER --summary OUT.jsonl ... [--verdicts FILE]

FOLDER holds the tables and `questions.jsonl`: id, kind, files, question, gold (null where the
tables cannot answer), type (number, text, list, table or none), tolerance, note.
`peers_systems.py` says how each system is set up; PYTHON is the interpreter that has it. Each
question is asked in a fresh process and an empty folder, so that nothing is kept from one to the
next, and OUT gets a line for it; those that have one are skipped. A question during which the
model's server failed gets none.

**Requests.** Each system is given the address of a recorder, which passes its requests on to URL,
at most 12 a question; further ones are refused. Bodies and replies are in OUT.requests.

**Tokens** are those of o200k_base of the texts of all messages and tools as JSON, all requests
together (of 4 characters each where that encoding is not on this disk, which `counted` tells).

**Cells that left the machine** are distinct texts of cells of the question's tables that stand as
whole words in what was sent. Not counted are texts of one character, numbers of fewer than three
digits, booleans; what stands in the question, in names of tables, files or columns, in an earlier
reply of the model, or in what the system sends of a table of nonsense: its own prompt. Numbers
are looked for as Python writes them and at six digits. A number that is no cell but equals one,
such as a count of rows, is counted: a few cells may be chance.

**Overhead** is the processor time of the system's process and those it started, reading the files
and loading its own modules included; waiting for the model takes none. **Memory** is the peak of
what the largest of them holds and the others hold beside it, looked at twenty times a second.

**Verdicts.** A value that the system hands over goes before the words of its answer. Right where
the tables cannot answer is to say so. `said so` is any other refusal, failure or error. What a
rule cannot settle is listed as doubtful; FILE holds lines {"system", "id", "verdict"} of who
looked.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from peers_judge import as_number, judge_said
from peers_systems import PATIENCE, REQUESTS, SYSTEMS, read_tables
from prompt_tokens import Recorder, count_tokens, open_encoding
from question_sets import read_lines

SECONDS = 3 * PATIENCE
WORD = re.compile(r"\w+(?:\.\d+)*")
LEAST_DIGITS = 3
TEXT_FILES = (".csv", ".txt", ".tsv", ".tab")
PARTS = re.compile(r"[;|\t]")
"""What parts cells that a plain reader did not part."""
LOOK = 0.05
NONSENSE = "qzx_one,qzx_two\nqzxa,90071\nqzxb,90072\nqzxc,90073\n"
KEPT_OF_TEXT = 20_000
MODELLESS = "wideleaf-alone"


def texts_of(request: dict[str, Any]) -> str:
    """All that a request tells the model: its messages, calls among them, and its tools."""
    told: list[str] = []
    for message in request.get("messages", ()):
        content = message.get("content") or ""
        parts = [content] if isinstance(content, str) else [p.get("text", "") for p in content]
        told += parts
        for call in message.get("tool_calls") or ():
            told += [call["function"]["name"], call["function"]["arguments"]]
    for key in ("tools", "functions", "response_format"):
        if request.get(key):
            told.append(json.dumps(request[key], separators=(",", ":"), ensure_ascii=False))
    return "\n".join(told)


def run_system(
    system: str, python: str, question: str, paths: list[Path], url: str, model: str
) -> dict[str, Any]:
    """Ask a system in a process of its own; what it said, and what that took."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        out, job = Path(folder, "said.json"), Path(folder, "job.json")
        told = {"system": system, "question": question, "url": url, "model": model}
        told |= {"paths": [str(path.absolute()) for path in paths], "out": str(out)}
        job.write_text(json.dumps(told), "utf-8")
        work = Path(folder, "work")
        work.mkdir()
        environment = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "HOME": folder,
            "LANG": "C.UTF-8",
            "OPENAI_API_KEY": "none",
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
            "HF_HUB_OFFLINE": "1",
            "MPLBACKEND": "Agg",
        }
        interpreter = str(Path(shutil.which(python) or python).absolute())
        command = [interpreter, str(Path(__file__).with_name("peers_systems.py")), str(job)]
        with Path(folder, "noise").open("w+") as noise:
            start = time.monotonic()
            process = subprocess.Popen(
                command, cwd=work, env=environment, stdout=noise, stderr=noise,
                stdin=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip
            try:
                peak, usage = _watch(process.pid, start + SECONDS)
            finally:  # what it left running ends with it
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.returncode = 0  # it was waited for, and Popen does not know
            noise.seek(0)
            last = noise.read()[-2000:]
        said = {"status": "failed", "answer": "", "value": None, "error": last}
        if out.exists():
            said = json.loads(out.read_text("utf-8"))
        said["answer"] = str(said["answer"])[:KEPT_OF_TEXT]
        said["overhead_seconds"] = round(usage.ru_utime + usage.ru_stime, 3)
        said["memory_mb"] = round(peak / 2**20)
        said["seconds"] = round(time.monotonic() - start, 1)
        return said


def _watch(pid: int, end: float) -> tuple[int, Any]:
    """Wait for a process; the most bytes that it and what it started held, and its usage."""
    peak = 0
    while True:
        done, _, usage = os.wait4(pid, os.WNOHANG)
        if done:
            return peak, usage
        peak = max(peak, _held(list(_family(pid))))
        if time.monotonic() > end:
            os.killpg(pid, signal.SIGKILL)
        time.sleep(LOOK)


def _family(pid: int) -> Iterator[int]:
    yield pid
    try:
        for children in Path(f"/proc/{pid}/task").glob("*/children"):
            for child in children.read_text().split():
                yield from _family(int(child))
    except OSError:  # it ended in the meantime
        return


def _held(family: list[int]) -> int:
    """The bytes of the largest process, and what the others share with none."""
    sizes = sorted(((_resident(pid), pid) for pid in family), reverse=True)
    return sizes[0][0] + sum(_alone(pid) for _, pid in sizes[1:])


def _resident(pid: int) -> int:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _alone(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith("Private"))


def own_prompt(system: str, python: str, model: str) -> str:
    """What a system sends first of a table of nonsense: the words of its own prompt."""
    with tempfile.TemporaryDirectory() as folder, Recorder("", limit=0) as recorder:
        table = Path(folder, "qzx.csv")
        table.write_text(NONSENSE)
        said = run_system(system, python, "qzx?", [table], recorder.url, model)
        if not recorder.refused and (system != MODELLESS or said["status"] == "failed"):
            raise SystemExit(f"{system} does not run here: {said.get('error') or said['answer']}")
        return "\n".join(map(texts_of, recorder.refused[:1]))


class Cells(NamedTuple):
    """The texts of the cells of tables.

    Attributes:
        words: Those that are one word.
        longer: Those of several words or signs, by their first word.
    """

    words: frozenset[str]
    longer: dict[str, tuple[str, ...]]


class Known:
    """Texts that tell nothing new."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._found: set[str] = set()
        self._fresh = text

    def add(self, text: str) -> None:
        """Know another text, too."""
        self._fresh += "\n" + text

    def of(self, cells: Cells) -> set[str]:
        """The cells that stand in what is known."""
        if self._fresh:
            self._found |= cells_in(cells, self._fresh)
            self._fresh = ""
        return self._found


def words_of(text: str) -> Known:
    """A text as what is known."""
    return Known(text)


def cells_in(cells: Cells, text: str) -> set[str]:
    """Those texts of cells that stand as whole words in a text."""
    words = set(WORD.findall(text))
    found = set(cells.words & words)
    for first in words & cells.longer.keys():
        for whole in cells.longer[first]:
            if whole in text and re.search(rf"(?<!\w){re.escape(whole)}(?!\w)", text):
                found.add(whole)
    return found


@cache
def load_cells(paths: tuple[Path, ...]) -> tuple[Cells, str]:
    """The cells of files, and the names of their tables and columns as one text."""
    names: list[str] = [name for path in paths for name in (path.name, path.stem)]
    texts: set[str] = set()
    tables: dict[str, Any] = {}
    for path in paths:
        try:
            tables |= read_tables([str(path)])
        except Exception:  # lines that the plain reader cannot read still have cells
            if path.suffix.lower() in TEXT_FILES:
                lines = path.read_text("latin-1").splitlines()
                texts.update(_texts(part for line in lines for part in line.split(",")))
    for name, table in tables.items():
        names += [name, *map(str, table.columns)]
        for at in range(len(table.columns)):
            values = table.iloc[:, at].dropna()
            texts.update(_texts(values.tolist()))
    one_word: set[str] = set()
    longer: dict[str, list[str]] = {}
    for text in texts:
        first = WORD.search(text)
        if first is None:
            continue
        if first[0] == text:
            one_word.add(text)
        else:
            longer.setdefault(first[0], []).append(text)
    kept = {first: tuple(wholes) for first, wholes in longer.items()}
    return Cells(frozenset(one_word), kept), "\n".join(names)


def _texts(values: Iterable[Any]) -> set[str]:
    """How values may be written."""
    texts: set[str] = set()
    for value in values:
        if isinstance(value, bool):
            continue
        if isinstance(value, float):
            texts |= {str(int(value))} if value.is_integer() else {str(value), f"{value:g}"}
        elif hasattr(value, "isoformat"):
            whole = str(value)
            texts |= {whole, whole.removesuffix(" 00:00:00")}
        else:
            texts.add(str(value).strip())
            texts.update(part.strip() for part in PARTS.split(str(value)))
    return {text for text in texts if _counts(text)}


def _counts(text: str) -> bool:
    if as_number(text) is not None:
        return sum(sign.isdigit() for sign in text) >= LEAST_DIGITS
    return len(text) >= 2


def measure(args: argparse.Namespace, question: dict[str, Any], own: str) -> dict[str, Any] | None:
    """Ask a question and judge the answer; None where the model's server failed."""
    paths = [args.folder / name for name in question["files"]]
    with Recorder(args.base_url.rstrip("/"), REQUESTS) as recorder:
        said = run_system(
            args.system, args.python, question["question"], paths, recorder.url, args.model
        )
    with args.log.open("a", encoding="utf-8") as log:
        for body, reply in zip(recorder.asked, recorder.replies, strict=True):
            log.write(json.dumps({"id": question["id"], "body": body, "reply": reply}) + "\n")
    if recorder.failures:
        print(f"{question['id']}: not counted, {recorder.failures[0]}", file=sys.stderr)
        return None
    cells, names = load_cells(tuple(paths))
    known = words_of("\n".join([question["question"], own, names]))
    left: set[str] = set()
    sent = [texts_of(body) for body in recorder.asked]
    for text, reply in zip(sent, recorder.replies, strict=True):
        left |= cells_in(cells, text) - known.of(cells)
        known.add(reply)
    rivals = cells_in(cells, said["answer"]) - words_of(question["question"]).of(cells)
    line = {"id": question["id"], "system": args.system, "kind": question["kind"], **said}
    line |= {
        "requests": len(sent),
        "refused_requests": len(recorder.refused),
        "prompt_tokens": sum(map(count_tokens, sent)),
        "completion_tokens": sum(map(count_tokens, recorder.replies)),
        "counted": "o200k_base" if open_encoding() else "characters / 4",
        "cells": len(left),
        "cells_seen": sorted(left)[:20],
        "waited_seconds": round(recorder.waited, 1),
        "rivals": sorted(rivals)[:20],
    }
    verdict = judge_said(question, line)
    return line | {"verdict": verdict.what, "taken": verdict.taken, "doubt": verdict.doubt}


def ask_all(args: argparse.Namespace, questions: list[dict[str, Any]]) -> None:
    """Ask a system all questions that have no line yet."""
    done = {line["id"] for line in read_lines(args.out)} if args.out.exists() else set()
    wanted = [
        q for q in questions if q["id"] not in done and (not args.only or q["id"] in args.only)
    ]
    if not wanted:
        return
    args.log = args.out.with_suffix(".requests")
    own = own_prompt(args.system, args.python, args.model)
    with ThreadPoolExecutor(args.jobs) as pool:
        asking = [pool.submit(measure, args, question, own) for question in wanted]
        for asked in as_completed(asking):
            line = asked.result()
            if line is not None:
                with args.out.open("a", encoding="utf-8") as out:
                    out.write(json.dumps(line, ensure_ascii=False) + "\n")
                print(f"{line['id']}: {line['verdict']} {line['doubt']}".rstrip(), flush=True)


def summarise(
    questions: list[dict[str, Any]], lines: list[dict[str, Any]], settled: list[dict[str, Any]]
) -> str:
    """The table of all systems in Markdown, and the verdicts for a person to look at."""
    asked = {question["id"]: question for question in questions}
    looked = {(one["system"], one["id"]): one["verdict"] for one in settled}
    kinds = list(dict.fromkeys(question["kind"] for question in questions))
    head = ["system", "asked", "right", *kinds, "wrong", "said so", "prompt tokens", "requests"]
    head += ["overhead s", "memory MB", "cells"]
    rows, doubts = [head, ["---"] * len(head)], []
    for system in [s for s in SYSTEMS if any(line["system"] == s for line in lines)]:
        own = [one for one in lines if one["system"] == system and one["id"] in asked]
        what: dict[str, str] = {}
        for line in own:
            question = asked[line["id"]]
            verdict = judge_said(question, line)
            what[line["id"]] = looked.get((system, line["id"]), verdict.what)
            if verdict.doubt and (system, line["id"]) not in looked:
                gold = json.dumps(question["gold"], ensure_ascii=False)[:200]
                given = " ".join((line["answer"] or line.get("error", "")).split())[:300]
                doubts.append(
                    f"- {system}, {line['id']}: {verdict.what}? ({verdict.doubt}) "
                    f"gold {gold}; taken {str(verdict.taken)[:100]!r}; said: {given}"
                )
        right = [one for one, verdict in what.items() if verdict == "right"]
        row = [system, str(len(own)), str(len(right))]
        for kind in kinds:
            of_kind = [one for one in what if asked[one]["kind"] == kind]
            row.append(f"{sum(one in right for one in of_kind)} of {len(of_kind)}")
        row += [str(list(what.values()).count(verdict)) for verdict in ("wrong", "said so")]
        for key in ("prompt_tokens", "requests", "overhead_seconds", "memory_mb", "cells"):
            row.append(f"{statistics.median(line[key] for line in own):,.10g}")
        rows.append(row)
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([table, "", f"Doubtful verdicts: {len(doubts)}", *doubts])


def main(words: Iterable[str] | None = None) -> None:
    """Measure one system, or print the table of all."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--system", choices=SYSTEMS)
    parser.add_argument("--base-url", default="http://127.0.0.1:8009/v1")
    parser.add_argument("--model", default="local-model")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--python", default=sys.executable, help="the one that has the system")
    parser.add_argument("--only", nargs="+", metavar="ID")
    parser.add_argument("--jobs", type=int, default=1, help="questions at the same time")
    parser.add_argument("--summary", nargs="+", type=Path, metavar="OUT")
    parser.add_argument("--verdicts", type=Path, help="verdicts of who looked at doubtful ones")
    args = parser.parse_args(None if words is None else list(words))
    questions = read_lines(args.folder / "questions.jsonl")
    if args.summary:
        lines = [line for path in args.summary for line in read_lines(path)]
        print(summarise(questions, lines, read_lines(args.verdicts) if args.verdicts else []))
    elif args.system and args.out:
        ask_all(args, questions)
    else:
        parser.error("either --system and --out, or --summary")


if __name__ == "__main__":
    main()
