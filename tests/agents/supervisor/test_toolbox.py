"""The toolbox: few tools are described in full, and a model can see the others when it asks."""

import json
import re
from datetime import date

import pandas as pd
import pytest
from grown import add, straight

from wideleaf.agents.models.gateway import Gateway
from wideleaf.agents.models.script import Script
from wideleaf.agents.requests import CHARACTERS
from wideleaf.agents.supervisor.offers import COMMON, match_actions
from wideleaf.agents.supervisor.supervisor import OPENINGS, SHORT, Supervisor
from wideleaf.agents.supervisor.toolbox import OPEN, more_actions, tools_for
from wideleaf.agents.turn import Reply, Usage, View
from wideleaf.graph.sessions.run import ask
from wideleaf.prompts import render
from wideleaf.tools.actions.pivot import Pivot
from wideleaf.tools.actions.registry import ACTIONS, MOVES, find_action
from wideleaf.tools.privacy import LEVELS, Policy
from wideleaf.tools.telling.outline import outline
from wideleaf.tools.telling.schema import to_model_call, tool_schema, tool_schemas
from wideleaf.tools.tree.call import Call
from wideleaf.tools.tree.tree import FrameTree

OTHERS = [action.__name__ for action in ACTIONS if action.__name__ not in COMMON]


def names(tools):
    return [tool["function"]["name"] for tool in tools]


def more(tools):
    return tools[-1]["function"]["parameters"]["properties"]["actions"]["items"]["enum"]


def test_every_action_is_described_or_named_by_more():
    tools = tools_for("How many?", straight(), reads=True)
    assert names(tools)[-1] == OPEN
    told = {*names(tools), *more(tools)}
    assert {action.__name__ for action in ACTIONS} <= told


def test_actions_of_a_reader_are_offered_only_where_there_are_texts_to_read():
    readings = {action.__name__ for action in ACTIONS if action.purpose == "reader"}
    tools = tools_for("How many?", straight())
    assert not readings & {*names(tools), *more(tools)}
    tools = tools_for("Use Rank on the texts", straight(), reads=True)
    assert {"Judge", "Rank"} <= {*names(tools)}
    for prose in ((), ("reviews.text",)):
        supervisor = Supervisor(Gateway(Script(), Policy()), prose=lambda prose=prose: prose)
        system, _ = supervisor.prompt(VIEW)
        assert ("reviews.text" in system, "Judge" in system) == (bool(prose), bool(prose))


def test_moves_are_always_described():
    told = set(names(tools_for("", straight(), talks=True)))
    assert {move.__name__ for move in MOVES} <= told
    assert told - set(names(tools_for("", straight()))) == {"Recall"}


def test_ask_is_described_only_where_somebody_can_be_asked():
    assert set(names(tools_for("", straight()))) - set(
        names(tools_for("", straight(), asks=False))
    ) == {"Ask"}
    for asked in (True, False):
        supervisor = Supervisor(Gateway(Script(), Policy()), interactive=asked)
        system, _ = supervisor.prompt(VIEW)
        assert ("then Ask" in system, "nobody can be asked" in system) == (asked, not asked)


@pytest.mark.parametrize("level", LEVELS)
def test_how_text_and_ties_are_taken_is_said_once_and_as_the_profile_has_it(level):
    told = {}
    for profile in ("standard", "sql"):
        supervisor = Supervisor(Gateway(Script(), Policy(level=level)), profile=profile)
        told[profile] = supervisor.prompt(VIEW)[0]
        assert told[profile].count(render(f"profile_{profile}")) == 1
        assert told[profile].casefold().count(" case") == 1
    rest = {told[profile].replace(render(f"profile_{profile}"), "") for profile in told}
    assert len(rest) == 1
    schemas = json.dumps(tool_schemas())
    assert not [
        words for words in ("any case", "regardless of case", "nulls last") if words in schemas
    ]


