"""What people type wrongly, in the wrong place, or with malice: a reason in private, no more."""

from __future__ import annotations

import re

import pytest

from tests.wire.client import Segment, at, face, image, reply
from tests.wire.table import ROLES, Starting, Table, all_arrived

GROUP, OTHER_GROUP, STRANGER = 70004, 70005, 7999999
EMOJI, EVERYONE = "🐺🌙", "[CQ:at,qq=all]"


@pytest.fixture(scope="module")
async def table(start_for_all: Starting) -> Table:
    """A game in its first night; two players share a name, one is an emoji, one is a CQ code."""
    bot, client = await start_for_all()
    table = Table(bot, client, GROUP)
    first, second, third, fourth, *_ = table.players
    client.names |= {first: "小明", second: "小明", third: EMOJI, fourth: EVERYONE}
    return await table.begin()


async def refused(table: Table, account: int, *words: str | Segment, group: bool = False) -> str:
    """Type something that must be refused: privately, with nothing changed. Gives the answer."""
    client, length, mark = table.client, table.bot.length(table.game), table.mark
    place = ("private", account)
    await (table.says(account, *words) if group else table.whispers(account, *words))

    def answer() -> str:
        return "\n".join(client.heard(place, after=mark))

    await client.until(answer, f"an answer to {words}")
    # Whatever else that line could have caused would be said before the answer to the next one.
    await table.asks(table.director, "时间", "时间")
    assert table.bot.length(table.game) == length
    others = {call.place for call in client.sayings(after=mark)}
    assert others == {place, ("private", table.director)}
    return answer().removesuffix("\n")


def killer(table: Table) -> int:
    return table.account(table.having("killer")[0])


def civilian(table: Table) -> int:
    return table.account(table.having("civilian")[0])


