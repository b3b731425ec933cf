"""Small tables in the shapes that fail, one for each type of failure, and how each is mended."""

from __future__ import annotations

from typing import NamedTuple

import narwhals as nw
import polars as pl

from wideleaf.tools.tables.table import Table

CANARY = "Xanary"


class Failure(NamedTuple):
    """A question that a bare prompt fails on.

    Attributes:
        name: Of the type, as in `agents.enrichment.STEPS`.
        figure: The figure of the paper that shows its like.
        question: The question.
        columns: Columns with their first cells.
        about: What the user's dictionary says.
        cure: What the figure says the mended prompt has, in our words.
        note: What the user says of the table.
    """

    name: str
    figure: int
    question: str
    columns: dict[str, list[object]]
    about: dict[str, str]
    cure: tuple[str, ...]
    note: str = ""


FLOWERS = {
    "Colour": [f"{CANARY}1", f"{CANARY}2"],
    "Length": [3.5, 4.25],
    "Leaf_weight": [0.515, 0.2255],
    "Petals": [15, 7],
}
FAILURES = (
    Failure(
        "value retrieval",
        9,
        "in which county is it if the lighthouse is hook and bull",
        {name: [f"{CANARY}1"] for name in ("Keeper", "Lighthouse", "County", "Lit since")},
        {},
        ("the lighthouse is 'hook and bull'", "quotes in the question is one value"),
    ),
    Failure(
        "column reference",
        10,
        "what is the variance of resting pulse (rp) among the levels of fatigue?",
        {"age": [60], "sex": [1], "rp": [71], "vo": [3], "lvl": [2]},
        {"vo": "oxygen taken up, in litres", "lvl": "how tired the runner said to be, 0 to 4"},
        (
            "Column 'vo': oxygen taken up, in litres",
            "Column 'lvl': how tired the runner said to be, 0 to 4",
        ),
    ),
    Failure(
        "instruction misalignment",
        11,
        "what are the mean and median lengths for each colour?",
        FLOWERS,
        {},
        ("Do not import pandas", "Write every text that you compare with in lower case"),
    ),
    Failure(
        "aggregation",
        12,
        "what is the total amount of leased-unrelated where the part is spare wheels?",
        {name: [f"{CANARY}1"] for name in ("Part", "Owned", "Leased-Related", "Leased-Unrelated")},
        {},
        ("Column 'Leased-Unrelated' holds text, not numbers: an amount or a total of it",),
    ),
    Failure(
        "function-column ambiguity",
        13,
        "what is the average score when the vault score is 9.125?",
        {name: [f"{CANARY}1"] for name in ("Club", "Floor", "Vault", "Beam", "Average")},
        {},
        ("what is the 'average' score when the vault score is 9.125?",),
    ),
    Failure(
        "insufficient column data or format",
        14,
        "which team played on march 5?",
        {"Game": [1.0], "Date": [f"{CANARY} 9"], "Team": [f"{CANARY}1"], "Score": [f"{CANARY}2"]},
        {"Date": "written as 'january, 1'"},
        ("Column 'Date': written as 'january, 1'",),
    ),
    Failure(
        "coding syntax",
        15,
        "how does the average leaf weight vary across different numbers of petals?",
        FLOWERS,
        {},
        ("df.groupby('a')['b'].mean(), not df.groupby('a').mean()['b']",),
    ),
    Failure(
        "hallucination",
        16,
        "i would like to know the most common age of the trees. can you find it?",
        {"Kind": [f"{CANARY}1"], "Height": [12.5], "Girth": [1.75], "Rings": [41]},
        {"Rings": "counted in a core of the trunk; their number is the age in years"},
        (
            "Rings': counted in a core of the trunk; their number is the age in years",
            "There is no column 'age'; the note on 'Rings' speaks of it.",
            "there are no others",
        ),
        note="Trees of one park, each drilled once.",
    ),
)


def table_of(columns: dict[str, list[object]], about: dict[str, str] | None = None) -> Table:
    """A table out of columns."""
    frame = pl.DataFrame(columns, strict=False)
    return Table(nw.from_native(frame.lazy()), about or {})
