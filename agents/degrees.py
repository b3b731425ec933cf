"""Rules for words of degree: high and low, taken as beyond a quartile, which is an assumption."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import JsonValue

from wideleaf.agents.derivation import Arguments, Derivation
from wideleaf.agents.lexicon import Cue, lexicon
from wideleaf.agents.mentions import Mention

LEAST = 0.45
BORDER = "the border"
QUARTILES = {"high": (0.75, "upper"), "low": (0.25, "lower")}
BEYOND = {"high": ">=", "low": "<="}


def degrees(d: Derivation) -> list[tuple[Cue, Mention]]:
    """The columns that are said to be high or low, as in ``with high rainfall``, with the word."""
    question, found = d.scene.question, []
    texts = [word.text for word in question.words]
    for place, text in enumerate(texts):
        degree = next((k for k, words in lexicon().degrees.items() if text in words), "")
        before = next((t for t in reversed(texts[:place]) if t not in ("a", "an", "the")), "")
        if not degree or before not in lexicon().having:
            continue
        cue = Cue("degree", degree, place, place + 1)
        beside = [
            m
            for m in d.scene.free
            if m.score >= LEAST
            and m.start == cue.end
            and d.scene.kinds[m.column] == "number"
            and place not in m.places
        ]
        if beside:
            found.append((cue, max(beside, key=lambda m: m.score)))
    return found


def of_degree(d: Derivation) -> Iterator[Derivation]:
    """Rows whose value lies at or beyond a quartile of all rows' values."""
    for cue, m in degrees(d)[:1]:
        yield beyond(d, cue, m)


def beyond(d: Derivation, cue: Cue, m: Mention) -> Derivation:
    """Keep the rows whose value lies at or beyond a quartile.

    Args:
        d: All rows that are meant.
        cue: The word of degree.
        m: The column.
    """
    share, name = QUARTILES[cue.value]
    side = "above" if cue.value == "high" else "below"
    border = f"at or {side} its {name} quartile"
    said = f"{m.column} is {border} (what {cue.value} is to mean, an assumption)"
    whole = d.need(m.column)
    measures: JsonValue = [{"function": "quantile", "q": share, "column": m.column, "name": BORDER}]
    thought = f"The question does not say what {cue.value} is; I take {border}."
    other = whole.then("Aggregate", thought, {"measures": measures})
    sides: Arguments = {"left": whole.table, "right": other.table, "how": "cross"}
    joined = other.then("Join", "Put it beside every row.", sides)
    where: JsonValue = [{"column": m.column, "op": BEYOND[cue.value], "other": BORDER}]
    made = joined.then("Filter", f"Keep the rows where {m.column} is {border}.", {"where": where})
    return made.by(f"degree {cue.value}", cue, m, where=said)
