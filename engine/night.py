"""The settlement: the sheet's steps, in the sheet's order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.game import Game


def settle(game: Game, steps: Sequence[str]) -> None:
    """Carry out the steps in their order; a game won by one of them ends there."""
    for step in steps:
        if game.phase == "over":
            return
        game.rules.steps[step](game)
