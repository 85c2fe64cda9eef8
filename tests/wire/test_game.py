"""A whole game over the wire: what everybody is told, and what nobody is told."""

from __future__ import annotations

import re

from tests.wire.client import at, face, text
from tests.wire.table import LOUD, ROLES, Starting, Table, all_arrived

GROUP = 70001


async def test_a_whole_game_from_sign_up_to_victory(start: Starting) -> None:
    bot, client = await start(**LOUD)
    table = await Table(bot, client, GROUP, players=7).begin()
    group = ("group", GROUP)
    (kingmaker,) = table.having("kingmaker")
    first_killer, last_killer = table.having("killer")
    victim, king, other_victim, second_king = table.having("civilian")
    everybody = [("private", account) for account in table.players]

    # Each was told his own role, and the killers of each other.
    for account, seat in table.seats.items():
        cards = [said for said in client.heard(("private", account)) if "身份：" in said]
        assert len(cards) == 1
        assert f"你是 {seat}号" in cards[0]
        assert f"身份：{ROLES[table.roles[seat]]}" in cards[0]
        (shown,) = (c for c in client.sayings(("private", account)) if "身份：" in c.text)
        assert shown.picture is not None and shown.picture.startswith(b"\x89PNG")
    for killer, partner in ((first_killer, last_killer), (last_killer, first_killer)):
        told = "\n".join(client.heard(("private", table.account(killer))))
        assert re.search(rf"同伴：{partner}号", told)

    # Night 0: the killers talk, the kill is changed, the kingmaker names a king.
    await table.whispers(table.account(first_killer), "密 今晚的暗号是柠檬")
    heard = await client.hears(("private", table.account(last_killer)), "柠檬")
    assert f"{first_killer}号" in heard.text
    await table.kills(first_killer, other_victim)
    await table.kills(last_killer, victim)
    await table.asks(table.account(victim), f"刀 {king}", "没有这个能力")
    await table.crowns(king, last_killer)

    # Day 1: posts count, also one that is taken back afterwards and one without a word.
    opening = await table.opens(1)
    assert re.search(rf"{victim}号.*出局.*身份：平民", opening.text)
    assert f"今天的君主：{king}号" in opening.text
    await table.asks(table.account(victim), f"刀 {king}", "已经出局")
    board = await table.asks(table.account(victim), "状态", "（要文字：发「状态 文字」）")
    assert board.picture is not None and "君主" not in board.text
    plain = await table.asks(table.account(victim), "状态 文字", f"君主：{king}号")
    assert plain.picture is None
    await table.says(table.account(kingmaker), "大家早")
    await client.recall(await table.says(table.account(kingmaker), "我说错了"))
    await table.says(table.account(kingmaker), face(14))
    mark = table.mark
    await table.says(table.account(king), "处决 ", at(table.account(first_killer)), text(" "))
    order = await table.hears(f"处决 {first_killer}号", after=mark)
    assert re.search(rf"{first_killer}号.*出局.*身份：杀手", order.text)
    assert (await table.facts())["posts"][str(kingmaker)] == 3

    # Day 2: nobody is executed, since the director closes it.
    await table.kills(last_killer, other_victim)
    await table.crowns(second_king, last_killer)
    opening = await table.opens(2)
    assert f"今天的君主：{second_king}号" in opening.text
    mark = table.mark
    await table.whispers(table.director, "截票")
    await table.hears("提前截票", after=mark)
    await table.hears("天黑了", after=mark)

    # Day 3: no kill, and the last killer is executed.
    nobody = await table.asks(table.account(last_killer), "空刀", "")
    await table.crowns(king, last_killer)
    opening = await table.opens(3)
    assert "平安" in opening.text
    before_the_end = table.mark
    end = await table.orders(king, last_killer)
    assert "【游戏结束】平民方胜利" in end.text
    assert end.picture is not None
    for seat, role in table.roles.items():
        assert re.search(rf"{seat}号.*：{ROLES[role]}", end.text)

    facts = await table.facts()
    assert (facts["phase"], facts["winner"]) == ("over", "town")
    assert facts["out"] == [
        [victim, "kill"],
        [first_killer, "order"],
        [other_victim, "kill"],
        [last_killer, "order"],
    ]
    kills = await table.log("kill_named")
    assert [(kill["seat"], kill["target"]) for kill in kills] == [
        (first_killer, other_victim),
        (last_killer, victim),
        (last_killer, other_victim),
        (last_killer, None),
    ]
    assert "0 differences" in await bot.data("verify")
    await all_arrived(bot, client)

    # Nothing secret reached the group, or a person whom it does not concern, while it was secret.
    for call in client.calls[:before_the_end]:
        if call.place == group:
            own: set[int] = set()
        elif call.place in everybody:
            own = {table.seats[call.place[1]]}
        else:
            continue
        killer = bool(own & {first_killer, last_killer})
        for line in call.text.splitlines():
            if any(role in line for role in ROLES.values()):
                named = {int(seat) for seat in re.findall(r"(\d+)号", line)}
                if gone := re.match(r"(\d+)号.*出局（.*身份：(\S+)。$", line):
                    seat = int(gone[1])
                    assert [seat, ROLES[table.roles[seat]]] == [seat, gone[2]]
                    assert seat in {out for out, _ in facts["out"]}
                else:
                    assert named <= own, line
            if line in nobody.text.splitlines() or re.search(r"同伴：|目标|〔密〕|柠檬", line):
                assert killer, line
            if "首选" in line:
                assert own == {kingmaker}, line

    # Afterwards everybody may ask why; who cannot forward is told the tale as text; and the story
    # is checked by what the group was told.
    mark = table.mark
    await table.says(table.players[0], f"为什么 {victim}")
    why = await table.hears("是这样出局的", after=mark)
    assert f"定杀人：{victim}号" in why.text
    await table.says(table.players[0], "复盘")
    tale = await table.hears("【复盘 · ", after=mark)
    assert f"{last_killer}号" in tale.text
    (tried,) = [call for call in client.calls[mark:] if call.action == "send_group_forward_msg"]
    for node in tried.params["messages"]:
        assert node["type"] == "node" and node["data"]["user_id"] == str(client.self_id)
        assert [part["type"] for part in node["data"]["content"]] == ["text"]
    said = "\n".join(client.heard(group))
    codes = re.findall(r"存证：([0-9A-Z-]+)", said)
    assert len(codes) == 2
    story = bot.room / "story.md"
    story.write_text(await bot.data("story", str(table.game)), encoding="utf-8")
    assert "没有发现改动" in await bot.data("verify", str(story), *codes)
