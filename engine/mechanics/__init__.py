"""The mechanics: one file each, everything about it in one place.

A module declares one :class:`~engine.mechanics.base.Mechanic`. Which of them a game uses, its sheet
says; how an event changes a Game does not depend on that, so that any log can be folded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from engine import events as ev
from engine.commands import Command
from engine.mechanics import (
    abilities,
    attendance,
    ballot,
    cards,
    charm,
    clock,
    crown,
    election,
    explode,
    guard,
    hero,
    hunter,
    idiot,
    inspect,
    kill,
    king,
    last_words,
    lifecycle,
    lovers,
    pace,
    people,
    petition,
    phases,
    regime,
    rooms,
    sheriff,
    warnings,
    witch,
)
from engine.mechanics.base import Ability, Mechanic, Owed

ALWAYS: tuple[Mechanic, ...] = (
    lifecycle.mechanic,
    clock.mechanic,
    phases.mechanic,
    abilities.mechanic,
    pace.mechanic,
    people.mechanic,
    rooms.mechanic,
)
"""What every game has, whatever its sheet."""

MECHANICS: dict[str, Mechanic] = {
    module.mechanic.key: module.mechanic
    for module in (
        kill,
        guard,
        witch,
        inspect,
        charm,
        lovers,
        hunter,
        idiot,
        explode,
        sheriff,
        crown,
        hero,
        king,
        regime,
        election,
        ballot,
        petition,
        attendance,
        warnings,
        cards,
        last_words,
    )
}
"""What a sheet may pick, by key."""

HANDLERS: dict[type[Command], Callable[[Any, Any], None]] = {
    command: handler
    for mechanic in (*ALWAYS, *MECHANICS.values())
    for command, handler in mechanic.handlers.items()
}


def _appliers() -> dict[type[ev.Event], tuple[Callable[[Any, Any], None], ...]]:
    found: dict[type[ev.Event], list[Callable[[Any, Any], None]]] = {}
    for mechanic in (*ALWAYS, *MECHANICS.values()):
        for event, applier in mechanic.appliers.items():
            found.setdefault(event, []).append(applier)
    return {event: tuple(appliers) for event, appliers in found.items()}


APPLIERS: dict[type[ev.Event], tuple[Callable[[Any, Any], None], ...]] = _appliers()
"""How each event changes a Game."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What the mechanics of one sheet bring together."""

    abilities: dict[str, Ability]
    steps: dict[str, Callable[[Any], None]]
    deadlines: dict[str, Callable[[Any], None]]
    owed: tuple[Callable[[Any], Iterable[Owed]], ...]
    decides: tuple[Callable[[Any], str | None], ...]
    chains: tuple[Callable[[Any, int], list[int]], ...]
    departing: tuple[Callable[[Any, int], None], ...]
    follows: tuple[Callable[[Any, list[int]], None], ...]
    losings: tuple[Callable[[Any, str], None], ...]
    rights: tuple[Callable[[Any, int], list[str]], ...]
    spares: tuple[Callable[[Any, int], bool], ...]
    opened: tuple[Callable[[Any], None], ...]
    hours: tuple[Callable[[Any], None], ...]
    ends: tuple[Callable[[Any], None], ...]
    draws: dict[str, Callable[[Any], list[int]]]


@lru_cache(maxsize=64)
def rules_of(keys: tuple[str, ...], abilities: frozenset[str]) -> Rules:
    """Return the rules that the mechanics ``keys`` make, in that order, with these abilities."""
    mechanics = (*ALWAYS, *(MECHANICS[key] for key in keys))
    return Rules(
        abilities={
            key: rule for m in mechanics for key, rule in m.abilities.items() if key in abilities
        },
        steps={name: step for m in mechanics for name, step in m.steps.items()},
        deadlines={kind: run for m in mechanics for kind, run in m.deadlines.items()},
        owed=tuple(m.owed for m in mechanics if m.owed),
        decides=tuple(m.decides for m in mechanics if m.decides),
        chains=tuple(m.chains for m in mechanics if m.chains),
        departing=tuple(m.departing for m in mechanics if m.departing),
        follows=tuple(m.follows for m in mechanics if m.follows),
        losings=tuple(m.losing for m in mechanics if m.losing),
        rights=tuple(m.rights for m in mechanics if m.rights),
        spares=tuple(m.spares for m in mechanics if m.spares),
        opened=tuple(m.opened for m in mechanics if m.opened),
        hours=tuple(m.hours for m in mechanics if m.hours),
        ends=tuple(m.ends for m in mechanics if m.ends),
        draws={what: between for m in mechanics for what, between in m.draws.items()},
    )
