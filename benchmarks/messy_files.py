"""Reads a folder of messy files and prints what became of each.

    python benchmarks/messy_files.py [FOLDER]

The folder is made by `tests/support/messy_files.py`, which also says what each table should be;
without a name it is gone afterwards.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import polars as pl

from wideleaf.tools.errors import SourceError
from wideleaf.tools.sources.normalise import normalise_file

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
from messy_files import Messy, write_messy_files  # a module of the tests


def main() -> None:
    """Read every file and print a table of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    chosen = parser.parse_args().folder
    with tempfile.TemporaryDirectory() as scratch:
        folder = chosen or Path(scratch) / "messy"
        folder.mkdir(parents=True, exist_ok=True)
        made = write_messy_files(folder)
        began = time.perf_counter()
        outcomes = [outcome(messy, folder, Path(scratch) / "tables") for messy in made]
        seconds = time.perf_counter() - began
    print("| file | defect | outcome | as told | as expected |\n|---|---|---|---|---|")
    for messy, (what, told, right) in zip(made, outcomes, strict=True):
        name = messy.name.replace("|", r"\|")
        print(f"| {name} | {messy.defect} | {what} | {told} | {'yes' if right else 'NO'} |")
    counts = {word: sum(what == word for what, *_ in outcomes) for word in OUTCOMES}
    right = sum(right for *_, right in outcomes)
    told = ", ".join(f"{count} {word}" for word, count in counts.items())
    print(f"\n{len(made)} files: {told}; {right} as expected; {seconds:.1f} s.")


OUTCOMES = ("loaded", "repaired", "refused")


def outcome(messy: Messy, folder: Path, tables: Path) -> tuple[str, str, bool]:
    """What became of a file, what was told of it and whether that was expected."""
    path = folder / messy.name
    try:
        normal = normalise_file(path, tables)
    except SourceError as error:
        told = str(error).replace(f"{folder}/", "")
        return "refused", cell(told), messy.columns is None and said(messy, told)
    unusual = [repair.sentence() for repair in normal.repairs if not repair.ordinary]
    told = " ".join(repair.sentence() for repair in normal.repairs)
    table = pl.read_parquet(normal.path).to_dict(as_series=False)
    right = messy.columns == table and said(messy, told)
    return "repaired" if unusual else "loaded", cell(" ".join(unusual)), right


def said(messy: Messy, told: str) -> bool:
    """Whether all that should be told was."""
    return all(words in told for words in messy.said)


def cell(text: str) -> str:
    """Text within a Markdown table."""
    return " ".join(text.split()).replace("|", r"\|")[:300]


if __name__ == "__main__":
    main()
