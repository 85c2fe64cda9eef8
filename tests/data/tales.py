"""Whole games of every ruleset, dealt and drawn by a seed, played at random, as they are kept."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random
from typing import Any

from data import codec
from data.proof import Written
from data.rulesets import load_rulesets
from engine import commands as c
from engine import events as ev
from engine.game import Game
from engine.mechanics import abilities
from tests.engine import play

SHEETS = load_rulesets()


class Table:
    """A game by a sheet, with its log; everybody plays at random, as far as it is allowed."""

    def __init__(self, key: str, seed: int, **parameters: Any) -> None:
        self.rng = Random(seed)
        self.now = play.START
        sheet = SHEETS[key].with_parameters(parameters)
        players = self.rng.randint(sheet.players_min, min(sheet.players_max, 14))
        self.game, self.log = play.opened(sheet, sheet.players or players)
        self.do(c.Deal(at=self.now, seed=f"{seed:032x}"))

    def do(self, command: c.Command) -> bool:
        """Hand a command in; whether it was taken."""
        try:
            self.log += self.game.handle(command)
        except c.Refused:
            return False
        return True

    def play(self, steps: int = 4000) -> Table:
        """Play to the end, which a director brings about if nobody else does."""
        for _ in range(steps):
            if self.game.phase == "over":
                return self
            self.step()
        if self.game.phase != "over":
            self.do(c.EndGame(at=self.now))
        return self

    def step(self) -> None:
        """Let somebody do something, or the clock go on."""
        alarm = self.game.next_alarm()
        if alarm is not None and self.rng.random() < 0.06:
            self.now = max(alarm, self.now)
            self.do(c.Tick(at=self.now))
            return
        self.do(self.rng.choice(list(self.moves(self.now))))
        if alarm is None:
            self.now += timedelta(minutes=1)

    def moves(self, at: datetime) -> Iterator[c.Command]:
        """What may be tried now, some of it in vain."""
        game, rng = self.game, self.rng
        seat, target, other = (rng.choice(list(game.seats)) for _ in range(3))
        living = rng.choice(game.living())
        yield c.Post(at=at, seat=living, text="我觉得")
        if "link" in game.due:
            yield c.Link(at=at, seat=seat, first=target, second=other)
        if game.phase == "night":
            for ability in game.rules.abilities:
                for number in abilities.holders(game, ability):
                    yield c.Act(at=at, seat=number, ability=ability, target=target)
            if game.crown.kingmaker is not None:
                king = game.crown.kingmaker
                yield c.NameCrown(at=at, seat=king, first=target, substitute=other)
            yield c.Ready(at=at, seat=living)
        if game.phase == "day":
            yield c.Vote(at=at, seat=living, target=rng.choice([*game.living(), None]))
            yield c.Stand(at=at, seat=living)
            if game.crown.king is not None and rng.random() < 0.2:
                yield c.Order(at=at, seat=game.crown.king, target=target)
        if game.regime.chooser is not None:
            choice = rng.choice(game.sheet.choices)
            yield c.Choose(at=at, seat=game.regime.chooser, choice=choice)
        if game.gun.holder is not None:
            yield c.Shoot(at=at, seat=game.gun.holder, target=target)
        if game.sheriff.leaving is not None and rng.random() < 0.3:
            yield c.NameHeirs(at=at, seat=game.sheriff.leaving, heirs=[target])
        for number in game.words.open:
            yield c.LastWords(at=at, seat=number, text="再见")
        if rng.random() < 0.02:
            yield c.Card(at=at, target=target, colour="red", reason="贴脸")
            yield c.Warn(at=at, target=target, reason="贴脸")
            yield c.RuleOut(at=at, target=target, reason="场外")


def kept(events: list[ev.Event]) -> list[Written]:
    """The events as they are kept, in their chain."""
    digest, log = "", []
    for seq, event in enumerate(events, 1):
        body = codec.encode(event)
        digest = codec.chain(digest, codec.VERSION, body)
        log.append(Written(seq, codec.VERSION, body, digest))
    return log


def chained(log: list[Written]) -> list[Written]:
    """The same with numbers and digests made anew, as a forger would."""
    digest, found = "", []
    for seq, each in enumerate(log, 1):
        digest = codec.chain(digest, each.version, each.body)
        found.append(each._replace(seq=seq, digest=digest))
    return found


def state_of(events: list[ev.Event]) -> Game:
    """What the events fold to."""
    return Game.fold(copy.deepcopy(events))
