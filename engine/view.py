"""What one seat, the public or a director may see: the only way from a Game to the outside."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from engine import calendar
from engine.mechanics import abilities, hunter, last_words, petition
from engine.mechanics.ballot import VOTED
from engine.mechanics.cards import COLOURS
from engine.mechanics.king import RULING

if TYPE_CHECKING:
    from engine.game import Game
    from engine.mechanics.base import Owed


def facts(game: Game, now: datetime) -> dict[str, Any]:
    """Return a director's whole view of the game at ``now``, as plain data with ISO times.

    Its keys and values are those of the scenario language.
    """
    dealt = bool(game.seats)
    rules = game.sheet.mechanics
    return {
        "ruleset": game.sheet.key,
        "phase": game.phase,
        "day": game.day,
        "now": _iso(game, now),
        "deadlines": [
            [_iso(game, due), kind]
            for due, kind in game.deadlines()
            if kind != "shot" or hunter.may_shoot(game)
        ],
        "roles": {number: seat.role for number, seat in game.seats.items()},
        "factions": {n: seat.faction for n, seat in game.seats.items() if seat.faction},
        "alive": game.living(),
        "out": [[number, game.seats[number].cause] for number in game.out],
        "lost": list(game.lost),
        "winner": game.winner,
        "charmed": sorted(game.charm.charmed),
        "lovers": list(game.lovers.pair),
        "sheriff": game.sheriff.seat,
        "king": game.crown.king if game.is_living(game.crown.king) else None,
        "kingmaker": game.crown.kingmaker if game.is_living(game.crown.kingmaker) else None,
        "regime": game.regime.key if dealt and "regime" in rules else None,
        "ballots": {
            number: "abstain" if target is None else target
            for number, target in sorted(game.ballot.cast.items())
        },
        "tally": dict(game.ballot.tally),
        "warnings": {n: seat.warnings for n, seat in game.seats.items() if seat.warnings},
        "cards": {
            number: {colour: held.get(colour, 0) for colour in COLOURS}
            for number, held in sorted(game.cards.held.items())
            if any(held.values())
        },
        "posts": {n: count for n, count in sorted(game.attendance.posts.items()) if count},
        "accelerated": game.accelerated,
        "last_words": list(game.words.given),
        "channels": {channel: game.members(channel) for channel in game.channels},
        "told": {number: list(seat.told) for number, seat in game.seats.items() if seat.told},
        "awaiting": [[owed.who, owed.what] for owed in game.owed()],
    }


def _iso(game: Game, moment: datetime) -> str:
    return moment.astimezone(calendar.zone(game.sheet.zone)).isoformat()


def public_view(game: Game) -> dict[str, Any]:
    """Return what anybody may see now (and everything that the end has published)."""
    over = game.phase == "over"
    ballots = game.decides in VOTED and game.phase == "day"
    speed_up, delay = petition.counted(game)
    regime = game.regime
    return {
        "game": game.id,
        "sheet": game.sheet.key,
        "rules": game.sheet,
        "title": game.sheet.title,
        "theme": game.sheet.theme,
        "zone": game.sheet.zone,
        "phase": game.phase,
        "day": game.day,
        "dealt": bool(game.seats),
        "paused": game.paused_at is not None,
        "regime": regime.key if game.seats and "regime" in game.sheet.mechanics else None,
        "king": game.crown.king,
        "decides": game.decides if game.phase == "day" else None,
        "chooser": regime.chooser,
        "sheriff": game.sheriff.known,
        "accelerated": game.accelerated and game.phase == "day",
        "sped_up": game.petitions.passed == "speed_up",
        "longer": game.longer if game.phase == "day" else "",
        "petitions": {"speed_up": speed_up, "delay": delay} if game.phase == "day" else None,
        "charmed": sorted(game.charm.known),
        "cards": {n: dict(held) for n, held in sorted(game.cards.held.items())},
        "candidates": list(game.election.candidates) if game.phase == "day" else [],
        "runoff": list(game.ballot.runoff) if game.decides == "runoff" else [],
        "idiots": list(game.idiots.revealed),
        "winner": game.winner,
        "directors": list(game.directors.values()),
        "seats": [
            {
                "number": seat.number,
                "name": seat.name,
                "account": seat.account,
                "out": seat.announced or (over and not seat.alive),
                "role": seat.role if over else seat.shown_role,
                "faction": seat.faction if over else "",
                "cause": seat.cause if over else seat.shown_cause,
                "posts": game.attendance.seen(seat.number),
            }
            for seat in game.seats.values()
        ],
        "signups": [{"account": p.account, "name": p.name} for p in game.signups],
        "players_min": game.sheet.players or game.sheet.players_min,
        "players_max": game.sheet.players or game.sheet.players_max,
        "deadlines": [[due, kind] for due, kind in game.deadlines() if _is_public(game, kind)],
        "ballots": {
            number: "abstain" if target is None else target
            for number, target in sorted(game.ballot.cast.items())
        }
        if ballots
        else {},
        "tally": dict(game.ballot.tally),
        "depose": {
            "for": sum(voice == "for" for voice in regime.voices.values()),
            "against": sum(voice == "against" for voice in regime.voices.values()),
            "abstain": sum(voice == "abstain" for voice in regime.voices.values()),
            "living": len(game.living()),
        }
        if regime.deposing
        else None,
    }


def _is_public(game: Game, kind: str) -> bool:
    """Tell whether a deadline shows nothing hidden: a sheriff gone unseen, or a hunter at all."""
    if kind in calendar.HIDDEN:
        return False
    leaving = game.sheriff.leaving
    return kind != "heir" or (leaving is not None and game.seats[leaving].announced)


def seat_view(game: Game, number: int) -> dict[str, Any]:
    """Return what one seat may see of itself. Raises KeyError for a seat that there is not."""
    seat = game.seats[number]
    channel = game.channel_of(number)
    standing: dict[str, Any] = {}
    if game.phase == "night":
        for (ability, owner), target in game.abilities.orders.items():
            if owner == number or (owner == channel and abilities.has(game, number, ability)):
                standing[ability] = target
    if game.crown.kingmaker == number and game.crown.named:
        standing["crown"] = [game.crown.first, game.crown.substitute]
    if number in game.ballot.cast and game.phase == "day":
        standing["ballot"] = game.ballot.cast[number]
    if number in game.regime.voices and game.regime.deposing:
        standing["depose"] = game.regime.voices[number]
    return {
        "number": number,
        "name": seat.name,
        "account": seat.account,
        "role": next((told[1] for told in reversed(seat.told) if told[0] == "role"), seat.role),
        "faction": seat.faction,
        "abilities": _abilities(game, number),
        "alive": seat.alive,
        "warnings": seat.warnings,
        "posts": game.attendance.posts.get(number, 0),
        "posts_min": game.sheet.posts_min,
        "told": list(seat.told),
        "channel": channel,
        "members": [n for n in game.channels.get(channel or "", ()) if not game.seats[n].announced],
        "standing": standing,
        "owed": [[o.what, o.due] for o in owed(game) if o.who in (number, channel)],
        "usable": [key for key in game.rules.abilities if abilities.usable(game, number, key)],
        "rights": _rights(game, number),
    }


def _rights(game: Game, number: int) -> list[str]:
    """Return what a seat that is out may still do, given already or not."""
    rights = ["heir"] if game.sheriff.leaving == number else []
    if last_words.may_speak(game, number):
        rights.append("last_words")
    return rights


def _abilities(game: Game, number: int) -> list[str]:
    if not game.seats[number].alive:
        return []
    keys = [
        key
        for key in game.rules.abilities
        if abilities.has(game, number, key) and (key, number) not in game.potions.used
    ]
    if abilities.has(game, number, "victim_report"):
        keys.append("victim_report")
    if "link" in game.due and game.seats[number].role == "cupid":
        keys.append("link")
    if game.crown.kingmaker == number:
        keys.append("crown")
    if game.crown.king == number and game.regime.key in RULING:
        keys.append("order")
    return keys


def director_view(game: Game) -> dict[str, Any]:
    """Return everything, for a director: the facts, secret orders included."""
    return {
        **facts(game, game.now),
        "names": {number: seat.name for number, seat in game.seats.items()},
        "throne": list(game.crown.throne),
        "numbers": list(game.crown.numbers),
        "crown": [game.crown.first, game.crown.substitute] if game.crown.named else None,
        "orders": [[*key, target] for key, target in game.abilities.orders.items()],
        "waiting_red": list(game.cards.waiting),
        "choice_owed": game.regime.choice_owed,
        "voices": dict(game.regime.voices) if game.regime.deposing else {},
        "owed": owed(game),
    }


def owed(game: Game) -> list[Owed]:
    """Return what seats and channels still owe or may still give now."""
    return game.owed()
