"""The NoneBot side of the game master: the one matcher, and the order of messages.

The adapter prepares a message that quotes another by asking the client for the quoted one, for up
to 30 s, while later messages overtake it. We need no quoted text, so that step is left out, and
every message gets its place in the queue before anything can wait (Bot.handle_event).
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import Any, Literal

from nonebot import get_driver, get_plugin_config, on_message, on_notice, on_request
from nonebot.adapters.onebot.v11 import (
    Adapter,
    Bot,
    Event,
    FriendRequestEvent,
    GroupMessageEvent,
    MessageEvent,
    NoticeEvent,
    PrivateMessageEvent,
)
from nonebot.adapters.onebot.v11.bot import _check_at_me, _check_nickname
from nonebot.adapters.onebot.v11.config import Config as OneBotConfig
from nonebot.log import LoguruHandler
from nonebot.message import handle_event
from pydantic import ValidationError

from data.rulesets import RulesetError
from data.speech import TextError
from data.store import EXPECTED, StoreError
from plugins._mistakes import setting_file, setting_mistakes, stop, unknown_settings
from plugins.gamemaster.config import Config
from plugins.gamemaster.desk import Incoming, Settings
from plugins.gamemaster.house import House, clean, log, log_fault
from plugins.gamemaster.people import Notice


def _settings() -> Settings:
    if misspelt := [*unknown_settings("GAME_", Config)]:
        stop(*misspelt)
    try:
        config = get_plugin_config(Config)
    except ValidationError as error:
        stop(*setting_mistakes(error))
    reminders = config.game_reminders
    return Settings(
        hosts=config.game_hosts,
        superusers=get_driver().config.superusers,
        parameters={} if reminders is None else {"reminders": reminders},
        pages=config.game_pages,
    )


def _house() -> House:
    try:
        return House(_settings())
    except (RulesetError, TextError) as error:
        stop(str(error))


driver = get_driver()
house = _house()

_others: dict[str, House | None] = {}


def house_of(account: str) -> House | None:
    """The house that hears what a bot's account hears: but for a few that is the one here."""
    return _others.get(account, house)


def move_in(account: str, other: House | None) -> None:
    """Let a bot's account belong to another house from now on, or, with ``None``, to nobody."""
    _others[account] = other


if not log.handlers:
    log.addHandler(LoguruHandler())
    log.propagate = False


def open_house() -> None:
    """Open the database, or end the program with a line that says what is wrong."""
    try:
        house.open()
    except StoreError as error:
        said = str(error).removeprefix("DATABASE_URL: ")
        if not said.startswith("expected"):
            said = f"expected a database that can be opened: {EXPECTED} ({said})"
        stop(f"{setting_file('DATABASE_URL')}: DATABASE_URL: {said}")


# --- messages ------------------------------------------------------------------------------------


def _json_to_event(cls: type[Adapter], reported: Any) -> Event | None:
    """Take the place of the adapter's own, which logs with all its text what fits no model."""
    if not isinstance(reported, dict):
        return None
    if "post_type" not in reported:
        cls._result_store.add_result(reported)
        return None
    with suppress(Exception):
        for model in (*cls.get_event_model(reported), Event):
            # Anything may be in it, so anything may be raised.
            with suppress(Exception):
                return model.model_validate(reported)
    log.warning("an event that can't be read was left out")
    return None


def _shown(self: Event) -> str:
    """An event by its number: what it says is for no log, nor for any fault that quotes it.

    Nor is who has said it, or where: who writes in which group, or privately at night, would tell
    who is what.
    """
    kind = self.post_type if self.post_type in _POST_TYPES else "event"
    number = getattr(self, "message_id", None)
    return f"{kind} {number}" if isinstance(number, int) else kind


_POST_TYPES = ("message", "notice", "request")

Adapter.json_to_event = classmethod(_json_to_event)  # type: ignore
Event.get_log_string = Event.__repr__ = Event.__str__ = _shown  # type: ignore


async def _handle_event(bot: Bot, event: Event) -> None:
    """Take the place of the adapter's Bot.handle_event: nothing is asked of the client."""
    if not isinstance(event, (PrivateMessageEvent, GroupMessageEvent)):
        # A message of another shape has no place, or is what the account itself has said.
        if event.post_type in ("notice", "request", "meta_event"):
            await handle_event(bot, event)
        return
    its = house_of(bot.self_id)
    if its is None:
        return
    at = its.now()
    try:
        event.message.reduce()
        _check_at_me(bot, event)
        _check_nickname(bot, event)
    except Exception as error:
        log_fault("reading a message", error)
        return
    its.arrive(lambda: incoming(event, at))
    await handle_event(bot, event)


Bot.handle_event = _handle_event  # type: ignore

messages = on_message(priority=1, block=True)


@messages.handle()
async def _(bot: Bot, event: MessageEvent) -> None:
    if (its := house_of(bot.self_id)) is not None:
        its.settle()


