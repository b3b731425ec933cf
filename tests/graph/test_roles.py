"""Roles that models take: who is asked what, what becomes of it, and when the rules stand in."""

import json

import pandas as pd
import pytest

from wideleaf import ask
from wideleaf.agents.models.script import Script
from wideleaf.graph.context import Context, make_context
from wideleaf.graph.drawings.svg import draw_svg
from wideleaf.graph.drawings.text import draw_text
from wideleaf.graph.gateways import Gateways
from wideleaf.graph.results.page import result_page
from wideleaf.graph.serving.policy import ClientPolicy, PolicyError
from wideleaf.graph.shell.shell import main
from wideleaf.tools.errors import ModelError, SettingsError

TRIALS = pd.DataFrame({"site": ["Moree", "Roma", "Moree", "Dalby"], "yield": [2.0, 3.0, 4.0, 9.5]})
SYSTEMS = {
    "You describe frames": "describer",
    "You select": "selector",
    "You check": "critic",
    "You word": "writer",
    "You answer": "supervisor",
}
RULES = "mean: 4.625"
SUMS = '{"objections": ["The question asks for all sites, and T1 takes one."]}'


def aggregate(function):
    measures = [{"function": function, "column": "yield", "name": function}]
    return (function, "Aggregate", {"table": "t", "measures": measures})


MEAN = [aggregate("mean"), ("Done.", "Finish", {"table": "T1"})]
SUM_AND_MEAN = [
    aggregate("sum"),
    ("Done.", "Finish", {"table": "T1"}),
    aggregate("mean"),
    ("Done.", "Finish", {"table": "T2"}),
]


def role_of(prompt):
    return next(role for start, role in SYSTEMS.items() if prompt.startswith(start))


def playing(moves=(), **replies):
    """A model of several roles; of those that may be asked again the last reply is repeated."""
    asked = []

    def reply(messages):
        role = role_of(messages[0].text)
        asked.append(role)
        if role == "supervisor":
            return moves[asked.count(role) - 1]
        given = replies[role]
        said = given if isinstance(given, list) else [given]
        return said[min(asked.count(role), len(said)) - 1]

    return Script(policy=reply)


def asked_of(model):
    return [role_of(prompt) for prompt in model.prompts]


def run(tmp_path, model=None, question="What is the mean of yield?", **settings):
    return ask(question, {"t": TRIALS}, model=model, folder=str(tmp_path / "w"), **settings)


def test_a_critics_objections_join_the_local_ones_in_one_note(tmp_path):
    model = playing(SUM_AND_MEAN, critic=[SUMS, '{"objections": []}'])
    result = run(tmp_path, model, critic="model")
    assert asked_of(model) == ["supervisor"] * 2 + ["critic"] + ["supervisor"] * 2 + ["critic"]
    (note,) = [line for line in model.prompts[3].splitlines() if line.startswith("Note:")]
    assert "no step of T1 takes a mean; The question asks for all sites" in note
    assert "Held against it: the question asks for the 'mean'" in model.prompts[2]
    assert result.value == 4.625 and result.caveats == ()
    assert result.usage.requests == 6


def test_one_frame_is_criticised_once_and_an_objection_not_heard_is_a_caveat(tmp_path):
    moves = [*MEAN, ("It is right.", "Finish", {"table": "T1", "note": "All sites are in it."})]
    model = playing(moves, critic=SUMS)
    result = run(tmp_path, model, critic="model", second_opinion=False)
    assert asked_of(model).count("critic") == 1
    told = "A model that checked the answer objects: The question asks for all sites, and T1 takes"
    assert any(caveat.startswith(told) for caveat in result.caveats)
    assert result.value == 4.625


