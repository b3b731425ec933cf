"""The column, the side, the end and the rows that a question asks for, held against the plan."""

import polars as pl
import pytest

import wideleaf as wl

SONGS = pl.DataFrame(
    {
        "singer": ["Ada", "Bo", "Cy", "Di", "Ed"],
        "song title": ["Sun", "Rain", "Snow", "Hail", "Fog"],
        "label": ["North", "South", "North", "East", "South"],
        "year": [1986, 1987, 1990, 1994, 1999],
        "copies": [100, 250, None, 900, 40],
        "maxf": [440, 441, 442, 443, 444],
    }
)


def step(name, /, **arguments):
    return ("So.", name, arguments)


def keep(column, op, value, table="songs"):
    return step("Filter", table=table, where=[{"column": column, "op": op, "value": value}])


def total(function, column=None, table="songs"):
    measure = {"function": function} | ({"column": column} if column else {})
    return step("Aggregate", table=table, measures=[measure])


def select(*columns, table="T1"):
    return step("Select", table=table, columns=list(columns))


def first(by, table="songs"):
    return step("Sort", table=table, by=[by], limit=1)


@pytest.fixture
def told(tmp_path):
    """Offer the last frame of a plan until it is taken: what was objected, and the caveats."""

    def offer(question, *moves):
        finish = step("Finish", table=f"T{len(moves)}")
        model = wl.Script([*moves, finish, finish, finish])
        result = wl.ask(
            question, {"songs": SONGS}, model=model, second_opinion=False, folder=str(tmp_path)
        )
        return result.objections, " ".join(result.caveats)

    return offer


@pytest.mark.parametrize(
    ("question", "moves", "text"),
    [
        ("How many songs came out after 1987?",
         (keep("year", "<", 1987), total("count", table="T1")),
         "says 'after' 1987; T1 keeps year below 1987"),
        ("Which songs are from 1990 or later?", (keep("year", "<", 1990), select("song title")),
         "says 'or later' 1990; T1 keeps year below 1990"),
        ("Name the singers with more than 200 copies.",
         (keep("copies", "<=", 200), select("singer")),
         "says 'more than' 200; T1 keeps copies below 200"),
        ("Who was the last singer on the label North?",
         (keep("label", "==", "North"), first("year", "T1"), select("singer", table="T2")),
         "says 'last'; T2 takes the earliest by year"),
        ("Who was the first singer on the label North?",
         (keep("label", "==", "North"), first("-year", "T1"), select("singer", table="T2")),
         "says 'first'; T2 takes the latest by year"),
        ("Which singer has the highest copies?",
         (keep("year", ">", 1900), select("singer", "copies")),
         "asks for the 'highest'; no step of T2 takes an end"),
        ("Which singer is on the label East?", (keep("label", "==", "East"), select("song title")),
         "asks for singer; no step of T2 takes it"),
        ("Which singer is on the label North?",
         (keep("label", "==", "North"), total("count", table="T1")),
         "asks for singer; no step of T2 takes it"),
        ("What is the lowest value for year of the label North?",
         (keep("label", "==", "North"), total("min", "copies", "T1")),
         "asks for year; no step of T2 takes it"),
        ("What is the average copies of the label North?",
         (keep("label", "==", "North"), total("mean", "year", "T1")),
         "asks for copies; no step of T2 takes it"),
    ],
)  # fmt: skip
def test_what_is_turned_or_left_aside_is_objected_to(told, question, moves, text):
    objections, caveats = told(question, *moves)
    assert objections > 0
    assert text in caveats


