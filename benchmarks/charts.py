"""Charts that people asked for over everyday tables, beside what was worked out before.

    python benchmarks/charts.py FOLDER_OF_TABLES [--set FILE] [--out DIR] [--model NAME]

Each line of the set is a request over one table, with the forms that suit it and, where a list can
say them, the points that the chart must show. Told is for each whether the form is one of these
and whether its values are those; the picture and the spec of each are written beside, for axes,
units and titles are judged by looking.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import wideleaf as wl
from wideleaf.tools.errors import WideleafError

HERE = Path(__file__).parent / "charts"
DIGITS = 5e-3
"""Relative: a picture shows no more."""
SHARES = 100


def drawn(spec: dict[str, Any]) -> list[float]:
    """The values along y that a spec draws."""
    rows = spec.get("data", {}).get("values", [])
    found = [row.get("y") for row in rows]
    return sorted(float(y) for y in found if isinstance(y, int | float) and math.isfinite(y))


def same(values: Sequence[float], wanted: Sequence[float]) -> bool:
    """Whether the values are those wanted, as numbers or as shares of 100."""
    for scale in (1.0, SHARES, 1 / SHARES):
        scaled = sorted(value * scale for value in values)
        pairs = zip(scaled, wanted, strict=False)
        near = (math.isclose(a, b, rel_tol=DIGITS, abs_tol=1e-6) for a, b in pairs)
        if len(scaled) == len(wanted) and all(near):
            return True
    return False


def judge(case: dict[str, Any], chart: Any) -> dict[str, Any]:
    """What can be told of a chart without looking."""
    told = {"form": chart.form, "suits": chart.form in case["forms"], "caveats": chart.caveats}
    points = [point[-1] for point in case.get("points", [])]
    numbers = sorted(float(y) for y in points if isinstance(y, int | float))
    if numbers and len(numbers) == len(points):
        told["values"] = same(drawn(chart.spec), numbers)
    if "rows" in case:
        told["rows"], told["wanted rows"] = len(drawn(chart.spec)), case["rows"]
    return told


def ask(case: dict[str, Any], tables: Path, out: Path, settings: dict[str, Any]) -> dict[str, Any]:
    """Ask for a chart and keep what came."""
    try:
        source = tables / case["table"]
        result = wl.ask(case["request"], source, folder=out / "work", **settings)
        chart = result.chart()
    except WideleafError as error:
        return {"id": case["id"], "error": str(error)[:300]}
    chart.save(out / f"{case['id']}.png")
    chart.save(out / f"{case['id']}.json")
    return {"id": case["id"], "status": result.status, "drawn": result.answer, **judge(case, chart)}


def main() -> None:
    """Ask for every chart and print what can be told of each."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("tables", type=Path, help="the folder of the tables that the set names")
    parser.add_argument("--set", type=Path, default=HERE / "held.jsonl")
    parser.add_argument("--out", type=Path, default=Path("charts_out"))
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--model")
    parser.add_argument("--base-url")
    parser.add_argument("--timeout", type=float, default=60.0)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    cases = [json.loads(line) for line in options.set.read_text(encoding="utf-8").splitlines()]
    settings: dict[str, Any] = {"timeout": options.timeout, "max_seconds": 30 * options.timeout}
    if options.model:
        settings |= {"model": options.model, "base_url": options.base_url}
    with ThreadPoolExecutor(options.workers) as pool:
        for told in pool.map(lambda case: ask(case, options.tables, options.out, settings), cases):
            print(json.dumps(told, ensure_ascii=False, default=str), flush=True)


if __name__ == "__main__":
    main()
