"""The page of a game: what is public while it runs, and the whole of its story afterwards.

Served where ``GAME_PAGES`` says under which address the groups reach it; nothing without.
"""

from __future__ import annotations

from nonebot import get_app, require
from nonebot.plugin import PluginMetadata

require("gamemaster")

from plugins.gamemaster.chat import house  # noqa: E402
from plugins.storypage.pages import Pages  # noqa: E402

__plugin_meta__ = PluginMetadata(
    name="执法团的网页",
    description="每一局的网页：进行中只有公开的内容，结束后是整局复盘",
    usage="打开群里公布的地址",
    type="application",
    supported_adapters={"~onebot.v11"},
)

if house.settings.pages:
    get_app().include_router(Pages(house).router, include_in_schema=False)
