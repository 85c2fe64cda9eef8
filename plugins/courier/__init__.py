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

from data.pictures.drawing import png  # noqa: E402
from plugins._mistakes import setting_mistakes, stop, unknown_settings  # noqa: E402
from plugins.courier.config import Config  # noqa: E402
from plugins.courier.delivery import Call, Courier  # noqa: E402
from plugins.gamemaster.chat import house, house_of  # noqa: E402
from plugins.gamemaster.config import Config as GameConfig  # noqa: E402
from plugins.gamemaster.house import House  # noqa: E402
from plugins.gamemaster.people import Notice, look_around  # noqa: E402

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

_couriers: dict[House, tuple[Courier, asyncio.Task[None]]] = {}


def calls(its: House) -> Call | None:
    """The action of the client of a house that is connected; of the first, if there are several."""
    for bot in nonebot.get_bots().values():
        if isinstance(bot, Bot) and house_of(bot.self_id) is its:
            return bot.call_api
    return None


def send_for(its: House, settings: Config = config) -> Courier:
    """Send from now on what an open house has to say."""
    courier = Courier(
        its.store,
        its.ledger,
        its.speech,
        settings,
        call=lambda: calls(its),
        commit=its.commit,
        learn=lambda group, members: _learn(its, group, members),
        draw=png if get_plugin_config(GameConfig).game_pictures else None,
    )
    its.ledger.on_outbox = courier.wake
    _couriers[its] = courier, asyncio.create_task(courier.run())
    return courier


def _learn(its: House, group: str, members: dict[str, str] | None) -> dict[str, str] | None:
    """Tell a house who is in a group besides its bot; a list without the bot is none."""
    own = {account for account in nonebot.get_bots() if house_of(account) is its}
    if members is not None and not own & members.keys():
        members = None
    people = None if members is None else {a: n for a, n in members.items() if a not in own}
    its.learn(Notice(at=its.now(), kind="members", group=group, people=people))
    return people


async def stop_for(its: House) -> None:
    """Send no more for a house."""
    if its in _couriers:
        _, running = _couriers.pop(its)
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running


def _courier_of(bot: Bot) -> Courier | None:
    its = house_of(bot.self_id)
    found = _couriers.get(its) if its is not None else None
    return found[0] if found is not None else None


def at_work(its: House) -> bool:
    """Whether what waits in a house's outbox is sent, or would be if a client were there."""
    return its in _couriers and not _couriers[its][1].done()


@driver.on_startup
async def _start() -> None:
    send_for(house)


@driver.on_bot_connect
async def _connect(bot: Bot) -> None:
    its = house_of(bot.self_id)
    if its is not None and (courier := _courier_of(bot)) is not None:
        look_around(its.ledger)
        its.commit_soon()
        courier.connected()


@driver.on_bot_disconnect
async def _disconnect(bot: Bot) -> None:
    if (courier := _courier_of(bot)) is not None:
        courier.disconnected()


@driver.on_shutdown
async def _stop() -> None:
    await stop_for(house)
