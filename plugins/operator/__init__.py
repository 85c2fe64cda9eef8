"""An operator's hands: whether the bot is well, how it does, and an alert when it is not.

``GET /healthz`` and ``GET /metrics`` say nothing of any person or seat. Still the figures tell when
something happens in a game, so they are for whoever has the token of the QQ client, if one is set.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import nonebot
from fastapi import Request, Response
from fastapi.responses import JSONResponse
from nonebot import get_driver, get_plugin_config, require
from nonebot.adapters.onebot.v11 import Bot
from nonebot.adapters.onebot.v11.config import Config as OneBotConfig
from nonebot.plugin import PluginMetadata
from prometheus_client import CONTENT_TYPE_LATEST

require("gamemaster")
require("clock")
require("courier")

from data.message import Target  # noqa: E402
from data.store import StoreError  # noqa: E402
from plugins.clock import alarms  # noqa: E402
from plugins.courier import at_work  # noqa: E402
from plugins.gamemaster.chat import house, house_of  # noqa: E402
from plugins.gamemaster.house import log, log_fault, now  # noqa: E402
from plugins.operator.figures import Figures  # noqa: E402
from plugins.operator.watch import Notice, Watch  # noqa: E402

__plugin_meta__ = PluginMetadata(
    name="执法团的值班",
    description="机器人好不好、快不快；出了事告诉超级用户",
    usage="不用做什么",
    type="application",
    supported_adapters={"~onebot.v11"},
)

INTERVAL = 5.0
"""Seconds between two looks."""

STILL = timedelta(seconds=30)
"""The loop counts as standing still when nobody has looked for so long."""

driver = get_driver()


def _accounts() -> int:
    return sum(_is_ours(bot) for bot in nonebot.get_bots().values())


def _is_ours(bot: object) -> bool:
    """Whether it is an account of the configured house: others have games of their own."""
    return isinstance(bot, Bot) and house_of(bot.self_id) is house


figures = Figures(lambda: house.store, _accounts, now)
house.on_heard = figures.heard
house.on_commit = figures.committed
house.on_failure = figures.failed


# --- what is asked -------------------------------------------------------------------------------


def ailments() -> Iterator[str]:
    """What is wrong, a sentence each; nothing of what is in the games."""
    try:
        house.store.last_game()
    except StoreError:
        yield "the database does not answer"
    if house.waits:
        yield "messages wait for the database"
    if not alarms.scheduler.running:
        yield "the clock stands still"
    if not at_work(house):
        yield "the courier has ended"
    if _looked is None or now() - _looked > STILL:
        yield "the loop stood still"


async def healthz() -> Response:
    """200 while the bot can do its work, 503 with what is wrong otherwise."""
    reasons = list(ailments())
    said: dict[str, Any] = {"status": "failing" if reasons else "ok"}
    if reasons:
        said["reasons"] = reasons
    return JSONResponse(said, 503 if reasons else 200)


async def metrics(request: Request) -> Response:
    """The figures; 401 for whoever has not the token, where one is set."""
    token = get_plugin_config(OneBotConfig).onebot_access_token
    given = request.headers.get("authorization", "").encode()
    if token and not hmac.compare_digest(given, f"Bearer {token}".encode()):
        return Response(status_code=401, headers={"WWW-Authenticate": "Bearer"})
    return Response(figures.text(), headers={"Content-Type": CONTENT_TYPE_LATEST})


app = nonebot.get_app()
app.add_api_route("/healthz", healthz, methods=["GET", "HEAD"])
app.add_api_route("/metrics", metrics, methods=["GET"])


# --- what is told --------------------------------------------------------------------------------

_watch = Watch(now())
_looked: datetime | None = None
_unsaid: list[Notice] = []
_watching: asyncio.Task[None] | None = None


def look() -> None:
    """See what has begun or is over, and tell of it."""
    global _looked
    moment = _looked = now()
    backlog = None
    try:
        backlog = house.store.backlog()
    except StoreError as error:
        log.error("the outbox could not be read: %s", error)
    tell(_watch.look(moment, backlog))


def tell(notices: list[Notice]) -> None:
    """Log what is new at once, and say it to every superuser as soon as that can be done."""
    for notice in notices:
        told = ", ".join(f"{name} {value}" for name, value in notice.values.items())
        say = log.info if notice.minor else log.error if notice.begins else log.warning
        say("alert: %s (%s)", notice.key.rpartition(".")[2], told)
    _unsaid.extend(notices)
    if not _unsaid:
        return
    for notice in _unsaid:
        text = house.speech.say(notice.key, **notice.values)
        for account in superusers():
            house.ledger.say(Target("private", account), text)
    # Until it is on disk, every look says it anew.
    if house.commit():
        _unsaid.clear()


def superusers() -> list[str]:
    """The accounts of SUPERUSERS, where each may stand with the adapter's name before it."""
    accounts = {str(who).removeprefix("onebot:") for who in driver.config.superusers}
    return sorted(account for account in accounts if account.isdecimal())


async def keep_looking() -> None:
    """Look for ever."""
    while True:
        try:
            look()
        except Exception as error:
            log_fault("the operator's look", error)
        await asyncio.sleep(INTERVAL)


@driver.on_bot_connect
async def _connect(bot: Bot) -> None:
    if _is_ours(bot):
        tell(_watch.connected(bot.self_id, now()))


@driver.on_bot_disconnect
async def _disconnect(bot: Bot) -> None:
    if _is_ours(bot):
        _watch.disconnected(bot.self_id, now())


def _fault(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Take the place of the loop's own, which logs what a callback was called with."""
    error = context.get("exception")
    if isinstance(error, Exception):
        log_fault("a task", error)
    else:
        log.error("fault in a task")


def _used() -> bool:
    """Whether there has ever been a game, for which a QQ client must have been there."""
    try:
        return bool(house.store.last_game())
    except StoreError:
        return True


@driver.on_startup
async def _start() -> None:
    global _watch, _watching
    asyncio.get_running_loop().set_exception_handler(_fault)
    _watch = Watch(now(), used=_used())
    _watching = asyncio.create_task(keep_looking())


@driver.on_shutdown
async def _stop() -> None:
    if _watching is not None:
        _watching.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await _watching
