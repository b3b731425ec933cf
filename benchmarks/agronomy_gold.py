"""Gold answers to the 20 questions of TSO, appendix A.3, over the agronomy twin, by pandas alone.

    python benchmarks/agronomy_gold.py TABLE.parquet [--only easy] [--questions OUT.jsonl]

Reads only the columns a question needs. `agronomy_questions.jsonl` has for each question the gold
columns (alternatives, each a list of references) and the rule for what counts as right, with the
check and its arguments; the rules were written down before any run. `--questions` writes the
questions with their gold into a file, which beside the table is a set of `wideleaf eval`. In short:

- Numbers asked for outright (1, 2, 4 to 6, 8, 9, 11) count within 0.5 %, a count exactly; of
  open ones (13 to 18) within the share their rule names, at most 10 %.
- Lists (3, 7, 10) count as sets, names with or without their column's stem.
- High waterlogging (13, 19) is a score at or above the upper quartile of the recorded scores;
  high red band values (17) a trial's mean over all days at or above the upper quartile.
- Missing cells: skipped in means; filled with the column's mean for PCA and learning.
- What is learnt (18, 20) is judged on trials not learnt from, against a reference model.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq

from wideleaf_evaluation.scorers.agronomy import CODE, follows_rule

FILE = Path(__file__).with_name("agronomy_questions.jsonl")
YIELD, WATER = "PHENDom_yield_t_ha", "PHENDom_Waterlogging"
BANDS = ("blue_band", "green_band", "red_band", "NIR", "MIR", "SWIR")
HIGH = 0.75
"""A high value is at or above this quantile of the recorded ones."""
SMALL = 20_000
"""Of larger tables the hard questions are not worked out: they need most columns at once."""


def questions() -> dict[str, dict[str, Any]]:
    """The lines of the question file by id."""
    lines = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
    return {line["id"]: line for line in lines}


def gold(table_path: Path, only: Collection[str] | None = None) -> dict[str, Any]:
    """The gold answers by id, as each question's check takes them.

    Args:
        table_path: A twin as a Parquet file.
        only: The ids wanted; all where none is named.

    Raises:
        ValueError: If a hard question is asked of a table too long to hold its columns.
    """
    desk = _Desk(table_path)
    wanted = list(questions()) if only is None else list(only)
    hard = [one for one in wanted if questions()[one]["hardness"] == "hard"]
    if hard and desk.rows > SMALL:
        raise ValueError(f"{desk.rows} rows are too many for {hard}; take at most {SMALL}")
    return {one: getattr(desk, f"q{one.split('-')[1]}")() for one in wanted}


def right(question: str, answer: Any, gold: Any) -> bool:
    """Whether an answer counts as right by its question's rule.

    Args:
        question: The id.
        answer: A frame, a mapping, a list or one value.
        gold: The gold of this question.
    """
    return follows_rule(questions()[question]["checker"], answer, gold)


class _Desk:
    """A twin, of which each question reads its columns."""

    def __init__(self, path: Path) -> None:
        self.path, file = path, pq.ParquetFile(path)
        self.names, self.rows = file.schema_arrow.names, file.metadata.num_rows

    def read(self, *columns: str) -> pd.DataFrame:
        """Columns as float64, texts as they are."""
        frame = pd.read_parquet(self.path, columns=list(dict.fromkeys(columns)))
        return frame.astype({c: float for c in frame if c != CODE})

    def one(self, column: str) -> pd.Series[Any]:
        """One column."""
        return self.read(column)[column]

    def under(self, *stems: str) -> list[str]:
        """The columns whose names begin so."""
        return [name for name in self.names if name.startswith(stems)]

    def days(self, series: str, first: int, last: int) -> list[str]:
        """The days of a series from one to another that the table has, not before planting."""
        wanted = {f"{series}_{day}" for day in range(first, last + 1)}
        return [name for name in self.names if name in wanted]

    def levels(self, stem: str) -> list[str]:
        """The levels of a group that some trial has."""
        table = self.read(*self.under(stem))
        return [name.removeprefix(stem) for name in table if (table[name] == 1).any()]

    def high_water(self) -> pd.Series[Any]:
        """Which trials have a high waterlogging score."""
        score = self.one(WATER)
        return score >= score.quantile(HIGH)

    def q1(self) -> list[float]:
        return [self.one(YIELD).mean()]

    def q2(self) -> list[float]:
        return [self.one("BOMDom_max_temperature_mean_0").max()]

    def q3(self) -> list[str]:
        names = self.levels("MANDom_Series_name")
        return [name for name in names if name.startswith("Early.Conventional")]

    def q4(self) -> list[float]:
        return [int(self.one(WATER).notna().sum())]

    def q5(self) -> list[float]:
        return [self.one("BOMDom_rainfall_mean_0").mean()]

    def q6(self) -> list[float]:
        return [self.one("SatDom_NDVI_mean_10").mean()]

    def q7(self) -> list[str]:
        return self.levels("METADom_Crop_rotation_minus_1_sub_crop")

    def q8(self) -> list[float]:
        return [self.one("PHENDom_X1000.grain.weight_2").mean()]

    def q9(self) -> list[float]:
        return [self.one("SatDom_LST_night_mean_20").min()]

    def q10(self) -> list[str]:
        return self.levels("MANDom_Breeder")

    def q11(self) -> list[float]:
        wheat = "METADom_previous_crop_sub_cropWheat"
        table = self.read(YIELD, wheat)
        return [table.loc[table[wheat] == 1, YIELD].mean()]

    def q12(self) -> dict[str, float]:
        stem = "MANDom_Breeder"
        table = self.read(YIELD, *self.under(stem))
        means = {c: table.loc[table[c] == 1, YIELD].mean() for c in self.under(stem)}
        return {c.removeprefix(stem): mean for c, mean in means.items() if pd.notna(mean)}

    def q13(self) -> dict[str, list[float]]:
        table = self.read(*self.under("PHENDom_X1000.grain.weight_"))[self.high_water()]
        cells = table.to_numpy()
        trials = table.mean(axis=1).mean()
        means = [float(np.nanmean(cells)), float(trials), float(table.mean().mean())]
        return {"all": means, "each": table.mean().tolist()}

    def q14(self) -> list[float]:
        evi, ways = self.under("SatDom_EVI_mean_"), ("North", "South")
        sides = [f"MANDom_Orientation_sub_crop{way}" for way in ways]
        table = self.read(*evi, *sides)
        return [float(np.nanmean(table.loc[table[side] == 1, evi].to_numpy())) for side in sides]

    def q15(self) -> list[float]:
        series, made = "SatDom_EvapoTrans_mean", []
        for first, last in ((0, 80), (1, 80), (0, 79)):
            days = self.days(series, first, last)
            table = self.read(*days, YIELD)
            every = table[days].sum(axis=1, skipna=False)
            for total in (table[days].sum(axis=1), table[days].mean(axis=1), every):
                both = pd.DataFrame({"x": total, "y": table[YIELD]}).dropna()
                if len(both) > 2:
                    made += [both.corr(how).iloc[0, 1] for how in ("pearson", "spearman")]
                    made.append(np.polyfit(both["x"], both["y"], 1)[0])
        return [float(one) for one in made]

    def q16(self) -> list[dict[str, Any]]:
        bands = [f"SatDom_{band}_mean_" for band in BANDS]
        table = self.read(CODE, *self.under("SatDom_"))
        means = pd.DataFrame({b: table[self.under(b)].mean(axis=1) for b in bands})
        parts = (table[self.under(*bands)], table[self.under("SatDom_")], means)
        codes = table[CODE].astype(str).tolist()
        return [
            {"shares": shares, "scores": {"codes": codes, "values": scores}}
            for part in parts
            for shares, scores in _both_ways(part)
        ]

    def q17(self) -> dict[str, Any]:
        field, red = self.under("METADom_"), self.under("SatDom_red_band_mean_")
        table = self.read(CODE, *field, *red)
        level = table[red].mean(axis=1)
        high = level >= level.quantile(HIGH)
        codes = table[CODE].astype(str)
        # The first component of all trials, and of the high ones alone.
        first = [
            list(zip(codes[rows], scores[:, 0], strict=True))
            for rows in (high | ~high, high)
            for _, scores in _both_ways(table.loc[rows, field])
        ]
        return {"codes": codes[high].tolist(), "first": first}

    def q18(self) -> dict[str, float]:
        from sklearn.linear_model import RidgeCV

        indices = self.under("SatDom_NDVI_mean_", "SatDom_EVI_mean_")
        table = self.read(YIELD, *indices).dropna(subset=[YIELD])
        said = _unseen(RidgeCV(np.logspace(-1, 5, 13)), table[indices], table[YIELD])
        return _errors(table[YIELD].to_numpy(), said)

    def q19(self) -> dict[str, Any]:
        from sklearn.linear_model import LogisticRegression, RidgeCV

        tests = self.under("METADom_Soil_test_class_")
        table, high = self.read(WATER, *tests), self.high_water()
        known = table[WATER].notna()
        table, marked = table[known], high[known].astype(float)
        wet = table[marked == 1]
        values = {
            test: [
                *(table[test].corr(table[WATER], how) for how in ("pearson", "spearman")),
                table[test].corr(marked),
                wet[test].corr(wet[WATER]),
                wet[test].mean(),
            ]
            for test in tests
        }
        score = _unseen(RidgeCV(np.logspace(-1, 5, 13)), table[tests], table[WATER])
        sides = _unseen(LogisticRegression(max_iter=2000), table[tests], marked)
        return {
            "tests": values,
            "r2": _errors(table[WATER].to_numpy(), score)["r2"],
            "accuracy": float(np.mean(sides == marked.to_numpy())),
        }

    def q20(self) -> dict[str, float]:
        from sklearn.ensemble import RandomForestClassifier
        from sklearn.linear_model import LogisticRegression

        stems = self.under("MANDom_Breeder")
        features = self.under("PHENDom_", "ENVDom_")
        table = self.read(*stems, *features)
        breeder = table[stems].to_numpy().argmax(axis=1)
        models = (
            LogisticRegression(max_iter=2000, C=0.1),
            RandomForestClassifier(200, min_samples_leaf=3, random_state=0),
        )
        filled = table[features].fillna(table[features].median())
        found = [np.mean(_unseen(m, filled, pd.Series(breeder)) == breeder) for m in models]
        return {
            "majority": float(np.bincount(breeder).max() / len(breeder)),
            "reference": float(max(found)),
        }


def _both_ways(part: pd.DataFrame) -> list[tuple[list[float], Any]]:
    """Shares of variance and scores of three components: standardised, and centred only."""
    filled = part.fillna(part.mean())
    centred = (filled - filled.mean()).to_numpy()
    spread = centred.std(axis=0)
    return [_components(centred[:, spread > 0] / spread[spread > 0]), _components(centred)]


def _components(cells: Any) -> tuple[list[float], Any]:
    """By the smaller of the two products of the cells with themselves."""
    from scipy.linalg import eigh

    rows, columns = cells.shape
    tall = rows > columns
    product = cells.T @ cells if tall else cells @ cells.T
    last = len(product) - 1
    values, vectors = eigh(product, subset_by_index=(max(last - 2, 0), last))
    values, vectors = values[::-1], vectors[:, ::-1]
    scores = cells @ vectors if tall else vectors * np.sqrt(values.clip(0))
    return (values / np.trace(product)).tolist(), scores


def _unseen(model: Any, features: pd.DataFrame, target: pd.Series[Any]) -> Any:
    """What a model says of trials it did not learn from, in five folds."""
    from sklearn.impute import SimpleImputer
    from sklearn.model_selection import KFold, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    whole = make_pipeline(SimpleImputer(keep_empty_features=True), StandardScaler(), model)
    folds = KFold(5, shuffle=True, random_state=0)
    return cross_val_predict(whole, features.to_numpy(), target.to_numpy(), cv=folds)


def _errors(true: Any, said: Any) -> dict[str, float]:
    error = true - said
    return {
        "r2": float(1 - (error**2).sum() / ((true - true.mean()) ** 2).sum()),
        "rmse": float(np.sqrt((error**2).mean())),
        "mae": float(np.abs(error).mean()),
    }


def _shown(answer: Any) -> str:
    text = str(answer)
    return text if len(text) <= 300 else f"{text[:300]} ..."


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the gold answers."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("table", type=Path)
    parser.add_argument("--only", choices=("easy", "medium", "hard"))
    parser.add_argument("--questions", type=Path, help="a file for the questions with their gold")
    given = parser.parse_args(arguments)
    lines = []
    for one, line in questions().items():
        if given.only in (None, line["hardness"]):
            answer = gold(given.table, [one])[one]
            print(f"{one}  {line['question']}\n    {_shown(answer)}", flush=True)
            line |= {"table": given.table.name, "answer": answer}
            lines.append(json.dumps(line, default=np.ndarray.tolist) + "\n")
    if given.questions:
        given.questions.write_text("".join(lines), "utf-8")


if __name__ == "__main__":
    main()
