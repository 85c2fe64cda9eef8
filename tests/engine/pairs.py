"""Pairs of M84 games that differ only in what is hidden from some of the seats.

Each pair begins with one game, played to a night; then the two part in a hidden matter whose public
outcome is the same, and go on alike. Whoever is no party to the matter must observe the same.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Any

from engine import commands as c
from engine import events as ev
from engine.commands import Refused
from engine.game import Game
from engine.mechanics import abilities
from tests.engine import play, random_m84
from tests.engine.random_m84 import SEATS, Table

Orders = dict[str, tuple[int, int]]
"""Ability → (who orders it, target)."""


@dataclass
class Pair:
    """Two tables just before they part, and how they do.

    ``matter``: what it is about. ``parties``: the seats that may see a difference. ``orders``: of
    each table tonight. ``until``: the kind of moment up to which they are compared.
    """

    matter: str
    tables: tuple[Table, Table]
    parties: set[int]
    orders: tuple[Orders, Orders]
    until: str = "close"


def _holder(game: Game, ability: str) -> int | None:
    return next(iter(abilities.holders(game, ability)), None)


def _usual(game: Game, rng: Random) -> Orders:
    """Orders for tonight that can be given and that kill, poison and charm nobody by themselves."""
    orders: Orders = {}
    for ability in ("inspect", "guard", "ward"):
        who = _holder(game, ability)
        free = [n for n in game.living() if who and (ability, who, n) not in game.guards.used]
        if who is not None and free:
            orders[ability] = (who, rng.choice(free))
    return orders


def _free(game: Game, key: str, who: int) -> list[int]:
    return [n for n in game.living() if (key, who, n) not in game.guards.used]


Matter = Callable[[Game, Random], tuple[set[int], Orders, Orders] | None]


def other_guard(game: Game, rng: Random) -> tuple[set[int], Orders, Orders] | None:
    """The guard, or the ward, holds somebody else whom nobody wants."""
    key = rng.choice(["guard", "ward"])
    who = _holder(game, key)
    if who is None or len(free := _free(game, key, who)) < 2:
        return None
    usual = _usual(game, rng)
    one, other = rng.sample(free, 2)
    return {who}, {**usual, key: (who, one)}, {**usual, key: (who, other)}


def other_inspection(game: Game, rng: Random) -> tuple[set[int], Orders, Orders] | None:
    """The seer looks at another."""
    who = _holder(game, "inspect")
    if who is None or len(game.living()) < 2:
        return None
    usual = _usual(game, rng)
    one, other = rng.sample(game.living(), 2)
    return {who}, {**usual, "inspect": (who, one)}, {**usual, "inspect": (who, other)}


def guarded_or_saved(game: Game, rng: Random) -> tuple[set[int], Orders, Orders] | None:
    """The wolves' victim is held by the guard, or by the witch."""
    wolf, guard, witch = (_holder(game, k) for k in ("faction_kill", "guard", "save"))
    if wolf is None or guard is None or witch is None or ("save", witch) in game.potions.used:
        return None
    free = [n for n in _free(game, "guard", guard) if n != witch]
    if len(free) < 2:
        return None
    victim, idle = rng.sample(free, 2)
    usual = {**_usual(game, rng), "faction_kill": (wolf, victim)}
    held = {**usual, "guard": (guard, victim)}
    return {guard, witch}, held, {**usual, "guard": (guard, idle), "save": (witch, victim)}


def guarded_or_left_alone(game: Game, rng: Random) -> tuple[set[int], Orders, Orders] | None:
    """The guard held the victim, or the wolves wanted nobody."""
    wolf, guard = _holder(game, "faction_kill"), _holder(game, "guard")
    if wolf is None or guard is None or not (free := _free(game, "guard", guard)):
        return None
    victim = rng.choice(free)
    usual = {**_usual(game, rng), "guard": (guard, victim)}
    parties = {*game.members("wolves"), *abilities.holders(game, "victim_report")}
    return parties, {**usual, "faction_kill": (wolf, victim)}, usual


