"""The judge of errors: a model says of which classes a wrong program's mistake is."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from pydantic import BaseModel

from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.requests import CHARACTERS, json_size
from wideleaf.agents.turn import Usage
from wideleaf.prompts import render
from wideleaf.tools.dictionary.corrections import bound_text
from wideleaf.tools.words import one_line
from wideleaf_evaluation.prompts import PROMPTS

QUESTION, CODE, OUTPUT, CELL, SHOWN_ROWS = 1_000, 4_000, 600, 40, 5


class ErrorClass(StrEnum):
    """The eight classes of Table 6 of the DataFrame QA paper (Ye et al.)."""

    STRING = "String"
    ACCESS = "Access"
    CONDITION = "Condition"
    TYPE = "Type"
    EXPECTATION = "Expectation"
    STRUCTURE = "Structure"
    FUNCTION = "Function"
    OTHERS = "Others"


class ClassText(NamedTuple):
    """A class's whole name, and what belongs to it."""

    name: str
    about: str


CLASSES: dict[ErrorClass, ClassText] = {
    ErrorClass.STRING: ClassText(
        "String Matching and Comparison Errors",
        "strings compared improperly: no appropriate matching method, no account of case, blanks "
        "or special characters, exact matching where a pattern is required",
    ),
    ErrorClass.ACCESS: ClassText(
        "Data Access and Bounds Errors",
        "data accessed by an incorrect index or key, or beyond the bounds of the structure",
    ),
    ErrorClass.CONDITION: ClassText(
        "Query Condition and Value Errors",
        "conditions that do not reflect the data, or wrong columns or values in them, so that "
        "nothing or the wrong rows match",
    ),
    ErrorClass.TYPE: ClassText(
        "Data Type and Operation Errors",
        "operations between incompatible types, methods unsuitable for the type, aggregation "
        "functions applied incorrectly",
    ),
    ErrorClass.EXPECTATION: ClassText(
        "Expectation and Interpretation Errors",
        "another result than expected, by a misread output or question, or a wrong idea of its "
        "form",
    ),
    ErrorClass.STRUCTURE: ClassText(
        "Data Structure Reference Errors",
        "incorrect assumptions about the data's structure, such as columns that do not exist, or "
        "a column's content misinterpreted",
    ),
    ErrorClass.FUNCTION: ClassText(
        "Function and Method Usage Errors",
        "functions or methods misused: outside their purpose, with wrong arguments, or on objects "
        "they are not for",
    ),
    ErrorClass.OTHERS: ClassText(
        "Others", "none of the classes above, such as mistakes of logic or code that does not parse"
    ),
}


