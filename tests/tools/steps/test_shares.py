"""Which cells a model may read below samples: those that come of shared columns alone."""

import pandas as pd
import pytest

from wideleaf.tools.actions.reading.judge import Judge
from wideleaf.tools.actions.reading.match import Match
from wideleaf.tools.errors import ActionError
from wideleaf.tools.privacy import Policy
from wideleaf.tools.sources.opening import open_catalog
from wideleaf.tools.steps.shares import need_shared, source_columns
from wideleaf.tools.steps.step import Wish, perform
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tree.call import Call

FRAMES = {
    "reviews": pd.DataFrame({"id": [1, 2], "text": ["a b", "c d"], "who": ["x", "y"]}),
    "people": pd.DataFrame({"who": ["x", "y"], "story": ["long", "short"]}),
}
STEPS = {
    "renamed": ("Derive", {"name": "words", "expression": "text"}, ["reviews"]),
    "kept": ("Filter", {"where": {"column": "who", "op": "==", "value": "x"}}, ["reviews"]),
    "both": ("Derive", {"name": "all", "expression": {"op": "concat", "args": ["text", "who"]}},
             ["reviews"]),
    "joined": ("Join", {"on": ["who"]}, ["reviews", "people"]),
    "counted": ("Group", {"keys": ["who"], "measures": [{"function": "max", "column": "text"}]},
                ["reviews"]),
}  # fmt: skip


@pytest.fixture
def store(tmp_path):
    store = FrameStore(tmp_path, open_catalog([FRAMES], tmp_path, (), "auto"))
    store.ids = {}
    for name in FRAMES:
        load = Call(name="Load", arguments={"source": name})
        store.ids[name] = perform(Wish(load, name), store, Policy()).id
    for label, (name, arguments, parents) in STEPS.items():
        pairs = [(parent, store.ids[parent]) for parent in parents]
        node = perform(Wish(Call(name=name, arguments=arguments), label, pairs), store, Policy())
        assert node.outcome == "ok", node.error
        store.ids[label] = node.id
    return store


@pytest.mark.parametrize(
    ("frame", "columns", "behind"),
    [
        ("reviews", ["text"], {"reviews.text"}),
        ("renamed", ["words"], {"reviews.text"}),
        ("kept", ["text"], {"reviews.text"}),
        ("both", ["all"], {"reviews.text", "reviews.who"}),
        ("both", ["text"], {"reviews.text"}),
        ("joined", ["story", "text"], {"people.story", "reviews.text"}),
        ("counted", ["max_text"], {"reviews.text"}),
        ("counted", ["who"], {"reviews.who"}),
    ],
)
def test_the_columns_behind_cells_are_followed_to_the_sources(store, frame, columns, behind):
    found = source_columns(store.ids[frame], columns, store)
    assert {".".join(pair) for pair in found} == behind


@pytest.mark.parametrize(
    ("frame", "column", "shared", "allowed"),
    [
        ("reviews", "text", ["reviews.text"], True),
        ("reviews", "text", ["text"], True),
        ("reviews", "text", ["people.text"], False),
        ("renamed", "words", ["reviews.text"], True),
        ("renamed", "words", ["words"], False),
        ("both", "all", ["reviews.text"], False),
        ("both", "all", ["reviews.text", "who"], True),
        ("joined", "story", ["reviews.text"], False),
    ],
)
def test_what_is_not_shared_is_refused_by_name(store, frame, column, shared, allowed):
    action, parents = Judge(columns=[column], criterion="so"), [store.ids[frame]]
    need_shared(action, parents, store, Policy(level="samples"))
    for level in ("schema", "statistics"):
        policy = Policy(level=level, shared=tuple(shared))
        if allowed:
            need_shared(action, parents, store, policy)
            continue
        with pytest.raises(ActionError, match=f"privacy='{level}' keeps in; nothing was sent"):
            need_shared(action, parents, store, policy)


def test_both_sides_of_a_match_must_be_shared(store):
    action = Match(columns=["text"], other=["story"])
    parents = [store.ids["reviews"], store.ids["people"]]
    with pytest.raises(ActionError, match=r"people\.story"):
        need_shared(action, parents, store, Policy(shared=("reviews.text",)))
    need_shared(action, parents, store, Policy(shared=("reviews.text", "people.story")))
