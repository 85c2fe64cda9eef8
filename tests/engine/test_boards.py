"""Random play of the classic boards: invariants after every command, the log folds back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise
from random import Random

import pytest

from data.rulesets import load_rulesets
from engine import commands as c
from engine import events as ev
from engine import view
from engine.commands import Refused
from engine.game import Game
from engine.mechanics import abilities, ballot
from engine.ruleset import Sheet
from tests.engine import play

BOARDS = {
    "seer-witch-hunter-guard": {"wolves", "town"},
    "seer-witch-hunter-idiot": {"wolves", "town"},
    "nine": {"wolves", "town"},
    "six": {"wolves", "town"},
    "lovers-piper": {"wolves", "town", "lovers"},
    "mafia": {"mafia", "town"},
}
"""Each board with the factions that win some of its random games."""

SHEETS = load_rulesets()
GAMES = 20


class Table:
    """A game of a board, its log, and what the time is."""

    def __init__(self, sheet: Sheet, seed: int) -> None:
        self.rng = Random(seed)
        self.now = play.START
        players = self.rng.randint(sheet.players_min, sheet.players_max)
        self.game, self.log = play.opened(sheet, players)
        self.refused: Counter[str] = Counter()
        self.do(c.Deal(at=self.now, seed=f"{seed:x}"))

    def do(self, command: c.Command) -> None:
        """Hand a command in; a refused one has changed nothing."""
        before = play.state(self.game) if self.rng.random() < 0.05 else None
        try:
            self.log += self.game.handle(command)
        except Refused as refused:
            self.refused[refused.code] += 1
            assert before is None or play.state(self.game) == before, refused.code

    def step(self) -> None:
        """Let somebody do something, or the clock go on."""
        if self.game.paused_at is not None and self.rng.random() < 0.3:
            self.do(c.Resume(at=self.now))
            return
        alarm = self.game.next_alarm()
        if alarm is not None and self.rng.random() < 0.04:
            self.now = alarm
            while (due := self.game.next_alarm()) is not None and due <= self.now:
                self.do(c.Tick(at=self.now))
                check(self.game)
            return
        later = self.now + timedelta(seconds=self.rng.choice((0, 0, 0, 1)))
        if alarm is None or later < alarm:
            self.now = later
        self.do(self.rng.choice(list(self.moves())))

    def moves(self) -> Iterator[c.Command]:
        """What may be tried now, some of it in vain; what moves the game on more than once."""
        game, rng, at = self.game, self.rng, self.now
        seat, target = rng.choice(list(game.seats)), rng.choice(list(game.seats))
        living = rng.choice(game.living())
        if "link" in game.due:
            archer = next(n for n, each in game.seats.items() if each.role == "cupid")
            yield c.Link(at=at, seat=archer, first=living, second=target)
        if game.phase == "night":
            for ability in game.rules.abilities:
                for number in abilities.holders(game, ability):
                    yield c.Act(at=at, seat=number, ability=ability, target=target)
            for number in game.living():
                yield c.Ready(at=at, seat=number)
            yield c.Withdraw(at=at, seat=living)
            yield c.Act(at=at, seat=living, ability="faction_kill", target=None)
        if game.phase == "day":
            for number in game.living():
                yield c.Vote(at=at, seat=number, target=rng.choice([*game.living(), None, target]))
            if game.decides == "candidacy":
                yield c.Stand(at=at, seat=living)
                yield c.Stand(at=at, seat=rng.choice(game.living()))
                yield c.StandDown(at=at, seat=living)
        if game.gun.holder is not None:
            yield c.Shoot(at=at, seat=game.gun.holder, target=target)
        if game.sheriff.leaving is not None:
            heirs = rng.sample(list(game.seats), rng.randint(0, 2))
            yield c.NameHeirs(at=at, seat=game.sheriff.leaving, heirs=heirs)
        for number in game.words.open:
            yield c.LastWords(at=at, seat=number, text="bye")
        if game.phase == "day" and rng.random() < 0.1:
            yield c.Explode(at=at, seat=living)
        if rng.random() < 0.05:
            yield c.Explode(at=at, seat=seat)
            yield c.Shoot(at=at, seat=seat, target=target)
            yield c.NameHeirs(at=at, seat=seat, heirs=[target])
            yield c.LastWords(at=at, seat=seat, text="bye")
            yield c.Say(at=at, seat=seat, text="hi")
            yield c.Act(at=at, seat=seat, ability="guard", target=target)
        if rng.random() < 0.01:
            yield c.Pause(at=at)
            yield c.Extend(at=at, minutes=1)
            yield c.RuleOut(at=at, target=target, reason="r")
            yield rng.choice((c.CloseDay(at=at), c.OpenDay(at=at), c.SettleNight(at=at)))


def check(game: Game) -> None:
    """Assert what must hold of every game of these boards at every moment."""
    sheet, living, day = game.sheet, game.living(), game.phase == "day"
    assert sorted(living + game.out) == sorted(game.seats)
    assert all(game.seats[n].cause for n in game.out)
    assert sorted(n for n, s in game.seats.items() if ["out"] in s.told) == sorted(game.out)
    assert len(game.words.given) <= sheet.last_words and set(game.words.open) <= set(game.out)
    check_secrets(game)
    if game.phase == "over":
        assert not game.due and not game.reminders and game.paused_at is None
        return
    assert game.winner is None and game.due
    if game.paused_at is None:
        assert all(due >= game.now for due in game.due.values())
    assert ("close" in game.due) == day
    assert ("open" in game.due) == (game.phase == "night")
    assert ("night" in game.due) <= ("witch" in game.due)
    assert ("witch" in game.due) == (game.phase == "night" and not game.abilities.settled)
    if "witch" in game.due:
        assert game.due["open"] >= game.due["witch"]
    # the office
    assert game.sheriff.seat is None or game.is_living(game.sheriff.seat)
    assert ("heir" in game.due) == (game.sheriff.leaving is not None)
    assert ("candidacy" in game.due) == (day and game.decides == "candidacy")
    assert ("election" in game.due) == (day and game.decides == "sheriff")
    if game.decides == "candidacy":
        assert game.day == 1 and game.sheriff.seat is None
    if day:
        assert set(game.election.candidates) <= set(living)
        check_ballots(game)
    # the gun and the card
    if game.gun.holder is not None:
        holder = game.seats[game.gun.holder]
        assert holder.role == "hunter" and holder.cause in sheet.shot_after and not holder.alive
        assert ("shot" in game.due) or not holder.announced
    assert ("shot" in game.due) <= bool(game.out)
    assert all(game.seats[n].role == "idiot" for n in game.idiots.revealed)
    # the night
    keys = [key for key, _ in game.abilities.orders]
    assert not ("save" in keys and "poison" in keys)
    check_sides(game)


def check_secrets(game: Game) -> None:
    """Nothing public shows a role, and nobody's own view another's."""
    if game.phase != "over":
        assert not any(seat["role"] for seat in view.public_view(game)["seats"])
    number = game.out[-1] if game.out else 1
    own = view.seat_view(game, number)
    assert own["role"] == game.seats[number].role and own["alive"] == game.seats[number].alive


def check_ballots(game: Game) -> None:
    """Only who may vote has, and for whom one may."""
    may = set(ballot.voters(game))
    assert not may & set(game.idiots.revealed)
    for voter, target in game.ballot.cast.items():
        assert voter in may and (target is None or game.is_living(target))
        assert target not in game.idiots.revealed or game.decides != "ballot"
        if game.decides == "runoff":
            assert target in (None, *game.ballot.runoff)
        if game.decides == "sheriff":
            assert target in (None, *game.election.candidates)


def check_sides(game: Game) -> None:
    """A game goes on only while nobody has won it."""
    for role, rule in game.sheet.roles.items():
        if rule.faction in ("wolves", "mafia") and not game.lost:
            pack = [n for n in game.living() if game.seats[n].role == role]
            assert pack or game.lovers.pair
    if game.lovers.pair:
        assert len({game.seats[n].alive for n in game.lovers.pair}) == 1
        assert not set(game.charm.charmed) & set(game.lovers.pair)
    assert set(game.charm.charmed) <= set(game.living())
    if not game.lovers.pair and "lovers" not in game.sheet.mechanics:
        assert not game.lost
        for losing in game.sheet.lose["town"]:
            roles = losing.roles or [r for r, rule in game.sheet.roles.items() if rule.faction]
            group = [
                n for n, seat in game.seats.items() if seat.role in roles and seat.faction == "town"
            ]
            assert any(game.seats[n].alive for n in group)


def check_log(log: list[ev.Event], sheet: Sheet) -> None:
    """Over a whole game: potions and shot once, no seat guarded twice running, days in order.

    Of those who went by night nothing tells the cause, nor does their order.
    """
    nights = [event.actions for event in log if isinstance(event, ev.NightSettled)]
    for potion in ("save", "poison"):
        assert sum(action[0] == potion for night in nights for action in night) <= 1
    guarded = [{a[2] for a in night if a[0] == "guard"} for night in nights]
    assert not any(one & two for one, two in pairwise(guarded))
    days = [event.day for event in log if isinstance(event, ev.DayOpened)]
    assert days == list(range(1, len(days) + 1))
    for opened in (event for event in log if isinstance(event, ev.DayOpened)):
        assert opened.out == sorted(opened.out)
    by_night = {e.seat for e in log if isinstance(e, ev.Departed) and not e.announce}
    announced = [e for e in log if isinstance(e, ev.OutAnnounced) and e.seat in by_night]
    assert not any(event.cause or event.role for event in announced)
    for one, two in pairwise(announced):
        assert one.at < two.at or one.seat < two.seat
    shots = [event for event in log if isinstance(event, ev.Shot)]
    assert len(shots) <= 1
    assert sum(isinstance(event, ev.GameOver) for event in log) == 1


@pytest.mark.parametrize("board", BOARDS)
def test_whole_games_hold_their_invariants_and_fold_back(board: str) -> None:
    sheet = SHEETS[board]
    winners: Counter[str | None] = Counter()
    kinds: set[str] = set()
    for seed in range(GAMES):
        table = Table(sheet, seed)
        for _ in range(5000):
            check(table.game)
            if table.game.phase == "over":
                break
            table.step()
        assert table.game.phase == "over", "a game that does not end"
        winners[table.game.winner] += 1
        kinds |= {type(event).__name__ for event in table.log}
        check_log(table.log, sheet)
        assert play.state(Game.fold(play.stored(table.log))) == play.state(table.game)
    assert set(winners) >= BOARDS[board]
    assert kinds >= expected_kinds(sheet)


def expected_kinds(sheet: Sheet) -> set[str]:
    """Return what must have come about in some of the games, so that it was tried at all."""
    found = {"KillNamed", "DayClosed", "Tallied", "RunoffOpened", "LastWordsPublished", "ReadySaid"}
    for mechanic, kinds in (
        ("hunter", {"ShotGiven", "Shot"}),
        ("idiot", {"IdiotRevealed"}),
        ("explode", {"Exploded"}),
        ("election", {"Stood", "StoodDown", "SheriffTook", "NobodyElected"}),
        ("sheriff", {"SheriffVacated", "HeirsNamed"}),
        ("charm", {"Charmed", "CharmedAnnounced"}),
        ("lovers", {"Linked"}),
    ):
        if mechanic in sheet.mechanics:
            found |= kinds
    return found


def test_the_same_seed_plays_the_same_game() -> None:
    first, second = Table(SHEETS["nine"], 7), Table(SHEETS["nine"], 7)
    for _ in range(300):
        if first.game.phase != "over":
            first.step()
            second.step()
    assert first.log == second.log