def test_a_worked_example_stands_in_a_short_request_until_a_frame_is_made(tmp_path):
    example = render("worked_example")
    assert len(example) / 4 < 400
    tables = {"plots": pd.DataFrame({"site": ["a", "b"], "y": [1, 2]})}
    moves = [("A.", "Sort", {"table": "plots", "by": ["y"]}), ("B.", "Finish", {"table": "T1"})]
    model = Script(moves)
    ask("Which sites are there, by y?", tables, model=model, folder=str(tmp_path))
    assert [example in prompt for prompt in model.prompts] == [True, False]
    crowded = Script([("B.", "Finish", {"table": "t0x"})] * 2)
    many = {
        f"t{n}x": pd.DataFrame({f"header {c} {'x' * 60}": [1] for c in range(40)}) for n in range(9)
    }
    ask("How much? " * 100, many, model=crowded, folder=str(tmp_path))
    assert example not in crowded.prompts[0]


def test_the_calls_of_the_worked_example_run(tmp_path):
    calls = re.findall(r"^- (\w+) (\{.*\})", render("worked_example"), re.M)
    spools = {"colour": ["red", "red", "blue"], "metres": [10, 20, 40]}
    days = [date(2023, 1, 2), date(2023, 4, 5), date(2022, 1, 2)]
    model = Script([("x", name, json.loads(arguments)) for name, arguments in calls])
    tables = {"spools": pd.DataFrame({**spools, "wound_on": days})}
    result = ask("How long are they?", tables, model=model, folder=str(tmp_path))
    assert result.frame.to_dict("records") == [{"colour": "red", "mean_metres": 15.0}]


def test_an_opened_action_is_described_and_no_longer_named_by_more():
    tools = tools_for("How many?", straight(), opened=["Describe"])
    assert "Describe" in names(tools)
    assert "Describe" not in more(tools)


def test_what_was_opened_last_is_described_however_much_was_opened():
    for last in OTHERS:
        others = [name for name in OTHERS if name != last]
        tools = tools_for("How many?", straight(), opened=[*others, last], reads=True)
        assert last in names(tools)
        assert OPEN in names(tools)


@pytest.mark.parametrize(
    ("question", "action"),
    [
        ("Describe the columns of the trial", "Describe"),
        ("How many distinct species are there?", "Distinct"),
        ("What is the rolling mean of the yield?", "Window"),
        ("Which columns correlate with the yield?", "Correlate"),
        ("Pivot the rainfall by month", "Pivot"),
        ("Find outliers among the plots", "Anomaly"),
        ("The first principal component of the spectra", "PCA"),
        ("Predict the yield from the vegetation indices", "Predict"),
        ("What is the R squared of a regression of yield on height?", "Predict"),
        ("Use machine learning to classify the breeder", "Predict"),
        ("How accurately can the crop be predicted?", "Predict"),
        ("Average price per month", "Resample"),
        ("Which cities are in both tables?", "Intersect"),
        ("Which stations appear in both of the lists?", "Intersect"),
        ("Names of suppliers that are in the first file but not in the second", "Difference"),
        ("What changed between the two price lists?", "Compare"),
        ("Give the clients and the suppliers in one list", "Union"),
        ("What is the main factor of the yield?", "Correlate"),
        ("Which nutrient contributes most to the score?", "Correlate"),
        ("Does rainfall causally influence the yield?", "Correlate"),
        ("How many visits were there every month?", "Resample"),
        ("Turn the columns into rows", "Unpivot"),
        ("Which of the soil columns are associated with waterlogging?", "Associate"),
        ("Is the yield rising over the years?", "Trend"),
        ("Is there seasonality in the sales?", "Trend"),
        ("What is the longest winning streak of each team?", "Runs"),
        ("On how many consecutive days did it rain?", "Runs"),
        ("Train a random forest on the loans", "Predict"),
        ("What is the Pearson correlation coefficient of age and fare?", "Correlate"),
        ("Reduce the sensors to three dimensions", "PCA"),
        ("Which readings are unusual?", "Anomaly"),
    ],
)
def test_an_action_that_the_question_speaks_of_is_described(question, action):
    assert action in match_actions(question)


@pytest.mark.parametrize(
    "question",
    [
        "Who recorded with The Riverside Union?",
        "What is the difference in mean weight of the two breeds?",
        "Which riders both have a licence and a helmet?",
        "In which year was the bridge built?",
        "Is the union of carpenters larger than 100 members?",
    ],
)
def test_a_word_alone_is_no_wish_for_an_operation_on_tables(question):
    offered = {"Union", "Intersect", "Difference", "Resample", "Unpivot"}
    assert not offered.intersection(match_actions(question))