@pytest.mark.parametrize(
    ("question", "moves"),
    [
        ("How many songs came out after 1987?",
         (keep("year", ">", 1987), total("count", table="T1"))),
        ("How many songs did not come out after 1987?",
         (keep("year", "<=", 1987), total("count", table="T1"))),
        ("Which songs sold at least 250 copies?",
         (keep("copies", ">=", 250), select("song title"))),
        ("What is the total of songs on the label North?",
         (keep("label", "==", "North"), total("count", table="T1"))),
        ("Which songs came out after 3 years?", (keep("year", "<", 3000), select("song title"))),
        ("Which song titles are from 1990 or later?",
         (keep("year", ">=", 1990), select("song title"))),
        ("Who was the last singer on the label North?",
         (keep("label", "==", "North"), first("-year", "T1"), select("singer", table="T2"))),
        ("What is the average maximum tone (maxf) of each label?",
         (step("Group", table="songs", keys=["label"],
               measures=[{"function": "mean", "column": "maxf"}]),)),
        ("Which singer is on the label East?", (keep("label", "==", "East"), select("singer"))),
        ("Which label had the point copies total of 250?",
         (keep("copies", "==", 250), select("label"))),
        ("How many labels have at least 3 songs?",
         (step("Group", table="songs", keys=["label"], measures=[{"function": "count"}]),
          keep("count", ">", 2, "T1"), total("count", table="T2"))),
        ("What did the singer sing in 1986?",
         (keep("year", "==", 1986), select("song title"))),
        ("What year did the label East begin?",
         (keep("label", "==", "East"), total("min", "year", "T1"))),
    ],
)  # fmt: skip
def test_what_fits_is_not_objected_to(told, question, moves):
    assert told(question, *moves)[0] == 0


MATCHES = pl.DataFrame(
    {
        "winner": ["Lions", "Bears", "Hawks", "Lions"],
        "loser": ["Bears", "Lions", "Lions", "Hawks"],
        "H / A": ["h", "a", "h", "a"],
        "bonus points": [3, 10, 4, 7],
        "region": ["Central Africa", "Asia", "Central Africa", "Asia"],
        "continent": ["Africa", "Asia", "Africa", "Asia"],
        "viewers (m)": [1.5, 2.5, 3.5, 4.5],
        "rating": ["9", "18", "7", "101"],
        "played": ["1943-05-01", "1943-05-05", "1943-06-01", "1943-07-01"],
        "match_id": [1, 2, 3, 4],
    }
)
PEOPLE = pl.DataFrame({"full name": ["Ada", "Bo"], "height": [1.7, 1.8]})


def measure(function, column=None, name=None, table="matches"):
    given = {"function": function, "column": column, "name": name}
    measures = [{key: value for key, value in given.items() if value}]
    return step("Aggregate", table=table, measures=measures)


