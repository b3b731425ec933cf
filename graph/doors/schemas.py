"""What a door takes and gives, as JSON schemas with a name and a version."""

from __future__ import annotations

import inspect
import re

from wideleaf.graph.channels import PlainData
from wideleaf.graph.state import ANSWER_FORM, Answer, Asked

QUESTION_FORM = "wideleaf.question/1"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
STATUS = {
    "answered": "a frame of the tree holds the answer",
    "partial": "a budget ended the run; what there was is given",
    "unanswered": "nobody knew how to answer it",
    "failed": "an error ended the run",
}
MEMORY = "memory"
OBJECT: PlainData = {"type": "object"}
TEXT: PlainData = {"type": "string"}
TEXTS: PlainData = {"type": "array", "items": TEXT}
COUNT: PlainData = {"type": "integer", "minimum": 0}


def schemas() -> dict[str, PlainData]:
    """What the graph `ask` takes and gives, as JSON schemas by name and version.

    A version stays as it is but for fields that are added to what is given: readers pass over what
    they do not know.

    Returns:
        ``wideleaf.question/1``, the input, and ``wideleaf.answer/1``, the output; the field
        ``form`` of an answer names its own.
    """
    return {QUESTION_FORM: question_schema(), ANSWER_FORM: answer_schema()}


def error_codes() -> dict[str, str]:
    """Each code that an error may have, and what it means."""
    from wideleaf.graph.sessions.question import ERRORS

    codes = {code: _first_line(error) for code, error in sorted(ERRORS.items())}
    return {**codes, MEMORY: "A frame that does not fit in memory, or holds what no table can."}


def question_schema() -> PlainData:
    """Of the input of `ask`: the question, and what may come with it."""
    from wideleaf.graph.context import Context
    from wideleaf.graph.settings import SETTINGS

    settings = Context.model_json_schema()["properties"]
    fields = {n: _of_values(one) for n, one in settings.items() if n in SETTINGS - {"sources"}}
    about = _parse_docstrings(Asked)
    return {
        "$schema": DIALECT,
        "title": QUESTION_FORM,
        "description": "A question over tables, and what may come with it.",
        "type": "object",
        "properties": {
            "question": {**TEXT, "description": "In plain language."},
            "start": {"type": ["string", "null"], "description": about["start"]},
            "sources": {"type": ["array", "null"], "items": TEXT, "description": about["sources"]},
            "settings": {
                "type": ["object", "null"],
                "properties": fields,
                "additionalProperties": False,
                "description": about["settings"],
            },
        },
        "required": ["question"],
    }


def answer_schema() -> PlainData:
    """Of the output of `ask`."""
    shapes: dict[str, PlainData] = {
        "form": {"const": ANSWER_FORM},
        "status": {"enum": [*STATUS]},
        "answer": TEXT,
        "value": {},
        "table": {
            **OBJECT,
            "properties": {
                "columns": TEXTS,
                "rows": {"type": "array", "items": {"type": "array"}},
                "total": COUNT,
                "width": COUNT,
            },
        },
        "label": TEXT,
        "frame": {**TEXT, "pattern": "^([0-9a-f]{24})?$"},
        "rest": TEXT,
        "caveats": TEXTS,
        "error": error_schema(),
        "chart": {**OBJECT, "properties": {"type": TEXT, "spec": OBJECT}},
        "confidence": {"type": ["number", "null"], "minimum": 0, "maximum": 1},
        "suggestions": suggestions_schema(),
        "samples": {"type": "array", "items": OBJECT},
    }
    about = _parse_docstrings(Answer)
    return {
        "$schema": DIALECT,
        "title": ANSWER_FORM,
        "description": "An answer: in words, as plain data, and as a table.",
        "type": "object",
        "properties": {n: {**shape, "description": about[n]} for n, shape in shapes.items()},
        "required": ["form", "status", "answer"],
    }


def suggestions_schema() -> PlainData:
    """Of what may be asked instead of a question that was refused."""
    reading = {"reading": TEXT, "columns": TEXTS, "confidence": {"type": "number"}}
    table = {"name": TEXT, "rows": COUNT, "width": COUNT, "columns": TEXTS}
    return {
        **OBJECT,
        "properties": {
            "nearest": {**OBJECT, "additionalProperties": TEXTS},
            "readings": {"type": "array", "items": {**OBJECT, "properties": reading}},
            "questions": TEXTS,
            "tables": {"type": "array", "items": {**OBJECT, "properties": table}},
        },
    }


def error_schema() -> PlainData:
    """Of an error: its code, one of `error_codes`, and its words."""
    codes = error_codes()
    description = "; ".join(f"{code}: {words}" for code, words in codes.items())
    code = {"enum": [*codes], "description": description}
    return {**OBJECT, "properties": {"code": code, "message": TEXT}}


def _of_values(schema: PlainData) -> PlainData:
    """A field's schema without what only arranges a form for people."""
    fields = {k: v for k, v in schema.items() if k != "title" and not k.startswith("langgraph_")}
    if "anyOf" in fields:
        fields["anyOf"] = [_of_values(one) for one in fields["anyOf"]]
    return fields


def _parse_docstrings(kind: type) -> dict[str, str]:
    """What the docstrings of a class and of those below it say of each field."""
    descriptions: dict[str, str] = {}
    below = (base for base in getattr(kind, "__orig_bases__", ()) if inspect.isclass(base))
    for one in (*below, kind):
        parts = re.split(r"^Attributes:$", inspect.getdoc(one) or "", flags=re.M)
        for name, words in re.findall(
            r"^    (\w+): (.+?)(?=^    \w+: |\Z)", parts[-1], re.M | re.S
        ):
            descriptions[name] = " ".join(words.split()).replace("``", "`")
    return descriptions


def _first_line(error: type) -> str:
    return (inspect.getdoc(error) or "").split("\n")[0]