class Mistake(BaseModel, frozen=True):
    """A wrong answer as it is shown to the judge.

    Attributes:
        question: The question.
        code: The program, or the plan, that was to answer it.
        columns: Pairs of a column's name and kind.
        rows: Example rows as texts; shown where the level lets cells out.
        output: What came, or the error; cells are shown where the level lets them out.
        expected: What was expected.
        output_shape: What came without its cells, such as "3 rows x 2 columns".
        expected_shape: What was expected, without its cells.
    """

    question: str
    code: str
    columns: tuple[tuple[str, str], ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    output: str = ""
    expected: str = ""
    output_shape: str = ""
    expected_shape: str = ""


class ErrorJudgement(NamedTuple):
    """What the judge said.

    Attributes:
        classes: The classes; none where the reply was of no use.
        why: Its explanation.
        usage: What it took.
        problem: Why the reply was of no use.
    """

    classes: tuple[ErrorClass, ...] = ()
    why: str = ""
    usage: Usage = Usage()
    problem: str = ""


class ErrorJudge:
    """Asks a model for the classes of errors (DataFrame QA, section 5 and Figure 7).

    The paper shows sample rows, the output and the expected output; here they are shown at
    privacy ``samples`` alone, and else their shapes.

    Args:
        gateway: The door to the model.
    """

    def __init__(self, gateway: Gateway) -> None:
        self.gateway = gateway

    def judge(self, mistake: Mistake) -> ErrorJudgement:
        """Ask for the classes of one mistake.

        Raises:
            ModelError: If no reply can be had.
        """
        reply = self.gateway.ask(*self.prompt(mistake))
        classes, why = read_classes(reply.thought)
        problem = "" if classes else reply.problem or "the reply names no error class"
        return ErrorJudgement(classes, why, reply.usage, problem)

    def prompt(self, mistake: Mistake) -> tuple[str, str]:
        """The system and the human message, together within `CHARACTERS`."""
        lines = (f"  - {text.name}: {text.about}" for text in CLASSES.values())
        system = render("classify_errors", PROMPTS, classes="\n".join(lines))
        rows, columns, code = len(mistake.rows[:SHOWN_ROWS]), len(mistake.columns), CODE
        while True:
            human = self._human(mistake, columns, rows, code)
            size = json_size(system) + json_size(human)
            if size <= CHARACTERS:
                return system, human
            if rows > 1:
                rows -= 1
            elif columns > 10:
                columns = columns * 3 // 4
            elif rows:
                rows = 0
            elif code > 200:
                code //= 2
            else:
                return system, human[: max(0, len(human) - (size - CHARACTERS))]

    def _human(self, mistake: Mistake, columns: int, rows: int, code: int) -> str:
        cells = self.gateway.policy.allows("values")
        headers = [f"{json.dumps(n, ensure_ascii=False)} {kind}" for n, kind in mistake.columns]
        more = len(headers) - columns
        lines = [
            f"- Question: {json.dumps(one_line(mistake.question, QUESTION), ensure_ascii=False)}",
            f"- Columns: {', '.join(headers[:columns])}{f' and {more} more' if more > 0 else ''}",
        ]
        if cells and rows:
            lines += ["- Sample rows:"]
            lines += [
                "  " + ", ".join(one_line(cell, CELL) for cell in row[:columns])
                for row in mistake.rows[:rows]
            ]
        lines += ["- Code:", mistake.code[:code] or "(none)"]
        output = mistake.output if cells else mistake.output_shape
        expected = mistake.expected if cells else mistake.expected_shape
        lines += [f"- Actual output: {one_line(output, OUTPUT) or '(none)'}"]
        lines += [f"- Expected output: {one_line(expected, OUTPUT) or '(none)'}"]
        return "\n".join(lines)


def read_classes(text: str) -> tuple[tuple[ErrorClass, ...], str]:
    """Read the classes and the explanation out of a reply.

    A class is named whole, without its last word, or by its abbreviation. What stands outside the
    tags is looked at only where there are none, and then only whole names count, for the words of
    a description are everyday words.
    """
    section = re.search(r"\[ERROR\](.*?)(\[/ERROR\]|\[EXPLANATION\]|$)", text, re.S | re.I)
    why = re.search(r"\[EXPLANATION\](.*?)(\[/EXPLANATION\]|$)", text, re.S | re.I)
    classes = _find_classes(section[1], short=True) if section else _find_classes(text, short=False)
    return classes, bound_text(why[1].strip()) if why else ""


def _find_classes(text: str, short: bool) -> tuple[ErrorClass, ...]:
    folded = " ".join(text.casefold().split())
    classes: list[ErrorClass] = []
    for one, description in CLASSES.items():
        whole = description.name.casefold().removesuffix(" errors")
        words: Sequence[str] = (whole,)
        if short:
            words = (whole, f"{one.value.casefold()} error", f"{one.value.casefold()} errors")
        alone = short and any(
            line.strip(" -*.,").casefold() == one.value.casefold()
            for line in re.split(r"[\n,;]", text)
        )
        if alone or (one is not ErrorClass.OTHERS and any(word in folded for word in words)):
            classes.append(one)
    return tuple(classes)
