"""Expected signatures: read as models write them, and held against what came out."""

from datetime import date, datetime

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wideleaf.tools.craft.signature import Signature, check_result, read_signature
from wideleaf.tools.errors import ActionError

TEAMS = (("team", "text"), ("longest", "number"))
LOOSE = (("team", "any"), ("longest", "any"))
FORMS = {
    "": Signature(),
    "streaks": Signature(function="streaks"),
    "-> table": Signature(returns="table"),
    "-> number": Signature(returns="number"),
    "f(a, b)": Signature(function="f", parameters=("a", "b")),
    "f(a) -> team: text, longest: number": (("a",), "table", TEAMS),
    "f(a) -> table(team: text, longest: number)": (("a",), "table", TEAMS),
    "f(a: DataFrame) -> DataFrame[team, longest]": (("a",), "table", LOOSE),
    "f(a) -> DataFrame(team text, longest number)": (("a",), "table", TEAMS),
    "f(a) -> pd.DataFrame: team (text), longest (number)": (("a",), "table", TEAMS),
    "f(a) -> {team: str, longest: int}": (("a",), "table", TEAMS),
    "f(a) -> DataFrame with columns team, longest": (("a",), "table", LOOSE),
    "f(a) -> table of team and longest": (("a",), "table", LOOSE),
    "f(a) -> pd.DataFrame(columns=['team', 'longest'])": (("a",), "table", LOOSE),
    "f(a) -> team, longest": (("a",), "table", LOOSE),
    "f(a) → team: text, longest: number": (("a",), "table", TEAMS),
    "f(a) returns a table": (("a",), "table", ()),
    "f(a) -> pd.DataFrame": (("a",), "table", ()),
    "f(a) -> pd.Series": (("a",), "table", ()),
    "f(a) -> DataFrame[str, float]": (("a",), "table", ()),
    "f(a) -> float": (("a",), "number", ()),
    "f(a) -> np.float64": (("a",), "number", ()),
    "f(a) -> Optional[float]": (("a",), "number", ()),
    "f(a) -> float | None": (("a",), "number", ()),
    "f(a) -> a number": (("a",), "number", ()),
    "f(a) -> number  # the gap": (("a",), "number", ()),
    "f(a) -> str": (("a",), "text", ()),
    "f(a) -> bool": (("a",), "boolean", ()),
    "f(a) -> datetime.date": (("a",), "date", ()),
    "f(a) -> pd.Timestamp": (("a",), "date", ()),
    "f(a) -> List[str]": (("a",), "list", ()),
    "f(a) -> dict[str, float]": (("a",), "any", ()),
    "f(a) -> Any": (("a",), "any", ()),
    "def f(a, b):": (("a", "b"), "any", ()),
    "def f(a: pd.DataFrame) -> pd.DataFrame:\n    ...": (("a",), "table", ()),
    "def f(a: pd.DataFrame, b: pd.DataFrame = None):": (("a", "b"), "any", ()),
    "f(a, least=3, how='max') -> number": (("a",), "number", ()),
    "f(games=T1, plots=T2)": (("games", "plots"), "any", ()),
    "```python\ndef f(a) -> number:\n```": (("a",), "number", ()),
    "`f(a) -> number`": (("a",), "number", ()),
    "f(a) -> 'yield (t/ha)': number, day: date, at: datetime": (
        ("a",),
        "table",
        (("yield (t/ha)", "number"), ("day", "date"), ("at", "datetime")),
    ),
    "f(a) -> longest streak: number": (("a",), "table", (("longest streak", "number"),)),
}


@pytest.mark.parametrize("text", FORMS)
def test_the_forms_that_models_write_are_read(text):
    wanted = FORMS[text]
    if isinstance(wanted, tuple):
        parameters, returns, columns = wanted
        wanted = Signature(function="f", parameters=parameters, returns=returns, columns=columns)
    assert read_signature(text) == wanted


