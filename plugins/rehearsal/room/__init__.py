"""The rehearsal room: play without QQ, in the browser, against the bot as it is.

The page and all that it needs are served by the bot's own web server; see ``door.py`` for who may
come in, ``table.py`` for what a rehearsal is.
"""

from __future__ import annotations

from nonebot import get_app, get_driver, get_plugin_config, require
from nonebot.adapters.onebot.v11.config import Config as OneBotConfig
from nonebot.plugin import PluginMetadata
from pydantic import ValidationError

require("gamemaster")
require("clock")
require("courier")

from plugins._mistakes import setting_mistakes, stop, unknown_settings  # noqa: E402
from plugins.gamemaster.chat import house  # noqa: E402
from plugins.gamemaster.house import log  # noqa: E402
from plugins.rehearsal.room.config import Config  # noqa: E402
from plugins.rehearsal.room.door import Door  # noqa: E402
from plugins.rehearsal.room.page import Room  # noqa: E402

__plugin_meta__ = PluginMetadata(
    name="执法团的排练室",
    description="不用 QQ，在浏览器里演一局",
    usage="打开启动时打印的地址",
    type="application",
    config=Config,
    supported_adapters={"~onebot.v11"},
)

driver = get_driver()
if misspelt := [*unknown_settings("ROOM", Config)]:
    stop(*misspelt)
try:
    config = get_plugin_config(Config)
except ValidationError as error:
    stop(*setting_mistakes(error))


def _address(scheme: str, path: str) -> str:
    """An address at which the bot is reached from this machine."""
    host = str(driver.config.host)
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{driver.config.port}{path}"


if config.room:
    door = Door(str(driver.config.host), config.room_password)
    room = Room(
        house,
        door,
        _address("ws", "/onebot/v11/ws"),
        get_plugin_config(OneBotConfig).onebot_access_token,
    )
    get_app().include_router(room.router, include_in_schema=False)

    @driver.on_startup
    async def _start() -> None:
        if door.is_open:
            key = "room.address_password" if door.asks else "room.address"
            print(house.speech.say(key, url=_address("http", "/")), flush=True)
        else:
            log.warning(house.speech.say("room.closed_log"))

    @driver.on_shutdown
    async def _stop() -> None:
        await room.close()
