"""The game master: hears everything, and answers what is asked of it.

Loaded by NoneBot it is a plugin; without NoneBot (a rehearsal, a test) only its parser and desk are
imported.
"""

import nonebot
from nonebot.plugin import PluginMetadata

from plugins.gamemaster.config import Config

__plugin_meta__ = PluginMetadata(
    name="执法团",
    description="在 QQ 群里主持版杀，从报名到分出胜负",
    usage="群里发：帮助",
    type="application",
    homepage=None,
    config=Config,
    supported_adapters={"~onebot.v11"},
)

try:
    nonebot.get_driver()
except ValueError:
    pass
else:
    from plugins.gamemaster import chat as chat
