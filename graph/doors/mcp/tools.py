"""The tools of the MCP server: what each takes and gives, as JSON schemas."""

from __future__ import annotations

from typing import NamedTuple

from wideleaf.graph.channels import PlainData
from wideleaf.graph.doors.mcp import desk, looks
from wideleaf.graph.doors.schemas import (
    COUNT,
    OBJECT,
    STATUS,
    TEXT,
    TEXTS,
    error_schema,
    suggestions_schema,
)
from wideleaf.graph.doors.tool import WANTED

FRAME_ID: PlainData = {"type": "string", "pattern": "^[0-9a-f]{24}$"}
FIRST: PlainData = {"type": "integer", "minimum": 0, "default": 0}


class ToolForm(NamedTuple):
    """A tool as it is listed.

    Attributes:
        name: What it is called.
        title: What a person reads.
        description: What the outer model reads.
        takes: Schema of its arguments.
        gives: Schema of its structured result.
    """

    name: str
    title: str
    description: str
    takes: PlainData
    gives: PlainData


def tool_forms() -> tuple[ToolForm, ...]:
    """All tools, in the order in which they are listed."""
    return (
        ToolForm(
            "ask",
            "Ask the tables",
            "Answers one question, in plain language, over the tables of this server: figures, "
            "lists, comparisons, joins. Ask one whole question at a time; nothing of earlier ones "
            "is known but the frames that you name.",
            _make_schema(
                question={**TEXT, "description": "In plain language."},
                frames={
                    "type": "array",
                    "items": FRAME_ID,
                    "description": "Ids of frames of earlier answers that this one is about, too.",
                },
                columns={**TEXTS, "description": WANTED},
                required=("question",),
            ),
            told_schema(),
        ),
        ToolForm(
            "columns",
            "Find columns",
            "Finds which columns a question would be answered from, by their names and meanings, "
            "in tables of any width. Nothing is computed.",
            _make_schema(
                question={**TEXT, "description": "In plain language."},
                limit=_limit(looks.PICKS, "Most columns or families of wide tables."),
                required=("question",),
            ),
            picks_schema(),
        ),
        ToolForm(
            "describe",
            "Describe the tables",
            "Lists the tables of this server, or the columns of one with their kinds and what "
            "they are said to mean, some at a time.",
            _make_schema(
                table={**TEXT, "description": "Its name; without one all tables are listed."},
                first={**FIRST, "description": "How many columns to pass over."},
                limit=_limit(looks.COLUMNS, "How many columns to tell."),
            ),
            tables_schema(),
        ),
        ToolForm(
            "replay",
            "Carry out again",
            "Carries out again, on the tables as they are now, the steps that made the frame of an "
            "earlier answer. No model is asked.",
            _make_schema(
                frame={**FRAME_ID, "description": "The id of the answer's frame."},
                required=("frame",),
            ),
            told_schema(),
        ),
    )


def told_schema() -> PlainData:
    """Of what is told of an answer: of cells only what is shared."""
    return _given(
        desk.TOLD_FORM,
        {
            "status": {"enum": [*STATUS]},
            "confidence": {"type": "number", "minimum": 0, "maximum": 1},
            "frame": FRAME_ID,
            "resource": TEXT,
            "rows": COUNT,
            "columns": COUNT,
            "kinds": {**OBJECT, "additionalProperties": TEXT},
            "answer": TEXT,
            "preview": {"type": "array", "items": OBJECT},
            "rest": TEXT,
            "caveats": TEXTS,
            "caveats_kept_in": COUNT,
            "problem": TEXT,
            "suggestions": suggestions_schema(),
            "error": error_schema(),
        },
        "status",
    )


def picks_schema() -> PlainData:
    """Of the columns that a question would pick."""
    reference = {"table": TEXT, "column": TEXT}
    pick = {**reference, "kind": TEXT, "columns": COUNT, "meant": {"type": "boolean"}}
    picks = {"type": "array", "items": {**OBJECT, "properties": pick}}
    near = {"type": "array", "items": {**OBJECT, "properties": reference}}
    fields = {"picks": picks, "near": near, "joins": TEXTS, "error": error_schema()}
    return _given(desk.PICKS_FORM, fields)


def tables_schema() -> PlainData:
    """Of the tables, or of one table's columns."""
    table = {"name": TEXT, "columns": COUNT, "rows": COUNT}
    column = {"name": TEXT, "kind": TEXT, "about": TEXT}
    return _given(
        desk.TABLES_FORM,
        {
            "tables": {"type": "array", "items": {**OBJECT, "properties": table}},
            "joins": TEXTS,
            "columns": {"type": "array", "items": {**OBJECT, "properties": column}},
            "left": {"type": "integer"},
            "error": error_schema(),
        },
    )


def _limit(default: int, description: str) -> PlainData:
    bounds = {"minimum": 1, "maximum": looks.MOST, "default": default}
    return {"type": "integer", **bounds, "description": description}


def _make_schema(required: tuple[str, ...] = (), **fields: PlainData) -> PlainData:
    shape = {"type": "object", "properties": fields, "additionalProperties": False}
    return {**shape, "required": [*required]} if required else shape


def _given(form: str, fields: PlainData, *required: str) -> PlainData:
    properties = {"form": {"const": form}, **fields}
    return {**OBJECT, "properties": properties, "required": ["form", *required]}
