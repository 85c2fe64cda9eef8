"""No stage of a night tells by its length who is out, or by what: games that differ in it alone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from data.rulesets import load_rulesets
from engine import commands as c
from engine import events as ev
from tests.engine import play

SHEETS = load_rulesets()
CLASSIC = SHEETS["seer-witch-hunter-guard"]
ROLES = ["werewolf"] * 4 + ["seer", "witch", "guard", "hunter"] + ["villager"] * 4
OTHERS = [*ROLES[:7], "villager", "hunter", *ROLES[9:]]
"""The same deal, but that 8 and 9 have each other's card."""


class Played:
    """A game in which everybody is ready as soon as can be."""

    def __init__(self, roles: list[str], **parameters: Any) -> None:
        self.game, self.log = play.dealt(CLASSIC.with_parameters(parameters), roles)
        self.now: datetime = play.START

    def do(self, kind: type[c.Command], **values: Any) -> None:
        self.log += self.game.handle(kind(at=self.now, **values))

    def wait(self, **span: float) -> None:
        self.now += timedelta(**span)
        self.log += play.advance(self.game, self.now)

    def stage(self) -> None:
        """All who live are ready."""
        for number in self.game.living():
            if self.game.phase == "night" and number not in self.game.ready:
                self.do(c.Ready, seat=number)

    def vote(self, target: int) -> None:
        for number in self.game.living():
            self.do(c.Vote, seat=number, target=target)

    def public(self) -> list[tuple[datetime, str]]:
        """What everybody sees happen, and when."""
        shown = (event for event in self.log if event.audience == ev.PUBLIC)
        return [
            (event.at, type(event).__name__) for event in shown if not isinstance(event, ev.Hidden)
        ]


def voted_out(game: Played) -> None:
    """8 is voted out on day 1, and nobody loses a second in the night after it."""
    for _ in range(2):
        game.stage()
    game.wait(minutes=3)
    game.vote(8)
    for _ in range(2):
        game.wait(seconds=5)
        game.stage()
    game.wait(minutes=10)


def killed_or(order: str) -> Callable[[Played], None]:
    """8 goes in the first night, and the vote of day 1 is over at once."""

    def run(game: Played) -> None:
        if order == "kill":
            game.do(c.Act, seat=1, ability="faction_kill", target=8)
        else:
            game.do(c.Act, seat=6, ability="poison", target=8)
        for _ in range(2):
            game.stage()
        game.do(c.Explode, seat=2)
        for _ in range(2):
            game.wait(seconds=5)
            game.stage()
        game.wait(minutes=10)

    return run


@pytest.mark.parametrize("run", [voted_out, killed_or("kill"), killed_or("poison")])
def test_no_length_tells_that_a_hunter_is_out(run: Callable[[Played], None]) -> None:
    games = [Played(roles) for roles in (ROLES, OTHERS)]
    for game in games:
        run(game)
    assert games[0].public() == games[1].public()
    assert games[0].game.out[:1] == [8]
    assert not any(isinstance(event, ev.ShotLapsed) for event in games[1].log)


def test_no_length_tells_kill_from_poison() -> None:
    games = [Played(ROLES), Played(ROLES)]
    for game, order in zip(games, ("kill", "poison"), strict=True):
        killed_or(order)(game)
    lapsed = [[event for event in g.log if isinstance(event, ev.ShotLapsed)] for g in games]
    assert [len(found) for found in lapsed] == [1, 0]
    assert games[0].public() == games[1].public()


def test_a_hunter_killed_while_anothers_time_runs_keeps_his_shot() -> None:
    """9, no hunter, is voted out; the night is over within his minute, and the hunter is killed."""
    game = Played(ROLES, night_minutes=1, shot_minutes=4)
    for _ in range(2):
        game.stage()
    game.wait(minutes=3)
    game.vote(9)
    game.do(c.Act, seat=1, ability="faction_kill", target=8)
    game.wait(minutes=1, seconds=30)
    with pytest.raises(c.Refused, match="no_ability"):
        game.do(c.Shoot, seat=8, target=1)
    game.wait(seconds=30)
    game.wait(minutes=3)
    game.do(c.Shoot, seat=8, target=1)
    assert game.game.seats[1].cause == "shot"


def test_a_calendar_night_does_not_wait_for_a_sheriff_gone_unseen() -> None:
    sheet = SHEETS["m84"].with_parameters({"pace": "ready"})
    roles = ["werewolf"] * 3 + ["seer", "witch", "guard"] + ["villager"] * 4 + ["piper", "cupid"]
    shown: list[list[tuple[datetime, str]]] = []
    for victim in (7, 8):
        game = Played.__new__(Played)
        game.game, game.log = play.dealt(sheet, roles)
        game.now = play.START
        game.do(c.Link, seat=12, first=9, second=10)
        game.vote(7)
        game.do(c.Act, seat=1, ability="faction_kill", target=victim)
        game.wait(hours=1)
        for number in game.game.living():
            if number != 1:
                game.do(c.Ready, seat=number)
        game.wait(minutes=30)
        assert game.game.phase == "night" and game.game.out == [victim]
        game.do(c.Ready, seat=1)
        assert game.game.phase == "day" and game.game.out == [victim]
        shown.append([entry for entry in game.public() if entry[1] != "SheriffAnnounced"])
    assert shown[0] == shown[1]
