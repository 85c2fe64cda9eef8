"""The people's vote: one ballot a seat, one change, the tally (K-23, K-24, M84-14 to M84-18)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from fractions import Fraction
from typing import TYPE_CHECKING

from engine import events as ev
from engine.commands import Refused, Vote
from engine.departure import depart
from engine.mechanics import charm
from engine.mechanics.base import Mechanic, Owed, owing
from engine.mechanics.clock import schedule, unschedule
from engine.mechanics.warnings import warn

if TYPE_CHECKING:
    from engine.game import Game

mechanic = Mechanic(
    "ballot",
    clauses=("ballot", "no_ballot", "runoff", "silence", "tally", "void"),
    parameters=(
        "execution_needs",
        "change_cutoff_minutes",
        "drop_ballots_of_out",
        "tie",
        "runoff_minutes",
    ),
)

# What a day may decide by ballots: whom to execute, who is sheriff or president.
VOTED = ("ballot", "runoff", "sheriff", "election")


@dataclass(slots=True)
class Ballots:
    """``cast``: seat → target (``None``: abstains), with ``reasons``; ``changed``: who used it.

    ``excused``: whose ballot fell void. ``midway``: the day turned to ballots while it ran.
    ``reached``: target → when (a count) it reached its first, second … ballot. ``tally``: the last
    one, seat → weight. ``runoff``: between whom a tie is decided.
    """

    cast: dict[int, int | None] = field(default_factory=dict)
    reasons: dict[int, str] = field(default_factory=dict)
    changed: set[int] = field(default_factory=set)
    excused: set[int] = field(default_factory=set)
    midway: bool = False
    moves: int = 0
    reached: dict[int, list[int]] = field(default_factory=dict)
    tally: dict[int, str] = field(default_factory=dict)
    runoff: list[int] = field(default_factory=list)


def weight(game: Game, seat: int) -> Fraction:
    """Return what a seat's ballot weighs: the sheriff's more than one (M84-10)."""
    return Fraction(game.sheet.sheriff_weight) if seat == game.sheriff.seat else Fraction(1)


def decimal_text(value: Fraction) -> str:
    """Write a weight of halves as decimal text: ``1``, ``2.5``."""
    whole, rest = divmod(value, 1)
    return str(whole) if not rest else f"{float(value):g}"


@mechanic.command(Vote)
def vote(game: Game, command: Vote) -> None:
    """Cast or change a ballot (M84-14 to M84-17).

    Refused: out, paused, no vote today, a seat that is out, no change left, in the last hour, on
    an accelerated day.
    """
    if command.proxy and not game.require_seat(command.seat).alive:
        raise Refused("already_out", seat=command.seat)
    game.require_actor(command.seat)
    if game.phase != "day" or game.decides not in VOTED:
        raise Refused("no_vote_today")
    if command.target is not None:
        game.require_target(command.target)
    ballots = game.ballot
    left = game.due["close"] - game.clock
    last_hour = left <= timedelta(minutes=game.sheet.change_cutoff_minutes)
    if command.proxy and last_hour:
        raise Refused("change_late", minutes=game.sheet.change_cutoff_minutes)
    first = command.seat not in ballots.cast
    change = not first and ballots.cast[command.seat] != command.target
    if command.seat in game.idiots.revealed:
        raise Refused("vote_lost")
    # An election's ballots go to those who stand, and change freely (K-42).
    election = game.decides == "election"
    standing = game.election.candidates
    among = election or (game.decides == "sheriff" and game.sheet.sheriff_election == "candidates")
    if among and command.target not in (None, *standing):
        raise Refused("not_standing", seat=command.target)
    if command.seat not in voters(game):
        raise Refused("no_vote_now")
    if game.decides == "runoff" and command.target not in (None, *ballots.runoff):
        raise Refused("not_in_runoff", seats=list(ballots.runoff))
    if command.target in game.idiots.revealed:
        raise Refused("target_immune", seat=command.target)
    if change and not election:
        if game.accelerated:
            raise Refused("change_accelerated")
        if command.seat in ballots.changed:
            raise Refused("no_change_left")
        if last_hour:
            raise Refused("change_late", minutes=game.sheet.change_cutoff_minutes)
    reason = command.reason
    if reason and charm.breaks_silence(game, command.seat, reason, command.plain):
        clause = game.clause("silence")
        game.emit(
            ev.Reported(
                seat=command.seat, what="charmed_reason", text=reason, at=game.now, clause=clause
            )
        )
        reason = ""
    game.emit(
        ev.BallotCast(
            seat=command.seat,
            target=command.target,
            reason=reason,
            change=change and not election,
            proxy=command.proxy,
            at=game.now,
            clause=game.clause("ballot"),
        )
    )
    close_if_all_voted(game)


def close_if_all_voted(game: Game) -> None:
    """Close the vote early when nobody's ballot is missing, where the pace is the players'."""
    if game.sheet.pace != "ready" or game.phase != "day" or game.decides not in VOTED:
        return
    if all(number in game.ballot.cast for number in voters(game)):
        kind = "election" if "election" in game.due else "close"
        unschedule(game, kind)
        game.rules.deadlines[kind](game)


def voters(game: Game) -> list[int]:
    """Return who may vote now: all who live, but those between whom is decided, and idiots."""
    barred = set(game.idiots.revealed)
    if game.decides == "runoff":
        barred |= set(game.ballot.runoff)
    elif game.decides == "sheriff":
        barred |= game.election.stood
    return [number for number in game.living() if number not in barred]


def open_runoff(game: Game) -> bool:
    """A tie at the close is voted on once more by the others, where the sheet says so."""
    if game.sheet.tie != "runoff" or game.decides != "ballot" or game.by_hand:
        return False
    weights = weigh(game)
    tied = leaders(weights)
    others = [n for n in game.living() if n not in tied and n not in game.idiots.revealed]
    if len(tied) < 2 or not others:
        return False
    clause = game.clause("runoff")
    publish(game, weights, None, clause)
    closes = game.clock + timedelta(minutes=game.sheet.runoff_minutes)
    game.emit(ev.RunoffOpened(seats=tied, closes=closes, at=game.now, clause=clause))
    game.emit(ev.DayTurned(decides="runoff", at=game.now, clause=clause))
    schedule(game, "close", closes, clause)
    return True


def weigh(game: Game) -> dict[int, Fraction]:
    """Return the weight of the ballots for each seat that has any."""
    weights: dict[int, Fraction] = {}
    for voter, target in game.ballot.cast.items():
        if target is not None:
            weights[target] = weights.get(target, Fraction()) + weight(game, voter)
    return weights


def leaders(weights: dict[int, Fraction]) -> list[int]:
    """Return the seats with the most weight, ascending."""
    most = max(weights.values(), default=Fraction())
    return sorted(seat for seat, gained in weights.items() if gained == most)


def first_there(game: Game, seats: list[int]) -> int:
    """Return which of these seats reached its number of ballots first and kept it (M84-09)."""
    return min(seats, key=lambda seat: game.ballot.reached[seat][-1])


def publish(game: Game, weights: dict[int, Fraction], target: int | None, clause: str) -> None:
    """Publish every ballot, the weights, and whom they name (M84-18)."""
    ballots = game.ballot
    game.emit(
        ev.Tallied(
            tally={seat: decimal_text(weights[seat]) for seat in sorted(weights)},
            ballots={voter: ballots.cast[voter] for voter in sorted(ballots.cast)},
            reasons={voter: ballots.reasons[voter] for voter in sorted(ballots.reasons)},
            target=target,
            at=game.now,
            clause=clause,
        )
    )


@mechanic.step("vote", "close_steps")
def count(game: Game) -> None:
    """Count the ballots and execute whom they name (M84-18, K-23)."""
    if game.decides not in ("ballot", "runoff"):
        return
    weights = weigh(game)
    clause = game.clause("tally")
    most = leaders(weights)
    target = most[0] if len(most) == 1 else None
    needed = len(game.living()) if game.sheet.execution_needs == "majority" else 0
    if target is not None and 2 * weights[target] <= needed:
        target = None
    publish(game, weights, target, clause)
    if target is not None and not any(spares(game, target) for spares in game.rules.spares):
        depart(game, target, "vote", clause)


@mechanic.step(
    "no_ballot",
    "close_steps",
    when={"no_ballot_warnings": True, "mechanics": "warnings"},
)
def no_ballot(game: Game) -> None:
    """Warn who cast no ballot at all (K-23): not by hand, nor if it turned midway (K-18)."""
    ballots = game.ballot
    if game.decides != "ballot" or game.by_hand or ballots.midway:
        return
    for number in game.living():
        if number not in ballots.cast and number not in ballots.excused:
            warn(game, number, game.sheet.no_ballot_warnings, "no_ballot", game.clause("no_ballot"))


def _follow(game: Game, gone: list[int]) -> None:
    if game.phase != "day":
        return
    clause = game.clause("void")
    for voter, target in list(game.ballot.cast.items()):
        void = target in gone
        if not void and not (voter in gone and game.sheet.drop_ballots_of_out):
            continue
        game.emit(ev.BallotDropped(seat=voter, void=void, at=game.now, clause=clause))
        if void and game.is_living(voter):
            game.emit(ev.Told(seat=voter, notice=["void", "ballot"], at=game.now, clause=clause))
    close_if_all_voted(game)


mechanic.follows = _follow


def _owed(game: Game) -> Iterable[Owed]:
    if game.phase == "day" and game.decides in VOTED and game.decides != "election":
        kind = "election" if "election" in game.due else "close"
        for number in voters(game):
            if number not in game.ballot.cast:
                yield owing(game, number, "ballot", kind)


mechanic.owed = _owed


@mechanic.event(ev.DayOpened)
def _day_opened(game: Game, event: ev.DayOpened) -> None:
    tally = game.ballot.tally
    game.ballot = Ballots(tally=tally)


@mechanic.event(ev.RunoffOpened)
def _runoff_opened(game: Game, event: ev.RunoffOpened) -> None:
    game.ballot.runoff = list(event.seats)


@mechanic.event(ev.DayTurned)
def _day_turned(game: Game, event: ev.DayTurned) -> None:
    if event.decides in VOTED:
        old = game.ballot
        game.ballot = Ballots(runoff=old.runoff, tally=old.tally)
    game.ballot.midway = True


@mechanic.event(ev.BallotCast)
def _ballot_cast(game: Game, event: ev.BallotCast) -> None:
    ballots = game.ballot
    if event.seat not in ballots.cast or ballots.cast[event.seat] != event.target:
        _drop(ballots, event.seat)
        ballots.cast[event.seat] = event.target
        if event.target is not None:
            ballots.reached.setdefault(event.target, []).append(ballots.moves)
            ballots.moves += 1
    if event.change:
        ballots.changed.add(event.seat)
    if event.reason:
        ballots.reasons[event.seat] = event.reason
    elif event.change:
        ballots.reasons.pop(event.seat, None)


def _drop(ballots: Ballots, voter: int) -> None:
    target = ballots.cast.pop(voter, None)
    if target is not None:
        ballots.reached[target].pop()


@mechanic.event(ev.BallotDropped)
def _ballot_dropped(game: Game, event: ev.BallotDropped) -> None:
    _drop(game.ballot, event.seat)
    game.ballot.reasons.pop(event.seat, None)
    if event.void:
        game.ballot.excused.add(event.seat)


@mechanic.event(ev.Tallied)
def _tallied(game: Game, event: ev.Tallied) -> None:
    game.ballot.tally = dict(event.tally)
