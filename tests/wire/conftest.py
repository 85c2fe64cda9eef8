"""The bot as a process and a QQ client at it, for the tests over the wire."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.wire.client import Client
from tests.wire.process import Bot
from tests.wire.table import Starting

_SECRET_WORDS = re.compile(r"刀|空刀|立王|密 |解体|吹|守|护|救|毒|验|恋|继任|遗言")
_ROLES = re.compile(
    r"杀手|平民|阵营|\b(killer|civilian|werewolf|seer|witch|guard|villager|piper|cupid|kingmaker"
    r"|killers|town|wolves|lovers|faction_kill|lovers_kill|charm|ward|poison|inspect|crown_named)\b"
    r"|齐格复制品|死灵魔术师|亚述女帝|太阳神|御主|裁判|Archer|无能狂怒|解体圣母|黑哨|日轮|梵天|膝枕"
)
# What a text must have for its being in the output to be no accident.
_LONG = 6


def check_output(bot: Bot, clients: list[Client]) -> None:
    """The bot has had no fault, and has printed nothing of what was said."""
    output = bot.output()
    for line in output.splitlines():
        assert "Traceback" not in line and not re.search(r"\bfault\b", line), line
        assert not _ROLES.search(line), line
    token = bot.settings.get("ONEBOT_ACCESS_TOKEN")
    assert not token or token not in output
    for client in clients:
        for event in client.events:
            words = event.get("raw_message", "")
            if event.get("message_type") == "private" and _SECRET_WORDS.match(words):
                assert words not in output, "a secret order is in the output"
            assert len(words) < _LONG or words not in output, "a message is in the output"
        for call in client.calls:
            if call.place is not None:
                for line in call.text.splitlines():
                    assert len(line) < _LONG or line not in output, "what was said is in the output"


async def _playing(room: Path) -> AsyncIterator[Starting]:
    bots: list[tuple[Bot, list[Client]]] = []

    async def start(**settings: str) -> tuple[Bot, Client]:
        place = room / f"bot{len(bots)}"
        place.mkdir()
        bot = Bot(place, **settings)
        clients: list[Client] = []
        bots.append((bot, clients))
        await bot.start()
        client = Client(bot.port, token=settings.get("ONEBOT_ACCESS_TOKEN"))
        clients.append(client)
        return bot, await client.connect()

    try:
        yield start
        for bot, clients in bots:
            check_output(bot, clients)
    finally:
        for bot, clients in bots:
            for client in clients:
                await client.close()
            await bot.kill()


@pytest.fixture
async def start(tmp_path: Path) -> AsyncIterator[Starting]:
    """Start bots with these settings, each with a client that is connected.

    ``before``: see :class:`Bot`.
    """
    async for starting in _playing(tmp_path):
        yield starting


@pytest.fixture(scope="module")
async def start_for_all(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Starting]:
    """The same for bots that all tests of a module share."""
    async for starting in _playing(tmp_path_factory.mktemp("wire")):
        yield starting
