"""Rooms over the wire: bound, looked at, closed to strangers; players who leave and are put out."""

from __future__ import annotations

import asyncio

from tests.wire.client import PATIENCE, Call, Place
from tests.wire.table import Starting, Table, all_arrived

GROUP, ROOM, DIRECTORS = 70011, 70012, 70013
STRANGER, NEWCOMER, DEPUTY = GROUP * 100 + 90, GROUP * 100 + 91, GROUP * 100 + 92


def told_of(client_calls: list[Call], words: str) -> set[Place]:
    """The places that a text with these words has reached."""
    return {
        call.place
        for call in client_calls
        if call.place is not None and call.outcome != "failed" and words in call.text
    }


async def settled(table: Table) -> None:
    """Whatever was reported until now has had its effect, and all of it is said."""
    await table.asks(table.director, "时间", "时间")
    async with asyncio.timeout(PATIENCE):
        while table.bot.waiting():
            await asyncio.sleep(0.05)


async def test_a_room_from_binding_to_removal(start: Starting) -> None:
    bot, client = await start()
    table = await Table(bot, client, GROUP, players=9).begin()
    director: Place = ("private", table.director)
    room: Place = ("group", ROOM)
    one, two = table.having("killer")
    killers = {table.account(one), table.account(two)}

    # Bound with a stranger in it, and one of the killers not: the director is told who.
    client.members[ROOM] = {table.director, table.account(one), STRANGER}
    mark = table.mark
    await client.group(ROOM, STRANGER, f"绑定 杀手 {table.game}")
    await client.hears(("private", STRANGER), "不是本局的主持", after=mark)
    await client.group(ROOM, table.director, f"绑定 杀手 {table.game}")
    checked = await client.hears(director, "不该在的", after=mark)
    assert str(STRANGER) in checked.text and f"{two}号" in checked.text
    await table.whispers(table.account(two), "密 口令是葡萄")
    await client.hears(("private", table.account(one)), "口令是葡萄", after=mark)
    await client.group(ROOM, table.account(one), f"刀 {one}")
    await client.hears(("private", table.account(two)), f"{one}号", after=mark)
    assert client.heard(room) == []

    # Put right, it opens; what is secret is said there.
    await client.join(ROOM, table.account(two))
    await client.leave(ROOM, STRANGER)
    await client.hears(room, "核对过了")
    await table.whispers(table.account(two), "密 口令是荔枝")
    await client.hears(room, "口令是荔枝")
    looks = [call.action for call in client.calls if call.params.get("group_id") == ROOM]
    assert looks[-2:] == ["get_group_member_list", "send_group_msg"]

    # Somebody comes in, and the client says nothing of it.
    client.members[ROOM].add(STRANGER)
    mark, length = table.mark, len(client.heard(room))
    await table.whispers(table.account(two), "密 口令是山竹")
    await client.hears(("private", table.account(one)), "口令是山竹", after=mark)
    await client.hears(("private", table.account(one)), "现在人不对", after=mark)
    await client.hears(director, str(STRANGER), after=mark)
    assert len(client.heard(room)) == length
    await client.leave(ROOM, STRANGER)
    await client.hears(room, "核对过了", after=mark)

    # While nobody was connected one came in: it is seen before a word is said.
    await settled(table)
    await client.close()
    client.members[ROOM].add(STRANGER)
    mark, length = table.mark, len(client.heard(room))
    await client.connect()
    await client.hears(director, str(STRANGER), after=mark)
    assert len(client.heard(room)) == length
    await client.leave(ROOM, STRANGER)
    await client.hears(room, "核对过了", after=mark)

    # A killer is replaced: put out, his successor is waited for.
    mark = table.mark
    gone = table.account(two)
    await table.whispers(table.director, f"替补 {two} {NEWCOMER}")
    await client.hears(("private", gone), "请退出", after=mark)
    await client.hears(director, "还没进群的", after=mark)
    assert client.members[ROOM] == {table.director, table.account(one)}
    del table.seats[gone]
    table.seats[NEWCOMER] = two
    await client.join(ROOM, NEWCOMER)
    await client.hears(room, "核对过了", after=mark)

    # A killer goes out: asked to leave and, as the bot may not remove him, named until he has left.
    client.administrator = False
    mark = table.mark
    await table.whispers(table.director, f"判出局 {one} 失联")
    await client.hears(("private", table.account(one)), "请退出", after=mark)
    assert f"{one}号" in (await client.hears(director, "不该在的", after=mark)).text
    await client.leave(ROOM, table.account(one))
    await client.hears(room, "核对过了", after=mark)

    # Of all this the group has heard nothing, nor anybody who is no party to it.
    await settled(table)
    parties = {("private", account) for account in (*killers, NEWCOMER)}
    for word in ("口令", "现在人不对", "核对过了"):
        assert told_of(client.calls, word) <= {room, *parties}, word
    assert told_of(client.calls, "不该在的") == {director}
    public = "".join(client.heard(("group", GROUP)))
    assert str(ROOM) not in public and "密谈" not in public


async def test_players_and_a_director_who_leave(start: Starting) -> None:
    bot, client = await start()
    table = await Table(bot, client, GROUP, players=6).begin()
    director: Place = ("private", table.director)
    account = table.account(3)

    # Left: told once, with what mends it; the seat is the account's, whatever it is called.
    mark = table.mark
    notice = await client.leave(GROUP, account)
    await client.report(notice)
    told = await client.hears(director, "退出了公开群", after=mark)
    assert "替补 3 @" in told.text
    await client.join(GROUP, account)
    await client.hears(director, "回到了公开群", after=mark)
    await client.card(GROUP, account, "换了名片的人")
    await table.says(account, "名单")
    await table.hears("换了名片的人", after=mark)
    await settled(table)
    assert sum("退出了公开群" in text for text in client.heard(director, after=mark)) == 1

    # Gone while nobody was connected.
    client.members[GROUP] = {*table.players} - {account}
    await client.close()
    mark = table.mark
    await client.connect()
    await client.hears(director, "3号 换了名片的人 退出了公开群", after=mark)

    # Blocked: told once, again only after he was back; the process may end in between.
    other = table.account(4)
    client.unreachable.add(other)
    await table.says(other, "我的身份")
    await client.hears(director, "替补 4 @", after=mark)
    await settled(table)
    await bot.kill()
    await client.close()
    await bot.start()
    await client.connect()
    await table.says(other, "我的信息")
    await settled(table)
    assert sum("替补 4 @" in text for text in client.heard(director, after=mark)) == 1

    # A director who leaves hears nothing of the directors' room any more.
    client.members[DIRECTORS] = {table.director, DEPUTY}
    await table.whispers(table.director, f"副导演 {DEPUTY}")
    await client.hears(("private", DEPUTY), "主持", after=mark)
    await client.group(DIRECTORS, table.director, f"绑定 导演 {table.game}")
    await client.hears(("group", DIRECTORS), "核对过了", after=mark)
    client.administrator = False
    mark = table.mark
    await table.whispers(DEPUTY, "卸任")
    await client.hears(("private", DEPUTY), "请退出主持群", after=mark)
    await client.hears(director, "不该在的", after=mark)
    await client.group(DIRECTORS, table.director, "身份表")
    await client.hears(director, "身份表", after=mark)
    await table.whispers(DEPUTY, "身份表")
    await client.hears(("private", DEPUTY), "没有参加过", after=mark)
    await settled(table)
    assert client.heard(("group", DIRECTORS), after=mark) == []
    await all_arrived(bot, client)