WRONG = {
    "class(a) -> number": "'class' is a word of Python, not a function name; class_ would be",
    "my step(a)": "'my step' is no function name; my_step would be one",
    "2nd(a)": "is no function name; my_2nd would be one",
    "__import__(a)": "begins with two underscores, as Python's own names; use my_import",
    "sum(a)": "hides Python's or a module's own sum; call it my_sum",
    "pd(a)": "call it my_pd",
    "f(lambda)": "'lambda' is a word of Python, not a parameter name",
    "f(a b)": "'a b' is no parameter name; a_b would be one",
    "f(a, a)": "has the parameter a twice",
    "f(np)": "hides the module of that name",
    "f(a": "has no closing )",
    "f(a) -> None": "is no result",
    "f(a) -> best": "is neither a kind",
    "f(a) -> team: blob": "has the kind blob; kinds are number, text, boolean, date",
    "f(a) -> team: text, team: number": "has the column 'team' twice",
    "f(a) -> table(": "has no closing )",
    "f(a) more -> number": "stands between the brackets and the arrow",
    "f" * 80: "is longer than 60 characters",
    "x" * 3000: "has 3000 characters; at most 2000 are read",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_cannot_be_read_is_refused_with_what_would_be_right(text):
    with pytest.raises(ActionError) as error:
        read_signature(text)
    assert WRONG[text] in error.value.text
    assert "write streaks(games) -> team: text, longest: number" in error.value.text
    assert len(error.value.text) < 400


@given(st.text(max_size=200), st.text(max_size=60))
def test_any_text_is_read_or_refused(text, more):
    for said in (text, f"f(a) -> {text}", f"f({text}) -> {more}", f"f(a) -> table({text}: {more})"):
        try:
            read = read_signature(said)
        except ActionError as error:
            assert error.kind == "argument signature"
        else:
            assert read.function.isidentifier() and all(p.isidentifier() for p in read.parameters)
            assert not read.columns or read.returns == "table"


IDENTIFIERS = st.from_regex(r"[a-z][a-z]{3,8}_x", fullmatch=True)
KINDS = st.sampled_from(["number", "text", "boolean", "date", "datetime", "any"])
HEADERS = st.text(st.characters(categories=["L", "N", "Zs", "P"]), min_size=1, max_size=12).filter(
    lambda text: text.strip() == text and not set(text) & set("'\"`") and text != "..."
)


@given(
    IDENTIFIERS,
    st.lists(IDENTIFIERS, max_size=3, unique=True),
    st.dictionaries(HEADERS, KINDS, min_size=1, max_size=4),
)
def test_what_is_written_in_the_shown_form_is_read_back(function, parameters, columns):
    listed = ", ".join(f"'{name}': {kind}" for name, kind in columns.items())
    said = f"{function}({', '.join(parameters)}) -> {listed}"
    if list(columns.values()) == ["any"]:
        return  # one column without a kind could be meant as a kind
    read = read_signature(said)
    assert read.function == function and read.parameters == tuple(parameters)
    assert read.returns == "table" and dict(read.columns) == columns


def checked(signature, data, shape="table"):
    check_result(read_signature(signature), pl.DataFrame(data), shape)


FITS = [
    ("", {"x": ["a"]}, "text"),
    ("-> number", {"result": [3]}, "number"),
    ("-> number", {"result": [2.5]}, "number"),
    ("-> number", {"longest": [3]}, "table"),
    ("-> number", {"result": [None]}, "number"),
    ("-> text", {"result": ["a"]}, "text"),
    ("-> boolean", {"result": [True]}, "boolean"),
    ("-> date", {"result": [date(2020, 1, 2)]}, "date"),
    ("-> date", {"result": ["2020-01-02"]}, "text"),
    ("-> date", {"result": [datetime(2020, 1, 2)]}, "date"),
    ("-> list", {"result": [1, 2]}, "list"),
    ("-> list", {"result": [1, 2]}, "series"),
    ("-> list", {"result": [1, 2]}, "table"),
    ("-> table", {"a": [1], "b": ["x"]}, "table"),
    ("-> table", {"a": [1], "b": ["x"]}, "record"),
    ("-> team: text, longest: number", {"team": ["a"], "longest": [1], "more": [2]}, "table"),
    ("-> team: text, longest: number", {"longest": [1.5], "team": ["a"]}, "table"),
    ("-> team: text, day: date", {"team": ["a"], "day": [datetime(2020, 1, 1)]}, "table"),
    ("-> team: text, at: datetime", {"team": ["a"], "at": [date(2020, 1, 1)]}, "table"),
    ("-> team: text, longest: number", {"team": [None], "longest": [None]}, "table"),
    ("-> team: any, longest", {"team": [True], "longest": ["x"]}, "table"),
]


@pytest.mark.parametrize(("signature", "data", "shape"), FITS)
def test_what_fits_the_signature_passes(signature, data, shape):
    checked(signature, data, shape)


UNFIT = [
    ("-> number", {"result": ["x"]}, "text", "a value of the kind text, not number"),
    ("-> number", {"result": [True]}, "boolean", "of the kind boolean, not number"),
    ("-> number", {"a": [1, 2]}, "table", "a table of 2 rows x 1 column, not one number"),
    ("-> number", {"a": [1], "b": [2]}, "table", "a table of 1 row x 2 columns, not one number"),
    ("-> text", {"result": [3]}, "number", "of the kind number, not text"),
    ("-> boolean", {"result": [1]}, "number", "of the kind number, not boolean"),
    ("-> date", {"result": ["soon"]}, "text", "of the kind text, not date"),
    ("-> list", {"a": [1], "b": [2]}, "table", "a table of 1 row x 2 columns, not a list"),
    ("-> table", {"result": [3]}, "number", "a number, not a table; return a DataFrame"),
    ("-> team: text, n: number", {"Team": ["a"], "n": [1]}, "table", "without the column 'team'"),
    ("-> team: text, n: number", {"x": [1]}, "table", "without the columns 'team', 'n'"),
    ("-> team: text, n: number", {"team": ["a"], "n": ["1"]}, "table", "'n' as text, not as numb"),
    ("-> team: text, day: date", {"team": ["a"], "day": ["x"]}, "table", "pd.to_datetime(...)"),
]


@pytest.mark.parametrize(("signature", "data", "shape", "words"), UNFIT)
def test_what_does_not_fit_is_told_by_names_and_kinds(signature, data, shape, words):
    with pytest.raises(ActionError) as error:
        checked(signature, data, shape)
    assert error.value.kind == "code result" and words in error.value.text


def test_headers_of_a_result_and_its_cells_are_told_in_private_only():
    data = {"CANARY1": ["CANARY2"], "CANARY3": ["CANARY4"]}
    for signature in ("-> number", "-> list", "-> team: text", "-> date"):
        with pytest.raises(ActionError) as error:
            checked(f"{signature}, x: number" if ":" in signature else signature, data)
        assert "CANARY" not in error.value.text
    with pytest.raises(ActionError) as error:
        checked("-> team: text", data)
    assert "CANARY1, CANARY3" in error.value.private
