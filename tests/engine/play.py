"""Help for engine tests: opening games, the whole state of a Game, its invariants."""

from __future__ import annotations

import copy
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Union

import msgspec

from engine import events as ev
from engine.commands import CreateGame, Deal, Preset, SignUp, Tick
from engine.game import Game
from engine.ruleset import Sheet

RULESETS = Path(__file__).parents[2] / "data" / "rulesets"
START = datetime(2026, 3, 2, 2, 0, tzinfo=UTC)  # 10:00 in Shanghai
DECODER = msgspec.json.Decoder(Union[ev.EVENTS])  # noqa: UP007
TRANSIENT = {
    *("rules", "emitted", "concluded", "followed", "by_hand", "closing", "ruling", "lived", "hand"),
}
REGIMES = {"monarchy", "dictatorship", "constitution", "democracy"}


def sheet(key: str = "kingmaker", **parameters: Any) -> Sheet:
    """Return a sheet of the repository, with parameters set otherwise."""
    plain = tomllib.loads((RULESETS / f"{key}.toml").read_text(encoding="utf-8"))
    return Sheet.load(plain).with_parameters(parameters)


def opened(rules: Sheet, players: int, at: datetime = START) -> tuple[Game, list[ev.Event]]:
    """Return a game in sign-up with ``players`` on its list, and its events."""
    game = Game()
    log = game.handle(
        CreateGame(at=at, game=1, group="900", sheet=rules.dump(), account="d", name="D")
    )
    for number in range(1, players + 1):
        log += game.handle(SignUp(at=at, account=f"a{number}", name=f"P{number}"))
    return game, log


def dealt(
    rules: Sheet, roles: list[str], at: datetime = START, preset: Preset | None = None
) -> tuple[Game, list[ev.Event]]:
    """Return a game just dealt: ``roles`` of the seats 1, 2, …; the throne in seat order."""
    game, log = opened(rules, len(roles), at)
    fixed = preset or Preset(throne=list(range(1, len(roles) + 1)))
    deal = Deal(at=at, seed="5eed", roles=dict(enumerate(roles, 1)), preset=fixed)
    return game, log + game.handle(deal)


def advance(game: Game, to: datetime) -> list[ev.Event]:
    """Let the clock run to a moment; return what it brought about."""
    log: list[ev.Event] = []
    while (alarm := game.next_alarm()) is not None and alarm <= to:
        log += game.handle(Tick(at=alarm))
    return log


def state(game: Game) -> dict[str, Any]:
    """Return a copy of everything that a Game remembers, to be compared."""
    kept = [name for name in Game.__slots__ if name not in TRANSIENT]
    found = {name: getattr(game, name) for name in kept if hasattr(game, name)}
    return copy.deepcopy(found)


def stored(log: list[ev.Event]) -> list[ev.Event]:
    """Return the events after they went through JSON."""
    return [DECODER.decode(msgspec.json.encode(event)) for event in log]


def check(game: Game) -> None:
    """Assert what must hold of every Game at every moment."""
    living = game.living()
    assert game.phase in {"setup", "night", "day", "over"}
    assert sorted(living + game.out) == sorted(game.seats)
    assert len(set(game.out)) == len(game.out)
    assert all(game.seats[n].cause for n in game.out)
    assert not any(game.seats[n].announced for n in living)
    assert sorted(n for n, s in game.seats.items() if ["out"] in s.told) == sorted(game.out)
    assert all(seat.warnings >= 0 for seat in game.seats.values())
    assert all(game.seats[n].warnings < game.sheet.warnings_out for n in living)
    if game.phase == "over":
        assert not game.due and not game.reminders and game.paused_at is None
        return
    assert game.winner is None
    if game.phase == "setup":
        assert set(game.due) == ({"link"} if game.seats else set())
        return
    assert ("open" in game.due) == (game.phase == "night")
    assert ("close" in game.due) == (game.phase == "day")
    if game.paused_at is None:
        assert all(due >= game.now for due in game.due.values())
    assert game.reminders == sorted(game.reminders)
    if game.phase == "day":
        for voter, target in game.ballot.cast.items():
            assert target is None or game.is_living(target)
            assert game.is_living(voter) or not game.sheet.drop_ballots_of_out
        counts = {seat: len(moves) for seat, moves in game.ballot.reached.items() if moves}
        cast = [target for target in game.ballot.cast.values() if target is not None]
        assert counts == {seat: cast.count(seat) for seat in set(cast)}
    if "crown" in game.sheet.mechanics:
        check_crown(game)
    if "lovers" in game.sheet.mechanics:
        check_m84(game)


