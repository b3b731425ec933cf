"""Every question over actions has a rule for every action, or says why it needs none."""

from typing import TYPE_CHECKING, Any

import pytest

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.registry import ACTIONS
from wideleaf.tools.provenance.frame_rules import mark_rows
from wideleaf.tools.provenance.row_rules import follow
from wideleaf.tools.steps.disclosure import keep_own

if TYPE_CHECKING:
    from functools import _SingleDispatchCallable

OF_ALL = "each of its rows is made of all rows"
LEAF = "it has no input"
DEFAULT: dict[str, dict[str, str]] = {
    "needs": {"Load": LEAF},
    "mark_rows": {
        **dict.fromkeys(("Describe", "Aggregate"), OF_ALL),
        **dict.fromkeys(("PCA", "Anomaly", "Cluster", "Predict"),
                        "what it adds is made of all rows"),
        **dict.fromkeys(("Group", "Distinct", "Intersect", "Difference", "Pivot", "Resample",
                         "Get"), "a base, whose rows are told by their keys"),
        **dict.fromkeys(("Correlate", "Trend", "Runs"),
                        "a base, whose rows are told by their groups"),
        "Associate": OF_ALL,
        "Test": OF_ALL,
        "Fit": "what it adds is made of all rows",
        "Compare": "a row of either table or of both, which a cell tells and no mark",
        "Summarise": "a base, whose rows are told by their keys",
        **dict.fromkeys(("Judge", "Label", "Extract", "Rank"),
                        "it keeps rows, so their marks stay beside them"),
        **dict.fromkeys(("Filter", "DropNulls", "Derive", "Sort", "Sample", "FromOneHot"),
                        "it keeps rows, so their marks stay beside them"),
    },
    "follow": {
        "Load": "its rows are the last that are wanted",
        "Associate": OF_ALL,
        "Test": OF_ALL,
        "Fit": "what it adds is made of all rows",
        **dict.fromkeys(("Describe", "Aggregate"), OF_ALL),
        **dict.fromkeys(("PCA", "Anomaly", "Cluster", "Predict"),
                        "what it adds is made of all rows"),
        **dict.fromkeys(("Select", "Filter", "DropNulls", "Derive", "Sort", "Sample", "FromOneHot",
                         "Unpivot", "Chart"), "no base: marks pass through it"),
        "Craft": "what code looks at, nobody knows",
        "Compare": "a row of either table or of both, which a cell tells and no mark",
        **dict.fromkeys(("Judge", "Label", "Extract", "Rank", "Match"),
                        "no base: marks pass through it"),
        "Bin": "where it is a base, its edges are made of all rows",
        "Split": "no base: marks pass through it",
    },
    "keep_own": {
        "Load": "all its columns are own, by definition",
        "Craft": "what code looks at, nobody knows",
        "Unpivot": "it repeats rows",
        "Test": "a row of all rows of a group, of which no statistics are told",
        "Associate": "its rows are about columns, of which no statistics are told",
        **dict.fromkeys(("Trend", "Runs"), "a row of a group, of which no statistics are told"),
        "Sample": "which rows it draws hangs on how many there are",
        "Intersect": "rows are there or not because of the other table's",
        "Difference": "rows are there or not because of the other table's",
        "Compare": "rows are there or not because of the other table's",
        "Pivot": "its headers are cells, and each cell stands for rows of its own that few may be",
        **dict.fromkeys(("Describe", "Aggregate", "Correlate"),
                        "a row of all rows, of which no statistics are told"),
    },
}  # fmt: skip
"""Where the cautious default is meant: all columns, all rows, no statistics; with the reason."""


def ruled(rules: "_SingleDispatchCallable[Any]", action: type[Action]) -> bool:
    return rules.dispatch(action) is not rules.dispatch(object)


def questions() -> dict[str, Any]:
    return {
        "needs": lambda action: answered("needs", action, action.needs is not Action.needs),
        "mark_rows": lambda action: answered("mark_rows", action, ruled(mark_rows, action)),
        "follow": lambda action: answered("follow", action, ruled(follow, action)),
        "keep_own": lambda action: answered("keep_own", action, ruled(keep_own, action)),
    }  # fmt: skip


def answered(question: str, action: type[Action], has_rule: bool) -> bool:
    """Whether there is a rule or a reason why there is none, and not both."""
    return has_rule != (action.__name__ in DEFAULT[question])


@pytest.mark.parametrize("question", questions())
@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.__name__)
def test_it_has_a_rule_or_a_reason(question: str, action: type[Action]) -> None:
    assert questions()[question](action), f"{question} of {action.__name__}: a rule, or a reason"


def test_a_reason_is_of_an_action_that_there_is() -> None:
    names = {action.__name__ for action in ACTIONS}
    assert {name for reasons in DEFAULT.values() for name in reasons} <= names
