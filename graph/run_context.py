"""What the nodes of a run work under and with: its settings, settled once, and its services."""

from __future__ import annotations

from dataclasses import dataclass, field

from wideleaf.graph.context import Context
from wideleaf.graph.services import Services, services_of


@dataclass
class RunContext:
    """The runtime context of a run's nodes; no checkpoint has any of it.

    Attributes:
        settings: Of the run, settled at its door, see `graph.own_settings`.
    """

    settings: Context
    _services: Services | None = field(default=None, init=False, repr=False)

    @property
    def services(self) -> Services:
        """Store, thinkers, selector and models, opened by the first node that needs them.

        Raises:
            WideleafError: If a table or a model cannot be had.
        """
        if self._services is None:
            self._services = services_of(self.settings)
        return self._services

    def begin(self) -> Services:
        """The same where a question begins: a table that was written since is read again.

        Raises:
            WideleafError: Likewise.
        """
        return services_of(self.settings, begins=True)
