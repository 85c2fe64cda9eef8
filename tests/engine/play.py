"""Help for engine tests: opening games, the whole state of a Game, its invariants."""

from __future__ import annotations

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
TRANSIENT = {"rules", "emitted", "followed", "by_hand"}
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
    """Return everything that a Game remembers, to be compared."""
    kept = [name for name in Game.__slots__ if name not in TRANSIENT]
    found = {name: getattr(game, name) for name in kept if hasattr(game, name)}
    return {name: msgspec.to_builtins(value, str_keys=True) for name, value in found.items()}


def stored(log: list[ev.Event]) -> list[ev.Event]:
    """Return the events after they went through JSON."""
    return [DECODER.decode(msgspec.json.encode(event)) for event in log]


def check(game: Game) -> None:
    """Assert what must hold of every Game of the 拥王者 family at every moment."""
    living = game.living()
    assert game.phase in {"setup", "night", "day", "over"}
    assert sorted(living + game.out) == sorted(game.seats)
    assert len(set(game.out)) == len(game.out)
    assert all(game.seats[n].announced and game.seats[n].cause for n in game.out)
    assert not any(game.seats[n].announced for n in living)
    assert all(seat.warnings >= 0 for seat in game.seats.values())
    assert all(game.seats[n].warnings < game.sheet.warnings_out for n in living)
    if game.phase == "over":
        assert not game.due and not game.reminders and game.paused_at is None
        return
    if game.phase == "setup":
        assert not game.seats and not game.due
        return
    assert game.winner is None and not game.lost
    assert any(game.seats[n].faction == "killers" for n in living)
    assert any(game.seats[n].faction == "town" for n in living)
    assert ("open" in game.due) == (game.phase == "night")
    assert ("close" in game.due) == (game.phase == "day")
    if game.paused_at is None:
        assert all(due >= game.now for due in game.due.values())
    assert game.reminders == sorted(game.reminders)
    check_crown(game)
    for voter, target in game.ballot.cast.items():
        if game.phase == "day":
            assert game.is_living(voter) and (target is None or game.is_living(target))
    told_out = [n for n, seat in game.seats.items() if ["out"] in seat.told]
    assert sorted(told_out) == sorted(game.out)


def check_crown(game: Game) -> None:
    """Assert what must hold of the crown and the regime."""
    crown, regime = game.crown, game.regime
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
        assert not game.kill.named
    assert set(regime.voices) <= set(game.living()) or not regime.deposing
    if regime.key == "monarchy" and crown.kingmaker is None:
        assert regime.choice_owed or regime.chooser is not None