def charm_in_vain(game: Game, rng: Random) -> tuple[set[int], Orders, Orders] | None:
    """The piper charms a lover, or nobody."""
    piper = _holder(game, "charm")
    targets = [n for n in game.lovers.pair if game.is_living(n)]
    if piper is None or not targets:
        return None
    usual = _usual(game, rng)
    return {piper}, {**usual, "charm": (piper, rng.choice(targets))}, usual


def charm_warded(game: Game, rng: Random) -> tuple[set[int], Orders, Orders] | None:
    """The piper's charm is warded off, or the piper charms nobody."""
    piper, guard = _holder(game, "charm"), _holder(game, "ward")
    if piper is None or guard is None or not (free := _free(game, "ward", guard)):
        return None
    target = rng.choice(free)
    usual = {**_usual(game, rng), "ward": (guard, target)}
    return {piper}, {**usual, "charm": (piper, target)}, usual


def killed_or_poisoned(game: Game, rng: Random) -> tuple[set[int], Orders, Orders] | None:
    """Somebody goes by the wolves, or by the poison."""
    wolf, witch = _holder(game, "faction_kill"), _holder(game, "poison")
    if wolf is None or witch is None or ("poison", witch) in game.potions.used:
        return None
    victim = rng.choice(game.living())
    usual = {k: order for k, order in _usual(game, rng).items() if k != "guard"}
    parties = {*game.members("wolves"), witch}
    return parties, {**usual, "faction_kill": (wolf, victim)}, {**usual, "poison": (witch, victim)}


MATTERS: tuple[Matter, ...] = (
    other_guard,
    other_inspection,
    guarded_or_saved,
    guarded_or_left_alone,
    charm_in_vain,
    charm_warded,
    killed_or_poisoned,
)


def order_pair(seed: int) -> Pair | None:
    """A game played to some night, and a matter of that night; ``None`` if none can be had."""
    rng = Random(seed)
    nights = rng.choice([1, 1, 2, 3])
    *_, table = random_m84.stages(
        seed,
        until=lambda game: game.phase == "night" and game.day >= nights and "night" in game.due,
    )
    if table.game.phase != "night":
        return None
    matter = rng.choice(MATTERS)
    found = matter(table.game, rng)
    if found is None:
        return None
    parties, one, other = found
    return Pair(matter.__name__, (table, copy.deepcopy(table)), parties, (one, other))


def deal_pair(seed: int) -> Pair:
    """Two deals in which two of the town with abilities have changed places."""
    rng = Random(seed)
    roles = ["werewolf"] * 3 + ["seer", "witch", "guard", "piper", "cupid"] + ["villager"] * 4
    rng.shuffle(roles)
    deal = dict(enumerate(roles, 1))
    one, other = rng.sample([n for n in SEATS if deal[n] in ("seer", "witch", "guard")], 2)
    swapped = {**deal, one: deal[other], other: deal[one]}
    pair = rng.sample([n for n in SEATS if n not in (one, other)], 2)
    tables = []
    for dealt in (deal, swapped):
        table = Table(Random(seed), play.sheet("m84", **random_m84.CALM))
        table.do(c.Deal(at=table.now, seed=f"{seed:x}", roles=dealt))
        cupid = next(n for n, role in dealt.items() if role == "cupid")
        table.do(c.Link(at=table.now, seat=cupid, first=pair[0], second=pair[1]))
        table.play_stage()
        tables.append(table)
    game = tables[0].game
    wolf = _holder(game, "faction_kill")
    victim = rng.choice([n for n in game.living() if n not in (one, other)])
    targets = {key: rng.choice(game.living()) for key in ("inspect", "guard", "ward")}
    orders = []
    for table in tables:
        tonight: Orders = {"faction_kill": (wolf, victim)} if wolf is not None else {}
        for key, target in targets.items():
            who = _holder(table.game, key)
            if who is not None:
                tonight[key] = (who, target)
        orders.append(tonight)
    return Pair("swapped_roles", (tables[0], tables[1]), {one, other}, (orders[0], orders[1]))


