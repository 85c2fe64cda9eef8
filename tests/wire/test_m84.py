"""A whole game of M84 over the wire, with two secret groups: who is told what, and who is not."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta

from tests.wire.client import PATIENCE, Behaviour, Call, Place, at
from tests.wire.table import LOUD, REPEAT, Starting, Table, all_arrived

GROUP, WOLVES, LOVERS = 70006, 70007, 70008
SHY, NEWCOMER = GROUP * 100 + 7, GROUP * 100 + 50
STAGE = timedelta(minutes=1)

ROLES = {
    "werewolf": "齐格复制品",
    "seer": "死灵魔术师",
    "witch": "亚述女帝",
    "guard": "太阳神",
    "villager": "御主",
    "piper": "裁判",
    "cupid": "Archer",
}
FACTIONS = {
    "wolves": "人造人阵营",
    "town": "红黑阵营",
    "piper": "裁判阵营",
    "lovers": "雾夜阵营",
}
ABILITIES = {
    "faction_kill": "无能狂怒",
    "lovers_kill": "解体圣母",
    "charm": "黑哨",
    "guard": "日轮",
    "ward": "梵天",
    "victim_report": "使魔",
    "save": "膝枕",
    "poison": "骄慢王之美酒",
    "inspect": "猫头鹰的眼球",
    "link": "柔软的慈爱",
}
NOT_TOWN = "揍他"


class M84(Table):
    """A game of M84 whose night has two stages of a minute each; nobody is carded for silence."""

    board = "M84 night_minutes=1 witch_minutes=1 posts_min=0 posts_streak=0"

    async def deal(self, *unreachable: int) -> None:
        """The director starts the game though some can't be reached; the others get a role."""
        mark = self.mark
        await self.says(self.director, "开始 强制")
        for number, account in enumerate(self.players, 1):
            self.seats[account] = number
            if account not in unreachable:
                card = await self.client.hears(("private", account), "身份：", after=mark)
                assert f"你是 {number}号" in card.text
        facts = await self.facts()
        self.roles = {int(seat): role for seat, role in facts["roles"].items()}

    async def in_room(self, room: int, seat: int, words: str, answer: str) -> Call:
        """A seat writes in a secret channel's group and is answered there."""
        mark = self.mark
        await self.client.group(room, self.account(seat), words)
        return await self.client.hears(("group", room), answer, after=mark)

    async def seat_asks(self, seat: int, words: str, answer: str = "") -> Call:
        """A seat writes privately and is answered."""
        return await self.asks(self.account(seat), words, answer)

    async def director_says(self, words: str, heard: str) -> Call:
        """The director orders something privately, and the group hears of it."""
        mark = self.mark
        await self.whispers(self.director, words)
        return await self.hears(heard, after=mark)

    async def votes(self, ballots: dict[int, str]) -> None:
        """Seats type their ballots, in the group and privately in turn, and all are taken."""
        mark = self.mark
        for number, (seat, words) in enumerate(ballots.items()):
            type_ = self.whispers if number % 2 else self.says
            await type_(self.account(seat), words)
        place: Place = ("group", self.group)

        def missing() -> set[int]:
            texts = self.client.heard(place, after=mark)
            begun = [re.match(r"(\d+)号", text) for text in texts]
            return ballots.keys() - {int(found[1]) for found in begun if found}

        await self.client.until(lambda: not missing(), "all ballots")

    async def settled(self) -> None:
        """Whatever was typed until now has had its effect, and all of it is said."""
        await self.asks(self.director, "时间", "时间")
        async with asyncio.timeout(PATIENCE):
            while self.bot.waiting():
                await asyncio.sleep(0.05)

    def private(self, seat: int) -> Place:
        return "private", self.account(seat)


