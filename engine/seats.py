"""Seats, and persons without one."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.events import Notice


@dataclass(slots=True)
class Person:
    """Somebody without a seat: an account, the name it is called by, finished games on record.

    ``from_card``: the name is what the group calls the person, and changes with it.
    """

    account: str
    name: str
    games: int = 0
    from_card: bool = False


@dataclass(slots=True)
class Seat:
    """A seat: its number and role stay for the whole game; the player in it may be replaced.

        ``left``: the warnings and cards (by colour) that stood when the former player went.
    ``from_card``: the name is what the group calls the player, and changes with it. ``lost``: how
    the player can't be had (``left``, ``unreachable``).
    """

    number: int
    account: str
    name: str
    role: str
    faction: str
    games: int = 0
    alive: bool = True
    announce: bool = False
    announced: bool = False
    words: bool = False
    shown_role: str = ""
    shown_cause: str = ""
    cause: str = ""
    warnings: int = 0
    reds: int = 0
    told: list[Notice] = field(default_factory=list)
    replaced: bool = False
    former: list[str] = field(default_factory=list)
    left: dict[str, int] = field(default_factory=dict)
    coach: Person | None = None
    from_card: bool = False
    lost: set[str] = field(default_factory=set)
