"""Who rules when the kingmaker is gone: the choice, dictatorship and its end (K-14 to K-22)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from engine import calendar
from engine import events as ev
from engine.commands import Abdicate, Choose, Depose, Refused
from engine.mechanics import abilities, crown, phases
from engine.mechanics.base import Mechanic, Owed, owing
from engine.mechanics.clock import schedule, unschedule

if TYPE_CHECKING:
    from engine.game import Game

mechanic = Mechanic(
    "regime",
    needs=("king", "ballot"),
    spans=("choice_minutes",),
    calendar=True,
    parameters=(
        "on_kingmaker_out",
        "constitution_chooses_again",
        "choices",
        "choice_minutes",
        "default_regime",
        "depose_close",
        "depose_open",
    ),
)

GRANT = "grant"
DICTATORSHIP = "dictatorship"
DEMOCRACY = "democracy"
MONARCHY = "monarchy"
CONSTITUTION = "constitution"
REPUBLIC = "republic"


@dataclass(slots=True)
class Regime:
    """``key``: the regime. ``choice_owed``: whoever next gives an order must choose after it.

    ``chooser``: who is choosing now. ``chosen``: there was a choice since the last opening;
    ``ahead``: what begins at the close (K-44). ``deposing``: a depose vote runs, with these
    ``voices``; ``depose_spent``: there was one tonight; ``depose_until``: when the night's chance
    for it ends.
    """

    key: str = "monarchy"
    choice_owed: bool = False
    chooser: int | None = None
    chosen: bool = False
    ahead: str | None = None
    deposing: bool = False
    depose_spent: bool = False
    depose_until: datetime | None = None
    voices: dict[int, str] = field(default_factory=dict)


# --- the choice ----------------------------------------------------------------------------------


def open_choice(game: Game, king: int) -> None:
    """Ask the king who gave the order for his choice (K-14); gone, the default holds (K-15)."""
    fixed = game.sheet.on_kingmaker_out
    if fixed != "king_decides":
        _choose(game, fixed, king=king)
        return
    if not game.is_living(king):
        _choose(game, None)
        return
    due = game.clock + timedelta(minutes=game.sheet.choice_minutes)
    if "open" in game.due:
        due = min(due, game.due["open"])
    game.emit(ev.ChoiceOpened(seat=king, due=due, at=game.now, clause="K-14"))
    game.emit(ev.Told(seat=king, notice=["choice_wanted"], at=game.now, clause="K-14"))
    schedule(game, "choice", due, "K-14")


@mechanic.command(Choose)
def choose(game: Game, command: Choose) -> None:
    """The king's public choice (K-15). Refused: out, paused, no choice of his, none such."""
    game.require_actor(command.seat)
    regime = game.regime
    if command.choice not in game.sheet.choices:
        raise Refused("bad_choice", choices=list(game.sheet.choices))
    if regime.key == CONSTITUTION and game.crown.king == command.seat:
        _choose_again(game, command)
        return
    if regime.chooser != command.seat:
        owes = regime.choice_owed and game.crown.king == command.seat
        raise Refused("order_first" if owes else "no_choice")
    _choose(game, command.choice, king=command.seat)


def _choose_again(game: Game, command: Choose) -> None:
    """The king under constitution makes a new choice: once between two openings (K-44)."""
    if not game.sheet.constitution_chooses_again:
        raise Refused("no_choice")
    if command.choice == CONSTITUTION:
        others = [choice for choice in game.sheet.choices if choice != CONSTITUTION]
        raise Refused("bad_choice", choices=others)
    if game.regime.chosen:
        raise Refused("chosen_already")
    if game.phase == "day":
        game.emit(
            ev.RegimeAhead(regime=command.choice, seat=command.seat, at=game.now, clause="K-44")
        )
    else:
        _choose(game, command.choice, king=command.seat)


@mechanic.step("regime_ahead", "close_steps", when={"constitution_chooses_again": True})
def begin_ahead(game: Game) -> None:
    """What the king chose by day begins at its close (K-44)."""
    if game.regime.ahead is not None:
        _choose(game, game.regime.ahead, king=game.crown.king)


@mechanic.deadline("choice")
def choice_due(game: Game) -> None:
    """Nobody chose in time: the default holds (K-15)."""
    _choose(game, None, king=game.regime.chooser)


