"""Which pandas code an action becomes: one rule a type, registered where it is written."""

from __future__ import annotations

from collections.abc import Mapping
from functools import singledispatch

from wideleaf.tools.actions.action import Action
from wideleaf.tools.actions.craft import Craft
from wideleaf.tools.actions.detecting.anomaly import Anomaly
from wideleaf.tools.actions.inference.associate import Associate
from wideleaf.tools.actions.learning.cluster import Cluster
from wideleaf.tools.actions.learning.pca import PCA
from wideleaf.tools.actions.learning.predict import Predict
from wideleaf.tools.actions.load import Load
from wideleaf.tools.errors import ActionError
from wideleaf.tools.exports.pandas.words import Lines, NotInPandas, StepPlace

LIBRARY: Mapping[type[Action], str] = dict.fromkeys(
    (PCA, Anomaly, Cluster, Predict, Associate),
    "it is numerical work of the library, which the script calls",
)
"""Actions that a script has the library do, with the reason."""
APART: Mapping[type[Action], str] = {
    Craft: "its code is Python already, which the script holds as it is",
    Load: "it is no step: the script reads the table's Parquet file",
}
"""Actions that a script writes elsewhere, with the reason."""


@singledispatch
def write_pandas(action: Action, at: StepPlace) -> Lines:
    """The lines that make a resolved action's frame; the first is its value, or names the frame.

    Args:
        action: The action.
        at: Its inputs, and the frame it makes.

    Raises:
        NotInPandas: If the library is to do it.
        ActionError: If there is no rule for it.
    """
    name = type(action).__name__
    if type(action) in LIBRARY:
        raise NotInPandas(name)
    raise ActionError(
        f"there is no rule that writes {name} for pandas; the package of {name} may register one "
        f"by wideleaf.tools.exports.pandas.rules.write_pandas.register({name})",
        kind="pandas",
    )
