"""A question whose answer is voted on, and models of which each sample goes its own way."""

import re

import pandas as pd

import wideleaf as wl
from wideleaf.tools.errors import ModelError

SITES = pd.DataFrame({"site": ["Roma", "Perth", "Moree"], "yield_t": [2.0, 4.0, 3.0]})
QUESTION = "Which site has the most?"


def only(*sites, columns=("site",)):
    """The moves of a sample that answers with these sites."""
    where = [{"column": "site", "op": "in", "value": [*sites]}]
    return [
        ("Those.", "Filter", {"table": "sites", "where": where}),
        ("Their names.", "Select", {"table": "T1", "columns": [*columns]}),
        ("Done.", "Finish", {"table": "T2", "note": "so"}),
    ]


ROMA, PERTH, MOREE = only("Roma"), only("Perth"), only("Moree")
NOWHERE = only("Atlantis")
BROKEN = [ModelError("the model is out of order")]
LOST = [("What?", "Sort", {"table": "sites", "by": [{"column": "no such"}]})] * 9


def number_of(text):
    return int(re.search(r"This is sample (\d+) of \d+;", text)[1])


def voters(*samples, programs=None):
    """A model whose samples each follow moves of their own."""

    def move(messages):
        sample = number_of(messages[0].text)
        if wanted := re.search(r"Write (\w+), try", messages[-1].text):
            return programs[wanted[1]][sample - 1]
        step = int(re.findall(r"Step (\d+) of \d+", messages[-1].text)[-1])
        return samples[sample - 1][step - 1]

    return wl.Script(policy=move)