@mechanic.step("lapse", "close_steps")
def lapse(game: Game) -> None:
    """A choice that was owed and no order came: the default, unless closed by hand (K-15, K-27)."""
    if game.regime.choice_owed and not game.by_hand:
        fixed = game.sheet.on_kingmaker_out
        _choose(game, None if fixed == "king_decides" else fixed)


def _choose(game: Game, choice: str | None, king: int | None = None) -> None:
    """Let a choice hold: the king's, the sheet's fixed one, or (``None``) the default (K-15)."""
    made = choice or game.sheet.default_regime
    unschedule(game, "choice")
    fixed = game.sheet.on_kingmaker_out != "king_decides" and game.regime.key == MONARCHY
    game.emit(
        ev.Chosen(
            choice=made,
            seat=None if fixed or choice is None else king,
            by_default=choice is None,
            at=game.now,
            clause="K-41" if fixed else "K-15",
        )
    )
    if made == GRANT:
        successor = crown.heir(game)
        if successor is not None:
            crown.make_kingmaker(game, successor, "K-16")
        return
    clause = {DICTATORSHIP: "K-18", CONSTITUTION: "K-17", REPUBLIC: "K-42"}.get(made, "K-15")
    if made == REPUBLIC:
        game.emit(ev.RegimeChanged(regime=REPUBLIC, at=game.now, clause=clause))
    elif made == DEMOCRACY or not game.is_living(king):
        _to_democracy(game, clause)
    else:
        game.emit(ev.RegimeChanged(regime=made, king=king, at=game.now, clause=clause))


def _to_democracy(game: Game, clause: str) -> None:
    game.emit(ev.RegimeChanged(regime=DEMOCRACY, at=game.now, clause=clause))
    if game.phase == "day" and game.decides == "order":
        decides = "nobody" if phases.too_late(game) else "ballot"
        game.emit(ev.DayTurned(decides=decides, at=game.now, clause=clause))


# --- abdication and deposing ---------------------------------------------------------------------


@mechanic.command(Abdicate)
def abdicate(game: Game, command: Abdicate) -> None:
    """``退位`` (K-18). Refused: out, paused, not the dictator."""
    game.require_actor(command.seat)
    if game.regime.key != DICTATORSHIP or game.crown.king != command.seat:
        raise Refused("not_dictator")
    game.emit(ev.Abdicated(seat=command.seat, at=game.now, clause="K-18"))
    _drop_depose(game)
    _to_democracy(game, "K-18")


@mechanic.command(Depose)
def depose(game: Game, command: Depose) -> None:
    """``罢黜`` (K-19, K-20).

    Refused: out, paused, no dictatorship, day, no vote runs (for a voice other than the bare
    word), too late tonight, there was one tonight, the dictator opening it.
    """
    game.require_actor(command.seat)
    regime = game.regime
    if regime.key != DICTATORSHIP:
        raise Refused("depose_none")
    if game.phase != "night":
        raise Refused("wrong_phase", need="night")
    if not regime.deposing:
        _require_may_open(game, command)
        due = regime.depose_until
        assert due is not None
        late = game.next_hour(due, game.sheet.depose_open)
        opens = max(game.due["open"], late)
        game.emit(
            ev.DeposeOpened(seat=command.seat, due=due, opens=opens, at=game.now, clause="K-19")
        )
        abilities.void(game, "faction_kill", "K-20")
        schedule(game, "depose", due, "K-19")
        schedule(game, "open", opens, "K-20")
    voice = command.voice or "for"
    game.emit(ev.DeposeVoiced(seat=command.seat, voice=voice, at=game.now, clause="K-19"))
    _count(game)


def _require_may_open(game: Game, command: Depose) -> None:
    regime = game.regime
    if regime.depose_spent:
        raise Refused("depose_spent")
    if regime.depose_until is None or game.clock >= regime.depose_until:
        raise Refused("depose_late")
    if command.seat == game.crown.king:
        raise Refused("depose_self")
    if command.voice is not None:
        raise Refused("depose_closed")


def _count(game: Game) -> None:
    """End the vote as soon as it is decided or everybody has spoken (K-19)."""
    living = game.living()
    voices = game.regime.voices
    if 2 * _votes_for(game) > len(living):
        _close_depose(game, "passed")
        game.emit(ev.RegimeChanged(regime=DEMOCRACY, at=game.now, clause="K-19"))
    elif all(number in voices for number in living):
        _close_depose(game, "failed")


