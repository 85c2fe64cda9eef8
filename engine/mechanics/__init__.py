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
    attendance,
    ballot,
    clock,
    crown,
    kill,
    king,
    lifecycle,
    people,
    phases,
    regime,
    warnings,
)
from engine.mechanics.base import Mechanic, Owed
from engine.ruleset import Sheet, SheetError

ALWAYS: tuple[Mechanic, ...] = (
    lifecycle.mechanic,
    clock.mechanic,
    phases.mechanic,
    people.mechanic,
)
"""What every game has, whatever its sheet."""

MECHANICS: dict[str, Mechanic] = {
    module.mechanic.key: module.mechanic
    for module in (kill, crown, king, regime, ballot, attendance, warnings)
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

    steps: dict[str, Callable[[Any], None]]
    deadlines: dict[str, Callable[[Any], None]]
    follows: tuple[Callable[[Any, list[int]], None], ...]
    owed: tuple[Callable[[Any], Iterable[Owed]], ...]
    decides: tuple[Callable[[Any], str | None], ...]


@lru_cache(maxsize=64)
def rules_of(keys: tuple[str, ...]) -> Rules:
    """Return the rules that the mechanics ``keys`` make, in that order."""
    mechanics = (*ALWAYS, *(MECHANICS[key] for key in keys))
    return Rules(
        steps={name: step for m in mechanics for name, step in m.steps.items()},
        deadlines={kind: run for m in mechanics for kind, run in m.deadlines.items()},
        follows=tuple(m.follows for m in mechanics if m.follows),
        owed=tuple(m.owed for m in mechanics if m.owed),
        decides=tuple(m.decides for m in mechanics if m.decides),
    )


def check_mechanics(sheet: Sheet) -> None:
    """Raise SheetError unless the sheet's mechanics and steps are known ones."""
    for key in sheet.mechanics:
        if key not in MECHANICS:
            raise SheetError("mechanics", f"some of {', '.join(MECHANICS)}")
    steps = rules_of(tuple(sheet.mechanics)).steps
    for key in ("night_steps", "close_steps", "attendance_steps"):
        for step in getattr(sheet, key):
            if step not in steps:
                raise SheetError(key, f"steps out of {', '.join(sorted(steps))}")
    if sheet.last_words and "last_words" not in sheet.mechanics:
        raise SheetError("last_words", "0, since the mechanic last_words is not in the sheet")