def test_words_of_other_matters_bring_no_learning():
    """*Test* and *score* were cues of Predict, *drop* of PCA, *first* of Position."""
    question = "Drop the first test, then list the error scores of the sample by importance"
    assert not {"Predict", "PCA", "Position"}.intersection(match_actions(question))


@pytest.mark.parametrize(
    "question",
    [
        "How many countries are listed?",
        "What is the longest flight?",
        "Which team had the most home runs?",
        "Which product category has the most reviews?",
        "What percent of the custom orders moved to another city?",
    ],
)
def test_a_chance_word_brings_no_action(question):
    assert match_actions(question) == ()


def test_what_a_request_leaves_free_shows_further_schemas():
    question = "Train a regression, test whether its residuals are normally distributed"
    few, most = (tools_for(question, straight(), spare=spare) for spare in (0, 6_000))
    matched = match_actions(question)
    assert {tool["function"]["name"] for tool in most} >= {*matched}
    shown = {t["function"]["name"]: t["function"]["parameters"]["properties"] for t in most}
    assert all(shown[name] for name in matched)
    assert len(few) < len(most) or not all(
        tool["function"]["parameters"]["properties"] for tool in few
    )


def test_the_supervisor_sends_what_there_is_room_for_and_no_more():
    question = "Train a regression, test whether its residuals are normally distributed"
    supervisor = Supervisor(Gateway(Script(), Policy()))
    described = []
    for columns in ("", "  price (number)\n" * 900):
        view = View(question=question, tree=straight(), columns=columns)
        tools = supervisor._tools(view)
        sent = [*supervisor.prompt(view), tools]
        assert len(json.dumps(sent, separators=(",", ":"))) <= CHARACTERS + 20
        shown = {t["function"]["name"]: t["function"]["parameters"]["properties"] for t in tools}
        described.append([name for name in match_actions(question) if shown.get(name)])
    assert len(described[0]) > len(described[1])


def test_years_in_headers_bring_unpivot_where_the_question_goes_over_them():
    across = "clubs: 4 columns\n  Club (text)\n  Wins 2001 (number)\n  Wins 2002 (number)"
    down = "clubs: 3 columns\n  Club (text)\n  Year (number)\n  Wins (number)"
    question = "In which year did the club win least?"
    assert "Unpivot" in names(tools_for(question, straight(), columns=across))
    assert "Unpivot" not in names(tools_for(question, straight(), columns=down))
    assert "Unpivot" not in names(tools_for("How many clubs?", straight(), columns=across))


@pytest.mark.parametrize(
    "question",
    [
        "Does money buy happiness? scatter plot of the economy against the score",
        "Stacked bars please: number of storms each year since 1990",
        "I'd like a heat map of the average temperature, hour by month",
        "compare gas mileage by number of cylinders with a box plot",
        "plot the mean yield by site",
    ],
)
def test_a_question_that_wants_a_picture_is_shown_chart_whatever_else_it_needs(question):
    assert "Chart" in names(tools_for(question, straight(), ["Window", "Predict"]))


def test_a_plain_question_needs_no_further_action():
    assert match_actions("How many plots have a height above 3?") == ()


def test_names_are_opened_whatever_their_case_and_nonsense_is_passed_over():
    assert more_actions({"actions": ["describe", "Fly", 7]}) == ["Describe"]
    assert more_actions({"actions": "Sample"}) == ["Sample"]


class Answering(Gateway):
    """A gateway that gives prepared replies and keeps the names of the tools it was sent."""

    def __init__(self, *replies: Reply) -> None:
        super().__init__(Script(), Policy())
        self.replies = list(replies)
        self.sent: list[list[str]] = []
        self.told: list[str] = []

    def ask(self, system, human, tools=(), *, sample=0):
        assert "Question: How many?" in human
        self.sent.append(names(tools))
        self.told.append(human)
        return self.replies.pop(0)


def reply(*calls):
    made = tuple(Call(name=name, arguments=arguments) for name, arguments in calls)
    return Reply(calls=made, usage=Usage(requests=1))


VIEW = View(question="How many?", tree=straight())


def think(supervisor: Supervisor, view: View) -> Reply:
    """One turn, as the graph has it: asked again for as long as the reply says so."""
    usage, made = Usage(), supervisor.think(view)
    while made.again:
        usage += made.usage
        made = supervisor.think(view.model_copy(update={"memory": made.memory}))
    return made.model_copy(update={"usage": usage + made.usage})


