"""What the plugins share: the games, the words for them, and the one queue by which messages come.

No NoneBot here. Nothing below waits for anything: what came first is done first, and all that one
turn of the event loop has brought is written in one transaction. What nobody is told of (a post)
may wait a moment for the next.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime

from data import database_url
from data.ledger import Ledger
from data.message import Target
from data.rulesets import load_rulesets
from data.speech import Speech
from data.store import Conflict, EventRow, Store, StoreError
from plugins.gamemaster.desk import Desk, Heard, Incoming, Settings
from plugins.gamemaster.people import Notice

log = logging.getLogger("zhifatuan")

PAUSES = (1, 2, 5, 15, 60)
"""Seconds until the database is tried again, growing."""

PATIENCE = 0.25
"""Seconds for which what nobody is told of waits for something to be written with."""


class House:
    """The games that are on in one database, by one clock. :meth:`open` before anything else.

    ``url``: of the database, else the configured one. ``clock`` says what time it is (aware, UTC).
    ``like``: a house whose sheets and texts it takes. Without one they are read; raises
    RulesetError or TextError when what is authored is wrong.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        url: str | None = None,
        clock: Callable[[], datetime] | None = None,
        like: House | None = None,
    ) -> None:
        self.settings = settings
        self.now = clock or now
        if like is not None:
            self.speech, self.rulesets = like.speech, like.rulesets
        else:
            self.speech, self.rulesets = Speech(), load_rulesets()
            for sheet in self.rulesets.values():
                self.speech.check(sheet)
        self.url = url or database_url()
        self.on_heard: Callable[[Incoming, Heard], None] = lambda message, heard: None
        """Called when a message's effect is on disk, with what became of it."""
        self.on_commit: Callable[[list[EventRow]], None] = lambda events: None
        """Called after each commit, with the events that it wrote."""
        self.on_failure: Callable[[], None] = lambda: None
        """Called after each commit that failed."""
        self._open = False
        # Messages that have arrived: read when their turn comes.
        self._arrived: deque[Callable[[], Incoming | Notice | None]] = deque()
        # Messages whose effect waits for the commit; and those that wait for the database.
        self._done: list[tuple[Incoming | Notice, Heard]] = []
        self._again: deque[Incoming | Notice] = deque()
        self._failures = 0
        self._committing = False
        self._later: asyncio.TimerHandle | None = None

    def open(self) -> None:
        """Open the database, and make its tables if need be. Raises StoreError."""
        if self._open:
            return
        self.store = Store(self.url)
        self.store.migrate()
        self.ledger = Ledger(
            self.store, self.speech, self.rulesets, clock=self.now, pages=self.settings.pages
        )
        self.ledger.record(self.store.unrecorded())
        self.desk = Desk(self.ledger, self.speech, self.settings)
        self._open = True

    # --- messages, in the order in which they came ----------------------------------------------

    def arrive(self, read: Callable[[], Incoming | Notice | None]) -> None:
        """Give a message its place in the queue; ``read`` makes it out when its turn comes."""
        self._arrived.append(read)

    def settle(self) -> None:
        """Handle the messages that have arrived."""
        if not self._arrived:
            return
        while self._arrived:
            try:
                incoming = self._arrived.popleft()()
            except Exception as error:
                log_fault("reading a message", error)
                continue
            if incoming is not None:
                self._receive(incoming)
        self.commit_soon()

    def learn(self, notice: Notice) -> None:
        """Take what was seen, after what has arrived before it."""
        self.arrive(lambda: notice)
        self.settle()

    def _receive(self, incoming: Incoming | Notice) -> None:
        if self._again:
            # Those before it wait for the database, and order holds.
            self._again.append(incoming)
            return
        try:
            heard = self.desk.receive(incoming)
        except StoreError as error:
            self._again.append(incoming)
            self._try_again(error)
        except Exception as error:
            log_fault("a message", error)
            if isinstance(incoming, Notice):
                return
            to = Target("private", incoming.account, incoming.group or incoming.via_group)
            self.ledger.say(to, self.speech.say("error.internal"))
        else:
            self._done.append((incoming, heard))

    # --- to disk --------------------------------------------------------------------------------

    def commit_soon(self) -> None:
        """Commit once this turn of the loop is over, or soon if nobody is told anything."""
        loop = asyncio.get_running_loop()
        if self.ledger.speaks:
            if not self._committing:
                self._committing = True
                loop.call_soon(self.commit)
        elif self._later is None:
            self._later = loop.call_later(PATIENCE, self.commit)

    def commit(self) -> bool:
        """Write all that waits, and only then is it said; whether that was done.

        When the database fails, nothing was kept, and the messages are handled again.
        """
        self._committing = False
        if self._later is not None:
            self._later.cancel()
            self._later = None
        done, self._done = self._done, []
        try:
            events = self.ledger.commit()
        except StoreError as error:
            self.on_failure()
            self._again.extendleft(incoming for incoming, _ in reversed(done))
            self._try_again(error)
            return False
        except Exception as error:
            self.on_failure()
            log_fault("a commit", error)
            return False
        if not self._again:
            self._failures = 0
        self.on_commit(events)
        for incoming, heard in done:
            if not isinstance(incoming, Notice):
                self.on_heard(incoming, heard)
        return True

    @property
    def waits(self) -> bool:
        """Whether messages wait for the database, which has failed."""
        return bool(self._again)

    def _try_again(self, error: StoreError) -> None:
        pause = PAUSES[min(self._failures, len(PAUSES) - 1)]
        self._failures += 1
        if isinstance(error, Conflict) and self._failures == 1:
            pause = 0
        log.error("%s; tried again in %s s", error, pause)
        asyncio.get_running_loop().call_later(pause, self._receive_again)

    def _receive_again(self) -> None:
        waiting, self._again = self._again, deque()
        for incoming in waiting:
            self._receive(incoming)
        self.commit()


def now() -> datetime:
    """The moment that it is (aware, UTC)."""
    return datetime.now(UTC)


def clean(text: str) -> str:
    """A text without halves of characters, which JSON may hold and nothing else can."""
    return text.encode("utf-8", "replace").decode()


def log_fault(where: str, error: Exception) -> None:
    """Log a fault of the program: where it was raised, never its text, which may hold a secret."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno}" if frames else "?"
    log.error("fault: %s in %s (%s)", type(error).__name__, place, where)
