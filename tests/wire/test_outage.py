"""What an outage leaves: the process killed, the connection broken, a message reported twice."""

from __future__ import annotations

import asyncio
from collections import Counter

from tests.wire.client import PATIENCE, Behaviour, Call
from tests.wire.table import REPEAT, Starting, Table, all_arrived

GROUP = 70002


async def test_killed_after_an_acknowledged_order_and_nothing_is_lost_or_done_twice(
    start: Starting,
) -> None:
    bot, client = await start()
    table = await Table(bot, client, GROUP).begin()
    (killer,) = table.having("killer")
    victim, king, substitute, *_ = table.having("civilian")
    place = ("private", table.account(killer))

    # The acknowledgement arrives, but the bot is killed before it learns that it did.
    client.rule = lambda call: "silence" if call.place == place else None
    mark = table.mark
    order = await table.whispers(table.account(killer), f"刀 {victim}")
    acknowledged = await client.hears(place, f"{victim}号", after=mark)
    await bot.kill()
    await client.close()
    length = bot.length(table.game)
    client.rule = lambda call: None

    await bot.start()
    await client.connect()
    await client.hears(place, acknowledged.text, after=mark + 1)
    assert bot.length(table.game) == length
    # A client that was not heard in time may report the message again.
    await client.report(order)
    await table.crowns(king, substitute)
    assert len(await table.log("kill_named")) == 1
    opening = await table.opens(1)
    assert f"{victim}号" in opening.text
    await all_arrived(bot, client)

    facts = await table.facts()
    assert facts["out"] == [[victim, "kill"]]
    assert (facts["phase"], facts["day"], facts["king"]) == ("day", 1, king)
    counts = Counter(event["event"] for event in await table.log())
    assert [counts[kind] for kind in ("kill_named", "day_opened", "departed", "crowned")] == [1] * 4
    assert "0 differences" in await bot.data("verify")


async def test_killed_while_the_opening_is_announced_and_it_is_settled_once(
    start: Starting,
) -> None:
    bot, client = await start()
    table = await Table(bot, client, GROUP).begin()
    (killer,) = table.having("killer")
    victim, king, substitute, *_ = table.having("civilian")
    await table.kills(killer, victim)
    await table.crowns(king, substitute)

    client.rule = lambda call: "silence" if call.place == ("group", GROUP) else None
    await table.whispers(table.director, "开楼")
    await table.whispers(table.director, "公告 一")
    opening = await table.hears("第1天 · 开楼")
    await bot.kill()
    await client.close()
    client.rule = lambda call: None

    await bot.start()
    await client.connect()
    await table.whispers(table.director, "公告 二")
    await table.hears("【公告】二")
    await all_arrived(bot, client)
    said = [text for text in client.heard(("group", GROUP)) if opening.text in text]
    assert len(said) <= 2
    counts = Counter(event["event"] for event in await table.log())
    assert [counts[kind] for kind in ("day_opened", "departed", "crowned")] == [1] * 3
    facts = await table.facts()
    assert facts["out"] == [[victim, "kill"]]


async def test_the_connection_breaks_in_an_opening_and_everything_arrives_in_order(
    start: Starting,
) -> None:
    bot, client = await start()
    table = await Table(bot, client, GROUP).begin()
    (killer,) = table.having("killer")
    victim, king, substitute, *_ = table.having("civilian")
    await table.kills(killer, victim)
    await table.crowns(king, substitute)

    def never_answered(call: Call) -> Behaviour | None:
        if call.connection == 1 and call.place == ("group", GROUP):
            return "silence"
        return "drop" if call.connection == 2 and "第6条" in str(call.params) else None

    client.rule = never_answered
    mark, length = table.mark, bot.length(table.game)
    await table.whispers(table.director, "开楼")
    await table.hears("第1天 · 开楼", after=mark)
    opened = bot.length(table.game)
    assert opened > length
    for number in range(1, 6):
        await table.whispers(table.director, f"公告 第{number}条")
    async with asyncio.timeout(PATIENCE):
        while bot.length(table.game) < opened + 5:
            await asyncio.sleep(0.05)
    await client.drop()
    before = table.mark
    await client.connect()
    await table.hears("第5条", after=before)

    # Another time it breaks at the very moment at which a message arrives.
    await table.whispers(table.director, "公告 第6条")
    await client.until(lambda: not client.connected, "the end of the connection")
    await client.connect()
    await table.whispers(table.director, "公告 第7条")
    await table.hears("第7条", after=before)

    await all_arrived(bot, client)
    group = client.heard(("group", GROUP), after=before)
    assert group[0].startswith(REPEAT) and "第1天 · 开楼" in group[0]
    announced = [text for text in group if "【公告】" in text and not text.startswith(REPEAT)]
    assert announced == [f"【公告】第{number}条" for number in range(1, 8)]
    facts = await table.facts()
    assert (facts["phase"], facts["day"], facts["out"]) == ("day", 1, [[victim, "kill"]])
    assert len(await table.log("day_opened")) == 1


