"""What a mechanic declares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from engine import events as ev
from engine.commands import Command, Refused

if TYPE_CHECKING:
    from engine.game import Game
    from engine.ruleset import Sheet

F = TypeVar("F", bound=Callable[..., Any])


class Owed(NamedTuple):
    """Something that a seat or a channel has not given and owes, or may give.

    ``kind``: the deadline until which it can be given, ``due`` then. ``expected``: it is waited
    for, so that a reminder is of use.
    """

    who: int | str
    what: str
    kind: str
    due: datetime | None
    expected: bool


def owing(game: Game, who: int | str, what: str, kind: str, *, expected: bool = True) -> Owed:
    """Return what ``who`` owes until the game's deadline ``kind``."""
    return Owed(who, what, kind, game.due.get(kind), expected)


@dataclass(frozen=True, slots=True)
class Ability:
    """An ability of the night.

    ``check(game, seat, target)`` raises Refused for what it forbids; ``acted(game, seat, target)``
    is what comes of naming a target at once. ``together``: the members of the channel to which the
    sheet gives it use it as one. ``late(game, seat)``: it is taken after the first hour too.
    ``spent(game, seat)``: nothing more is to be given tonight. ``blocked(game)``: nobody can use it
    now. ``binding``: what was given can't be withdrawn. ``gained``: only who has gained it in the
    game has it. ``step``: the step of the night that carries it out, empty if none has to.
    """

    check: Callable[[Game, int, int | None], None]
    acted: Callable[[Game, int, int], None] | None = None
    together: bool = False
    late: Callable[[Game, int], bool] | None = None
    spent: Callable[[Game, int], bool] | None = None
    blocked: Callable[[Game], bool] | None = None
    binding: bool = False
    gained: bool = False
    step: str = ""


When = Mapping[str, str | bool]
"""What must be so in a sheet: parameter → its value, ``True`` for any but none and 0.

``mechanics`` → one that the sheet uses.
"""


class Need(NamedTuple):
    """A sheet with the mechanic lists ``step`` under ``key``, if ``when`` holds for it."""

    step: str
    key: str
    when: When

    def holds(self, sheet: Sheet) -> bool:
        """Tell whether a sheet that has the mechanic needs the step."""
        return all(
            wanted in sheet.mechanics
            if name == "mechanics"
            else (bool(getattr(sheet, name)) if wanted is True else getattr(sheet, name) == wanted)
            for name, wanted in self.when.items()
        )


class Mechanic:
    """One mechanic: its commands, its events, its abilities, its steps, its deadlines.

    ``handlers``: command → what it does (checks first, then emits; raises Refused).
    ``appliers``: event → how it changes the Game. ``abilities``: orders of the night, by key.
    ``steps``: names that a sheet's settlement may list. ``deadlines``: kind → what falls due.
    ``owed``: what seats and channels owe or may give now. ``decides``: what a day that opens now
    decides and how, if the mechanic has a say in it.

    Of a seat that goes out: ``chains`` says who goes with it at once, ``departing`` is called when
    they have gone, ``follows`` with all seats of a settlement after the check for victory.
    ``rights``: notices of what it may still do that a seat gets with the news that it is out;
    ``spares``: tells, and sees to it, that a seat that was voted out stays.
    ``losing`` is called when a faction is lost, ``opened`` when a day has opened, ``hours`` when
    the night's first hour ends, ``ends`` when its orders have been carried out. ``draws``: what is
    drawn by chance → between which seats or cards, at the moment of it.

    Of a sheet with it: ``needs`` are the other mechanics, ``roles`` the roles and ``factions`` the
    factions that it must have; ``steps_needed`` what its settlements must list; ``spans`` the
    parameters that can't be 0; ``calendar``: it goes by hours of the day; ``powers``: what a role
    may list as an ability that is no order of the night; ``clauses``: the rules that it names;
    ``parameters``: those of a sheet that mean nothing without it.
    """

    def __init__(
        self,
        key: str,
        *,
        needs: tuple[str, ...] = (),
        roles: tuple[str, ...] = (),
        factions: tuple[str, ...] = (),
        spans: tuple[str, ...] = (),
        powers: tuple[str, ...] = (),
        clauses: tuple[str, ...] = (),
        parameters: tuple[str, ...] = (),
        calendar: bool = False,
    ) -> None:
        self.key = key
        self.needs = needs
        self.roles = roles
        self.factions = factions
        self.spans = spans
        self.powers = powers
        self.clauses = clauses
        self.parameters = parameters
        self.calendar = calendar
        self.steps_needed: list[Need] = []
        self.handlers: dict[type[Command], Callable[[Any, Any], None]] = {}
        self.appliers: dict[type[ev.Event], Callable[[Any, Any], None]] = {}
        self.abilities: dict[str, Ability] = {}
        self.steps: dict[str, Callable[[Game], None]] = {}
        self.deadlines: dict[str, Callable[[Game], None]] = {}
        self.owed: Callable[[Game], Iterable[Owed]] | None = None
        self.decides: Callable[[Game], str | None] | None = None
        self.chains: Callable[[Game, int], list[int]] | None = None
        self.departing: Callable[[Game, int], None] | None = None
        self.follows: Callable[[Game, list[int]], None] | None = None
        self.losing: Callable[[Game, str], None] | None = None
        self.opened: Callable[[Game], None] | None = None
        self.rights: Callable[[Game, int], list[str]] | None = None
        self.spares: Callable[[Game, int], bool] | None = None
        self.hours: Callable[[Game], None] | None = None
        self.ends: Callable[[Game], None] | None = None
        self.draws: dict[str, Callable[[Game], list[int]]] = {}

    def command(self, kind: type[Command]) -> Callable[[F], F]:
        """Register what a command does. Games whose sheet lacks the mechanic refuse it."""

        def register(handler: F) -> F:
            def guarded(game: Game, command: Command) -> None:
                if game.seats and not used(game, self.key):
                    raise Refused("not_in_sheet")
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

    def step(self, name: str, *keys: str, when: When = MappingProxyType({})) -> Callable[[F], F]:
        """Register a step of the settlement; ``keys``: where a sheet must list it, ``when`` so."""

        def register(run: F) -> F:
            self.steps[name] = run
            self.steps_needed += [Need(name, key, when) for key in keys]
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
