"""Verdicts of one step: by the content of a text what was said of it, and by whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from wideleaf.tools.errors import ActionError
from wideleaf.tools.verdicts.task import Task, digest

Judge = Literal["reader", "encoder"]
FORM = "wideleaf.verdicts/1"


class Verdict(BaseModel):
    """What was said of one text.

    Attributes:
        value: A truth, a class, the values of fields by name, a place or a text; None where no
            answer was in the form that was asked for.
        confidence: How sure whoever said it was, 0 to 1; None where it did not say.
        quote: The passage that decides, as it stands in the text; empty where none was asked for.
        by: The model that reads, or the encoder whose cascade spared it the text.
    """

    model_config = ConfigDict(frozen=True)

    value: JsonValue = None
    confidence: float | None = Field(default=None, ge=0, le=1)
    quote: str = ""
    by: Judge = "reader"


class Verdicts(BaseModel):
    """All verdicts that one step of a tree stands on; its hash is part of the step.

    Attributes:
        form: The version of this form.
        task: What was asked.
        reader: The model that was asked.
        level: The recall and precision, or the accuracy, that a cascade promised; None where the
            model read every text.
        limit: The limit that ended the reading before all was read; empty where none did.
        given: By the key of a text what was said of it; no text stands in it but what was quoted,
            extracted or summarised.
    """

    model_config = ConfigDict(frozen=True)

    form: str = FORM
    task: Task
    reader: str = ""
    level: float | None = None
    limit: str = ""
    given: dict[str, Verdict] = {}

    @property
    def hash(self) -> str:
        """What a resolved action names them by."""
        return digest(self.model_dump(mode="json"))

    @property
    def counts(self) -> Mapping[str, int]:
        """How many verdicts came of whom; those without a value are ``none``."""
        return Counter("none" if one.value is None else one.by for one in self.given.values())

    def of(self, keys: Iterable[str | None]) -> list[Verdict | None]:
        """The verdict on each text; None of a null, and of a text that was never read."""
        return [None if key is None else self.given.get(key) for key in keys]

    @classmethod
    def read(cls, text: bytes | str, hash_: str) -> Self:
        """Read verdicts that were kept, which a stranger may have written.

        Raises:
            ActionError: If they are none, or not those of the hash.
        """
        try:
            verdicts = cls.model_validate_json(text)
        except ValidationError:
            verdicts = None
        if verdicts is None or verdicts.form != FORM or verdicts.hash != hash_:
            raise ActionError(
                f"the verdicts {hash_!r} that this step stands on are damaged; ask again",
                kind="no verdicts",
            )
        return verdicts
