"""The clock: an alarm for each game's next deadline or reminder.

A deadline is a fact of the game; the scheduler only wakes us to ask. Nothing is kept here: at start
the alarms follow from the games, and what fell due meanwhile is settled first.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from heapq import heapify, heappop, heappush

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from nonebot import get_driver, require
from nonebot.plugin import PluginMetadata

require("gamemaster")

from data.store import StoreError  # noqa: E402
from plugins.gamemaster.chat import house  # noqa: E402
from plugins.gamemaster.house import House, log  # noqa: E402

__plugin_meta__ = PluginMetadata(
    name="执法团的钟",
    description="到点截票、开楼、提醒",
    usage="不用做什么",
    type="application",
)

RETRY = timedelta(seconds=10)
"""When an alarm that could not be settled rings again."""

# The default grace of one second would drop an alarm that the loop is late for.
DEFAULTS = {"misfire_grace_time": None}


class Alarms:
    """The alarms of one house, whose clock is the real one."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.scheduler = AsyncIOScheduler(timezone=UTC, job_defaults=DEFAULTS)

    def start(self) -> None:
        """Settle what fell due while nobody was there, then ring for what comes."""
        settle_overdue(self.house)
        self.house.ledger.on_alarm = self.arm
        for game_id, when in self.house.ledger.alarms().items():
            self.arm(game_id, max(when, self.house.now()))
        self.scheduler.start()

    def stop(self) -> None:
        """Ring no more."""
        if self.scheduler.running:
            self.scheduler.shutdown(wait=False)

    def arm(self, game_id: int, when: datetime | None) -> None:
        """Set a game's alarm, or take it away."""
        key = str(game_id)
        if when is not None:
            self.scheduler.add_job(
                self.ring, "date", run_date=when, args=[game_id], id=key, replace_existing=True
            )
        elif self.scheduler.get_job(key) is not None:
            self.scheduler.remove_job(key)

    async def ring(self, game_id: int) -> None:
        """Settle what has fallen due for a game."""
        now = self.house.now
        # What was received before this moment comes first.
        self.house.settle()
        if not _wake(self.house, game_id, now()) or not self.house.commit():
            self.arm(game_id, now() + RETRY)
            return
        # Whatever came of it, this game has an alarm while it is on.
        when = self.house.ledger.alarms().get(game_id)
        self.arm(game_id, when if when is None or when > now() else now() + RETRY)


def _wake(house: House, game_id: int, moment: datetime, until: datetime | None = None) -> bool:
    try:
        return not house.ledger.wake(game_id, moment, until).failed
    except StoreError as error:
        log.error("game %s: the clock waits: %s", game_id, error)
    except LookupError:
        log.error("game %s: the clock has lost it", game_id)
    return False


def settle_overdue(house: House) -> None:
    """Settle what has fallen due in a house, of all its games in the order in which it did."""
    moment = house.now()
    due = [(when, game_id) for game_id, when in house.ledger.alarms().items()]
    heapify(due)
    while due and due[0][0] <= moment:
        when, game_id = heappop(due)
        if _wake(house, game_id, moment, when):
            following = house.ledger.game(game_id).next_alarm()
            if following is not None:
                heappush(due, (following, game_id))
    house.commit()


driver = get_driver()
alarms = Alarms(house)


@driver.on_startup
async def _start() -> None:
    alarms.start()


@driver.on_shutdown
async def _stop() -> None:
    alarms.stop()