@pytest.mark.parametrize(
    ("reply", "answer", "why"),
    [
        ('{"answer": "The mean of yield is {mean}."}', "The mean of yield is 4.625.", ""),
        ('{"answer": "It is 4.7."}', RULES, "it writes the number 4.7"),
        ("4.625", RULES, "it holds no JSON object with answer"),
        (ModelError("the model is gone"), RULES, "the model is gone"),
    ],
)
def test_a_writer_words_the_answer_and_changes_no_number(tmp_path, reply, answer, why):
    model = playing(MEAN, writer=reply)
    result = run(tmp_path, model, writer="model")
    assert result.answer == answer and result.value == 4.625
    told = [one for one in result.caveats if one.startswith("Rules took the place of the writer")]
    assert len(told) == bool(why) and all(why in one for one in told)


OVER_4 = {"test": {"column": "mean", "op": ">", "value": 4}}
NONE = {"table": "t", "where": [{"column": "yield", "op": ">", "value": 100}]}


@pytest.mark.parametrize(
    ("question", "moves", "value"),
    [
        ("Which sites have a yield over 100?", [("Few.", "Filter", NONE)], []),
        (
            "Is the mean of yield over 4?",
            [
                aggregate("mean"),
                ("Over.", "Derive", {"table": "T1", "name": "over", "expression": OVER_4}),
                ("Only that.", "Select", {"table": "T2", "columns": ["over"]}),
            ],
            True,
        ),
    ],
)
def test_no_rows_and_yes_or_no_stay_the_rules_words(tmp_path, question, moves, value):
    end = ("Done.", "Finish", {"table": f"T{len(moves)}", "note": "Nothing matches."})
    model = playing([*moves, end, end], writer='{"answer": "{site}"}')
    result = run(tmp_path, model, question, writer="model", second_opinion=False)
    assert asked_of(model).count("writer") == 0 and result.value == value


def test_each_role_asks_its_own_model_and_no_other(tmp_path):
    boss, critic, writer = (
        playing(MEAN),
        playing(critic='{"objections": []}'),
        playing(writer='{"answer": "It is {mean}."}'),
    )
    audit = tmp_path / "audit.jsonl"
    result = run(
        tmp_path,
        boss,
        critic="model",
        writer="model",
        models={"critic": critic, "writer": writer},
        audit=str(audit),
    )
    assert result.answer == "It is 4.625."
    assert [asked_of(one) for one in (boss, critic, writer)] == [
        ["supervisor"] * 2,
        ["critic"],
        ["writer"],
    ]
    sent = [json.loads(line) for line in audit.read_text().splitlines()]
    assert len(sent) == 8 and result.usage.requests == 4  # each request with its reply


def test_functions_are_written_by_the_crafters_model():
    given = make_context(
        model=Script(), models={"crafter": Script(), "critic": Script()}, critic="model"
    )
    doors = Gateways(given)
    assert doors.of("supervisor") is doors.of("selector") is not doors.of("crafter")
    assert doors.taken("critic") is not None and doors.taken("writer") is None


def test_a_role_may_have_a_model_beside_the_embedded_planner(tmp_path):
    model = playing(critic='{"objections": []}', writer='{"answer": "{site} leads."}')
    question = "Which site has the highest yield?"
    settings = {"critic": "model", "writer": "model", "models": {"critic": model, "writer": model}}
    dry = run(tmp_path, question=question, dry_run=True, **settings)
    assert dry.sends and "Sent for a role: critic, Script at" in str(dry)
    assert "Nothing would leave" not in str(dry)
    result = run(tmp_path, question=question, **settings)
    assert result.answer == "Dalby leads." and asked_of(model) == ["critic", "writer"]
    assert not any("Dalby" in prompt or "9.5" in prompt for prompt in model.prompts)


def test_an_objection_sends_the_embedded_planner_on_and_costs_no_answer(tmp_path):
    model = playing(critic=SUMS)
    result = run(tmp_path, critic="model", models={"critic": model})
    assert result.status == "answered" and result.value == 4.625
    assert any("A model that checked the answer objects" in one for one in result.caveats)