SHOW = ("More", {"actions": ["Sample"]})
ACT = ("Sample", {"table": "T1", "n": 2})


def test_a_model_that_asks_for_more_is_shown_it_in_the_same_turn():
    gateway = Answering(reply(SHOW), reply(ACT))
    made = think(Supervisor(gateway), VIEW)
    assert [call.name for call in made.calls] == ["Sample"]
    assert made.usage.requests == 2
    assert "Sample" not in gateway.sent[0] and "Sample" in gateway.sent[1]


def test_a_call_of_an_action_that_was_not_described_is_taken_if_it_fits():
    gateway = Answering(reply(ACT))
    made = think(Supervisor(gateway), VIEW)
    assert "Sample" not in gateway.sent[0]
    assert [call.name for call in made.calls] == ["Sample"] and made.usage.requests == 1


def test_one_that_does_not_fit_is_described_with_a_word_and_asked_for_again_in_the_turn():
    gateway = Answering(reply(("sample", {"table": "T1", "rows": 2})), reply(ACT))
    made = think(Supervisor(gateway), VIEW)
    assert "Sample" not in gateway.sent[0] and "Sample" in gateway.sent[1]
    assert "Sample's arguments do not fit: rows" in gateway.told[1]
    assert [call.name for call in made.calls] == ["Sample"]
    assert made.memory["opened"] == ["Sample"]


def test_beside_calls_that_fit_one_that_does_not_fails_as_a_step():
    both = reply(("Sample", {"table": "T1", "rows": 2}), ("Select", {"table": "T1"}))
    made = think(Supervisor(Answering(both)), VIEW)
    assert [call.name for call in made.calls] == ["Sample", "Select"]
    assert made.memory["opened"] == ["Sample"]


def test_what_was_opened_stays_open_in_later_turns():
    gateway = Answering(reply(SHOW), reply(ACT), reply(ACT))
    supervisor = Supervisor(gateway)
    memory = think(supervisor, VIEW).memory
    think(supervisor, VIEW.model_copy(update={"memory": memory}))
    assert "Sample" in gateway.sent[2]


def test_other_calls_of_the_turn_are_carried_out_at_once():
    gateway = Answering(reply(SHOW, ACT))
    made = think(Supervisor(gateway), VIEW)
    assert [call.name for call in made.calls] == ["Sample"]
    assert made.memory["opened"] == ["Sample"]


def test_an_opened_action_stays_callable_though_room_is_short():
    opened = ["Pivot", "Resample", "Window"]
    tools = {
        t["function"]["name"]: t["function"] for t in tools_for("How many?", straight(), opened)
    }
    assert tools.keys() >= {*opened}
    assert tools["Window"]["parameters"]["required"]  # the last in full
    said = tools["Pivot"]["description"]
    assert all(name in said for name in tool_schema(Pivot)["function"]["parameters"]["properties"])


def test_what_has_no_room_even_in_a_line_must_be_opened_anew_and_that_is_said():
    tools = tools_for("How many?", straight(), OTHERS, reads=True)
    closed = [name for name in OTHERS if name not in names(tools)]
    assert closed
    assert f"{', '.join(closed)} must be opened anew" in tools[-1]["function"]["description"]
    assert {*closed} <= {*more(tools)}


def test_what_has_no_room_is_named_in_a_note_of_the_request_that_follows():
    gateway = Answering(reply(("More", {"actions": OTHERS})), reply(ACT))
    made = think(Supervisor(gateway), VIEW)
    closed = [name for name in sorted(OTHERS) if name not in gateway.sent[1]]
    assert len(closed) > 10 and SHORT not in gateway.told[0]
    (note,) = [line for line in gateway.told[1].splitlines() if SHORT in line]
    assert note.startswith("Note: ") and f": {', '.join(closed[:5])}, " in note
    assert "asked" not in made.memory


def test_of_what_was_asked_for_beside_calls_that_is_said_in_the_next_turn_alone():
    both = reply(("More", {"actions": OTHERS}), ACT)
    gateway = Answering(both, reply(ACT), reply(ACT))
    supervisor = Supervisor(gateway)
    view = VIEW
    for _ in range(3):
        view = view.model_copy(update={"memory": think(supervisor, view).memory})
    assert [SHORT in told for told in gateway.told] == [False, True, False]


