"""Games of M84 at a table: dealt, linked, by night, played to their end, and played at random."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from random import Random
from typing import Any

from engine import commands as c
from engine.commands import Refused
from tests.data.table import SHEETS, SPEECH, Table

SHEET = SHEETS["m84"]
ROLES = [
    *["werewolf"] * 3,
    *("seer", "witch", "guard"),
    *["villager"] * 4,
    *("piper", "cupid"),
]
NAMES = list("甲乙丙丁戊己庚辛壬癸子丑")
CALM = {"posts_min": 0, "posts_streak": 0}
"""Nobody is carded for few posts."""


def dealt(**parameters: Any) -> Table:
    """Seats 1 to 3 are wolves, then seer, witch, guard, villagers 7 to 10, piper, cupid."""
    return Table(ROLES, NAMES, sheet=SHEET, **parameters)


def linked(first: int = 7, second: int = 8, **parameters: Any) -> Table:
    """Day 1: cupid has linked two seats."""
    table = dealt(**{**CALM, **parameters})
    table.do(c.Link, seat=12, first=first, second=second)
    return table


def night(first: int = 7, second: int = 8, sheriff: int = 9, **parameters: Any) -> Table:
    """Night 1: everybody has voted for one sheriff."""
    table = linked(first, second, **parameters)
    everybody_votes(table, sheriff)
    table.until("close")
    return table


def day(first: int = 7, second: int = 8, sheriff: int = 9, **parameters: Any) -> Table:
    """Day 2, after a night in which nobody did anything."""
    table = night(first, second, sheriff, **parameters)
    table.until("open")
    return table


def everybody_votes(table: Table, target: int | None) -> None:
    for number in table.game.living():
        table.do(c.Vote, seat=number, target=target)


def act(table: Table, ability: str, seat: int, target: int | None) -> dict[str, str]:
    return table.do(c.Act, seat=seat, ability=ability, target=target)


def whole_games() -> list[Table]:
    """Games that are won, each in another way, or stopped."""
    wolves = night()
    for victim in (4, 5, 6, 11):
        act(wolves, "faction_kill", 1, victim)
        act(wolves, "charm", 11, 10)
        wolves.until("witch")
        if wolves.game.phase != "over":
            wolves.until("open")
            everybody_votes(wolves, None)
            wolves.until("close")

    piper = day(7, 8)
    piper.do(c.RuleOut, target=10, reason="失联")
    piper.do(c.Card, target=3, colour="red", reason="贴脸")
    everybody_votes(piper, 2)
    piper.until("close")
    act(piper, "charm", 11, 9)
    piper.until("open")
    everybody_votes(piper, None)
    piper.until("close")
    act(piper, "charm", 11, 1)
    piper.until("open")

    lovers = night(1, 7, sheriff=1)
    act(lovers, "poison", 5, 2)
    lovers.until("open")
    everybody_votes(lovers, 3)
    lovers.until("close")
    for victim in (11, 4, 6, 5):
        act(lovers, "lovers_kill", 7, victim)
        lovers.until("witch")
        if lovers.game.phase != "over":
            lovers.until("open")
            everybody_votes(lovers, None)
            lovers.until("close")
    return [wolves, piper, lovers]


def more_games() -> list[Table]:
    """Play what the whole games leave out."""
    cards = linked(posts_min=5, posts_streak=10, posts_streak_days=2)
    cards.post(5)
    everybody_votes(cards, 9)
    cards.until("close")
    cards.until("open")
    for colour in ("blue", "blue", "blue", "yellow"):
        cards.do(c.Card, target=9, colour=colour, reason="贴脸")
    cards.do(c.TakeCard, target=9, colour="yellow")
    cards.post(4)
    for number in range(2, 12):
        cards.do(c.Post, seat=number, text="水")
    cards.do(c.Card, target=1, colour="red", reason="贴脸")
    cards.do(c.Post, seat=8, text="早")
    cards.do(c.Petition, seat=8, ask="delay")
    cards.do(c.Petition, seat=8, ask=None)
    for number in range(1, 7):
        cards.do(c.Petition, seat=number, ask="delay")
    cards.do(c.Petition, seat=7, ask="speed_up")
    cards.until("petition")
    cards.until("petition")
    cards.until("close")

    fast = day(petition_lead_minutes=180, accelerate_at_alive=6)
    for number in range(1, 7):
        fast.do(c.Petition, seat=number, ask="speed_up")
    fast.until("petition")
    fast.do(c.Vote, seat=1, target=9)
    fast.until("close")
    fast.do(c.SettleNight)
    fast.do(c.OpenDay)

    few = linked(accelerate_at_alive=12)
    few.until("close")
    few.do(c.OpenDay)

    night_one = night(sheriff=4)
    act(night_one, "faction_kill", 1, None)
    act(night_one, "faction_kill", 2, 4)
    act(night_one, "guard", 6, 9)
    act(night_one, "ward", 6, 9)
    act(night_one, "save", 5, 9)
    act(night_one, "inspect", 4, 1)
    act(night_one, "charm", 11, 10)
    night_one.do(c.Withdraw, seat=6, ability="ward")
    night_one.before("night", 10)
    night_one.until("night")
    act(night_one, "poison", 5, 3)
    night_one.until("witch")
    night_one.do(c.NameHeirs, seat=4, heirs=[9])
    night_one.do(c.NameHeirs, seat=4, heirs=[9, 10])
    night_one.do(c.LastWords, seat=4, text="1号是狼\n信我")
    night_one.until("open")
    night_one.do(c.Post, seat=10, text="我是好人")
    night_one.do(c.Post, seat=4, text="诈尸")
    night_one.do(c.Vote, seat=10, target=1, reason="可疑")
    everybody_votes(night_one, 9)
    night_one.until("close")
    act(night_one, "faction_kill", 1, 11)
    act(night_one, "guard", 6, 11)
    night_one.do(c.RuleOut, target=11, reason="场外")
    act(night_one, "faction_kill", 1, 10)
    night_one.until("open")
    night_one.do(c.EndGame)

    ruled = night()
    ruled.do(c.Card, target=1, colour="red", reason="贴脸")
    ruled.until("open")
    ruled.until("close")
    act(ruled, "faction_kill", 2, 10)
    ruled.reply(c.RuleLost, faction="wolves", reason="红牌累计")
    ruled.until("open")

    pair = linked(1, 2)
    pair.do(c.CloseDay)

    silent = dealt()
    silent.until("link")
    silent.refusal(c.Link, seat=12, first=1, second=2)
    silent.do(c.Petition, seat=1, ask="delay")
    silent.until("petition")

    holiday = linked(start=datetime(2026, 9, 30, 2, tzinfo=UTC))
    SPEECH.times(holiday.public)

    later = day(1, 7, sheriff=1)
    everybody_votes(later, 3)
    later.until("close")
    act(later, "poison", 5, 2)
    later.until("witch")

    by_day = day()
    by_day.do(c.RuleOut, target=7, reason="失联")
    by_day.do(c.LastWords, seat=8, text="他是好人")

    unnamed = night(sheriff=9)
    act(unnamed, "faction_kill", 1, 9)
    unnamed.until("open")
    reds = day()
    reds.do(c.Card, target=1, colour="red", reason="作弊")
    reds.until("close")
    reds.do(c.Card, target=2, colour="red", reason="作弊")
    act(reds, "poison", 5, 7)
    reds.until("witch")
    reds.do(c.Card, target=10, colour="red", reason="作弊")
    reds.do(c.EndGame)

    judged = linked(11, 7)
    judged.do(c.Card, target=1, colour="red", reason="作弊")
    for seat in range(1, 7):
        judged.do(c.Petition, seat=seat, ask="speed_up")
    judged.until("petition")
    everybody_votes(judged, 9)
    judged.until("close")
    judged.do(c.RuleLost, faction="wolves", reason="作弊")
    judged.do(c.EndGame)

    more = [reds, judged]
    return [
        cards,
        fast,
        few,
        night_one,
        ruled,
        pair,
        silent,
        holiday,
        later,
        by_day,
        unnamed,
        *more,
    ]


def random_play(seed: int) -> Table:
    """Play a game at random, by hand on the clock now and then, to its end or for long."""
    rng = Random(seed)
    table = dealt(**(CALM if seed % 2 else {}))
    game = table.game

    def may(kind: type[c.Command], chance: float, **values: Any) -> None:
        if rng.random() < chance:
            try:
                table.reply(kind, **values)
            except Refused:
                return

    may(c.Link, 0.7, seat=12, first=rng.randint(1, 12), second=rng.randint(1, 12))
    for _ in range(40):
        if game.phase == "over":
            break
        living: Iterable[int] = game.living()
        for number in living:
            target = rng.choice(game.living())
            for ability in game.rules.abilities:
                may(c.Act, 0.7, seat=number, ability=ability, target=target)
            may(c.Withdraw, 0.1, seat=number)
            may(c.Vote, 0.8, seat=number, target=rng.choice([target, None]), reason="因为")
            may(c.Petition, 0.2, seat=number, ask=rng.choice(["speed_up", "delay", None]))
            may(c.Post, 0.5, seat=number, text="喵")
        for number in game.out:
            may(c.LastWords, 0.7, seat=number, text="再见")
            may(c.NameHeirs, 0.7, seat=number, heirs=[rng.randint(1, 12)])
            may(c.Post, 0.1, seat=number, text="再见")
        colour = rng.choice(["blue", "yellow", "red"])
        may(c.Card, 0.2, target=rng.randint(1, 12), colour=colour, reason="贴脸")
        may(c.TakeCard, 0.1, target=rng.randint(1, 12), colour=colour)
        may(c.RuleOut, 0.03, target=rng.randint(1, 12), reason="失联")
        may(c.RuleLost, 0.1, faction=rng.choice(game.sheet.factions), reason="红牌")
        for kind in (c.CloseDay, c.SettleNight, c.OpenDay):
            may(kind, 0.05)
        if game.due:
            table.until(rng.choice([kind for _, kind in game.deadlines()]))
    return table