def test_where_a_budget_is_used_up_the_rules_take_the_role(tmp_path):
    model = playing(MEAN, critic=SUMS, writer='{"answer": "{mean}"}')
    spent = run(tmp_path, playing(MEAN)).usage
    tokens = spent.prompt_tokens + spent.completion_tokens
    result = run(tmp_path, model, critic="model", writer="model", max_tokens=tokens)
    assert result.answer == RULES and {*asked_of(model)} == {"supervisor"}
    told = [one for one in result.caveats if "limit of" in one]
    assert [one.split("'s model")[0] for one in told] == [
        "Rules took the place of the critic",
        "Rules took the place of the writer",
    ]


def test_a_selector_that_cannot_be_read_leaves_the_columns_to_rules(tmp_path):
    model = playing(MEAN, selector="all of them")
    result = run(tmp_path, model, selector="model")
    assert asked_of(model) == ["selector"] * 2 + ["supervisor"] * 2
    assert result.caveats[0].startswith("Rules took the place of the selector's model: it names no")
    assert result.value == 4.625


def test_frames_are_described_before_the_next_thought_and_the_words_stand_at_the_node(tmp_path):
    described = [
        '{"descriptions": {"T1": "The mean of the yields of all trials."}}',
        '{"descriptions": {"T2": "The median of the yields, 7 days later."}}',
    ]
    moves = [aggregate("mean"), aggregate("median"), ("Done.", "Finish", {"table": "T1"})]
    model, events = playing(moves, describer=described), []
    result = run(tmp_path, model, describer="model", on_event=events.append)
    each = ["supervisor", "describer"]
    assert asked_of(model) == [*each, *each, "describer", "supervisor"]
    words = "The mean of the yields of all trials."
    assert [node.description for node in result.tree.nodes] == ["", words, ""]
    assert words in model.prompts[2] and words in [event.text for event in events]
    assert words in draw_text(result.tree) and words in result_page(result)
    assert words in draw_svg(result.tree)
    (told,) = [one for one in result.caveats if "describer" in one]
    assert "of T2: it names the number 7" in told
    assert result.usage.requests == 6


def test_frames_of_one_wave_are_described_by_one_request(tmp_path):
    both = '{"descriptions": {"T1": "A mean.", "T2": "A sum."}}'
    moves = [[aggregate("mean"), aggregate("sum")], ("Done.", "Finish", {"table": "T1"})]
    model = playing(moves, describer=both)
    result = run(tmp_path, model, describer="model")
    assert asked_of(model) == ["supervisor", "describer", "supervisor"]
    assert [node.description for node in result.tree.nodes] == ["", "A mean.", "A sum."]


def test_frames_of_calls_on_each_other_are_described_by_one_request(tmp_path):
    both = '{"descriptions": {"T1": "High ones.", "T2": "A mean."}}'
    where = [{"column": "yield", "op": ">", "value": 1}]
    high = ("So.", "Filter", {"table": "t", "where": where})
    name, action, given = aggregate("mean")
    moves = [[high, (name, action, {**given, "table": "T1"})]]
    moves.append(("Done.", "Finish", {"table": "T2"}))
    model = playing(moves, describer=both)
    result = run(tmp_path, model, describer="model")
    assert asked_of(model) == ["supervisor", "describer", "supervisor"]
    assert [node.description for node in result.tree.nodes] == ["", "High ones.", "A mean."]


def test_the_cache_of_replies_serves_roles_too(tmp_path):
    model = playing(MEAN, critic='{"objections": []}')
    first, second = (run(tmp_path, model, critic="model", cache=True).usage for _ in range(2))
    assert (first.requests, second.requests, second.cached) == (3, 0, 3)


