"""TSO's five hard questions, asked of a table of another domain with planted truth: bee hives.

    python benchmarks/hives.py [--rows 1500] [--model openai:...] [--base-url URL]

Of 1,500 hives 700 columns or so: sound, weight and warmth by day, what grows around, pollen tests,
the breed as indicators, mites and honey. Planted: three directions of sound; mites rise with
nitrate and fall with zinc; honey hangs on weight gained and the sound of mid pitch; breeds differ
in the sound, and in what grows around them. Answers are judged by the checks of the set
`agronomy`, with the rules of `agronomy_questions.jsonl` for questions 16 to 20.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from agronomy_gold import _both_ways, _errors, _unseen
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, RidgeCV

from wideleaf_evaluation.scorers.agronomy import CHECKS, CODE

DAYS, TESTS, PLANTS = 61, 24, 60
BREEDS = ("Buckfast", "Carnica", "Ligustica", "Mellifera")
PITCHES = ("low", "mid", "high")
HIGH = 0.75
PENALTIES = np.logspace(-1, 5, 13)
QUESTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "16": (
        "Run a principal component analysis on the sound sensors and show the first three "
        "components.",
        {"name": "components", "tolerance": 0.1, "least": 0.9},
    ),
    "17": (
        "Use PCA to bring Flora down to fewer than 10 dimensions and list the hives whose "
        "high-pitched sound is high.",
        {"name": "reduced", "tolerance": 0.05, "least": 0.9, "most": 9},
    ),
    "18": (
        "How well can honey yield be predicted from the hive weight and the sound sensors?",
        {"name": "learnt", "within": 0.1, "tolerance": 0.1},
    ),
    "19": (
        "For hives with a high mite load, do the pollen tests contribute to it?",
        {"name": "soil", "tolerance": 0.1, "within": 0.1},
    ),
    "20": (
        "Train a machine learning model that tells the breed from the flora and sound data.",
        {"name": "accuracy", "above": 1.2, "most": 1.25},
    ),
}


def make_table(rows: int) -> pd.DataFrame:
    """The hives, a row each."""
    random = np.random.RandomState(7)
    made: dict[str, Any] = {"hive_code": [f"H{place:05d}" for place in range(rows)]}
    breed = random.choice(4, rows, p=[0.4, 0.3, 0.2, 0.1])
    hidden = random.normal(size=(rows, 3)) * [2.0, 1.5, 1.0]
    hidden[:, 1] += breed * 0.8
    days = np.arange(DAYS)
    turns = [np.sin(days / 9), np.cos(days / 14), days / DAYS]
    for number, pitch in enumerate(PITCHES):
        loads = np.roll(np.eye(3), number, axis=0) + 0.3
        for day in days:
            weights = [turns[k][day] * loads[number, k] + 0.4 for k in range(3)]
            cells = 40 + hidden @ np.array(weights) + random.normal(scale=0.7, size=rows)
            cells[random.random(rows) < 0.04] = np.nan
            made[f"Sensor_sound_{pitch}_mean_{day}"] = cells
    gain = random.normal(size=rows)
    for day in days:
        made[f"Sensor_weight_kg_{day}"] = 25 + gain * day / 12 + random.normal(scale=1.5, size=rows)
        made[f"Sensor_warmth_c_{day}"] = 34 + random.normal(scale=0.6, size=rows)
    around = random.normal(size=(rows, 4)) + breed[:, None] * 0.5
    for plant in range(PLANTS):
        noise = random.normal(size=rows)
        made[f"Flora_plant_{plant}_share"] = around[:, plant % 4] * (1 + plant % 3) + noise
    tests = random.normal(size=(rows, TESTS))
    names = ["nitrate", "zinc", *(f"test_{place}" for place in range(3, TESTS + 1))]
    for place, name in enumerate(names):
        made[f"Pollen_test_{name}"] = tests[:, place]
    for place, name in enumerate(BREEDS):
        made[f"Colony_breed{name}"] = (breed == place).astype(int)
    load = 0.9 * tests[:, 0] - 0.7 * tests[:, 1] + random.normal(size=rows)
    made["Colony_mite_load"] = np.where(random.random(rows) < 0.2, np.nan, load * 3 + 12)
    mid = hidden @ np.array([0.4, 1.0, 0.4])
    honey = 18 + 3 * gain + mid + random.normal(scale=2.0, size=rows)
    made["Colony_honey_kg"] = honey
    return pd.DataFrame(made)


def find_gold(table: pd.DataFrame) -> dict[str, Any]:
    """What each question's check compares with."""
    sound = [name for name in table if name.startswith("Sensor_sound_")]
    weight = [name for name in table if name.startswith("Sensor_weight_")]
    flora = [name for name in table if name.startswith("Flora_")]
    tests = [name for name in table if name.startswith("Pollen_")]
    codes = table["hive_code"].tolist()
    stems = [f"Sensor_sound_{pitch}_mean_" for pitch in PITCHES]
    means = pd.DataFrame(
        {stem: table[[c for c in sound if c.startswith(stem)]].mean(axis=1) for stem in stems}
    )
    high = means[stems[2]] >= means[stems[2]].quantile(HIGH)
    first = [
        list(zip(table["hive_code"][rows], scores[:, 0], strict=True))
        for rows in (high | ~high, high)
        for _, scores in _both_ways(table.loc[rows, flora])
    ]
    ridge = RidgeCV(PENALTIES)
    honey = table["Colony_honey_kg"]
    load = table["Colony_mite_load"]
    known = load.notna()
    marked = (load >= load.quantile(HIGH))[known].astype(float)
    part = table.loc[known, tests]
    wet = part[marked == 1]
    breed = np.array(
        [row.argmax() for row in table[[f"Colony_breed{b}" for b in BREEDS]].to_numpy()]
    )
    features = table[flora + sound].fillna(table[flora + sound].median())
    best = max(
        float(np.mean(_unseen(model, features, pd.Series(breed)) == breed))
        for model in (LogisticRegression(max_iter=2000), RandomForestClassifier(random_state=0))
    )
    return {
        "16": [
            {"shares": shares, "scores": {"codes": codes, "values": scores}}
            for part_of in (table[sound], means)
            for shares, scores in _both_ways(part_of)
        ],
        "17": {"codes": table["hive_code"][high].tolist(), "first": first},
        "18": _errors(honey.to_numpy(), _unseen(ridge, table[weight + sound], honey)),
        "19": {
            "tests": {
                test: [
                    *(part[test].corr(load[known], how) for how in ("pearson", "spearman")),
                    part[test].corr(marked),
                    wet[test].corr(load[wet.index]),
                    wet[test].mean(),
                ]
                for test in tests
            },
            "r2": _errors(load[known].to_numpy(), _unseen(ridge, part, load[known]))["r2"],
            "accuracy": float(
                np.mean(_unseen(LogisticRegression(max_iter=2000), part, marked) == marked)
            ),
        },
        "20": {"majority": float(np.bincount(breed).max() / len(breed)), "reference": best},
    }


def main() -> None:
    """Make the table, ask and judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_500)
    parser.add_argument("--model", default="")
    parser.add_argument("--base-url", default="")
    parser.add_argument("--only", nargs="*", default=[])
    given = parser.parse_args()
    import wideleaf as wl
    from wideleaf.graph.drawings.text import draw_text

    table = make_table(given.rows)
    gold = find_gold(table)
    right = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hives.parquet"
        table.to_parquet(path)
        for number, (question, check) in QUESTIONS.items():
            if given.only and number not in given.only:
                continue
            how = {"model": given.model, "base_url": given.base_url, "folder": folder}
            result = wl.ask(question, path, **how, timeout=1500, max_seconds=100_000)
            found = False
            if result.status == "answered":
                frame = result.frame.rename(columns={"hive_code": CODE})
                by = dict(check)
                found = bool(CHECKS[by.pop("name")](frame, gold[number], **by))
            right += found
            print(number, "right" if found else result.status, (result.answer or "")[:200])
            print(draw_text(result.tree, result.label or None))
    print(f"{right} right")


if __name__ == "__main__":
    main()
