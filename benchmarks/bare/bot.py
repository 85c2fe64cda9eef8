"""A bare NoneBot bot, what ours is measured against: one matcher, nothing kept.

``python bot.py MARK``: it says back every message that begins with MARK, and lets all others be.
"""

import sys

import nonebot
from nonebot import on_message
from nonebot.adapters.onebot.v11 import Adapter, Bot, MessageEvent, MessageSegment

nonebot.init()
nonebot.get_driver().register_adapter(Adapter)

mark = sys.argv[1]
messages = on_message(priority=1, block=True)


@messages.handle()
async def answer(bot: Bot, event: MessageEvent) -> None:
    """Answer a message that begins with the mark, where it was said."""
    words = event.get_plaintext()
    if not words.startswith(mark):
        return
    said = [MessageSegment.text(words)]
    if event.message_type == "group":
        await bot.send_group_msg(group_id=event.group_id, message=said)
    else:
        await bot.send_private_msg(user_id=event.user_id, message=said)


nonebot.run()
