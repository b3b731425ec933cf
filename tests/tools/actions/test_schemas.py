"""What models are told of each action: golden files, kept short."""

import json
from pathlib import Path
from typing import Any

import pytest

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.learning.pca import PCA
from wideleaf.tools.actions.registry import ACTIONS, MOVES
from wideleaf.tools.telling.schema import tool_schema, tool_schemas

GOLDEN = Path(__file__).parents[2] / "golden" / "schemas"
MAX_CHARACTERS = 2_200


@pytest.mark.parametrize("action", [*ACTIONS, *MOVES], ids=lambda action: action.__name__)
def test_a_schema_is_its_golden_file(action: type[Action], update_golden: bool) -> None:
    path = GOLDEN / f"{action.__name__}.json"
    text = json.dumps(tool_schema(action), indent=2, ensure_ascii=False) + "\n"
    if update_golden:
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_there_is_no_golden_file_of_an_action_that_is_gone() -> None:
    assert {path.stem for path in GOLDEN.glob("*.json")} == {
        action.__name__ for action in (*ACTIONS, *MOVES)
    }


@pytest.mark.parametrize("action", [*ACTIONS, *MOVES], ids=lambda action: action.__name__)
def test_a_schema_is_short(action: type[Action]) -> None:
    assert len(json.dumps(tool_schema(action), separators=(",", ":"))) < MAX_CHARACTERS


@pytest.mark.parametrize("action", [*ACTIONS, *MOVES], ids=lambda action: action.__name__)
def test_inputs_come_first_and_are_required(action: type[Action]) -> None:
    parameters = tool_schema(action)["function"]["parameters"]
    count = len(action.inputs)
    assert tuple(parameters["properties"])[:count] == action.inputs
    assert tuple(parameters["required"])[:count] == action.inputs


def test_every_reference_leads_to_a_definition() -> None:
    for schema in tool_schemas():
        parameters = schema["function"]["parameters"]
        text = json.dumps(parameters)
        for name in parameters.get("$defs", {}):
            text = text.replace(f'"#/$defs/{name}"', "")
        assert "#/$defs/" not in text


def test_a_default_is_one_of_the_choices_and_no_choice_stands_apart() -> None:
    def faults(schema: Any) -> list[Any]:
        inner = schema.values() if isinstance(schema, dict) else schema
        found = [one for part in inner if isinstance(part, dict | list) for one in faults(part)]
        if isinstance(schema, dict) and "enum" in schema:
            apart = (
                "const" in schema or schema.get("default", schema["enum"][0]) not in schema["enum"]
            )
            found += [schema] * apart
        return found

    assert faults(tool_schemas()) == []
    assert {"auto", "full"} < {
        *tool_schema(PCA)["function"]["parameters"]["properties"]["method"]["enum"]
    }


def test_what_resolving_fills_in_is_not_asked_of_models() -> None:
    sent = json.dumps(tool_schemas())
    assert '"match"' not in sent and '"fingerprint"' not in sent