async def test_a_whole_game_with_two_secret_groups(start: Starting) -> None:
    bot, client = await start(**LOUD)
    table = M84(bot, client, GROUP, players=12)
    public: Place = ("group", GROUP)
    wolves_room: Place = ("group", WOLVES)
    lovers_room: Place = ("group", LOVERS)
    director: Place = ("private", table.director)

    # Sign-up; one can't be written to, and the director starts all the same.
    client.unreachable.add(SHY)
    client.names[SHY] = "害羞的人"
    await table.open()
    for account in table.players:
        await table.says(account, "报名")
    assert "害羞的人" in (await table.hears("加我好友")).text
    for account in table.players:
        if account != SHY:
            await client.hears(("private", account), f"第{table.game}局")
    await table.says(table.director, "开始")
    await client.hears(director, "害羞的人")
    assert (await table.facts())["roles"] == {}
    mark = table.mark
    await table.deal(SHY)
    told = await client.hears(director, f"{table.seats[SHY]}号", after=mark)
    assert not any(name in told.text for name in ROLES.values())
    assert client.heard(("private", SHY)) == []

    # He opens a temporary session from the group: only through it he can be written to.
    def temporary(call: Call) -> Behaviour | None:
        outside = call.place == ("private", SHY) and call.params.get("group_id") != GROUP
        return "failed" if outside else None

    client.unreachable.clear()
    client.rule = temporary
    await client.private(SHY, "待收", via=GROUP)
    card = await client.hears(("private", SHY), "身份：")
    assert f"你是 {table.seats[SHY]}号" in card.text
    assert ROLES[table.roles[table.seats[SHY]]] in card.text

    one, two, lone = table.having("werewolf")
    (seer,), (witch,), (guard,) = (table.having(role) for role in ("seer", "witch", "guard"))
    (piper,), (cupid,) = table.having("piper"), table.having("cupid")
    villagers = table.having("villager")
    lover = next(seat for seat in villagers if table.account(seat) != SHY)
    sheriff, charmed, last = (seat for seat in villagers if seat != lover)
    former = table.account(lover)

    # Both channels have a group, and cupid links a wolf and a villager.
    rooms = (
        (WOLVES, "绑定 狼群", {one, two}),
        (LOVERS, f"绑定 情侣 {table.game}", {lone, lover}),
    )
    for room, words, seats in rooms:
        mark = table.mark
        client.members[room] = {table.director, *map(table.account, seats)}
        await client.group(room, table.director, words)
        await client.hears(director, f"第{table.game}局", after=mark)
        assert client.heard(("group", room)) == []
    mark = table.mark
    await table.seat_asks(cupid, f"恋 {lone} {lover}", f"{lone}号")
    await table.hears("第1天", after=mark)
    await client.hears(table.private(lone), f"{lover}号", after=mark)
    await client.hears(table.private(lover), f"{lone}号", after=mark)
    await client.hears(table.private(one), f"{two}号", after=mark)
    await client.hears(table.private(two), f"{one}号", after=mark)
    facts = await table.facts()
    assert facts["lovers"] == sorted([lone, lover])
    assert facts["channels"] == {"wolves": [one, two], "lovers": sorted([lone, lover])}
    for place in (wolves_room, lovers_room):
        await client.hears(place, "核对过了", after=mark)
    assert {facts["factions"][str(seat)] for seat in (lone, lover, cupid)} == {"lovers"}

    # The channels talk: what is said in their groups is theirs, what is whispered is passed on.
    await client.group(WOLVES, table.account(one), "口令是什么")
    await table.whispers(table.account(two), "密 口令是柠檬")
    await client.hears(wolves_room, "柠檬")
    await table.whispers(table.account(lone), "密 口令是西瓜")
    await client.hears(lovers_room, "西瓜")

    # Day 1: the sheriff is elected, by ballots in every form.
    await table.votes(
        {
            one: f"投票对象：{sheriff}\n投票理由：说话公道",
            two: f"投票 {sheriff} 说话公道",
            seer: f"投票对象:{sheriff}号 投票理由:说话公道",
            witch: f"投票　{sheriff}号",
            lone: "弃权",
            cupid: f"投票 {last} 也不错",
        }
    )
    await table.votes({cupid: f"改票对象：{sheriff}\n改票理由：改主意了"})
    assert (await table.facts())["ballots"] == {
        **{str(seat): sheriff for seat in (one, two, seer, witch, cupid)},
        str(lone): "abstain",
    }
    await table.director_says("截票", "天黑了")
    facts = await table.facts()
    assert (facts["phase"], facts["sheriff"], facts["out"]) == ("night", sheriff, [])
    (fell,) = await table.log("night_fell")

    # Night 1, first stage: orders, in the groups and privately.
    await table.settled()
    night = table.mark
    await table.in_room(WOLVES, one, f"刀 {guard}", f"{guard}号")
    await table.in_room(WOLVES, two, f"刀 {sheriff}", f"{sheriff}号")
    await client.group(WOLVES, table.account(lone), f"刀 {seer}")
    await client.group(LOVERS, table.account(lone), f"解体 {seer}")
    await table.seat_asks(lone, f"刀 {seer}")
    await table.seat_asks(piper, f"吹 {charmed}", f"{charmed}号")
    await table.seat_asks(guard, f"守 {seer}", f"{seer}号")
    await table.seat_asks(guard, f"护 {last}", f"{last}号")
    await table.seat_asks(seer, f"验 {two}", NOT_TOWN)
    named = await table.log("kill_named", "acted")
    assert [(order["seat"], order["target"]) for order in named] == [
        (one, guard),
        (two, sheriff),
        (piper, charmed),
        (guard, seer),
        (guard, last),
        (seer, two),
    ]

    # One of the lovers can't be reached any more.
    client.unreachable.add(former)
    mark = table.mark
    await table.whispers(former, "我的身份")
    await client.hears(director, f"{lover}号", after=mark)
    assert client.heard(("private", former), after=mark) == []

    # The hour ends by the clock; the process is killed before the second stage.
    report = await client.hears(table.private(witch), f"{sheriff}号", after=night)
    await table.settled()
    await bot.kill()
    await client.close()
    length = bot.length(table.game)
    await bot.start()
    await client.connect()
    assert bot.length(table.game) == length
    assert await table.log("hour_ended") and not await table.log("night_settled")

    # Second stage: the witch answers, and the lover is replaced.
    await table.seat_asks(witch, f"毒 {one}", f"{one}号")
    await table.says(NEWCOMER, "我来旁观")
    replaced = table.mark
    await table.says(table.director, f"替补 {lover} ", at(NEWCOMER))
    await table.hears(f"{lover}号", after=replaced)
    newcomer: Place = ("private", NEWCOMER)
    del table.seats[former]
    table.seats[NEWCOMER] = lover
    card = await client.hears(newcomer, "身份：", after=replaced)
    assert f"你是 {lover}号" in card.text and ROLES["villager"] in card.text
    await client.hears(newcomer, FACTIONS["town"], after=replaced)
    everything = client.heard(newcomer, after=replaced)
    for known in (FACTIONS["lovers"], f"{lone}号"):
        assert any(known in text for text in everything)
    client.unreachable.clear()
    for words in ("待收", "我的身份", "密 我还在吗", f"解体 {seer}"):
        await table.asks(former, words, "")
    await client.group(LOVERS, former, f"解体 {seer}")
    await table.says(former, f"投票 {seer}")
    # He was put out of the lovers' group; his successor comes in.
    assert client.members[LOVERS] == {table.director, table.account(lone)}
    opened = table.mark
    await client.join(LOVERS, NEWCOMER)
    await client.hears(lovers_room, "核对过了", after=opened)
    await table.whispers(NEWCOMER, "密 换我来了")
    await client.hears(lovers_room, "换我来了", after=replaced)

    # The night is settled by the clock: those who are out are told, and nobody else.
    await client.hears(table.private(one), "出局", after=replaced)
    await client.hears(table.private(sheriff), "出局", after=replaced)
    await table.settled()
    assert client.heard(public, after=night) == client.heard(public, after=replaced)[:1]
    assert client.heard(table.private(last), after=night) == []
    (hour,), (settled,) = await table.log("hour_ended"), await table.log("night_settled")
    began = datetime.fromisoformat(fell["at"])
    assert datetime.fromisoformat(hour["at"]) == began + STAGE
    assert datetime.fromisoformat(settled["at"]) == began + 2 * STAGE
    assert client.heard(table.private(witch), after=night).count(report.text) == 1
    facts = await table.facts()
    assert facts["told"][str(witch)].count(["victims", [sheriff]]) == 1
    assert facts["out"] == [[sheriff, "kill"], [one, "poison"]]
    assert facts["charmed"] == [charmed]
    await table.seat_asks(sheriff, f"继任 {one} {seer}", f"{seer}号")
    await table.seat_asks(sheriff, "遗言 请记住菠萝", "菠萝")

    # Day 2: who is out, the last words, the charmed, the heir; no cause and no role.
    opening = (await table.director_says("开楼", "第2天")).text
    assert opening.index(f"{sheriff}号") < opening.index(f"{one}号")
    assert "菠萝" in opening and f"{charmed}号" in opening
    facts = await table.facts()
    assert (facts["phase"], facts["day"], facts["sheriff"]) == ("day", 2, seer)
    await table.says(table.account(charmed), "喵喵？汪！")
    mark = table.mark
    said = await table.says(table.account(charmed), "我是好人，请听我说")
    await client.hears(director, "请听我说", after=mark)
    await table.settled()
    recalls = [call for call in client.calls if call.action == "delete_msg"]
    assert [call.params["message_id"] for call in recalls] == [said["message_id"]]
    assert (await table.facts())["posts"] == {str(charmed): 2}

    # The wolf goes by the sheriff's weight: five ballots against five.
    await table.votes(
        {
            two: f"投票对象：{seer}\n投票理由：不像好人",
            lover: f"投票 {seer}",
            piper: f"投票 {seer} 不像好人",
            charmed: f"投票对象：{seer} 投票理由：喵！",
            seer: f"投票 {two} 验过",
            witch: f"投票对象：{two}号\n投票理由：跟票",
            guard: f"投票 {two}",
            lone: f"投票 {two} 卖队友",
            last: f"投票 {seer} 再想想",
        }
    )
    await table.votes({last: f"改票 {two} 想好了"})
    await table.director_says(f"代投 {cupid} 投 {seer}", f"{cupid}号")
    assert (await table.facts())["ballots"] == {
        str(voter): target
        for target, voters in (
            (seer, (two, lover, piper, charmed, cupid)),
            (two, (seer, witch, guard, lone, last)),
        )
        for voter in voters
    }
    mark = table.mark
    await table.director_says("截票", "天黑了")
    for place in (table.private(lone), newcomer):
        await client.hears(place, ABILITIES["lovers_kill"], after=mark)
    facts = await table.facts()
    assert facts["out"][2:] == [[two, "vote"]] and facts["lost"] == ["wolves"]

    # Night 2: in the lovers' channel only who sits there now counts.
    await table.settled()
    quiet = table.mark
    await client.group(LOVERS, former, f"解体 {witch}")
    await table.whispers(former, f"解体 {witch}")
    await table.in_room(LOVERS, lover, f"解体 {charmed}", f"{charmed}号")
    await table.seat_asks(piper, f"吹 {seer}", f"{seer}号")
    kills = [
        order for order in await table.log("kill_named") if order.get("ability") == "lovers_kill"
    ]
    assert [(kill["seat"], kill["target"]) for kill in kills] == [(lover, charmed)]
    assert client.heard(public, after=quiet) == []
    await table.director_says("结算", "")
    await client.hears(table.private(charmed), "出局", after=quiet)
    opening = (await table.director_says("开楼", "第3天")).text
    assert f"{charmed}号" in opening and f"{seer}号" in opening

    # Day 3: the piper is voted out, which is shown.
    await table.votes({seat: f"投票 {piper}" for seat in (guard, witch, last)})
    mark = table.mark
    await table.director_says("截票", "天黑了")
    shown = [text for text in client.heard(public, after=mark) if ROLES["piper"] in text]
    assert len(shown) == 1 and f"{piper}号" in shown[0]
    facts = await table.facts()
    assert facts["lost"] == ["wolves", "piper"] and facts["charmed"] == []

    # Night 3: the last villager dies, and the lovers are alone.
    await table.in_room(LOVERS, lone, f"解体 {last}", f"{last}号")
    await table.settled()
    before_the_end = table.mark
    await table.whispers(table.director, "结算")
    end = (await table.hears("游戏结束", after=before_the_end)).text
    facts = await table.facts()
    assert (facts["phase"], facts["winner"]) == ("over", "lovers")
    assert facts["out"][3:] == [[charmed, "kill"], [piper, "vote"], [last, "kill"]]
    assert FACTIONS["lovers"] in end
    for seat, role in table.roles.items():
        faction = FACTIONS[facts["factions"][str(seat)]]
        assert re.search(rf"^{seat}号.*{ROLES[role]}.*{faction}", end, re.MULTILINE)
    for ability, target in (
        ("faction_kill", sheriff),
        ("guard", seer),
        ("ward", last),
        ("inspect", two),
        ("charm", charmed),
        ("poison", one),
        ("lovers_kill", last),
    ):
        assert re.search(rf"{ABILITIES[ability]}.*{target}号", end), ability
    assert "M84-" in end

    counts = Counter(event["event"] for event in await table.log())
    for kind, times in (
        ("hour_ended", 3),
        ("night_settled", 3),
        ("departed", 6),
        ("day_opened", 3),
        ("replaced", 1),
        ("game_over", 1),
    ):
        assert counts[kind] == times, kind
    assert "0 differences" in await bot.data("verify")
    await all_arrived(bot, client)
    assert not any(call.text.startswith(REPEAT) for call in client.sayings())
    # Whoever was replaced was told so, was asked out of the lovers' group, was answered what he
    # still asked, and heard nothing else.
    assert len(client.heard(("private", former), after=replaced)) == 2 + 6
    keeps_secrets(
        table,
        client.calls[:before_the_end],
        former=(("private", former), replaced),
        pair=(lone, lover),
        charmed=charmed,
    )


