"""Long work tells how far it is, ends when time is over, and when Ctrl-C came."""

import pytest

from wideleaf.graph import interrupts, progress
from wideleaf.graph.progress import Progress
from wideleaf.tools.errors import ActionError
from wideleaf.tools.work import tell_progress, watch_work


def test_lines_are_told_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    told: list[str] = []
    with watch_work(Progress(told.append, lambda: 100.0)):
        for second in range(0, 12, 2):
            now[0] = float(second)
            tell_progress("PCA", second, 12)
    assert told == ["PCA: 6 of 12 rows read"]
    tell_progress("PCA", 1, 2)  # nobody watches
    assert len(told) == 1


def test_work_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    watch = Progress(lambda text: None, lambda: 3.0)
    watch("Cluster", 1, 9)
    now[0] = 3.5
    with pytest.raises(ActionError, match="Cluster was stopped at 2 of 9: the 3 seconds left"):
        watch("Cluster", 2, 9)


def test_an_interrupt_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupts._stopping.set()
    try:
        with pytest.raises(KeyboardInterrupt):
            Progress(lambda text: None, lambda: 9.0)("PCA", 1, 2)
    finally:
        interrupts._stopping.clear()
