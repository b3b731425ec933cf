"""Files that a message names: which it asks for, which it speaks of, and what is left to ask."""

import pytest

from wideleaf.graph.attachments.naming import Mention, find_files, match_source


@pytest.mark.parametrize(
    ("said", "mention"),
    [
        ("use the file trials.csv", (("trials.csv",), True, False, "")),
        ("Please use trials.csv.", (("trials.csv",), True, False, "")),
        ("now load 'my trials.xlsx'", (("my trials.xlsx",), True, False, "")),
        ("use data/2019/trials.csv.gz instead", (("data/2019/trials.csv.gz",), True, False, "")),
        ("also use sites.parquet", (("sites.parquet",), True, True, "")),
        ("add sites.parquet", (("sites.parquet",), True, True, "")),
        ("use sites.parquet as well", (("sites.parquet",), True, True, "")),
        (
            "use trials.csv and sites.csv",
            (("trials.csv", "sites.csv"), True, False, ""),
        ),
        (
            "Use the file trials.csv: what is the mean yield?",
            (("trials.csv",), True, False, "what is the mean yield?"),
        ),
        (
            "open the table trials.csv and count the rows",
            (("trials.csv",), True, False, "count the rows"),
        ),
        (
            "What is the mean yield in trials.csv?",
            (("trials.csv",), False, False, "What is the mean yield?"),
        ),
        (
            "In the file trials.csv, what is the mean yield?",
            (("trials.csv",), False, False, "what is the mean yield?"),
        ),
        (
            "mean yield of trials.csv by site",
            (("trials.csv",), False, False, "mean yield of trials by site"),
        ),
        (
            "which sites of trials.csv are in sites.csv?",
            (("trials.csv", "sites.csv"), False, False, "which sites of trials are in sites?"),
        ),
    ],
)
def test_files_are_found_in_messages(said, mention):
    assert find_files(said) == Mention(*mention)


@pytest.mark.parametrize(
    "said",
    [
        "use the median",
        "how many rows?",
        "what is a csv?",
        "read more about .csv",
        "which sites have the id a.csvx?",
        "",
        "trials.csv " * 1000,
        "read .csv",
        "a-" * 1900,
    ],
)
def test_other_messages_name_none(said):
    assert find_files(said) is None


KNOWN = ("/data/trials.csv", "sites=attached:ab.csv", "db.sqlite::plots", "x=/y/2019 plots.csv")


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("trials.csv", "/data/trials.csv"),
        ("TRIALS.CSV", "/data/trials.csv"),
        ("/data/trials.csv", "/data/trials.csv"),
        ("sites.csv", "sites=attached:ab.csv"),
        ("sites.xlsx", "sites=attached:ab.csv"),
        ("2019 plots.csv", "x=/y/2019 plots.csv"),
        ("other.csv", None),
        ("/etc/trials.csv", None),
    ],
)
def test_a_name_means_a_known_source_and_opens_no_other(file, source):
    assert match_source(file, KNOWN, lambda _: False) == source


def test_a_path_means_itself_where_it_may_be_opened():
    assert match_source("other.csv", KNOWN, lambda one: one == "other.csv") == "other.csv"