@pytest.mark.parametrize(
    ("question", "moves", "text", "objects"),
    [
        ("What are the bonus points with H / A of h for the winner Lions?",
         (keep("winner", "==", "Lions", "matches"), select("bonus points")),
         "the question says 'H / A', a column of matches; no step takes H / A", True),
        ("How many bonus points were there in Central Africa?",
         (keep("continent", "==", "Africa", "matches"), measure("sum", "bonus points", table="T1")),
         "says 'central africa', a region of matches; no step speaks of it", True),
        ("Which winner had bonus points of 10?", (step("Sort", table="matches", by=["region"]),),
         "T1 is every row of matches, all 10 columns", True),
        ("Show all details of the matches.", (step("Sort", table="matches", by=["region"]),),
         "", False),
        ("Who won on the day with 10 bonus points?",
         (keep("bonus points", "==", 10, "matches"),), "T1 is whole rows of matches", True),
        ("What is the average number of viewers?",
         (measure("mean", "bonus points", "average_viewers"),),
         "no step takes viewers (m)", False),
        ("What is the average of the bonus points?",
         (measure("sum", "bonus points", "average"),),
         "T1 gives the sum of bonus points the name 'average'", True),
        ("What is the largest mean of the bonus points by winner?",
         (step("Group", table="matches", keys=["winner"],
               measures=[{"function": "mean", "column": "bonus points", "name": "mean_points"}]),
          measure("max", "mean_points", "largest_mean_points", table="T1")),
         "", False),
        ("What are the names of the winners?", (select("match_id", table="matches"),),
         "the question asks for names; T1 has no column of names", True),
        ("Which winner had the most bonus points?",
         (step("Sort", table="matches", by=["-bonus points"]), select("winner", "bonus points")),
         "asks for the 'most'; no step of T2 takes an end", True),
        ("What did they get in Asia?", (keep("region", "==", "Asia", "matches"), select("rating")),
         "it is answered by rating, which the question does not name", False),
        ("How many matches had more than 2 million viewers?",
         (step("Derive", table="matches", name="all viewers",
               expression={"op": "*", "args": ["viewers (m)", 1_000_000]}),
          keep("all viewers", "<", 2_000_000, "T1"), total("count", table="T2")),
         "says 'more than' 2000000; T2 keeps all viewers below 2000000", True),
        ("How many African matches were there?", (total("count", table="matches"),),
         "the question says 'african', a continent of matches; no step speaks of it", False),
        ("Which winner had more bonus points, Lions or Bears?",
         (first("-bonus points", "matches"), select("winner")), "", False),
        ("Which winner had fewer bonus points, Lions or Bears?",
         (step("Sort", table="matches", by=["bonus points"], limit=3), select("winner")),
         "T2 gives winner 'Hawks', which is none of those that the question says", False),
        ("Which loser is at the top?", (measure("max", "loser"),),
         "T1 takes the last loser by the alphabet, which the question does not say", False),
        ("Which winner is the last in alphabetical order?", (measure("max", "winner"),),
         "", False),
        ("How many matches had 7 or more bonus points?",
         (keep("bonus points", ">", 7, "matches"), total("count", table="T1")),
         "says 'or more' 7; T1 leaves out bonus points of just 7", True),
        ("How many matches had more than 7 bonus points?",
         (keep("bonus points", ">=", 7, "matches"), total("count", table="T1")),
         "says 'more than' 7; T1 keeps bonus points of just 7", False),
        ("How many matches had 8 or more bonus points?",
         (keep("bonus points", ">", 8, "matches"), total("count", table="T1")), "", False),
        ("Which winner had rather few bonus points?",
         (keep("bonus points", "==", 10, "matches"), select("winner")),
         "T1 keeps bonus points == 10, which the question does not say", False),
        ("Which matches did the loser Bears have?",
         (keep("loser", "in", ["Bears", "Hawks"], "matches"), select("match_id", "loser")),
         "T1 keeps loser 'Hawks', which the question does not say", False),
        ("How many matches were won by a Hawk?", (total("count", table="matches"),),
         "the question says 'hawk', a winner of matches; no step speaks of it", False),
    ],
)  # fmt: skip
def test_columns_values_and_rows_that_nobody_asked_for(tmp_path, question, moves, text, objects):
    finish = step("Finish", table=f"T{len(moves)}")
    model = wl.Script([*moves, finish, finish, finish])
    sources = {"matches": MATCHES, "people": PEOPLE}
    result = wl.ask(question, sources, model=model, second_opinion=False, folder=str(tmp_path))
    assert text in " ".join(result.caveats)
    assert (result.objections > 0) is objects
    assert text or not any("question" in one or "taken" in one for one in result.caveats)


@pytest.mark.parametrize("cast", [False, True])
def test_numbers_kept_as_text_are_not_ordered_letter_by_letter(told, tmp_path, cast):
    data = pl.DataFrame({"team": [*"abcdefghijk"], "points": [*map(str, range(2, 12)), "withdrew"]})
    derived = step("Derive", table="t", name="n", expression={"cast": "number", "of": "points"})
    moves = [derived] if cast else []
    label = f"T{len(moves)}" if moves else "t"
    moves += [first("-n" if cast else "-points", label)]
    moves += [select("team", table=f"T{len(moves)}")]
    finish = step("Finish", table=f"T{len(moves)}")
    result = wl.ask(
        "Which team has the highest points?", {"t": data},
        model=wl.Script([*moves, finish, finish, finish]),
        second_opinion=False, folder=str(tmp_path),
    )  # fmt: skip
    assert (result.objections > 0) is not cast
    assert ("orders it letter by letter" in " ".join(result.caveats)) is not cast


