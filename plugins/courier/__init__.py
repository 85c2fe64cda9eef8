"""The courier: what the outbox holds goes out over OneBot, in order, at a pace, at least once."""

from __future__ import annotations

import asyncio
import contextlib

import nonebot
from nonebot import get_driver, get_plugin_config, require
from nonebot.adapters.onebot.v11 import Bot
from nonebot.plugin import PluginMetadata
from pydantic import ValidationError

require("gamemaster")

from plugins._mistakes import setting_mistakes, stop, unknown_settings  # noqa: E402
from plugins.courier.config import Config  # noqa: E402
from plugins.courier.delivery import Call, Courier  # noqa: E402
from plugins.gamemaster.chat import house  # noqa: E402

__plugin_meta__ = PluginMetadata(
    name="执法团的信使",
    description="按顺序、不太快地把话送到",
    usage="不用做什么",
    type="application",
    config=Config,
    supported_adapters={"~onebot.v11"},
)

driver = get_driver()
if misspelt := [*unknown_settings("SEND_", Config)]:
    stop(*misspelt)
try:
    config = get_plugin_config(Config)
except ValidationError as error:
    stop(*setting_mistakes(error))

_courier: Courier | None = None
_running: asyncio.Task[None] | None = None


def connected() -> Call | None:
    """The action of the client that is connected; of the first, if there are several."""
    for bot in nonebot.get_bots().values():
        if isinstance(bot, Bot):
            return bot.call_api
    return None


@driver.on_startup
async def _start() -> None:
    global _courier, _running
    _courier = Courier(
        house.store,
        house.ledger,
        house.speech,
        config,
        call=connected,
        commit=house.commit,
    )
    house.ledger.on_outbox = _courier.wake
    _running = asyncio.create_task(_courier.run())


@driver.on_bot_connect
async def _connect(bot: Bot) -> None:
    if _courier is not None:
        _courier.connected()


@driver.on_bot_disconnect
async def _disconnect(bot: Bot) -> None:
    if _courier is not None:
        _courier.disconnected()


@driver.on_shutdown
async def _stop() -> None:
    if _running is not None:
        _running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await _running
