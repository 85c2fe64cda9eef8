"""Whole games in the engine alone, played at random but by the rules: no command is refused."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from random import Random
from typing import Literal

from benchmarks.counts import Counts
from data.rulesets import load_rulesets
from engine import commands as c
from engine.game import Game
from engine.mechanics import abilities, crown, lovers
from engine.ruleset import Sheet

START = datetime(2026, 3, 2, 2, 0, tzinfo=UTC)
SEATS = 12
VOICES: tuple[Literal["for", "against", "abstain"], ...] = ("for", "against", "abstain")
PETITIONS: tuple[Literal["speed_up", "delay"], ...] = ("speed_up", "delay")


class Table:
    """A game, what the time is, and how much was asked and has happened."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.game = Game()
        self.now = START
        self.commands = 0
        self.events = 0

    def do(self, command: c.Command) -> None:
        """Let the game handle a command. Raises Refused when the player did not know the rules."""
        self.commands += 1
        self.events += len(self.game.handle(command))

    def chance(self, part: float) -> bool:
        """Whether something happens that happens in ``part`` of all cases."""
        return self.rng.random() < part

    def tick(self) -> None:
        """Let the next thing fall due."""
        alarm = self.game.next_alarm()
        assert alarm is not None
        self.now = alarm
        self.do(c.Tick(at=alarm))


# --- 拥王者 --------------------------------------------------------------------------------------


def _kingmaker(table: Table) -> None:
    """Do what there is to do before the clock goes on."""
    game = table.game
    if game.regime.chooser is not None:
        choice = table.rng.choice(game.sheet.choices)
        table.do(c.Choose(at=table.now, seat=game.regime.chooser, choice=choice))
    if game.phase == "night":
        _night(table)
    elif game.phase == "day":
        _day(table)


def _night(table: Table) -> None:
    game, rng, at = table.game, table.rng, table.now
    if game.regime.key == "dictatorship" and table.chance(0.3):
        _depose(table)
    killers = game.members("killers")
    if table.chance(0.95):
        target = rng.choice(game.living())
        seat = rng.choice(killers)
        table.do(c.Act(at=at, seat=seat, ability="faction_kill", target=target))
    if game.crown.kingmaker is not None and table.chance(0.95):
        possible = crown.eligible(game)
        first, *others = rng.sample(possible, min(2, len(possible)))
        substitute = others[0] if others else None
        seat = game.crown.kingmaker
        table.do(c.NameCrown(at=at, seat=seat, first=first, substitute=substitute))


def _depose(table: Table) -> None:
    game, rng, at = table.game, table.rng, table.now
    regime, king = game.regime, game.crown.king
    assert king is not None
    if regime.depose_spent or regime.depose_until is None or at >= regime.depose_until:
        return
    opener, *others = rng.sample([n for n in game.living() if n != king], len(game.living()) - 1)
    table.do(c.Depose(at=at, seat=opener))
    for seat in [*others, king]:
        if regime.deposing:
            voice = rng.choice(VOICES)
            table.do(c.Depose(at=at, seat=seat, voice=voice))


def _day(table: Table) -> None:
    game, rng, at = table.game, table.rng, table.now
    living = game.living()
    for seat in living:
        for _ in range(game.sheet.posts_min if table.chance(0.95) else 0):
            table.do(c.Post(at=at, seat=seat, text="..."))
    king = game.crown.king
    if game.decides == "ballot":
        for seat in living:
            for _ in range(2 if table.chance(0.1) else 1):
                target = None if table.chance(0.1) else rng.choice(living)
                table.do(c.Vote(at=at, seat=seat, target=target))
    elif game.decides == "order" and king is not None and table.chance(0.95):
        if game.regime.key == "dictatorship" and table.chance(0.1):
            table.do(c.Abdicate(at=at, seat=king))
            return
        target = rng.choice(living)
        table.do(c.Order(at=at, seat=king, target=target))
        if target == king:
            table.do(c.Confirm(at=at, seat=king))


# --- M84 -----------------------------------------------------------------------------------------


def _m84(table: Table) -> None:
    """Do what there is to do before the clock goes on."""
    game = table.game
    if game.phase == "setup":
        _link(table)
    elif game.phase == "day":
        _two_days(table)
    else:
        _orders(table)
    _parting(table)