def test_a_place_that_a_step_made_is_no_number_of_the_question(told):
    objections, caveats = told("Which singer was first in the 2012 list?",
        step("Position", table="songs"), keep("position", "==", 1, "T1"),
        select("singer", table="T2"))  # fmt: skip
    assert (objections, "compares position" in caveats) == (0, False)


def test_empty_cells_that_a_count_leaves_out_are_told(told):
    objections, caveats = told("How many songs are on the label North?",
        keep("label", "==", "North"), total("count", "copies", "T1"))  # fmt: skip
    assert (objections, "left out of the count: 1 row without copies" in caveats) == (0, True)
    assert "left out" not in told("How many songs are there?", total("count", "year"))[1]


def test_leaving_out_what_is_not_there_is_told(told):
    objections, caveats = told("Which singers did not sing in 2005 or 2009?",
        keep("year", "not in", [2005, 2009]), select("singer"))  # fmt: skip
    assert objections == 0
    assert "no year of songs is 2005 or 2009, so T1 leaves out nothing" in caveats
    objections, caveats = told("Which singers are not on the label Quux?",
        keep("label", "!=", "Quux"), select("singer"))  # fmt: skip
    assert objections == 0
    assert "no label matches 'Quux' in songs, so T1 leaves out nothing by it" in caveats


CHART = pl.DataFrame(
    {
        "track": ["Sun", "Rain", "Snow"],
        "chart position": [3, 1, 88],
        "job": ["Banker", "Businessman", "Teacher"],
        "engine": ["GT3", "V8", "R6"],
        "total sold": [10, 20, 30],
    }
)


@pytest.mark.parametrize(
    ("question", "moves", "text", "objects"),
    [
        ("Which track is at the top of the chart?",
         (first("chart position"), select("track")), "", False),
        ("How many of them are bankers?",
         (keep("job", "==", "Businessman"), total("count", table="T1")),
         "says 'bankers', and T1 compares job with 'Businessman'", True),
        ("How many of them are bankers?", (keep("job", "==", "Banker"), total("count", table="T1")),
         "", False),
        ("How many tracks have a V8?", (keep("job", "==", "Teacher"), total("count", table="T1")),
         "T1 keeps job 'Teacher', which the question does not say", False),
        ("Which track is the last listed?",
         (step("Position", table="songs"), first("position", "T1"), select("track", table="T2")),
         "takes the earliest by position", True),
        ("Which track is the last listed?",
         (step("Position", table="songs"), first("-position", "T1"), select("track", table="T2")),
         "", False),
        ("Which job sold more, banker or teacher?",
         (keep("job", "in", ["Banker", "Teacher"]), select("job", "total sold")),
         "asks for the 'more'; no step", False),
    ],
)  # fmt: skip
def test_values_codes_tops_and_figures(tmp_path, question, moves, text, objects):
    finish = step("Finish", table=f"T{len(moves)}")
    model = wl.Script([*moves, finish, finish, finish])
    result = wl.ask(
        question, {"songs": CHART}, model=model, second_opinion=False, folder=str(tmp_path)
    )
    assert (result.objections > 0) is objects
    assert text in " ".join(result.caveats)
    assert text or not any("question" in one for one in result.caveats)


def test_an_objection_says_the_words_of_the_question_and_not_the_cell(tmp_path):
    data = pl.DataFrame({"ship": ["Northern Lights", "Sea Rose"], "tons": [3, 4]})
    finish = step("Finish", table="T1")
    model = wl.Script(
        [step("Aggregate", table="t", measures=[{"function": "count"}]), finish, finish]
    )
    wl.ask(
        "How many ships are a northern light?", {"t": data}, model=model,
        second_opinion=False, folder=str(tmp_path), privacy="schema",
    )  # fmt: skip
    sent = " ".join(model.prompts)
    assert "says 'northern light', a ship of t" in sent
    assert "ights" not in sent