async def test_a_message_that_is_reported_twice_counts_once_also_after_a_restart(
    start: Starting,
) -> None:
    bot, client = await start()
    table = await Table(bot, client, GROUP).begin()
    seat = table.having("civilian")[0]
    await table.opens(1)
    post = await table.says(table.account(seat), "我先说一句")
    await client.report(post)
    (killer,) = table.having("killer")
    await table.says(table.account(seat), "又一句")
    await table.asks(table.account(killer), "我的身份", "身份：")
    assert (await table.facts())["posts"][str(seat)] == 2
    await bot.kill()
    await client.close()

    await bot.start()
    await client.connect()
    await client.report(post)
    await table.asks(table.account(seat), "状态", "第1天")
    assert (await table.facts())["posts"][str(seat)] == 2
    await all_arrived(bot, client)


async def test_killed_amid_many_orders_and_what_was_acknowledged_is_kept(start: Starting) -> None:
    bot, client = await start()
    table = await Table(bot, client, GROUP).begin()
    (killer,) = table.having("killer")
    place = ("private", table.account(killer))
    mark = table.mark
    orders = [
        await table.whispers(table.account(killer), f"刀 {number % 6 + 1}") for number in range(60)
    ]
    targets = [number % 6 + 1 for number in range(60)]
    await client.until(lambda: len(client.heard(place, after=mark)) >= 20, "20 answers")
    await bot.kill()
    await client.close()
    acknowledged = len(client.heard(place, after=mark))

    await bot.start()
    kept = [event["target"] for event in await table.log("kill_named")]
    assert len(kept) >= acknowledged
    assert kept == targets[: len(kept)]
    await client.connect()
    for order in orders:
        await client.report(order)
    await table.asks(table.director, "时间", "时间")
    await all_arrived(bot, client)
    assert [event["target"] for event in await table.log("kill_named")] == targets
    assert "0 differences" in await bot.data("verify")


async def test_a_message_that_is_not_answered_for_is_repeated_and_holds_nobody_else_up(
    start: Starting,
) -> None:
    bot, client = await start(SEND_TIMEOUT="3")
    table = await Table(bot, client, GROUP).begin()
    unanswered: list[Call] = []

    def once(call: Call) -> Behaviour | None:
        if "第一条" in str(call.params) and call.place == ("group", GROUP) and not unanswered:
            unanswered.append(call)
            return "silence"
        return None

    client.rule = once
    mark = table.mark
    for words in ("公告 第一条", "公告 第二条", "时间"):
        await table.whispers(table.director, words)
    answer = await client.hears(("private", table.director), "【时间】", after=mark)
    assert answer.at - unanswered[0].at < 3
    await table.hears("第二条", after=mark)
    assert client.heard(("group", GROUP), after=mark) == [
        "【公告】第一条",
        f"{REPEAT}【公告】第一条",
        "【公告】第二条",
    ]


async def test_a_long_text_is_split_and_goes_on_where_the_connection_broke(
    start: Starting,
) -> None:
    bot, client = await start(SEND_LENGTH="100")
    asker = 2000001
    breaking = ("private", asker)
    client.rule = lambda call: (
        "drop" if call.place == breaking and client.connections == 1 and "3/" in call.text else None
    )
    await client.private(asker, "规则")
    await client.until(lambda: not client.connected, "the end of the connection")
    await client.connect()
    async with asyncio.timeout(PATIENCE):
        while bot.waiting():
            await asyncio.sleep(0.05)
    heard = client.heard(breaking)
    parts = len(heard) - 1
    assert parts > 4
    numbers = [*range(1, 4), *range(3, parts + 1)]
    starts = [f"（{number}/{parts}）" for number in numbers]
    starts[3] = REPEAT + starts[3]
    assert heard[3] == REPEAT + heard[2]
    said = []
    for text, beginning in zip(heard, starts, strict=True):
        assert text.startswith(beginning)
        said.append(text.removeprefix(beginning))
    assert all(len(text) <= 100 for text in said)
    (row,) = bot.outbox()
    # A part ends at a line break where it can, and the break itself is not said.
    assert "".join(said[:3] + said[4:]).replace("\n", "") == row.text.replace("\n", "")


async def test_killed_amid_a_long_text_and_only_what_may_not_have_arrived_is_said_again(
    start: Starting,
) -> None:
    bot, client = await start(SEND_LENGTH="100")
    place = ("private", 2000002)
    client.rule = lambda call: "silence" if call.place == place and "（3/" in call.text else None
    await client.private(place[1], "规则")
    await client.hears(place, "（3/")
    await bot.kill()
    await client.close()
    client.rule = lambda call: None

    mark = len(client.calls)
    await bot.start()
    await client.connect()
    async with asyncio.timeout(PATIENCE):
        while bot.waiting():
            await asyncio.sleep(0.05)
    before, after = client.heard(place)[:3], client.heard(place, after=mark)
    assert [text[:3] for text in before] == ["（1/", "（2/", "（3/"]
    assert after[0] == REPEAT + before[2]
    numbers = range(4, len(after) + 3)
    assert [text.partition("/")[0] for text in after[1:]] == [f"（{n}" for n in numbers]
    (row,) = bot.outbox()
    assert row.state == "sent"
