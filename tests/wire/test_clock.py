"""The real clock: what falls due while the bot runs, and what fell due while it was off.

The games were written before the bot starts, by the ledger and as of pretended moments, so that
their hours are where a test wants them; the bot and its clock are the real ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from data.ledger import Ledger
from data.rulesets import load_rulesets
from data.speech import Speech
from data.store import Store
from engine import commands as c
from tests.wire.client import Client
from tests.wire.process import Bot
from tests.wire.table import Starting, Table, all_arrived

GROUP, OTHER_GROUP = 70010, 70011
ZONE = ZoneInfo("Asia/Shanghai")
ROLES = {1: "kingmaker", 2: "killer", 3: "civilian", 4: "civilian", 5: "civilian", 6: "civilian"}


def hour(moment: datetime) -> str:
    return f"{moment.astimezone(ZONE):%H:%M}"


def write_night(bot: Bot, client: Client, group: int, opens: datetime, closes: datetime) -> Table:
    """A game in its first night, dealt four hours before ``opens``; nothing of it waits to be said.

    ``closes``: an hour of the day on which this game's days end, on whatever day it is.
    """
    table = Table(bot, client, group)
    dealt = opens - timedelta(hours=4)
    with ledger_of(bot) as ledger:
        game = ledger.create(
            at=dealt,
            group=str(group),
            sheet="kingmaker",
            parameters={"open": hour(opens), "close": hour(closes)},
            account=str(table.director),
            name="主持",
        ).game_id
        assert game is not None
        for account in table.players:
            ledger.act(game, c.SignUp(at=dealt, account=str(account), name=f"玩家{account}"))
        ledger.act(game, c.Deal(at=dealt, seed="00", roles=ROLES))
        assert ledger.game(game).due["open"] == opens
    table.game = game
    table.seats = dict(zip(table.players, ROLES, strict=True))
    table.roles = dict(ROLES)
    return table


@contextmanager
def ledger_of(bot: Bot) -> Iterator[Ledger]:
    """The games of a bot that is off; what is done to them is written at the end, and was said."""
    store = Store(bot.url)
    ledger = Ledger(store, Speech(), load_rulesets())
    yield ledger
    ledger.commit()
    store.mark(sent=[row.id for row in store.waiting()])
    store.close()


async def off(bot: Bot, client: Client) -> datetime:
    """End the bot; gives the minute that it is."""
    await client.close()
    await bot.stop()
    return datetime.now(UTC).replace(second=0, microsecond=0)


async def test_a_deadline_comes_by_itself_at_its_moment(start: Starting) -> None:
    bot, client = await start()
    minute = await off(bot, client)
    # The day opens two seconds after the game goes on.
    opens = minute - timedelta(hours=1)
    table = write_night(bot, client, GROUP, opens, opens + timedelta(hours=20))
    with ledger_of(bot) as ledger:
        ledger.act(
            table.game,
            c.Act(at=opens - timedelta(hours=1), seat=2, ability="faction_kill", target=3),
        )
        ledger.act(table.game, c.Pause(at=opens - timedelta(seconds=2)))

    await bot.start()
    await client.connect()
    await table.asks(table.director, "状态 文字", "暂停")
    seen, mark = bot.outbox()[-1].id, table.mark
    await table.whispers(table.director, "继续")
    resumed = await table.hears("继续", after=mark)
    opening = await table.hears("第1天 · 开楼", after=mark)
    assert "3号" in opening.text and "离线" not in opening.text
    # Nobody wrote a word meanwhile: it was the clock.
    ((again,), (opened,)) = [await table.log(kind) for kind in ("resumed", "day_opened")]
    due = datetime.fromisoformat(again["at"]) + timedelta(seconds=2)
    assert datetime.fromisoformat(opened["at"]) == due
    assert opening.at - resumed.at > 1
    client.calls[:mark] = []
    await all_arrived(bot, client, seen)


async def test_off_over_a_close_and_an_opening_and_back_twenty_minutes_late(
    start: Starting,
) -> None:
    bot, client = await start()
    minute = await off(bot, client)
    opens = minute - timedelta(minutes=20)
    closes = opens - timedelta(hours=4)
    table = write_night(bot, client, GROUP, opens - timedelta(days=1), closes)
    # Another game's hours lie between.
    other_closes, other_opens = closes + timedelta(minutes=7), opens - timedelta(minutes=7)
    other = write_night(bot, client, OTHER_GROUP, other_opens - timedelta(days=1), other_closes)
    with ledger_of(bot) as ledger:
        for game, opened in ((table.game, opens), (other.game, other_opens)):
            night = opened - timedelta(days=1, hours=1)
            ledger.act(game, c.Act(at=night, seat=2, ability="faction_kill", target=3))
            ledger.act(game, c.NameCrown(at=night, seat=1, first=4, substitute=5))
            ledger.wake(game, opened - timedelta(hours=20))
            assert (ledger.game(game).phase, ledger.game(game).crown.king) == ("day", 4)
            ledger.act(game, c.Post(at=closes - timedelta(minutes=10), seat=5, text="我在"))
    lengths = [bot.length(t.game) for t in (table, other)]
    seen = bot.outbox()[-1].id

    await bot.start()
    await client.connect()
    back = await table.hears("第2天 · 开楼")
    await other.hears("第2天 · 开楼")
    await all_arrived(bot, client, seen)

    # What fell due in both games was settled in the order in which it fell due, and says so.
    late = [row for row in bot.outbox() if row.id > seen and "刚才离线" in row.text]
    assert [row.target.id for row in late] == [
        str(group) for group in (GROUP, OTHER_GROUP, OTHER_GROUP, GROUP)
    ]
    for row, due in zip(late, (closes, other_closes, other_opens, opens), strict=True):
        assert hour(due) in row.text.splitlines()[0]
    assert re.search(r"了 4小时2\d分钟。", late[0].text) and re.search(
        r"了 2\d分钟。", late[3].text
    )
    said = client.heard(("group", GROUP))
    assert "第1天" in late[0].text and said.index(late[0].text) < said.index(back.text)

    for each, length, closed, opened in (
        (table, lengths[0], closes, opens),
        (other, lengths[1], other_closes, other_opens),
    ):
        # As of when it fell due: not a moment of the outage counts as later.
        events = (await each.log())[length:]
        moments = [datetime.fromisoformat(event["at"]) for event in events]
        assert moments == sorted(moments) and set(moments) <= {
            *(closed, opened),
            *(due - timedelta(minutes=m) for due in (closed, opened) for m in (60, 10)),
        }
        (ended,) = [event for event in events if event["event"] == "day_closed"]
        (began,) = [event for event in events if event["event"] == "day_opened"]
        assert datetime.fromisoformat(ended["at"]) == closed
        assert datetime.fromisoformat(began["at"]) == opened
        assert len([event for event in events if event["event"] == "settled_late"]) == 2
    # The night is over: an order for it is too late now.
    length = bot.length(table.game)
    await table.asks(table.account(2), "刀 5", "")
    assert bot.length(table.game) == length
    assert "0 differences" in await bot.data("verify")
