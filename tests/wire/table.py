"""A game in a group, played over the wire: who sits where, and what the group and the bot said."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from tests.wire.client import PATIENCE, Call, Client, Place, Segment
from tests.wire.process import Bot

Starting = Callable[..., Awaitable[tuple[Bot, Client]]]
"""Starts a bot with these settings, and a client that is connected to it."""

LOUD = {
    "LOG_LEVEL": "TRACE",
    "before": "import logging\nlogging.Logger.isEnabledFor = lambda *_: True",
}
"""Settings with which a bot logs all that it can, and so does every library, set as it may be."""

ROLES = {"kingmaker": "拥王者", "killer": "杀手", "civilian": "平民"}
REPEAT = "（重发）"


async def all_arrived(bot: Bot, client: Client, after: int = 0) -> None:
    """Wait until nothing waits to be said; then see that all of it reached the client.

    For each person and group: every text of the outbox, once and in its order. A text that was
    under way when the connection broke may come a second time, marked as a repeat. Beside a
    picture a caption may stand for the text. Rows of the outbox up to ``after`` were not this
    client's.
    """
    async with asyncio.timeout(PATIENCE):
        while bot.waiting():
            await asyncio.sleep(0.1)
    said: dict[Place, list[str]] = {}
    captions: dict[Place, list[str | None]] = {}
    for row in bot.outbox():
        if row.id > after and row.action == "text" and row.state == "sent":
            place: Place = (row.target.kind, int(row.target.id))
            said.setdefault(place, []).append(row.text)
            caption = row.picture.caption if row.picture is not None else None
            captions.setdefault(place, []).append(caption)
    heard: dict[Place, list[str]] = {}
    for call in client.sayings():
        assert call.place is not None
        texts = heard.setdefault(call.place, [])
        text = call.text
        if text.startswith(REPEAT):
            text = text.removeprefix(REPEAT).lstrip()
            if texts and texts[-1] == text:
                continue
        awaited = captions.get(call.place, [])[len(texts) : len(texts) + 1]
        if call.picture is not None:
            assert awaited != [None], "a picture that the outbox does not have"
            if text == awaited[0]:
                text = said[call.place][len(texts)]
        texts.append(text)
    assert heard == said


def hours() -> str:
    """Parameters for 开局: an opening and a close so far off that no test meets them."""
    now = datetime.now(ZoneInfo("Asia/Shanghai"))
    opens, closes = (now + timedelta(hours=ahead) for ahead in (10, 16))
    return f"开楼={opens:%H:%M} 截票={closes:%H:%M}"


class Table:
    """One game of a ``board``. ``players``: the accounts that play, or how many there are.

    After :meth:`deal`: ``seats`` gives account → seat, ``roles`` seat → role.
    ``gone``: seats that are out, as far as the test has noted it.
    """

    board = "拥王者"

    def __init__(
        self, bot: Bot, client: Client, group: int, players: Sequence[int] | int = 6
    ) -> None:
        self.bot = bot
        self.client = client
        self.group = group
        self.director = group * 100
        if isinstance(players, int):
            players = [group * 100 + n for n in range(1, players + 1)]
        self.players = list(players)
        self.game = 0
        self.seats: dict[int, int] = {}
        self.roles: dict[int, str] = {}
        self.gone: set[int] = set()

    # --- to the deal ----------------------------------------------------------------------------

    async def open(self) -> None:
        """The director opens the game."""
        await self.says(self.director, f"开局 {self.board} {hours()}")
        call = await self.hears("招募开始")
        found = re.search(r"第(\d+)局", call.text)
        assert found is not None
        self.game = int(found[1])

    async def sign_up(self) -> None:
        """All players sign up, and the bot finds that it can write to each."""
        for account in self.players:
            await self.says(account, "报名")
        await self.hears(f"现在 {len(self.players)} 人")
        for account in self.players:
            await self.client.hears(("private", account), f"第{self.game}局")

    async def deal(self) -> None:
        """The director starts the game, and everybody gets a role."""
        mark = self.mark
        await self.says(self.director, "开始")
        for account in self.players:
            card = await self.client.hears(("private", account), "身份：", after=mark)
            found = re.search(r"你是 (\d+)号", card.text)
            assert found is not None
            self.seats[account] = int(found[1])
        await self.hears("天黑了", after=mark)
        facts = await self.facts()
        self.roles = {int(seat): role for seat, role in facts["roles"].items()}

    async def begin(self) -> Table:
        """From nothing to the first night."""
        await self.open()
        await self.sign_up()
        await self.deal()
        return self

    # --- who is who -----------------------------------------------------------------------------

    def account(self, seat: int) -> int:
        """The account on a seat."""
        return next(account for account, number in self.seats.items() if number == seat)

    def having(self, role: str) -> list[int]:
        """The seats that were dealt a role, ascending."""
        return sorted(seat for seat, dealt in self.roles.items() if dealt == role)

    # --- what is said ---------------------------------------------------------------------------

    @property
    def mark(self) -> int:
        """A place in the record: what comes after it has been said later than now."""
        return len(self.client.calls)

    async def says(self, account: int, *words: str | Segment) -> dict[str, Any]:
        """Somebody says something in the group."""
        return await self.client.group(self.group, account, *words)

    async def whispers(self, account: int, *words: str | Segment) -> dict[str, Any]:
        """Somebody says something privately to the bot."""
        return await self.client.private(account, *words)

    async def hears(self, words: str, *, after: int = 0) -> Call:
        """Wait until the bot says this in the group."""
        return await self.client.hears(("group", self.group), words, after=after)

    async def asks(self, account: int, words: str, answer: str) -> Call:
        """Somebody writes to the bot privately and is answered so."""
        mark = self.mark
        await self.whispers(account, words)
        return await self.client.hears(("private", account), answer, after=mark)

    # --- what happens ---------------------------------------------------------------------------

    async def kills(self, killer: int, target: int) -> None:
        """A killer's seat names the kill, and it is acknowledged."""
        await self.asks(self.account(killer), f"刀 {target}", f"{target}号")

    async def crowns(self, first: int, substitute: int) -> None:
        """The kingmaker names the next king."""
        (kingmaker,) = self.having("kingmaker")
        await self.asks(self.account(kingmaker), f"立王 {first} 备 {substitute}", "记下了")

    async def opens(self, day: int) -> Call:
        """The director opens the day; gives what the group was told."""
        mark = self.mark
        await self.whispers(self.director, "开楼")
        return await self.hears(f"第{day}天 · 开楼", after=mark)

    async def orders(self, king: int, target: int) -> Call:
        """The king orders an execution in the group; gives what the group was told."""
        mark = self.mark
        await self.says(self.account(king), f"处决 {target}")
        return await self.hears(f"下令：处决 {target}号", after=mark)

    async def facts(self) -> dict[str, Any]:
        """The whole truth."""
        return await self.bot.facts(self.game)

    async def log(self, *kinds: str) -> list[dict[str, Any]]:
        """The events, only those of some kinds if any are named."""
        return await self.bot.log(self.game, *kinds)
