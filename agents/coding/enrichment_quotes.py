"""What of a question is put in quotes: values of several words, columns named like functions."""

from __future__ import annotations

import re

from wideleaf.agents.coding.enrichment_spans import characters, is_adjacent, spans_of_words
from wideleaf.agents.coding.enrichment_words import (
    BREAKS,
    FUNCTIONS,
    NUMBER_OPERATIONS,
    ColumnMention,
    QuestionReading,
    Span,
)
from wideleaf.retrieval.words.values import find_values

NUMBERS = ("int", "float")


def quote_question(reading: QuestionReading, *, values: bool = True, functions: bool = True) -> str:
    """The question with quotes around what could be read as something else.

    Args:
        reading: The question beside its tables.
        values: Whether values of several words are quoted.
        functions: Whether columns that are named like functions are.
    """
    spans: list[Span] = []
    if values:
        spans += value_spans(reading)
    if functions:
        spans += function_spans(reading)
    text = reading.question
    taken = list(reading.quoted)
    for start, end in sorted(spans, key=lambda span: span[0] - span[1]):
        if all(end <= first or start >= last for first, last in taken):
            taken.append((start, end))
    for start, end in sorted(set(taken) - set(reading.quoted), reverse=True):
        mark = '"' if re.search("['’]", text[start : end + 1]) else "'"
        text = f"{text[:start]}{mark}{text[start:end]}{mark}{text[end:]}"
    return text


def value_spans(reading: QuestionReading) -> list[Span]:
    """The parts of a question that are one value of several words each (Figure 9).

    Where cells may be told, those that the question has. Else by the words alone, and only where
    little else could be meant: after ``<column> is``, and names in capitals.
    """
    spans = [characters(reading, span) for span in spans_of_words(reading)]
    if reading.policy.allows("values"):
        spans = _known_values(reading) + spans
    return spans


def _known_values(reading: QuestionReading) -> list[Span]:
    text = reading.question.casefold()
    if len(text) != len(reading.question):  # a letter that folds to two would shift all places
        text = reading.question.lower()
    found: list[Span] = []
    for sketch in reading.tables:
        for values in find_values(reading.question, sketch.profiles).values():
            for value in values:
                words = list(map(re.escape, re.findall(r"\w+|[^\w\s]", value.casefold())))
                pattern = r"(?<!\w)" + r"\s*".join(words) + r"(?!\w)"
                if len(re.findall(r"[^\W_]+", value)) > 1:
                    found += [match.span() for match in re.finditer(pattern, text)]
    return found


def function_spans(reading: QuestionReading) -> list[Span]:
    """The words by which a question means a column that is named like a function (Figure 13)."""
    return [
        characters(reading, (mention.first, mention.last))
        for mention in reading.mentions
        if _has_function(reading, mention) and _means_column(reading, mention)
    ]


def _has_function(reading: QuestionReading, mention: ColumnMention) -> bool:
    said = [word.flat for word in reading.words[mention.first : mention.last]]
    return any(word in FUNCTIONS for word in said)


def _means_column(reading: QuestionReading, mention: ColumnMention) -> bool:
    """Whether the column is meant, and not the function of another column."""
    words = reading.words
    if mention.last - mention.first > 1:
        return True
    before = words[mention.first - 1].flat if mention.first else ""
    after = words[mention.last].flat if mention.last < len(words) else ""
    if after == "of":
        return False
    word = words[mention.first].flat
    for place in range(mention.last, len(words)):
        if not is_adjacent(reading, place) or words[place].flat in BREAKS:
            break
        other = reading.mention_at(place)
        counts = FUNCTIONS[word] in ("count", "size")
        if other is not None and (counts or other.type in NUMBERS):
            return False  # "the average price"
    told = ("the", "its", "their", "whose", "with", "by", "highest", "lowest", "same", "a", "s")
    if before in told or before in NUMBER_OPERATIONS:
        return True
    compared = ("is", "was", "above", "below", "over", "under", "between", "greater", "less")
    return after in compared or after.isdigit()
