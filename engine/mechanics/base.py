"""What a mechanic declares."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from engine import events as ev
from engine.commands import Command, Refused

if TYPE_CHECKING:
    from engine.game import Game

F = TypeVar("F", bound=Callable[..., Any])


class Owed(NamedTuple):
    """Something that a seat or a channel has not given and owes, or may give, until ``due``.

    ``expected``: it is waited for, so that a reminder is of use.
    """

    who: int | str
    what: str
    due: datetime | None
    expected: bool


class Mechanic:
    """One mechanic: its commands, its events, its steps, its deadlines.

    ``handlers``: command → what it does (checks first, then emits; raises Refused).
    ``appliers``: event → how it changes the Game.
    ``steps``: names that a sheet's settlement may list. ``deadlines``: kind → what falls due.
    ``follows``: called with the seats that went out, after the check for victory.
    ``owed``: what seats and channels owe or may give now. ``decides``: how a day that opens now
    executes, if the mechanic has a say in it.
    """

    def __init__(self, key: str) -> None:
        self.key = key
        self.handlers: dict[type[Command], Callable[[Any, Any], None]] = {}
        self.appliers: dict[type[ev.Event], Callable[[Any, Any], None]] = {}
        self.steps: dict[str, Callable[[Game], None]] = {}
        self.deadlines: dict[str, Callable[[Game], None]] = {}
        self.follows: Callable[[Game, list[int]], None] | None = None
        self.owed: Callable[[Game], Iterable[Owed]] | None = None
        self.decides: Callable[[Game], str | None] | None = None

    def command(self, kind: type[Command]) -> Callable[[F], F]:
        """Register what a command does. Games whose sheet lacks the mechanic refuse it."""

        def register(handler: F) -> F:
            def guarded(game: Game, command: Command) -> None:
                if game.seats and not used(game, self.key):
                    raise Refused("no_ability")
                handler(game, command)

            self.handlers[kind] = guarded if self.key[0] != "_" else handler
            return handler

        return register

    def event(self, kind: type[ev.Event]) -> Callable[[F], F]:
        """Register how an event changes the Game."""

        def register(applier: F) -> F:
            self.appliers[kind] = applier
            return applier

        return register

    def step(self, name: str) -> Callable[[F], F]:
        """Register a step of the settlement."""

        def register(run: F) -> F:
            self.steps[name] = run
            return run

        return register

    def deadline(self, kind: str) -> Callable[[F], F]:
        """Register what is done when a deadline of this kind falls due."""

        def register(run: F) -> F:
            self.deadlines[kind] = run
            return run

        return register


def used(game: Game, key: str) -> bool:
    """Tell whether the game's sheet uses a mechanic."""
    return key in game.sheet.mechanics