def _link(table: Table) -> None:
    game, rng, at = table.game, table.rng, table.now
    cupid = lovers.cupid(game)
    if cupid is not None and table.chance(0.9):
        first, second = rng.sample(game.living(), 2)
        table.do(c.Link(at=at, seat=cupid, first=first, second=second))


def _orders(table: Table) -> None:
    game, rng, at = table.game, table.rng, table.now
    for owed in game.owed():
        ability = owed.what
        if ability not in game.rules.abilities or not table.chance(0.8):
            continue
        channel = isinstance(owed.who, str)
        seat = rng.choice(abilities.holders(game, ability)) if channel else owed.who
        targets = [n for n in game.living() if (ability, seat, n) not in game.guards.used]
        if ability == "save":
            targets = [n for n in targets if n != seat]
        if targets:
            table.do(c.Act(at=at, seat=seat, ability=ability, target=rng.choice(targets)))


def _two_days(table: Table) -> None:
    game, rng, at = table.game, table.rng, table.now
    living = game.living()
    for seat in living:
        for _ in range(game.sheet.posts_streak if table.chance(0.95) else 0):
            table.do(c.Post(at=at, seat=seat, text="..."))
        if table.chance(0.1):
            ask = rng.choice(PETITIONS)
            table.do(c.Petition(at=at, seat=seat, ask=ask))
        for _ in range(1 if game.accelerated or table.chance(0.9) else 2):
            target = None if table.chance(0.1) else rng.choice(living)
            table.do(c.Vote(at=at, seat=seat, target=target, reason="..."))


def _parting(table: Table) -> None:
    game, rng, at = table.game, table.rng, table.now
    leaving = game.sheriff.leaving
    if leaving is not None and not game.sheriff.heirs and table.chance(0.8):
        living = game.living()
        heirs = rng.sample(living, min(2, len(living)))
        table.do(c.NameHeirs(at=at, seat=leaving, heirs=heirs))
    for seat in game.words.open:
        if seat not in game.words.texts and table.chance(0.8):
            table.do(c.LastWords(at=at, seat=seat, text="..."))


# --- whole games ---------------------------------------------------------------------------------

PLAYERS: dict[str, Callable[[Table], None]] = {"kingmaker": _kingmaker, "m84": _m84}
"""Rule sheet → who plays it: asked again whenever something else is to be decided."""


def play(sheet: Sheet, seed: int) -> Table:
    """Play a game of twelve from its opening to its end."""
    table = Table(Random(seed))
    game, do, at = table.game, table.do, table.now
    do(c.CreateGame(at=at, game=1, group="9", sheet=sheet.dump(), account="d", name="d"))
    for number in range(1, SEATS + 1):
        do(c.SignUp(at=at, account=f"a{number}", name=f"p{number}"))
    do(c.Deal(at=at, seed=f"{seed:x}"))
    player = PLAYERS[sheet.key]
    stage = None
    while game.phase != "over":
        now = _stage(game)
        if now != stage:
            stage = now
            player(table)
        if game.phase != "over" and _stage(game) == stage:
            table.tick()
    return table


def _stage(game: Game) -> tuple[object, ...]:
    stage = (game.phase, game.day, game.decides, game.regime.chooser, game.regime.key)
    return *stage, game.sheriff.leaving, *game.words.open


def run(counts: Counts) -> None:
    """Print how many games a second one core plays, of each sheet that somebody can play."""
    for key, sheet in load_rulesets().items():
        if key not in PLAYERS:
            continue
        play(sheet, -1)
        ended: Counter[str | None] = Counter()
        commands = events = days = 0
        begun = time.process_time()
        for seed in range(counts.games):
            table = play(sheet, seed)
            ended[table.game.winner] += 1
            commands += table.commands
            events += table.events
            days += table.game.day
        seconds = time.process_time() - begun
        won = ", ".join(f"{winner} {n}" for winner, n in sorted(ended.items(), key=str))
        print(f"  {key}, {SEATS} seats, {counts.games} games ({won}); a game has on average")
        print(
            f"  {days / counts.games:.1f} days, {commands / counts.games:.0f} commands and "
            f"{events / counts.games:.0f} events"
        )
        print(
            f"  {counts.games / seconds:8.0f} games/s of one core, "
            f"{1e6 * seconds / commands:.1f} µs a command"
        )
