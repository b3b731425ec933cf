"""How the index grows: time and memory to build and to ask it, by the number of columns.

    python benchmarks/index_growth.py OUT_FOLDER [--rows 2000] [--columns 1000 2000 ...]

For each width a twin is made, and a process of its own loads the embedder, builds the index of the
twin by part, builds it again unchanged, and asks it the development questions, each once, warm
(the time of their embedding is in it; beside the clock, the processor's time is told, which other
work on the machine does not change so much). Written are index_growth.csv and index_growth.svg. A
table wider than the paper's 8,058 columns has further statistics of each series.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

COLUMNS = (1_000, 2_000, 4_000, 8_000, 16_000)
PARTS = ("profile", "families", "clusters", "embed", "store")
COLORS = ("#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2")
QUESTIONS = Path(__file__).parent / "column_questions_dev.jsonl"
WARM = "What is the mean green of the leaves at the end of the second month of the trial?"
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 380, 300, 60, 50, 40


def one_width(path: Path, folder: Path) -> dict[str, Any]:
    """Build and ask the index of one table, in this process."""
    from wideleaf.retrieval.cards.cards import make_cards
    from wideleaf.retrieval.descent import IndexRetriever
    from wideleaf.retrieval.index.build import build_index
    from wideleaf.retrieval.index.vector_store import VectorStore
    from wideleaf.retrieval.vectors.embedder import open_embedder
    from wideleaf.tools.sources.opening import open_catalog

    start = time.perf_counter()
    embedder = open_embedder()
    embedder.embed(["a first text, so that the model is loaded"])
    loaded = time.perf_counter()
    catalog = open_catalog((str(path),), folder, (), "polars")
    tables = {name: catalog.table(name) for name in catalog.names}
    fingerprints = {one.name: one.fingerprint for one in catalog.all}
    (table,) = tables.values()
    columns = len(table.columns)
    opened, opened_busy = time.perf_counter(), time.process_time()
    report = build_index(tables, fingerprints, VectorStore(folder, embedder), folder)
    built, built_busy = time.perf_counter(), time.process_time()
    build_index(tables, fingerprints, VectorStore(folder, embedder), folder)
    rebuilt = time.perf_counter()
    retriever = IndexRetriever(folder, embedder, fingerprints)
    retriever.select(WARM, tables)
    taken: list[float] = []
    worked: list[float] = []
    for line in QUESTIONS.read_text("utf-8").splitlines():  # each once: vectors of texts are kept
        begun, busy = time.perf_counter(), time.process_time()
        retriever.select(json.loads(line)["question"], tables)
        taken.append((time.perf_counter() - begun) * 1000)
        worked.append((time.process_time() - busy) * 1000)
    seconds = {part: sum(e.seconds for e in report.entries if e.part == part) for part in PARTS}
    return {
        "columns": columns,
        "rows": table.count(),
        "entries": len(make_cards(table.columns)),
        "model s": round(loaded - start, 2),
        "open s": round(opened - loaded, 2),
        "build s": round(built - opened, 2),
        "build processor s": round(built_busy - opened_busy, 2),
        **{f"{part} s": round(seconds[part], 2) for part in PARTS},
        "again s": round(rebuilt - built, 2),
        "query ms": round(statistics.median(taken), 1),
        "query 95 % ms": round(statistics.quantiles(taken, n=20)[-1], 1),
        "query processor ms": round(statistics.median(worked), 1),
        "peak MB": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


def plot(lines: Sequence[dict[str, Any]]) -> str:
    """Build time by part and query time over the number of columns, as SVG."""
    build = [
        (part, COLORS[n], [float(line[f"{part} s"]) for line in lines])
        for n, part in enumerate(PARTS)
    ]
    query = [
        ("median", COLORS[0], [float(line["query ms"]) for line in lines]),
        ("95th percentile", COLORS[1], [float(line["query 95 % ms"]) for line in lines]),
    ]
    columns = [int(line["columns"]) for line in lines]
    panels = [
        _panel(0, "Build, seconds by part", columns, _stacked(build)),
        _panel(WIDTH, "Query, milliseconds, warm", columns, query),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * WIDTH} {HEIGHT}" '
        f'font-family="sans-serif" font-size="11">\n'
        f'<rect width="{2 * WIDTH}" height="{HEIGHT}" fill="white"/>\n{"".join(panels)}</svg>\n'
    )


Line = tuple[str, str, list[float]]


def _stacked(lines: Sequence[Line]) -> list[Line]:
    """Each part above those before it; the topmost is the whole."""
    whole = [0.0] * len(lines[0][2])
    made: list[Line] = []
    for name, color, values in lines:
        whole = [a + b for a, b in zip(whole, values, strict=True)]
        made.append((name, color, whole))
    return made[::-1]


def _panel(left: int, title: str, columns: Sequence[int], lines: Sequence[Line]) -> str:
    """One chart: its axes from 0, a line with a dot for each width, and a legend."""
    most = max(max(values) for _, _, values in lines) or 1.0
    step = 10 ** math.floor(math.log10(most))
    step = next(s for s in (step / 5, step / 2, step, 2 * step) if most / s <= 6)
    top = math.ceil(most / step) * step
    widest = max(columns)
    x0, x1 = left + LEFT, left + WIDTH - 20
    y0, y1 = HEIGHT - BOTTOM, TOP

    def x(value: float) -> float:
        return round(x0 + (x1 - x0) * value / widest, 1)

    def y(value: float) -> float:
        return round(y0 - (y0 - y1) * value / top, 1)

    parts = [f'<text x="{x0}" y="20" font-size="13">{escape(title)}</text>\n']
    for place in range(round(top / step) + 1):
        at = y(place * step)
        label = f"{place * step:g}"
        parts.append(f'<line x1="{x0}" y1="{at}" x2="{x1}" y2="{at}" stroke="#ddd"/>')
        parts.append(f'<text x="{x0 - 6}" y="{at + 4}" text-anchor="end">{label}</text>\n')
    for place, count in enumerate(columns):
        crowded = place + 1 < len(columns) and x(columns[place + 1]) - x(count) < 25
        parts.append(
            f'<line x1="{x(count)}" y1="{y0}" x2="{x(count)}" y2="{y0 + 4}" stroke="#888"/>'
        )
        if not crowded or place == 0:
            label = f"{count / 1000:g}k"
            parts.append(
                f'<text x="{x(count)}" y="{y0 + 17}" text-anchor="middle">{label}</text>\n'
            )
    middle = (x0 + x1) / 2
    parts.append(f'<text x="{middle}" y="{y0 + 36}" text-anchor="middle">columns</text>\n')
    for place, (name, color, values) in enumerate(lines):
        points = [(x(count), y(value)) for count, value in zip(columns, values, strict=True)]
        path = " ".join(f"{a},{b}" for a, b in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts += [f'<circle cx="{a}" cy="{b}" r="3" fill="{color}"/>' for a, b in points]
        at = y1 + 4 + 15 * place
        parts.append(f'<rect x="{x0 + 10}" y="{at}" width="10" height="10" fill="{color}"/>')
        parts.append(f'<text x="{x0 + 25}" y="{at + 9}">{escape(name)}</text>\n')
    return "".join(parts)


def main() -> None:
    """Measure each width and write the figures and the plot."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("out", type=Path)
    parser.add_argument("--rows", type=int, default=2_000)
    parser.add_argument("--columns", type=int, nargs="*", default=COLUMNS)
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        print(json.dumps(one_width(args.one, args.out)))
        return
    from agronomy.table import make_agronomy_table

    args.out.mkdir(parents=True, exist_ok=True)
    lines: list[dict[str, Any]] = []
    for count in args.columns:
        path = args.out / f"twin_{count}x{args.rows}.parquet"
        if not path.exists():
            make_agronomy_table(path, args.rows, count)
        folder = args.out / f"index_{count}_{time.time_ns()}"
        command = [sys.executable, __file__, str(folder), "--one", str(path)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{count} columns: {done.stderr.strip()[-2000:]}")
        lines.append(json.loads(done.stdout.splitlines()[-1]))
        print(lines[-1], flush=True)
    with (args.out / "index_growth.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(lines[0]))
        writer.writeheader()
        writer.writerows(lines)
    (args.out / "index_growth.svg").write_text(plot(lines), "utf-8")
    for row in (list(lines[0]), ["---"] * len(lines[0]), *(line.values() for line in lines)):
        print(f"| {' | '.join(map(str, row))} |")


if __name__ == "__main__":
    main()
