"""How often each thing is done."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Counts:
    """``warm``: exchanges and messages before anything is measured.

    ``exchanges``: of each command over the wire. ``blocks`` of ``chatter`` messages of each kind.
    ``commits``: of each sort. ``games``: of each rule sheet. ``lengths``: of the log, at each of
    which ``commands`` are timed.
    """

    warm: int = 40
    exchanges: int = 200
    blocks: int = 8
    chatter: int = 50
    commits: int = 400
    games: int = 600
    lengths: tuple[int, ...] = (100, 1_000, 10_000, 50_000)
    commands: int = 150


QUICK = Counts(
    warm=2,
    exchanges=3,
    blocks=1,
    chatter=5,
    commits=10,
    games=3,
    lengths=(100, 200),
    commands=5,
)