def test_where_there_is_room_for_all_that_is_asked_for_no_note_is_needed():
    gateway = Answering(reply(SHOW), reply(ACT))
    think(Supervisor(gateway), VIEW)
    assert SHORT not in gateway.told[1]


def test_each_frame_of_the_latest_turn_is_seen_until_the_next_one_makes_some():
    gateway = Answering(*[reply(ACT)] * 4)
    supervisor = Supervisor(gateway)
    view, trees = VIEW, [straight()]
    for turn in range(2):  # of eight calls each
        tree = trees[-1]
        for n in range(8):
            wish = {"column": f"c{n}", "turn": turn}
            tree = add(
                tree, f"T{4 + 8 * turn + n}", "Describe", wish, ["T1"], observation=f"seen {n}"
            )
        trees.append(tree)
    told = []
    for tree in (*trees, trees[-1]):  # the last turn made nothing
        view = view.model_copy(update={"tree": tree})
        view = view.model_copy(update={"memory": think(supervisor, view).memory})
        last = gateway.told[-1].split("LAST OBSERVATIONS")[1].split("\n\n")[0]
        told.append(re.findall(r"^(T\d+)", last, re.M))
    assert told[0] == ["T3", "T2", "T1"]
    assert told[1] == [f"T{n}" for n in range(11, 3, -1)]
    assert told[2] == told[3] == [f"T{n}" for n in range(19, 11, -1)]


def test_a_model_that_only_ever_opens_actions_is_stopped():
    everything = ("more", {"actions": OTHERS})
    gateway = Answering(*[reply(everything)] * 9)
    made = think(Supervisor(gateway), VIEW)
    assert len(gateway.sent) == OPENINGS
    assert f"{OPENINGS} times" in made.problem and not made.calls
    assert sorted(made.memory["opened"]) == sorted(OTHERS)


def test_the_outline_shows_calls_as_a_model_may_write_them():
    resolved = {
        "Filter": {
            "where": {"all": [{"column": "a", "op": "==", "value": "X", "match": "folded"}]}
        },
        "Pivot": {"columns": "a", "headers": "numbers"},
        "Load": {"source": "plots", "fingerprint": "ab12"},
    }
    for name, arguments in resolved.items():
        told = to_model_call(Call(name=name, arguments=arguments)).arguments
        assert not {"match", "headers", "fingerprint"}.intersection(words_in(told))
        find_action(name).model_validate(told)
    tree = add(straight(), "T9", "Filter", resolved["Filter"], ["plots"])
    assert "match" not in outline(tree) and '"op": "=="' not in outline(tree)
    assert 'op: "==", value: "X"' in outline(tree)


def words_in(value):
    if isinstance(value, dict):
        return {*value, *(word for inner in value.values() for word in words_in(inner))}
    return (
        {word for inner in value for word in words_in(inner)} if isinstance(value, list) else set()
    )


def test_asking_for_what_is_there_already_is_told_and_ends_the_turn():
    made = think(Supervisor(Answering(reply(("More", {"actions": ["Filter", "Fly"]})))), VIEW)
    assert not made.calls
    assert "opened nothing new" in made.problem


def test_columns_of_one_category_each_bring_the_action_that_joins_them() -> None:
    columns = "trials: 24 columns\n  Breeder{A,B} (24 number columns, one a category)"
    names = [
        tool["function"]["name"]
        for tool in tools_for("List breeders", FrameTree(), columns=columns)
    ]
    assert "FromOneHot" in names
    plain = [tool["function"]["name"] for tool in tools_for("List breeders", FrameTree())]
    assert "FromOneHot" not in plain


def test_an_action_that_the_question_writes_is_described() -> None:
    names = [tool["function"]["name"] for tool in tools_for("Reduce them using PCA", FrameTree())]
    assert "PCA" in names


def test_a_question_that_names_its_values_is_told_how_they_are_to_look():
    asked = "Mean of price? @mean_price[mean], @odd_ids[id1, id2, ...]"
    supervisor = Supervisor(Gateway(Script(), Policy()))
    told, plain = (
        supervisor.prompt(View(question=question, tree=straight()))[0]
        for question in (asked, "Mean of price?")
    )
    assert "one row whose columns are `mean_price`, `odd_ids`" in told
    assert "names its values" not in plain