def keeps_secrets(
    table: M84,
    calls: list[Call],
    *,
    former: tuple[Place, int],
    pair: tuple[int, int],
    charmed: int,
) -> None:
    """Go through all that everybody and every group was told until the end."""
    roles, (lone, lover) = table.roles, pair
    (seer,), (witch,), (piper,) = (table.having(role) for role in ("seer", "witch", "piper"))
    (cupid,), (guard,) = table.having("cupid"), table.having("guard")
    public: Place = ("group", GROUP)
    base = {
        **dict.fromkeys(table.having("werewolf"), "wolves"),
        **dict.fromkeys([seer, witch, guard, *table.having("villager")], "town"),
        piper: "piper",
    }
    changed = dict.fromkeys((lone, lover, cupid), "lovers")
    having: dict[str, Iterable[int]] = {
        "faction_kill": table.having("werewolf"),
        "lovers_kill": pair,
        "charm": (piper, charmed, seer),
        **dict.fromkeys(("guard", "ward"), (guard,)),
        **dict.fromkeys(("victim_report", "save", "poison"), (witch,)),
        "inspect": (seer,),
        "link": (cupid,),
    }
    abilities = {("group", WOLVES): "faction_kill", ("group", LOVERS): "lovers_kill"}
    words = {
        "柠檬": {("group", WOLVES)},
        "西瓜": {("group", LOVERS)},
        "换我来了": {("group", LOVERS)},
        "带回消息": {table.private(witch)},
        NOT_TOWN: {table.private(seer)},
        "孩子": {table.private(lone), table.private(lover), table.private(cupid), former[0]},
    }
    checked: set[Place] = set()
    for number, call in enumerate(calls):
        place = call.place
        if place is None or call.outcome == "failed" or place == ("private", table.director):
            continue
        checked.add(place)
        seat = table.seats.get(place[1]) if place[0] == "private" else None
        if place == former[0]:
            seat = lover if number < former[1] else None
            if seat is None:
                assert not re.search(r"\d+号", call.text), call.text
        assert place != ("private", NEWCOMER) or number >= former[1]
        for line in call.text.splitlines():
            for role, name in ROLES.items():
                if name in line and place == public:
                    assert role == "piper" and re.search(rf"{piper}号.*出局", line), line
                elif name in line:
                    assert seat is not None and roles[seat] == role, line
            for faction, name in FACTIONS.items():
                if name in line:
                    assert seat is not None, line
                    assert faction in (base.get(seat), changed.get(seat)), line
            for ability, name in ABILITIES.items():
                # The state is called as the ability is: the public hears of it, cards explain it.
                state = ability == "charm" and (place == public or not re.search(r"\d+号", line))
                if name in line and not state:
                    assert abilities.get(place) == ability or seat in having[ability], line
            for word, places in words.items():
                if word in line and (word != "孩子" or re.search(r"\d+号", line)):
                    assert place in places, line
            if "今晚的目标" in line:
                assert place in abilities, line
    assert checked >= {public, *abilities, former[0], ("private", NEWCOMER), ("private", SHY)}
    assert len(checked) == 3 + 13