def incoming(event: MessageEvent, at: datetime) -> Incoming | None:
    """A message as the desk takes it; ``None`` for what the bot's own account said."""
    account = str(event.user_id)
    if event.user_id == event.self_id:
        return None
    segments = list(event.message)
    quotes = bool(segments) and segments[0].type == "reply"
    if quotes:
        # A client puts a mention of whom is quoted behind the quotation.
        del segments[: 2 if len(segments) > 1 and segments[1].type == "at" else 1]
    pieces: list[str] = []
    mentions: dict[str, str] = {}
    faces = pictures = False
    for segment in segments:
        if segment.type == "text":
            pieces.append(str(segment.data.get("text", "")))
        elif segment.type == "at":
            mentioned = str(segment.data.get("qq", ""))
            if mentioned.isdecimal():
                mentions[mentioned] = clean(str(segment.data.get("name") or "")).removeprefix("@")
            pieces.append(f" @{mentioned} ")
        else:
            if segment.type == "face":
                faces = True
            else:
                pictures = True
            pieces.append(" ")
    group = getattr(event, "group_id", None)
    in_group = event.message_type == "group"
    via = group or getattr(event.sender, "group_id", None)
    return Incoming(
        at=at,
        account=account,
        name=clean(event.sender.card or event.sender.nickname or account),
        text=clean("".join(pieces)),
        message_id=str(event.message_id),
        group=str(group) if in_group else None,
        via_group=str(via) if via and not in_group else None,
        admin=event.sender.role in ("owner", "admin"),
        mentions=mentions,
        faces=faces,
        quotes=quotes,
        pictures=pictures,
        me=str(event.self_id),
    )


# --- what is seen of people -----------------------------------------------------------------------

notices = on_notice(priority=1, block=True)


@notices.handle()
async def _(bot: Bot, event: NoticeEvent) -> None:
    its = house_of(bot.self_id)
    if its is not None and (seen := notice(event, its.now())) is not None:
        its.learn(seen)


_OF_ITSELF: dict[tuple[str, str], Literal["ousted", "demoted"]] = {
    ("group_decrease", "kick_me"): "ousted",
    ("group_decrease", "kick"): "ousted",
    ("group_decrease", "leave"): "ousted",
    ("group_admin", "unset"): "demoted",
}
"""What happens to the bot's own account, by the kind of notice and what more there is to it."""

_SEEN: dict[str, Literal["joined", "left", "renamed", "befriended"]] = {
    "group_increase": "joined",
    "group_decrease": "left",
    "group_card": "renamed",
    "friend_add": "befriended",
}
"""Kinds of notice; ``group_card`` is no part of OneBot, but told by most clients."""


def notice(event: NoticeEvent, at: datetime) -> Notice | None:
    """A notice as the desk takes it; ``None`` for what is of no use to it."""
    account, group = getattr(event, "user_id", None), getattr(event, "group_id", None)
    if account == event.self_id and isinstance(group, int):
        own = _OF_ITSELF.get((event.notice_type, getattr(event, "sub_type", "")))
        return Notice(at=at, kind=own, group=str(group)) if own else None
    kind = _SEEN.get(event.notice_type)
    if kind is None or not isinstance(account, int) or account == event.self_id:
        return None
    if kind != "befriended" and not isinstance(group, int):
        return None
    name = getattr(event, "card_new", "")
    return Notice(
        at=at,
        kind=kind,
        group=str(group or ""),
        account=str(account),
        name=clean(name) if isinstance(name, str) else "",
    )


# --- friends -------------------------------------------------------------------------------------

requests = on_request(priority=1, block=True)


@requests.handle()
async def befriend(bot: Bot, event: FriendRequestEvent) -> None:
    """Whoever asks becomes a friend, so that he can be told things in private."""
    if not get_plugin_config(Config).game_accept_friends:
        return
    try:
        await bot.set_friend_add_request(flag=event.flag, approve=True)
    except Exception as error:
        log.warning("a friend request was not accepted: %s", type(error).__name__)


# --- start and end -------------------------------------------------------------------------------


@driver.on_startup
async def _start() -> None:
    open_house()
    host = str(driver.config.host)
    token = get_plugin_config(OneBotConfig).onebot_access_token
    if host not in ("127.0.0.1", "::1", "localhost") and not token:
        log.warning(house.speech.say("bot.open_door"))
    if host in ("0.0.0.0", "::"):
        host = "127.0.0.1"
    print(
        house.speech.say(
            "bot.startup",
            url=f"ws://{host}:{driver.config.port}/onebot/v11/ws",
            token=house.speech.say("bot.token_set" if token else "bot.token_unset"),
            title=house.desk.example_title(),
        ),
        flush=True,
    )


@driver.on_shutdown
async def _stop() -> None:
    house.settle()
    house.commit()
    # The last to stop: SQLite folds its log into the file when nobody has it open.
    house.store.close()