def _votes_for(game: Game) -> int:
    return sum(voice == "for" for voice in game.regime.voices.values())


def _close_depose(game: Game, result: str) -> None:
    unschedule(game, "depose")
    game.emit(
        ev.DeposeClosed(
            result=result,
            votes_for=_votes_for(game),
            living=len(game.living()),
            at=game.now,
            clause="K-20" if result == "dropped" else "K-19",
        )
    )


def _drop_depose(game: Game) -> None:
    if game.regime.deposing:
        _close_depose(game, "dropped")


@mechanic.deadline("depose")
def depose_due(game: Game) -> None:
    """The vote's time is over without a majority (K-19), or a director opens the day (K-27)."""
    _close_depose(game, "dropped" if game.by_hand else "failed")


# --- what follows --------------------------------------------------------------------------------


def _follow(game: Game, gone: list[int]) -> None:
    regime = game.regime
    if regime.chooser in gone:
        _choose(game, None)
    king = game.crown.king
    if king in gone and king is not None:
        if regime.key == DICTATORSHIP:
            _drop_depose(game)
            _to_democracy(game, "K-18")
        elif regime.key == "constitution":
            game.emit(ev.ReignEnded(seat=king, at=game.now, clause="K-17"))
    if regime.deposing:
        _count(game)


mechanic.follows = _follow


def _owed(game: Game) -> Iterable[Owed]:
    regime = game.regime
    if regime.chooser is not None:
        yield owing(game, regime.chooser, "choice", "choice")
    if regime.deposing:
        for number in game.living():
            if number not in regime.voices:
                yield owing(game, number, "depose", "depose", expected=False)


mechanic.owed = _owed


# --- how events change the game ------------------------------------------------------------------


@mechanic.event(ev.KingmakerGone)
def _kingmaker_gone(game: Game, event: ev.KingmakerGone) -> None:
    sheet = game.sheet
    game.regime.choice_owed = sheet.succession == "choice" and not sheet.kingmaker_by_card


@mechanic.event(ev.ChoiceOpened)
def _choice_opened(game: Game, event: ev.ChoiceOpened) -> None:
    game.regime.chooser = event.seat
    game.regime.choice_owed = False


@mechanic.event(ev.Chosen)
def _chosen(game: Game, event: ev.Chosen) -> None:
    game.regime.chooser = None
    game.regime.choice_owed = False
    game.regime.chosen = True
    game.regime.ahead = None


@mechanic.event(ev.RegimeAhead)
def _regime_ahead(game: Game, event: ev.RegimeAhead) -> None:
    game.regime.ahead = event.regime
    game.regime.chosen = True


@mechanic.event(ev.RegimeChanged)
def _regime_changed(game: Game, event: ev.RegimeChanged) -> None:
    game.regime.key = event.regime


@mechanic.event(ev.NightFell)
def _night_fell(game: Game, event: ev.NightFell) -> None:
    regime = game.regime
    regime.depose_spent = False
    sheet = game.sheet
    regime.depose_until = calendar.last_hour(
        event.opens, sheet.depose_close, sheet.zone, game.shift
    )


@mechanic.event(ev.DayOpened)
def _day_opened(game: Game, event: ev.DayOpened) -> None:
    game.regime.depose_until = None
    game.regime.chosen = False


@mechanic.event(ev.DeposeOpened)
def _depose_opened(game: Game, event: ev.DeposeOpened) -> None:
    game.regime.deposing = True
    game.regime.depose_spent = True
    game.regime.voices = {}


@mechanic.event(ev.DeposeVoiced)
def _depose_voiced(game: Game, event: ev.DeposeVoiced) -> None:
    game.regime.voices[event.seat] = event.voice


@mechanic.event(ev.Departed)
def _departed(game: Game, event: ev.Departed) -> None:
    game.regime.voices.pop(event.seat, None)


@mechanic.event(ev.DeposeClosed)
def _depose_closed(game: Game, event: ev.DeposeClosed) -> None:
    game.regime.deposing = False


@mechanic.event(ev.Resumed)
def _resumed(game: Game, event: ev.Resumed) -> None:
    if game.regime.depose_until is not None:
        game.regime.depose_until += timedelta(seconds=event.seconds)
