"""Asks without a model over small sets of related tables as an office has them.

    python benchmarks/offices.py [first second third fourth] [--misses] [--out FILE]

Orders with their customers and articles, shipments and vehicles, visits and patients, answers to a
survey: several tables, several rows a thing, headers as people write them. Each part holds 80
questions that people asked who saw the tables and no code, with answers of their own; each part
was a first look once. The first three are open; the fourth is held: nothing is fitted on it, and
who builds does not read it. Told are what was answered and right, what was sure and
right, and of how many refusals a next step that is offered works.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import wideleaf as wl

HERE = Path(__file__).parent / "offices"
PARTS = ("first", "second", "third")
"""What is open, and fitted on."""
SURE = 0.6
NEAR, MIN_NEAR, PERCENT = 0.006, 0.0051, 0.51
"""How far a number may be off: relative, absolute, and in percent of one that is told as 0.42."""
NUMBER = re.compile(r"-?\d[\d,]*\.?\d*")


def questions_of(part: str) -> Iterator[dict[str, Any]]:
    """The questions of a part, with the paths of their tables."""
    return lines_of(HERE / part)


def lines_of(folder: Path) -> Iterator[dict[str, Any]]:
    """The questions of a folder, with the paths of their tables."""
    for line in (folder / "questions.jsonl").open(encoding="utf-8"):
        one = json.loads(line)
        yield {**one, "files": [str(folder / name) for name in one["files"]]}


def holds(text: str, golds: Sequence[Sequence[Any]]) -> bool:
    """Whether an answer as text has each key value of one of the answers that are right."""
    found = [m.replace(",", "").rstrip(".") for m in NUMBER.findall(text)]
    numbers = [float(number) for number in found if number.strip("-")]
    return any(all(_has(value, text.casefold(), numbers) for value in gold) for gold in golds)


def _has(value: Any, text: str, numbers: Sequence[float]) -> bool:
    if isinstance(value, bool):
        said = ("yes", "true") if value else ("no", "false")
        return any(re.search(rf"\b{word}\b", text) for word in said)
    try:
        wanted = float(value)
    except ValueError:
        return str(value).casefold() in text
    near = max(abs(wanted) * NEAR, MIN_NEAR)
    return any(
        abs(n - wanted) <= near or abs(100 * n - wanted) <= max(near, PERCENT) for n in numbers
    )


def ask(line: dict[str, Any], folder: str) -> dict[str, Any]:
    """One question, what came of it, and of a refusal whether an offered question is answered."""
    result = wl.ask(line["question"], *line["files"], folder=folder)
    answered, right, sure, said = judge(line, result)
    offered = () if answered else (result.suggestions or {}).get("questions", ())
    works = any(wl.ask(q, *line["files"], folder=folder).status == "answered" for q in offered)
    return {
        **line,
        "status": result.status,
        "confidence": sure,
        "right": right,
        "works": works,
        "said": said,
        "caveats": [*result.caveats][:3],
    }


def judge(line: dict[str, Any], result: wl.Result) -> tuple[bool, bool, float, str]:
    """Whether a question was answered and rightly, how surely, and what was said.

    A question without answers asks for what is not there: a refusal of it is right.
    """
    answered, text = result.status == "answered", str(result.answer)
    if answered:
        text += f"\n{result.value}"
    right = answered and holds(text, line["answers"]) if any(line["answers"]) else not answered
    return answered, right, result.confidence or 0.0, text[:400]


def report(rows: Sequence[dict[str, Any]]) -> str:
    """The figures of some questions, on one line."""
    answered = [row for row in rows if row["status"] == "answered"]
    sure = [row for row in answered if row["confidence"] >= SURE]
    refused = [row for row in rows if row["status"] != "answered"]
    return (
        f"{len(rows):4d} asked; answered {len(answered)}, right {_right(answered)}; "
        f"sure {len(sure)}, right {_right(sure)}; refused {len(refused)}, "
        f"a next step works for {sum(row['works'] for row in refused)}"
    )


def _right(rows: Sequence[dict[str, Any]]) -> int:
    return sum(row["right"] for row in rows)


def main() -> None:
    """Ask all questions of some parts, and print what came of them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("parts", nargs="*", default=PARTS)
    parser.add_argument("--misses", action="store_true", help="print what was answered wrong")
    parser.add_argument("--out", type=Path, help="a JSON Lines file for what was said")
    given = parser.parse_args()
    every: list[dict[str, Any]] = []
    for part in given.parts:
        with tempfile.TemporaryDirectory() as folder:
            rows = [ask(line, folder) for line in questions_of(part)]
        print(f"{part:8}", report(rows), flush=True)
        every += rows
    for row in every if given.misses else ():
        if row["status"] == "answered" and not row["right"]:
            print(f"\n{row['id']} {row['confidence']:.2f}: {row['question']}")
            print(f"   gold {str(row['answers'])[:160]}\n   said {row['said'][:200]!r}")
    if given.out:
        given.out.write_text("".join(json.dumps(row, default=str) + "\n" for row in every))


if __name__ == "__main__":
    main()
