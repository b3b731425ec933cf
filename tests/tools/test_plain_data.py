"""Plain data that JSON can write and a checkpoint cannot hold, wherever it comes in."""

import json
import math
import sys
from typing import Any

import pytest
from acting import tries
from action_examples import EXAMPLES, frames_of
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from on_engines import engine_for
from reading import read_sources

import wideleaf as wl
from wideleaf.agents.models.loose_json import DEEPEST
from wideleaf.agents.models.script import Script
from wideleaf.agents.models.text_form import make_call
from wideleaf.agents.turn import Reply
from wideleaf.tools.plain_data import is_deeper, whole
from wideleaf.tools.privacy import Policy
from wideleaf.tools.sources.opening import Catalog
from wideleaf.tools.steps.step import Wish, perform
from wideleaf.tools.steps.store import FrameStore
from wideleaf.tools.tree.call import Call

HUGE = 10**400
LARGEST = sys.float_info.max
numbers = st.integers() | st.integers(2**62, 2**66) | st.sampled_from([HUGE, -HUGE]) | st.floats()
texts = st.text(st.characters(categories=["L", "N", "Cs", "Cc"]), max_size=6)
plain = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


def need_kept(value: Any) -> None:
    """Hold a value against what every run does with its state: checkpoint, strict JSON, file."""
    saver = JsonPlusSerializer()
    assert saver.loads_typed(saver.dumps_typed(value)) == value
    assert json.loads(json.dumps(value, allow_nan=False).encode()) == value
    json.dumps(value, ensure_ascii=False).encode()


@settings(derandomize=True, max_examples=tries(150))
@given(plain)
def test_any_plain_data_is_mended_so_that_it_can_be_kept(value: Any) -> None:
    mended = whole(value)
    need_kept(mended)
    assert whole(mended) == mended


@pytest.mark.parametrize(
    ("value", "mended"),
    [
        (2**63 - 1, 2**63 - 1),
        (-(2**63), -(2**63)),
        (2**63, float(2**63)),
        (10**23, 1e23),
        (HUGE, LARGEST),
        (-HUGE, -LARGEST),
        (math.inf, LARGEST),
        (-math.inf, -LARGEST),
        (math.nan, None),
        (True, True),
        (0.1, 0.1),
        ("9" * 30, "9" * 30),
        ("a\ud83d", "a?"),
        ({"\udfff": [10**23, "é"]}, {"?": [1e23, "é"]}),
    ],
)
def test_numbers_keep_their_place_and_texts_their_whole_characters(value: Any, mended: Any) -> None:
    assert whole(value) == mended
    assert type(whole(value)) is type(mended)


def test_a_call_and_a_reply_hold_nothing_that_breaks_a_checkpoint() -> None:
    odd: dict[str, Any] = {"value": HUGE, "of": [math.nan, "\ud800"]}
    call = Call(name="Fil\ud800ter", arguments=odd)
    assert (call.name, call.arguments) == ("Fil?ter", {"value": LARGEST, "of": [None, "?"]})
    reply = Reply(thought="\ud800", said="\ud800", problem="\ud800", memory=odd, calls=(call,))
    need_kept(reply.model_dump(mode="json"))
    assert Reply.model_validate_json(reply.model_dump_json()) == reply


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = {"a": value} if levels % 2 else [value]
    return value


def test_arguments_are_read_to_a_depth_and_no_deeper() -> None:
    assert is_deeper(nested(7), 6) and not is_deeper(nested(7), 7)
    make_call("Derive", {"expression": nested(DEEPEST - 1)})
    for levels in (DEEPEST, 900):
        with pytest.raises(ValueError, match="'Derive' is nested deeper than 100 levels"):
            make_call("Derive", {"expression": nested(levels)})
    with pytest.raises(ValueError, match="nested too deep"):
        whole(nested(100_000))


ODD = [
    *(10**23, -(10**23), 2**63, 2**64 + 1, HUGE, -HUGE, math.inf, -math.inf, math.nan, 1e308),
    *("\ud800", "9" * 400, "-1e999", "x\0", "", None, True, [], {}, [HUGE], {"value": HUGE}),
    *(nested(90), {"op": "*", "args": [{"value": 1e308}, {"value": 1e308}]}),
]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else ()
    inner = enumerate(value) if isinstance(value, list) else inner
    return [path, *(deeper for key, one in inner for deeper in places(one, (*path, key)))]


def changed(value: Any, path: tuple[Any, ...], odd: Any) -> Any:
    if not path:
        return odd
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = changed(value[path[0]], path[1:], odd)
    return copy


CASES = [
    (name, place, changed(arguments, path, odd))
    for name, examples in sorted(EXAMPLES.items())
    for place, arguments in enumerate(examples)
    for path in places(arguments)[1:]
    for odd in ODD
]


def key(name: str, place: int) -> tuple[int, ...]:
    """What tells the frames of an example apart."""
    return tuple(map(id, frames_of(name, place)))


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_a_call_with_any_odd_argument_is_a_node_that_can_be_kept(engine, tmp_path) -> None:
    stores = {}
    for tables in {key(name, place): frames_of(name, place) for name, place, _ in CASES}.values():
        frames, folder = dict(zip("abc", tables, strict=False)), tmp_path / str(len(stores))
        catalog = Catalog(read_sources(frames, folder), engine_for(engine))
        store = FrameStore(folder, catalog)
        loads = [Call(name="Load", arguments={"source": source}) for source in frames]
        leaves = [perform(Wish(load, "leaf"), store, Policy()) for load in loads]
        stores[tuple(map(id, tables))] = (
            store,
            [(f"leaf{place}", leaf.id) for place, leaf in enumerate(leaves)],
        )

    @settings(derandomize=True, max_examples=tries(120))
    @given(st.sampled_from(CASES))
    def act(case: tuple[str, int, Any]) -> None:
        name, place, arguments = case
        store, leaves = stores[key(name, place)]
        try:
            call = make_call(name, arguments)
        except ValueError as error:
            assert "zero byte" in str(error)
            return
        wish = Wish(call, "T1", leaves)
        need_kept(perform(wish, store, Policy(level="samples")).model_dump(mode="json"))

    act()


def test_a_question_with_a_number_beyond_64_bits_is_answered(tmp_path) -> None:
    table = tmp_path / "staff.csv"
    table.write_text("name,salary\n" + "".join(f"N{n},{4000 + n}\n" for n in range(9)))
    for sign, rows in ((">", 0), ("<", 9)):
        where = {"column": "salary", "op": sign, "value": 10**23}
        model = Script(
            [("why", "Filter", {"table": "staff", "where": where})]
            + [("all", "Finish", {"table": "T1"})] * 4
        )
        result = wl.ask("Who?", table, model=model, folder=str(tmp_path / "w"))
        assert result.tree["T1"].rows == rows
    digits = "9" * 23
    planned = wl.ask(
        f"How many people have a salary under {digits}?", table, folder=str(tmp_path / "w")
    )
    assert planned.value == 9
    planned.save(tmp_path / "run.json")
    assert wl.Result.load(tmp_path / "run.json").value == 9
    json.dumps(planned.to_json(), allow_nan=False)
