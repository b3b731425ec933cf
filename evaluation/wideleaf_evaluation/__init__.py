"""Evaluation: question sets made, answered by Wideleaf, scored and compared."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wideleaf_evaluation.evaluation import evaluate
    from wideleaf_evaluation.generation.generation import generate_questions
    from wideleaf_evaluation.registry import score
    from wideleaf_evaluation.rows import settings_of
    from wideleaf_evaluation.scorers.cells import Prediction
    from wideleaf_evaluation.sets import load_set

_HOMES = {
    "Prediction": "scorers.cells",
    "evaluate": "evaluation",
    "generate_questions": "generation.generation",
    "load_set": "sets",
    "score": "registry",
    "settings_of": "rows",
}

__all__ = ["Prediction", "evaluate", "generate_questions", "load_set", "score", "settings_of"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