def check_m84(game: Game) -> None:
    """Assert what must hold of a game with lovers, charms, cards and a sheriff."""
    pair = game.lovers.pair
    assert len(pair) == 2 and len({game.seats[n].alive for n in pair}) == 1
    assert len({game.seats[n].faction for n in pair}) == 1
    for number, seat in game.seats.items():
        assert seat.faction in game.sheet.factions
        held = game.cards.held.get(number, {})
        assert all(held.get(colour, 0) >= 0 for colour in ("blue", "yellow", "red"))
        assert held.get("blue", 0) < 3 and held.get("yellow", 0) < 3
        assert held.get("red", 0) == seat.reds + game.cards.waiting.count(number)
        if seat.reds:
            assert not seat.alive
    assert all(game.is_living(n) and n not in pair for n in game.charm.charmed)
    assert set(game.charm.new) <= set(game.charm.charmed)
    piper = next(seat for seat in game.seats.values() if seat.role == "piper")
    assert piper.alive or not game.charm.charmed
    assert len(game.words.given) <= game.sheet.last_words
    assert game.sheriff.seat is None or game.is_living(game.sheriff.seat)
    assert ("heir" in game.due) == (game.sheriff.leaving is not None)
    if game.day > 1 or (game.day == 1 and game.phase == "night"):
        assert game.sheriff.seat is not None or game.sheriff.leaving is not None
    assert ("night" in game.due) <= ("witch" in game.due)
    assert ("witch" in game.due) == (game.phase == "night" and not game.abilities.settled)
    if game.phase == "day":
        assert all(game.seats[n].announced for n in game.out if n not in unannounced(game))
    left = [f for f in game.sheet.factions if f not in game.lost]
    assert len(left) > 1
    wolves = sum(game.seats[n].faction == "wolves" for n in game.living())
    assert "wolves" in game.lost or 2 * wolves < len(game.living())


def unannounced(game: Game) -> list[int]:
    """Return who went since the last opening."""
    return game.out[game.out_at_opening :]


def check_crown(game: Game) -> None:
    """Assert what must hold of the crown and the regime."""
    crown, regime = game.crown, game.regime
    assert not game.lost
    assert {game.seats[n].faction for n in game.living()} == {"killers", "town"}
    assert regime.key in REGIMES
    for holder in (crown.king, crown.kingmaker, regime.chooser):
        assert holder is None or game.is_living(holder)
    if crown.kingmaker is not None:
        assert regime.key == "monarchy" and game.seats[crown.kingmaker].faction == "town"
        assert regime.chooser is None
    if regime.key == "monarchy" and game.phase == "night":
        assert crown.king is None
    if regime.key == "dictatorship":
        assert crown.king is not None
    if regime.key == "democracy":
        assert crown.king is None
    if game.phase == "day" and game.decides == "order":
        assert crown.king is not None and regime.key in ("monarchy", "dictatorship")
    assert ("choice" in game.due) == (regime.chooser is not None)
    assert ("depose" in game.due) == regime.deposing
    if regime.deposing:
        assert game.phase == "night" and regime.key == "dictatorship"
        assert 2 * sum(v == "for" for v in regime.voices.values()) <= len(game.living())
        assert not game.abilities.orders
    assert set(regime.voices) <= set(game.living()) or not regime.deposing
    if regime.key == "monarchy" and crown.kingmaker is None:
        assert regime.choice_owed or regime.chooser is not None
