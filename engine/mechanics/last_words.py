"""Last words: who has the right, until when, how they are published (M84-40)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine import events as ev
from engine.commands import LastWords, Refused
from engine.mechanics.base import Mechanic, Owed, owing

if TYPE_CHECKING:
    from engine.game import Game

mechanic = Mechanic(
    "last_words",
    spans=("last_words",),
    clauses=("last_words", "last_words_right"),
    parameters=("last_words", "words_for", "words_published"),
)


@dataclass(slots=True)
class Words:
    """``given``: who was given the right, in order. ``open``: who may still speak; ``texts``."""

    given: list[int] = field(default_factory=list)
    open: list[int] = field(default_factory=list)
    texts: dict[int, str] = field(default_factory=dict)

    @property
    def used(self) -> int:
        """How many rights were given."""
        return len(self.given)


def gives(game: Game, cause: str) -> bool:
    """Tell whether who goes out now by ``cause`` is given the right (M84-40)."""
    sheet = game.sheet
    if cause in ("red_card", "ruled") or game.words.used >= sheet.last_words:
        return False
    first_night = game.phase == "night" and game.first_night and not game.closing
    return (
        not sheet.words_for
        or ("vote" in sheet.words_for and cause == "vote")
        or ("first_night" in sheet.words_for and first_night)
    )


def _rights(game: Game, number: int) -> list[str]:
    return ["last_words_right"] if game.seats[number].words else []


mechanic.rights = _rights


def may_speak(game: Game, number: int) -> bool:
    """Tell whether a seat may leave last words, or others than it has left."""
    at_once = game.sheet.words_published == "at_once"
    return number in game.words.open and (not at_once or game.seats[number].announced)


@mechanic.command(LastWords)
def leave(game: Game, command: LastWords) -> None:
    """``遗言`` (M84-40). Refused: not running, over, paused, no right or too late, not plain."""
    game.require_running()
    if game.paused_at is not None:
        raise Refused("paused")
    if not may_speak(game, command.seat):
        raise Refused("no_last_words")
    if not command.plain or not command.text.strip():
        raise Refused("not_plain")
    game.emit(
        ev.LastWordsLeft(
            seat=command.seat,
            text=command.text,
            at=game.now,
            clause=game.clause("last_words"),
        )
    )
    if game.sheet.words_published == "at_once":
        _publish(game, command.seat)


@mechanic.step("announce_words", "open_steps", when={"words_published": "opening"})
def publish(game: Game) -> None:
    """Publish the words left since the last opening; rights not used lapse."""
    for number in list(game.words.open):
        _publish(game, number)


def _publish(game: Game, number: int) -> None:
    game.emit(
        ev.LastWordsPublished(
            seat=number,
            text=game.words.texts.get(number, ""),
            at=game.now,
            clause=game.clause("last_words"),
        )
    )


@mechanic.step("lapse_words")
def lapse(game: Game) -> None:
    """Rights of those whose going is public by now, if not used, are gone."""
    for number in list(game.words.open):
        if game.seats[number].announced:
            _publish(game, number)


def _owed(game: Game) -> Iterable[Owed]:
    for number in game.words.open:
        if number not in game.words.texts:
            yield owing(game, number, "last_words", "open")


mechanic.owed = _owed


@mechanic.event(ev.Departed)
def _departed(game: Game, event: ev.Departed) -> None:
    if event.words:
        game.words.given.append(event.seat)
        game.words.open.append(event.seat)


@mechanic.event(ev.LastWordsLeft)
def _left(game: Game, event: ev.LastWordsLeft) -> None:
    game.words.texts[event.seat] = event.text


@mechanic.event(ev.LastWordsPublished)
def _published(game: Game, event: ev.LastWordsPublished) -> None:
    game.words.open.remove(event.seat)


@mechanic.event(ev.Reinstated)
def _reinstated(game: Game, event: ev.Reinstated) -> None:
    for seats in (game.words.given, game.words.open):
        if event.seat in seats:
            seats.remove(event.seat)