@pytest.mark.parametrize(
    "words", ["刀 2", "／刀３号", "刀 小明", "刀 99", "立王 1 备 2", "密 明天"]
)
@pytest.mark.parametrize("may_recall", [True, False])
async def test_a_secret_order_in_the_group_is_recalled_and_never_repeated(
    table: Table, words: str, may_recall: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, mark, length = table.client, table.mark, table.bot.length(table.game)
    monkeypatch.setattr(client, "administrator", may_recall)
    said = await table.says(killer(table), reply(1_000_001), words)
    told = await client.hears(("private", killer(table)), "私聊", after=mark)
    assert f"例：{words.lstrip('／')[:1]}" in told.text
    await client.until(
        lambda: any(call.action == "delete_msg" for call in client.calls[mark:]), "a recall"
    )
    await table.asks(table.director, "时间", "时间")
    (recall,) = [call for call in client.calls[mark:] if call.action == "delete_msg"]
    assert recall.params["message_id"] == said["message_id"]
    assert recall.outcome == ("ok" if may_recall else "failed")
    assert client.heard(("group", GROUP), after=mark) == []
    assert table.bot.length(table.game) == length


async def test_an_order_of_somebody_who_may_not_give_it(table: Table) -> None:
    assert "没有这个能力" in await refused(table, civilian(table), "刀 1")
    assert "君主" in await refused(table, civilian(table), "处决 1", group=True)


async def test_a_strangers_order(table: Table) -> None:
    assert "不在这一局" in await refused(table, STRANGER, "处决 3", group=True)
    assert "没有在玩的局" in await refused(table, STRANGER, "刀 3")
    assert "不是本局的主持" in await refused(table, civilian(table), "身份表")


async def test_seats_that_cannot_be_told(table: Table) -> None:
    asker = killer(table)
    assert "要写几号" in await refused(table, asker, "刀 ")
    assert "只能写一个人" in await refused(table, asker, "刀 1 2")
    assert "1～6" in await refused(table, asker, "刀 ０７号")
    same = await refused(table, asker, "刀 小明")
    assert "1号" in same and "2号" in same
    assert "没有叫「小红」" in await refused(table, asker, "刀 小红")


async def test_the_ways_of_naming_a_seat(table: Table) -> None:
    asker = killer(table)
    for typed, seat in (("刀 ０２号", 2), (f"刀 {EMOJI}", 3), ("/刀1", 1), ("／刀　#３", 3)):
        await table.asks(asker, typed, f"{seat}号")
        assert (await table.log("kill_named"))[-1]["target"] == seat
    mark = table.mark
    await table.whispers(asker, "刀 ", at(table.account(2)))
    await table.client.hears(("private", asker), "2号", after=mark)


async def test_a_cq_code_is_only_text(table: Table) -> None:
    asker = killer(table)
    # Call.text fails on whatever is not a text segment, and so would any code that is read.
    assert "没有叫" in await refused(table, asker, f"刀 {EVERYONE[:-1]},x=1]")
    await table.asks(asker, f"刀 {EVERYONE}", EVERYONE)
    mark = table.mark
    await table.says(table.director, "名单")
    roster = await table.hears(EVERYONE, after=mark)
    assert "🐺🌙" in roster.text


async def test_a_client_that_reports_messages_as_cq_codes(table: Table) -> None:
    asker, client = killer(table), table.client
    said = await table.asks(asker, f"刀 {EVERYONE}", EVERYONE)
    event = {**client.events[-1], "message_id": 1, "message_format": "string"}
    event["message"] = event["raw_message"]
    assert event["message"] != f"刀 {EVERYONE}"
    # Whatever it is answered with, the killer's own name may be the one that is awaited.
    await table.asks(asker, "空刀", "")
    mark = table.mark
    await client.report(event)
    again = await client.hears(("private", asker), EVERYONE, after=mark)
    assert again.text == said.text


async def test_a_client_that_reports_what_the_bot_says_itself(table: Table) -> None:
    asker, client = killer(table), table.client
    card = await table.asks(asker, "我的身份", "身份：")
    mark = table.mark
    await client.own(card)
    order = await table.asks(asker, f"刀 {table.seats[asker]}", "号")
    length = table.bot.length(table.game)
    await client.own(order)
    await table.asks(table.director, "时间", "时间")
    assert table.bot.length(table.game) == length
    assert {place for call in client.sayings(after=mark) if (place := call.place)} == {
        ("private", asker),
        ("private", table.director),
    }
    secret = [line for line in card.text.splitlines() if "身份：" in line]
    assert secret and not any(line in table.bot.output() for line in secret)


async def test_half_a_character(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    asker = killer(table)
    monkeypatch.setitem(table.client.names, asker, f"半个{EMOJI[0]}\ud83d")
    await table.asks(asker, "密 半句\ud83d", "半句")
    (said,) = [event for event in await table.log("whispered") if "半句" in event["text"]]
    assert said["seat"] == table.seats[asker]


async def test_pictures_and_faces_in_a_command(table: Table) -> None:
    asker, length = killer(table), table.bot.length(table.game)
    for words in (("刀 2", image()), (image(), "刀 2"), ("刀", face(14), " 2")):
        assert await refused(table, asker, *words)
    assert table.bot.length(table.game) == length


async def test_four_thousand_characters(table: Table) -> None:
    asker = killer(table)
    assert await refused(table, asker, "刀 2 " + "啊" * 4000)
    assert await refused(table, asker, "刀 " + "3" * 4000)
    length, mark = table.bot.length(table.game), table.mark
    await table.says(civilian(table), "啊" * 4000)
    await table.asks(asker, "我的身份", "身份：")
    assert table.bot.length(table.game) == length
    assert table.client.heard(("group", GROUP), after=mark) == []
    # Whoever signs up while a game runs waits for the next one, under as much of it as is a name.
    await table.says(civilian(table), "报名 " + "啊" * 4000)
    waits = await table.client.hears(("group", GROUP), "下一局", after=mark)
    assert len(waits.text) < 120
    assert table.bot.length(table.game) == length


async def test_a_sender_renamed_between_two_messages_is_the_same_seat(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    asker = killer(table)
    seat = table.seats[asker]
    monkeypatch.setitem(table.client.names, asker, "刀 5")
    await table.asks(asker, "刀 4", "4号")
    assert (await table.log("kill_named"))[-1]["seat"] == seat
    await table.asks(asker, "我的身份", f"你是 {seat}号")


async def test_a_person_in_two_games_says_which(table: Table) -> None:
    client = table.client
    guest = OTHER_GROUP * 100 + 9
    other = Table(table.bot, client, OTHER_GROUP, [*table.players, guest])
    await other.begin()
    asker, lengths = killer(table), [table.bot.length(t.game) for t in (table, other)]

    mark = table.mark
    await table.whispers(asker, "刀 5")
    asked = await client.hears(("private", asker), "哪一局", after=mark)
    assert f"#{table.game}" in asked.text and f"#{other.game}" in asked.text
    assert [table.bot.length(t.game) for t in (table, other)] == lengths

    await table.asks(asker, f"#{table.game} 刀 5", "5号")
    card = await table.asks(asker, f"#{other.game} 我的身份", f"第{other.game}局")
    assert f"身份：{ROLES[other.roles[other.seats[asker]]]}" in card.text
    await table.asks(asker, f"切换 {table.game}", f"第{table.game}局")
    await table.asks(asker, "刀 6", "6号")
    kills = await table.log("kill_named")
    assert [kill["target"] for kill in kills[-2:]] == [5, 6]
    assert table.bot.length(other.game) == lengths[1]
    # In a group there is no question: each is its own game's.
    mark = table.mark
    await other.says(asker, "状态")
    assert f"第{other.game}局" in (await other.hears("【第", after=mark)).text
    # A seat of the one game has no say in the other.
    assert "不在这一局" in await refused(table, guest, "处决 3", group=True)
    mark = table.mark
    await table.asks(other.director, "终局", "真的要终止")
    await table.whispers(other.director, "确认")
    await other.hears("【游戏结束】", after=mark)


async def test_everything_that_was_to_be_said_was_said(table: Table) -> None:
    await all_arrived(table.bot, table.client)


@pytest.mark.parametrize("level", ["INFO", "TRACE"])
async def test_no_level_of_the_log_and_no_shape_of_an_event_shows_what_was_said(
    start: Starting, level: str
) -> None:
    bot, client = await start(LOG_LEVEL=level, ONEBOT_ACCESS_TOKEN="a-token-nobody-sees")
    table = await Table(bot, client, GROUP).begin()
    await table.asks(killer(table), "刀 2", "2号")
    said = await table.says(killer(table), "刀 2 不好")
    for key in said:
        if key != "post_type":
            await client.report({k: value for k, value in said.items() if k != key})
            await client.report({**said, key: {"刀 2": "不好"}})
    for post_type in ("message_sent", "notice", "request", "other"):
        more = {f"{post_type}_type": "other", "comment": "刀 2 不好"}
        await client.report({**said, "post_type": post_type, **more})
    await table.asks(table.director, "时间", "时间")
    output = bot.output()
    assert re.search(r"message \d+", output)
    assert "an event that can't be read was left out" in output
    assert ("[DEBUG]" in output or "[TRACE]" in output) == (level == "TRACE")
    assert not re.search(r"不好|\\u4e0d", output)
    assert "will be handled" not in output and "running complete" not in output


async def test_who_is_no_friend_is_told_in_the_group_and_holds_up_the_start(
    start: Starting,
) -> None:
    bot, client = await start()
    table = Table(bot, client, GROUP)
    shy = table.players[2]
    client.unreachable.add(shy)
    client.names[shy] = "害羞的人"
    await table.open()
    for account in table.players:
        await table.says(account, "报名")
    help_ = await table.hears("加我好友")
    assert "害羞的人" in help_.text
    for account in table.players:
        if account != shy:
            await client.hears(("private", account), "报名了")

    mark = table.mark
    await table.says(table.director, "开始")
    answer = await client.until(
        lambda: [call for call in client.sayings(after=mark) if "害羞的人" in call.text],
        "who can't be reached",
    )
    assert "开始 强制" in answer[0].text
    assert (await table.facts())["phase"] == "setup"
    assert bot.length(table.game) == 1 + len(table.players)

    client.unreachable.clear()
    await table.asks(shy, "喂", "私聊得到你了")
    await table.deal()
    assert len(table.seats) == 6
    await all_arrived(bot, client)


async def test_who_is_dealt_in_by_force_gets_his_card_when_he_can_be_reached(
    start: Starting,
) -> None:
    bot, client = await start()
    table = Table(bot, client, GROUP)
    shy = table.players[2]
    client.unreachable.add(shy)
    await table.open()
    for account in table.players:
        await table.says(account, "报名")
    await table.hears("加我好友")
    await table.says(table.director, "开始 强制")
    told = await client.hears(("private", table.director), "送不到")
    assert "3号" in told.text and "身份" not in told.text
    assert client.heard(("private", shy)) == []

    client.unreachable.clear()
    await table.whispers(shy, "待收")
    card = await client.hears(("private", shy), "身份：")
    assert "你是 3号" in card.text
    # What was kept for him comes once, in its order.
    await client.hears(("private", shy), "补给你")
    kept = [row.text for row in bot.outbox() if row.target.id == str(shy) and row.state == "sent"]
    await all_arrived(bot, client)
    assert client.heard(("private", shy))[: len(kept)] == kept
