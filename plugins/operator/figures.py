"""Figures for Prometheus. Counts and times alone: no account, no seat, no name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from data.store import EventRow, Store, StoreError
from plugins.gamemaster.desk import Heard, Incoming

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Bounds of the histogram: a command takes milliseconds, and minutes when the database is away."""


class Figures(Collector):
    """Counts what the house does, and asks the database for the rest when it is looked at.

    ``store``: the database. ``accounts``: how many are connected. ``clock``: what time it is.
    """

    def __init__(
        self, store: Callable[[], Store], accounts: Callable[[], int], clock: Callable[[], datetime]
    ) -> None:
        self._store = store
        self._accounts = accounts
        self._clock = clock
        self._registry = CollectorRegistry()
        self._events = Counter(
            "zhifatuan_events", "Events that were committed.", registry=self._registry
        )
        self._missed = Counter(
            "zhifatuan_deadlines_missed",
            "Deadlines that were settled a minute or more after they fell due.",
            registry=self._registry,
        )
        self._failures = Counter(
            "zhifatuan_commit_failures",
            "Commits that failed and are tried again.",
            registry=self._registry,
        )
        self._commands = Histogram(
            "zhifatuan_command_seconds",
            "From a command's arrival until its effect is on disk.",
            buckets=SECONDS,
            registry=self._registry,
        )
        self._registry.register(self)

    def committed(self, events: Sequence[EventRow]) -> None:
        """These events were written."""
        if events:
            self._events.inc(len(events))
            self._missed.inc(sum(event.type == "settled_late" for event in events))

    def heard(self, message: Incoming, heard: Heard) -> None:
        """A message's effect is on disk, with what became of it."""
        if heard == "done" or heard == "refused":
            seconds = (self._clock() - message.at).total_seconds()
            self._commands.observe(max(0.0, seconds))

    def failed(self) -> None:
        """A commit failed."""
        self._failures.inc()

    def text(self) -> bytes:
        """All figures, as Prometheus reads them."""
        return generate_latest(self._registry)

    def describe(self) -> list[Metric]:
        """Nothing: the database isn't open yet when this is registered."""
        return []

    def collect(self) -> Iterator[Metric]:
        """What is asked for when it is looked at; what the database doesn't answer is left out."""
        yield GaugeMetricFamily(
            "zhifatuan_accounts_connected", "QQ accounts that are connected.", self._accounts()
        )
        try:
            store = self._store()
            phases, (waiting, oldest) = store.phases(), store.backlog()
        except StoreError:
            return
        games = GaugeMetricFamily("zhifatuan_games", "Games by phase.", labels=["phase"])
        for phase in ("setup", "day", "night", "over"):
            games.add_metric([phase], phases.get(phase, 0))
        yield games
        yield GaugeMetricFamily(
            "zhifatuan_outbox_waiting", "Messages that are still to be said.", waiting
        )
        age = (self._clock() - oldest).total_seconds() if oldest else 0.0
        yield GaugeMetricFamily(
            "zhifatuan_outbox_oldest_seconds",
            "Age of the oldest message that is still to be said; 0 without any.",
            max(0.0, age),
        )
