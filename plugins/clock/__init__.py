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
from plugins.gamemaster.house import log, now  # noqa: E402

__plugin_meta__ = PluginMetadata(
    name="执法团的钟",
    description="到点截票、开楼、提醒",
    usage="不用做什么",
    type="application",
)

RETRY = timedelta(seconds=10)
"""When an alarm that could not be settled rings again."""

driver = get_driver()
# The default grace of one second would drop an alarm that the loop is late for.
DEFAULTS = {"misfire_grace_time": None}
scheduler = AsyncIOScheduler(timezone=UTC, job_defaults=DEFAULTS)


def arm(game_id: int, when: datetime | None) -> None:
    """Set a game's alarm, or take it away."""
    if when is not None:
        scheduler.add_job(
            ring, "date", run_date=when, args=[game_id], id=str(game_id), replace_existing=True
        )
    elif scheduler.get_job(str(game_id)) is not None:
        scheduler.remove_job(str(game_id))


async def ring(game_id: int) -> None:
    """Settle what has fallen due for a game."""
    # What was received before this moment comes first.
    house.settle()
    if not _wake(game_id, now()) or not house.commit():
        arm(game_id, now() + RETRY)
        return
    # Whatever came of it, this game has an alarm while it is on.
    when = house.ledger.alarms().get(game_id)
    arm(game_id, when if when is None or when > now() else now() + RETRY)


def _wake(game_id: int, moment: datetime, until: datetime | None = None) -> bool:
    try:
        return not house.ledger.wake(game_id, moment, until).failed
    except StoreError as error:
        log.error("game %s: the clock waits: %s", game_id, error)
    except LookupError:
        log.error("game %s: the clock has lost it", game_id)
    return False


def settle_overdue() -> None:
    """Settle what fell due while the bot was off, of all games in the order in which it did."""
    moment = now()
    due = [(when, game_id) for game_id, when in house.ledger.alarms().items()]
    heapify(due)
    while due and due[0][0] <= moment:
        when, game_id = heappop(due)
        if _wake(game_id, moment, when):
            following = house.ledger.game(game_id).next_alarm()
            if following is not None:
                heappush(due, (following, game_id))
    house.commit()


@driver.on_startup
async def _start() -> None:
    settle_overdue()
    house.ledger.on_alarm = arm
    for game_id, when in house.ledger.alarms().items():
        arm(game_id, max(when, now()))
    scheduler.start()


@driver.on_shutdown
async def _stop() -> None:
    if scheduler.running:
        scheduler.shutdown(wait=False)
