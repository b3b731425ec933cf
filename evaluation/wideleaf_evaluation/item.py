"""An item of a question set: a question, its tables and its gold answer."""

from __future__ import annotations

from typing import Any, NamedTuple

QUESTIONS = "questions.jsonl"


class Item(NamedTuple):
    """One question with its gold answer.

    Attributes:
        id: The set's own name of it.
        question: What is asked.
        sources: The tables, as paths.
        gold: The gold answer, in the set's own form.
        set: The name of the reader, which decides the scorers.
        type: What sort of question it is, in the set's words.
        hardness: How hard the set says it is; empty if it does not.
        group: The table or database; `half_of` splits by it.
        subtype: A finer sort.
        ordered: Whether the order of the gold's rows counts.
        gold_query: The gold SQL or pandas code, where there is one.
    """

    id: str
    question: str
    sources: tuple[str, ...]
    gold: Any
    set: str = "plain"
    type: str = ""
    hardness: str = ""
    group: str = ""
    subtype: str = ""
    ordered: bool = False
    gold_query: str = ""
