"""aiocqhttp as a second peer: it reads what the client reports, and makes the bot's own calls."""

from __future__ import annotations

import ast
import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiocqhttp
import pytest
from aiocqhttp import CQHttp, Event, Message, MessageSegment
from websockets.exceptions import InvalidStatus

from tests.wire.client import PATIENCE, Client, at, face, image, reply, text
from tests.wire.process import free_port
from tests.wire.table import Starting, Table

TOKEN = "a-token-of-the-peer"
GROUP, PERSON = 700001, 20001


class Peer:
    """A bot written with aiocqhttp that keeps the events it is given."""

    def __init__(self) -> None:
        self.port = free_port()
        self.bot = CQHttp(access_token=TOKEN, message_class=Message, api_timeout_sec=PATIENCE)
        self.seen: asyncio.Queue[Event] = asyncio.Queue()
        for kind in ("message", "notice", "request", "meta_event"):
            self.bot.subscribe(kind, self.seen.put)

    async def next(self) -> Event:
        return await asyncio.wait_for(self.seen.get(), PATIENCE)

    def client(self, token: str = TOKEN) -> Client:
        return Client(self.port, token=token, path="/ws")


@pytest.fixture(scope="module")
async def peer() -> AsyncIterator[Peer]:
    peer, over = Peer(), asyncio.Event()
    serving = asyncio.create_task(
        peer.bot.run_task("127.0.0.1", peer.port, shutdown_trigger=over.wait)
    )
    async with asyncio.timeout(PATIENCE):
        while True:
            with contextlib.suppress(OSError):
                (await asyncio.open_connection("127.0.0.1", peer.port))[1].close()
                break
            await asyncio.sleep(0.02)
    yield peer
    over.set()
    await serving


async def test_peer_reads_every_kind_of_event_that_the_client_reports(peer: Peer) -> None:
    async with peer.client() as client:
        assert (await peer.next()).name == "meta_event.lifecycle.connect"
        await client.heartbeat()
        beat = await peer.next()
        assert beat.name == "meta_event.heartbeat"
        assert beat.status == {"online": True, "good": True} and beat.interval > 0

        said = await client.private(PERSON, "刀 3")
        event = await peer.next()
        assert event.name == "message.private.friend"
        assert (event.self_id, event.user_id) == (client.self_id, PERSON)
        assert event.message_id == said["message_id"] and event.sender["user_id"] == PERSON
        assert event.message == Message(MessageSegment.text("刀 3"))

        words = [reply(said["message_id"]), at(20002), text(" [&,] "), face(14), image("a,b.jpg")]
        message = await client.group(GROUP, PERSON, *words)
        event = await peer.next()
        assert event.name == "message.group.normal"
        assert (event.group_id, event.user_id) == (GROUP, PERSON)
        assert [(part.type, part.data) for part in event.message] == [
            (part["type"], part["data"]) for part in words
        ]
        # Both ways of writing a message say the same: the peer reads the one from the other.
        assert str(event.message) == str(Message(event.raw_message)) == event.raw_message

        await client.recall(message)
        event = await peer.next()
        assert event.name == "notice.group_recall"
        assert event.message_id == message["message_id"]
        assert event.operator_id == event.user_id == PERSON


async def test_peer_turns_a_wrong_token_away_and_so_the_client_sends_one(peer: Peer) -> None:
    client = peer.client(token="another")
    with pytest.raises(InvalidStatus) as refused:
        await client.connect()
    assert refused.value.response.status_code in (401, 403)


async def test_client_answers_the_peers_calls_as_a_qq_client_does(peer: Peer) -> None:
    async with peer.client() as client:
        client.unreachable.add(20009)
        calls = peer.bot.api
        said = await calls.send_group_msg(group_id=GROUP, message=Message("好"))
        assert isinstance(said["message_id"], int)
        with pytest.raises(aiocqhttp.ActionFailed):
            await calls.send_private_msg(user_id=20009, message=Message("好"))
        heard = await client.group(GROUP, PERSON, "喂")
        kept = await calls.get_msg(message_id=heard["message_id"])
        assert kept["message_id"] == heard["message_id"] and kept["sender"]["user_id"] == PERSON
        assert await calls.delete_msg(message_id=heard["message_id"]) is None
        client.administrator = False
        with pytest.raises(aiocqhttp.ActionFailed):
            await calls.set_group_ban(group_id=GROUP, user_id=PERSON, duration=60)
        assert client.heard(("group", GROUP)) == ["好"]


# --- what the bot calls --------------------------------------------------------------------------

# What clients take beyond OneBot v11: the group of a temporary session with somebody who is no
# friend (NapCat, LLOneBot and Lagrange know it; others ignore it).
EXTENSIONS = {("send_private_msg", "group_id"): "int"}


def signatures() -> dict[str, tuple[dict[str, str], set[str]]]:
    """The API as the peer declares it: action → (parameter → type, those that must be given)."""
    declared = ast.parse(Path(aiocqhttp.__file__).with_name("api.pyi").read_text(encoding="utf-8"))
    found = {}
    for kind in declared.body:
        if isinstance(kind, ast.ClassDef) and kind.name == "AsyncApi":
            for method in kind.body:
                if isinstance(method, ast.AsyncFunctionDef) and method.args.kwonlyargs:
                    arguments = zip(method.args.kwonlyargs, method.args.kw_defaults, strict=True)
                    types, needed = {}, set()
                    for argument, default in arguments:
                        assert argument.annotation is not None
                        types[argument.arg] = ast.unparse(argument.annotation)
                        if default is None:
                            needed.add(argument.arg)
                    found[method.name] = (types, needed)
    return found


def fits(value: Any, declared: str) -> bool:
    """Whether a value that came over the wire is of a declared type."""
    match declared:
        case "int":
            return isinstance(value, int) and not isinstance(value, bool)
        case "bool":
            return isinstance(value, bool)
        case "str":
            return isinstance(value, str)
        case "Message_T":
            return isinstance(value, list) and all(
                set(part) == {"type", "data"} for part in Message(value)
            )
    return False


async def test_what_the_bot_calls_is_what_the_peer_would_call(start: Starting, peer: Peer) -> None:
    bot, client = await start()
    table = await Table(bot, client, GROUP).begin()
    (killer,) = table.having("killer")
    await table.says(table.account(killer), "刀 2")
    await client.hears(("private", table.account(killer)), "撤回")
    await table.opens(1)
    await table.whispers(table.director, "禁言 2 2小时")
    actions = {"send_private_msg", "send_group_msg", "delete_msg", "set_group_ban"}
    await client.until(
        lambda: actions <= {call.action for call in client.calls}, f"calls of {actions}"
    )
    ban = next(call for call in client.calls if call.action == "set_group_ban")
    assert ban.params["duration"] == 7200 and ban.params["user_id"] == table.account(2)

    declared = signatures()
    for call in client.calls:
        types, needed = declared[call.action]
        assert needed <= call.params.keys(), call
        for name, value in call.params.items():
            expected = types.get(name) or EXTENSIONS.get((call.action, name), "unknown")
            assert fits(value, expected), (call.action, name, value, expected)

    # The same calls made by the peer arrive in the same shape, and it reads what is answered.
    async with peer.client() as other:
        for call in client.calls:
            mark = len(other.calls)
            answer = await getattr(peer.bot.api, call.action)(**call.params)
            (made,) = other.calls[mark:]
            assert (made.action, made.params) == (call.action, call.params)
            if call.place is not None:
                assert Message(made.params["message"]).extract_plain_text() == call.text
                assert answer == {"message_id": made.message_id}
