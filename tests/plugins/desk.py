"""A desk with a database in memory, and people who write to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from data.ledger import Ledger
from data.message import Target
from data.rulesets import load_rulesets
from data.speech import Speech
from data.store import OutboxRow, Store
from engine.commands import Deal
from engine.game import Game
from plugins.gamemaster.desk import Desk, Heard, Incoming, Settings
from plugins.gamemaster.people import Notice

SPEECH = Speech()
RULESETS = load_rulesets()

GROUP, OTHER_GROUP, HOST = "900", "901", "50"
START = datetime(2026, 3, 2, 1, tzinfo=UTC)  # nine in the morning in Shanghai

KINGMAKER, KILLERS, CIVILIANS = 1, (2, 3), (4, 5, 6, 7)
ROLES = {1: "kingmaker", 2: "killer", 3: "killer", **dict.fromkeys(CIVILIANS, "civilian")}


@dataclass
class Room:
    """A desk, its ledger, and a clock that stands still unless it is moved."""

    settings: Settings = field(default_factory=Settings)
    now: datetime = START

    def __post_init__(self) -> None:
        self.store = Store("sqlite://")
        self.store.migrate()
        pages = self.settings.pages
        self.ledger = Ledger(self.store, SPEECH, RULESETS, clock=lambda: self.now, pages=pages)
        self.desk = Desk(self.ledger, SPEECH, self.settings)
        self._typed = 0
        self._seen = 0

    def hears(self, account: str, text: str, group: str | None = None, **more: Any) -> Heard:
        """Somebody types something; all that it causes is on disk afterwards."""
        self._typed += 1
        more.setdefault("message_id", str(self._typed))
        more.setdefault("name", f"玩家{account}")
        incoming = Incoming(at=self.now, account=account, text=text, group=group, **more)
        heard = self.desk.receive(incoming)
        self.ledger.commit()
        return heard

    def learns(self, kind: Any, group: str = "", account: str = "", **more: Any) -> None:
        """Something is seen of people; all that it causes is on disk afterwards."""
        notice = Notice(at=self.now, kind=kind, group=group, account=account, **more)
        self.desk.receive(notice)
        self.ledger.commit()

    def in_room(self, group: str, *accounts: str) -> None:
        """The client says that these are in a group."""
        self.learns("members", group, people={account: f"玩家{account}" for account in accounts})

    def said(self) -> list[OutboxRow]:
        """What was put into the outbox since this was last asked."""
        rows = self.store.messages(self._seen)
        self._seen = rows[-1].id if rows else self._seen
        return rows

    def texts(self) -> list[tuple[Target, str]]:
        """The same: where it goes, and the text."""
        return [(row.target, row.text) for row in self.said()]

    def only(self) -> tuple[Target, str]:
        """The one thing that was said since this was last asked."""
        (one,) = self.texts()
        return one

    @property
    def game(self) -> Game:
        """The first game."""
        return self.ledger.game(1)

    def length(self, game: int = 1) -> int:
        """How many events a game has on disk."""
        row = self.store.game(game)
        return row.seq if row is not None else 0

    def kills(self, game: int = 1) -> list[int | None]:
        """What stands tonight for the kill of a game's killers or wolves, if anything."""
        orders = self.ledger.game(game).abilities.orders
        return [target for (ability, _), target in orders.items() if ability == "faction_kill"]

    def sign_up(
        self, group: str = GROUP, host: str = HOST, players: int = 7, board: str = "拥王者"
    ) -> int:
        """Open a game in a group; accounts 1 to ``players`` sign up. Gives its number."""
        assert self.hears(host, f"开局 {board}", group) == "done"
        for account in range(1, players + 1):
            assert self.hears(str(account), "报名", group) == "done"
        self.said()
        return self.store.last_game()

    def deal(
        self,
        group: str = GROUP,
        host: str = HOST,
        roles: dict[int, str] = ROLES,
        board: str = "拥王者",
    ) -> int:
        """A game just dealt: account n sits on seat n."""
        game = self.sign_up(group, host, len(roles), board)
        outcome = self.ledger.act(game, Deal(at=self.now, seed="00", roles=roles))
        assert outcome.refused is None and not outcome.failed
        self.ledger.commit()
        # Whoever plays has written to the bot before.
        for account in [host, *map(str, roles)]:
            self.store.set_reachable(account, True)
        self.said()
        return game

    def later(self, **span: float) -> None:
        """Move the clock; what falls due is left to whoever comes."""
        self.now += timedelta(**span)


def private(account: str, via: str | None = GROUP) -> Target:
    """Where a private answer goes."""
    return Target("private", account, via)


def group(number: str = GROUP) -> Target:
    """Where an answer in a group goes."""
    return Target("group", number)