def bond_pair(seed: int) -> Pair | None:
    """A seat followed its lover at the close and is not announced; or it was not its lover."""
    rng = Random(seed)
    roles = ["werewolf"] * 3 + ["seer", "witch", "guard", "piper", "cupid"] + ["villager"] * 4
    rng.shuffle(roles)
    deal = dict(enumerate(roles, 1))
    voted, follower, third, fourth = rng.sample([n for n in SEATS if deal[n] == "villager"], 4)
    cupid = next(n for n, role in deal.items() if role == "cupid")
    tables = []
    for first, second in ((voted, follower), (third, fourth)):
        table = Table(Random(seed), play.sheet("m84", **random_m84.CALM))
        table.do(c.Deal(at=table.now, seed=f"{seed:x}", roles=deal))
        table.do(c.Link(at=table.now, seat=cupid, first=first, second=second))
        for number in table.game.living():
            sheriff = rng.choice([n for n in SEATS if n not in (voted, follower)])
            table.do(c.Vote(at=table.now, seat=number, target=cupid if number else sheriff))
        while table.game.phase != "night":
            table.tick()
        while table.game.phase != "day":
            table.tick()
        for number in table.game.living():
            table.do(c.Vote(at=table.now, seat=number, target=voted))
        while table.game.phase == "day":
            table.tick()
        if table.game.phase != "night":
            return None
        tables.append(table)
    if "heir" in tables[0].game.due or "heir" in tables[1].game.due:
        return None
    parties = {voted, follower, third, fourth, cupid}
    orders: Orders = {}
    for key in ("guard", "ward", "inspect", "charm", "faction_kill"):
        who = _holder(tables[0].game, key)
        if who is not None:
            orders[key] = (who, rng.choice([follower, rng.choice(tables[1].game.living())]))
    return Pair("unannounced", (tables[0], tables[1]), parties, (orders, orders), until="witch")


def pairs(count: int, start: int = 0) -> Iterator[Pair]:
    """Yield so many pairs of every kind."""
    made, seed = 0, start
    while made < count:
        kind = (order_pair, order_pair, order_pair, deal_pair, bond_pair)[seed % 5]
        pair = kind(seed)
        seed += 1
        if pair is not None:
            made += 1
            yield pair


def go_on(pair: Pair, which: int, seed: int) -> tuple[Table, list[list[ev.Event]]]:
    """Play a table of a pair on to where the comparison ends; return what each step brought."""
    table = pair.tables[which]
    mark = len(table.log)
    batches: list[list[ev.Event]] = []

    def note() -> None:
        nonlocal mark
        if len(table.log) > mark:
            batches.append(table.log[mark:])
        mark = len(table.log)

    for ability, (who, target) in sorted(pair.orders[which].items()):
        table.do(c.Act(at=table.now, seat=who, ability=ability, target=target))
        note()
    last = (pair.until, table.game.day)
    table.rng = Random(seed)
    while table.game.phase != "over":
        if last[0] == "witch" and table.game.abilities.settled:
            break
        if table.game.phase == "day":
            if table.game.day > last[1] + 1:
                break
            for number in table.game.living():
                target = table.rng.choice(table.game.living())
                table.do(c.Vote(at=table.now, seat=number, target=target))
                note()
            while table.game.phase == "day":
                table.tick()
                note()
            break
        table.tick()
        note()
    return table, batches


def probes(game: Game, number: int, rng: Random, at: datetime) -> list[Any]:
    """What a seat gets for asking all sorts of things, one after the other, of a copy."""
    game = copy.deepcopy(game)
    asks: list[c.Command] = [
        c.Act(at=at, seat=number, ability=rng.choice([*game.rules.abilities]), target=target)
        for target in rng.choices(range(14), k=6)
    ]
    asks.append(c.Vote(at=at, seat=number, target=rng.randint(0, 13)))
    asks.append(c.Link(at=at, seat=number, first=1, second=2))
    asks.append(c.NameHeirs(at=at, seat=number, heirs=[3]))
    asks.append(c.Withdraw(at=at, seat=number))
    asks.append(c.LastWords(at=at, seat=number, text="x"))
    asks.append(c.Say(at=at, seat=number, text="x"))
    return [answer(game, ask, f"seat:{number}") for ask in asks]


def answer(game: Game, command: c.Command, own: str) -> Any:
    """What the asker learns by a command: why it is refused, or the events it is an audience of."""
    try:
        events = game.handle(command)
    except Refused as refused:
        return refused.code, dict(refused.values)
    return [event for event in events if event.audience == own]
