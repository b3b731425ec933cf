"""The settings as a form: what the schema that a server gives out tells whoever draws it."""

import pytest

from wideleaf.graph.app import ask_graph
from wideleaf.graph.chat import chat_graph
from wideleaf.graph.context import GROUPS, Context
from wideleaf.graph.options.role_models import ASKERS

FORM = chat_graph().get_context_jsonschema()
FIELDS = FORM["properties"]


def test_tables_the_model_and_privacy_come_first_and_experts_settings_last():
    ordered = [name for names in GROUPS.values() for name in names if name != "chat_model"]
    assert [*FIELDS] == ordered
    assert [*GROUPS][:3] == ["tables", "model", "privacy"]
    assert [*GROUPS][-1] == "for experts"


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_has_a_title_a_description_a_type_and_the_default_of_the_setting(name):
    field = FIELDS[name]
    group = next(group for group, names in GROUPS.items() if name in names)
    assert field["title"].lower().startswith(f"{group}: ")
    assert field["description"] == Context.model_fields[name].description
    default = Context.model_fields[name].default
    assert field["default"] == ([*default] if isinstance(default, tuple) else default)
    kinds = [part["type"] for part in field.get("anyOf", [field])]
    assert kinds in ([kind] for kind in ("string", "integer", "number", "boolean", "array")) or (
        len(kinds) == 2 and kinds[1] == "null" and all(part["title"] for part in field["anyOf"])
    )


def test_no_two_fields_have_one_title():
    titles = [field["title"] for field in FIELDS.values()]
    assert len({*titles}) == len(titles)


def test_words_and_further_words_are_one_choice():
    assert FIELDS["engine"]["enum"] == ["auto", "polars", "duckdb", "spark", "database"]
    assert "anyOf" not in FIELDS["engine"]


def test_whatever_a_form_offers_is_a_setting():
    chosen = {
        name: word
        for name, field in FIELDS.items()
        for word in field.get("enum", [])
        if name not in (*ASKERS, "strategy")  # which need a model
    }
    assert Context.model_validate(chosen)
    assert Context.model_validate({name: field["default"] for name, field in FIELDS.items()})


def test_the_nodes_of_a_group_are_nodes_of_the_graph():
    named = {node for group in Context.__bases__ for node in group.nodes}
    nodes = {name.rpartition(":")[2] for name in ask_graph().get_graph(xray=True).nodes}
    assert named - nodes == {"vote"}  # the graph of a vote
    assert FIELDS["model"]["langgraph_nodes"] == ["supervisor"]