@pytest.mark.parametrize(
    ("models", "problem"),
    [
        ({"critc": "x"}, "there is no role 'critc'; the nearest is 'critic'"),
        ({"critic": 5}, "the model of the role 'critic' is of type int"),
        ({"critic": ""}, "'critic=' names no model of a role; write ROLE=MODEL"),
        (["critic"], "'critic' names no model of a role"),
        (["critic=a", "critic=b"], "the role 'critic' has two models"),
        ({"critic": {"model": "a", "nmae": "b"}}, "nmae"),
    ],
)
def test_models_that_do_not_fit_are_told(tmp_path, models, problem):
    with pytest.raises(SettingsError, match="the setting models") as told:
        run(tmp_path, critic="model", models=models)
    assert problem in str(told.value)


def test_a_model_of_a_role_that_is_left_to_rules_is_a_slip(tmp_path):
    with pytest.raises(SettingsError, match="left to rules; set critic='model'"):
        run(tmp_path, models={"critic": "openai:x"})
    assert make_context(models={"describer": "openai:x"}).asks("describer")
    with pytest.raises(SettingsError, match="there is no model for the writer"):
        run(tmp_path, writer="model")


def test_a_roles_model_is_asked_where_its_name_says_and_no_key_goes_astray():
    given = Context(
        model="llama",
        base_url="http://here/v1",
        api_key_env="HERE",
        selector="model",
        critic="model",
        writer="model",
        models=[
            "selector=qwen",
            "critic=openai:gpt-4o",
            "writer=phi@http://there/v1",
            "crafter=phi:14b@https://there/v1",
        ],
    )
    told = {
        role: (one.model, one.base_url, one.api_key_env)
        for role in ("supervisor", "selector", "critic", "writer", "crafter")
        if (one := given.under_role(role))
    }
    assert told == {
        "supervisor": ("llama", "http://here/v1", "HERE"),
        "selector": ("qwen", "http://here/v1", "HERE"),
        "critic": ("openai:gpt-4o", "", ""),
        "writer": ("phi", "http://there/v1", ""),
        "crafter": ("phi:14b", "https://there/v1", ""),
    }
    priced = Context(prompt_price=1, models={"crafter": {"model": "openai:x", "prompt_price": 9}})
    assert priced.under_role("crafter").prompt_price == 9
    assert Context.model_validate(given.model_dump(mode="json")) == given
    hidden = Context(models=["crafter=a@http://me:secret@host/v1"])
    assert "secret" not in f"{hidden!r} {hidden.model_dump_json()}"


def test_clients_of_a_server_name_only_models_that_its_owner_listed():
    policy = ClientPolicy(
        settings={"models": ["critic=openai:a"], "critic": "model", "model": "openai:m"},
        clients={"models": ["critic=openai:b", "crafter=c@http://there/v1"], "critic": True},
        keys={"there": "THERE"},
    )

    def settled(models):
        return policy.settle(Context(models=models), {}, "")

    assert settled([]).model_of("critic").model == "openai:a"
    assert settled(["critic=openai:b"]).model_of("critic").model == "openai:b"
    mixed = settled(["crafter=c@http://there/v1"])
    assert mixed.model_of("crafter").api_key_env == "THERE" and mixed.model_of("critic")
    for refused in (["critic=openai:c"], {"critic": {"model": "openai:b", "api_key_env": "HOME"}}):
        with pytest.raises(PolicyError, match="not among what a client"):
            settled(refused)


def test_the_shell_names_models_of_roles(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    table = tmp_path / "t.csv"
    TRIALS.to_csv(table, index=False)
    words = ["ask", "q", str(table), "--folder", str(tmp_path / "w")]
    assert main([*words, "--role-model", "crafer=openai:x"]) == 2
    assert "there is no role 'crafer'; the nearest is 'crafter'" in capsys.readouterr().err
    given = ["--critic", "model", "--role-model", "critic=openai:x", "--dry-run"]
    assert main([*words, *given]) == 0
    told = capsys.readouterr().out
    assert "Sent for a role: critic, openai:x at the server of the model's provider" in told
