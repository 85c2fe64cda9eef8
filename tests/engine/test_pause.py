"""暂停 at every moment of games at random: nothing moves, and all moves by its length (K-27).

Each game is played twice, with the same commands: once without a pause, once with pauses in between
and every command later by their lengths. The two must never differ but in the hours.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from data.rulesets import load_rulesets
from engine import commands as c
from engine.commands import Command, Refused
from engine.game import Game
from engine.mechanics import abilities
from tests.engine import play

SHEETS = load_rulesets()
SPANS = (1, 59, 600, 3600, 40_000, 86_400, 200_000)
STEPS = 260


def plain(game: Game, later: timedelta) -> dict[str, Any]:
    """Everything that a game remembers, as if it had been so much earlier."""
    found = play.state(game)
    found["now"] -= later
    found["shift"] -= later
    found["due"] = {kind: due - later for kind, due in game.due.items()}
    found["reminders"] = [(when - later, *rest) for when, *rest in game.reminders]
    found["crown"].made_at -= later
    if game.regime.depose_until is not None:
        found["regime"].depose_until -= later
    return found


def proposals(game: Game, rng: Random) -> Iterator[Command]:
    """What may be asked now, much of it in vain; what a director does is rare."""
    at = game.now
    seats, living = list(game.seats), game.living()
    seat, other, one = rng.choice(seats), rng.choice(seats), rng.choice(living)
    yield c.Link(at=at, seat=one, first=other, second=rng.choice(living))
    for ability in game.rules.abilities:
        for number in abilities.holders(game, ability):
            yield c.Act(at=at, seat=number, ability=ability, target=rng.choice(living))
    yield c.Ready(at=at, seat=one)
    yield c.Withdraw(at=at, seat=one)
    for number in rng.sample(living, len(living) // 2):
        yield c.Vote(at=at, seat=number, target=rng.choice([None, *living]))
        yield c.Petition(at=at, seat=number, ask=rng.choice(("speed_up", "delay", None)))
        yield c.Post(at=at, seat=number, text="hi")
    yield c.Stand(at=at, seat=one)
    yield c.StandDown(at=at, seat=other)
    if game.crown.kingmaker is not None:
        first, second = rng.sample(seats, 2)
        yield c.NameCrown(at=at, seat=game.crown.kingmaker, first=first, substitute=second)
    if game.crown.king is not None and rng.random() < 0.5:
        yield c.Order(at=at, seat=game.crown.king, target=game.crown.kingmaker or other)
        yield c.Confirm(at=at, seat=game.crown.king)
    if game.regime.chooser is not None or game.regime.key == "constitution":
        chooser = game.regime.chooser or game.crown.king or one
        yield c.Choose(at=at, seat=chooser, choice=rng.choice(game.sheet.choices))
    yield c.Depose(at=at, seat=one, voice=rng.choice(("for", "against", None)))
    if game.gun.holder is not None:
        yield c.Shoot(at=at, seat=game.gun.holder, target=other)
    if game.sheriff.leaving is not None:
        yield c.NameHeirs(at=at, seat=game.sheriff.leaving, heirs=[other])
    if rng.random() < 0.1:
        yield c.Explode(at=at, seat=one)
        yield c.Abdicate(at=at, seat=one)
        yield c.Extend(at=at, minutes=rng.choice((1, 30, 1500)))
        yield c.Card(at=at, target=seat, colour="yellow", reason="r")
    if rng.random() < 0.03:
        yield c.RuleOut(at=at, target=seat, reason="r")
        yield rng.choice((c.CloseDay(at=at), c.OpenDay(at=at), c.SettleNight(at=at)))


def pause(game: Game, rng: Random) -> timedelta:
    """Let a game stand still for a while; nothing falls due, and nobody can do anything."""
    before = play.state(game)
    game.handle(c.Pause(at=game.now))
    assert game.next_alarm() is None
    span = timedelta(seconds=rng.choice(SPANS))
    later = game.now + span
    with pytest.raises(Refused, match="nothing_due"):
        game.handle(c.Tick(at=later))
    for command in proposals(game, rng):
        if not isinstance(command, (c.Post, c.Card, c.RuleOut)):
            with pytest.raises(Refused):
                game.handle(replace(command, at=later))
    if "attendance" in game.sheet.mechanics:
        assert game.handle(c.Post(at=later, seat=rng.choice(game.living()), text="hi")) == []
    game.handle(c.Resume(at=later))
    assert game.due == {kind: due + span for kind, due in before["due"].items()}
    assert game.reminders == [(when + span, *rest) for when, *rest in before["reminders"]]
    return span


@pytest.mark.parametrize("key", sorted(SHEETS))
@pytest.mark.parametrize("seed", range(3))
def test_a_pause_changes_nothing_but_the_hours(key: str, seed: int) -> None:
    rng = Random(f"{key} {seed}")
    sheet = SHEETS[key]
    players = sheet.players or max(sheet.players_min, min(9, sheet.players_max))
    game, _ = play.opened(sheet, players)
    game.handle(c.Deal(at=play.START, seed="5eed"))
    twin, later, paused = copy.deepcopy(game), timedelta(), 0
    for _ in range(STEPS):
        if game.phase == "over":
            break
        for command in list(proposals(game, rng)):
            if game.phase == "over" or rng.random() < 0.5:
                continue
            follow(game, twin, command, later)
        if game.phase == "over":
            break
        alarm = game.next_alarm()
        assert alarm is not None
        if rng.random() < 0.3:
            # A moment in between.
            alarm = game.now + (alarm - game.now) * rng.random()
            game.now, twin.now = alarm, alarm + later
        else:
            follow(game, twin, c.Tick(at=alarm), later)
        if game.phase != "over" and rng.random() < 0.6:
            later += pause(twin, rng)
            paused += 1
        assert plain(twin, later) == plain(game, timedelta())
        if key == "m84" and game.phase != "setup":
            play.check(game)
    assert paused


def follow(game: Game, twin: Game, command: Command, later: timedelta) -> None:
    """Let both do the same, one later than the other, with the same result."""
    try:
        happened = game.handle(command)
    except Refused as refused:
        with pytest.raises(Refused, match=f"^{refused.code}$"):
            twin.handle(replace(command, at=command.at + later))
    else:
        again = twin.handle(replace(command, at=command.at + later))
        assert [type(event) for event in again] == [type(event) for event in happened]
