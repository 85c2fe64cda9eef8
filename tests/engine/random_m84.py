"""Random play of M84 by its rules, for tests: a whole game, or one up to some moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from random import Random

from engine import commands as c
from engine import events as ev
from engine.commands import Refused
from engine.game import Game
from engine.mechanics import abilities
from engine.ruleset import Sheet
from tests.engine import play

CALM = {"posts_min": 0, "posts_streak": 0}
SEATS = range(1, 13)


class Table:
    """A game, its log, what the time is, and who has drawn what."""

    def __init__(self, rng: Random, rules: Sheet, at: datetime = play.START) -> None:
        self.rng = rng
        self.now = at
        self.game, self.log = play.opened(rules, 12, at)

    def do(self, command: c.Command) -> list[ev.Event] | Refused:
        """Hand a command in; a refusal is an answer like another."""
        try:
            events = self.game.handle(command)
        except Refused as refused:
            return refused
        self.log += events
        return events

    def tick(self) -> None:
        """Let the next thing fall due."""
        alarm = self.game.next_alarm()
        assert alarm is not None
        self.now = alarm
        self.do(c.Tick(at=alarm))

    def stage(self) -> tuple[str, int, tuple[str, ...]]:
        """Tell what part of the game this is."""
        return self.game.phase, self.game.day, tuple(self.game.due)

    def next_stage(self) -> None:
        """Let the clock run until something has changed but a reminder."""
        before = self.stage()
        while self.game.phase != "over" and self.stage() == before:
            self.tick()

    def deal(self) -> None:
        """Deal, and let cupid link two, or be silent."""
        self.do(c.Deal(at=self.now, seed=f"{self.rng.getrandbits(64):x}"))
        cupid = next(n for n, seat in self.game.seats.items() if seat.role == "cupid")
        if self.rng.random() < 0.8:
            first, second = self.rng.sample(SEATS, 2)
            self.do(c.Link(at=self.now, seat=cupid, first=first, second=second))
        else:
            self.next_stage()

    def orders(self, chance: float = 0.8) -> None:
        """Let everybody who can give an order give one, mostly."""
        game, rng = self.game, self.rng
        for ability in game.rules.abilities:
            for number in abilities.holders(game, ability):
                if rng.random() < chance:
                    target = rng.choice(game.living())
                    self.do(c.Act(at=self.now, seat=number, ability=ability, target=target))

    def ballots(self) -> None:
        """Let everybody vote."""
        for number in self.game.living():
            target = self.rng.choice([*self.game.living(), None])
            self.do(c.Vote(at=self.now, seat=number, target=target, reason="r"))

    def lingering(self) -> None:
        """Let those who are out say what they still may."""
        game = self.game
        if game.sheriff.leaving is not None and self.rng.random() < 0.5:
            heirs = self.rng.sample(SEATS, 3)
            self.do(c.NameHeirs(at=self.now, seat=game.sheriff.leaving, heirs=heirs))
        for number in list(game.words.open):
            if self.rng.random() < 0.5:
                self.do(c.LastWords(at=self.now, seat=number, text="bye"))

    def directing(self, chance: float) -> None:
        """Let a director hand out a card or a ruling."""
        target = self.rng.choice(SEATS)
        if self.rng.random() < chance:
            colour = self.rng.choice(["blue", "yellow", "red"])
            self.do(c.Card(at=self.now, target=target, colour=colour, reason="r"))
        if self.rng.random() < chance / 4:
            self.do(c.RuleOut(at=self.now, target=target, reason="r"))

    def play_stage(self, directed: float = 0.0) -> None:
        """Play what there is to play now, then let the clock go on."""
        if self.game.phase == "night":
            self.orders()
        elif self.game.phase == "day":
            self.ballots()
        self.lingering()
        self.directing(directed)
        self.next_stage()


def stages(
    seed: int,
    rules: Sheet | None = None,
    directed: float = 0.0,
    until: Callable[[Game], bool] = lambda game: False,
) -> Iterator[Table]:
    """Play a game stage by stage, yielding the table before each, up to its end or ``until``."""
    table = Table(Random(seed), rules or play.sheet("m84", **CALM))
    table.deal()
    while table.game.phase != "over" and not until(table.game):
        yield table
        table.play_stage(directed)
    yield table
