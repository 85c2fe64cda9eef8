"""Proof that chance was chance: each draw of a log against the seed that was committed to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from engine import events as ev
from engine.chance import dice
from engine.game import Game
from engine.mechanics import lifecycle
from engine.ruleset import SheetError

# What a draw decides: the event that says so, and what was drawn for it.
_DECIDED: dict[type[ev.Event], Callable[[Game, Any], list[int]]] = {
    ev.Linked: lambda game, e: [e.first, e.second] if e.drawn else [],
    ev.CardsDrawn: lambda game, e: list(e.cards.values()),
    ev.SheriffTook: lambda game, e: [e.seat] if e.how == "drawn" else [],
    ev.KingmakerMade: lambda game, e: (
        [e.seat] if game.sheet.succession == "random" and not game.sheet.kingmaker_by_card else []
    ),
}


class Chance:
    """Looks over a log, event by event, for what does not follow from its own seed."""

    def __init__(self) -> None:
        # What was drawn and has decided nothing yet.
        self._open: list[int] = []

    def check(self, game: Game, event: ev.Event) -> Iterator[str]:
        """Yield what is wrong with an event that is about to be applied to ``game``.

        One of: roles, orders, fixed (draws were set by hand), draw (another value), decided
        (what was decided is not what was drawn), no_draw (no such draw in this sheet).
        """
        if isinstance(event, ev.Dealt):
            self._open = []
            yield from _dealt(game, event)
        elif isinstance(event, ev.Drawn):
            self._open.append(event.value)
            if event.what not in game.rules.draws:
                yield "no_draw"
                return
            options = game.options(event.what)
            number = str(len(game.draws))
            if not options or event.value != options[dice(game.seed, number, len(options))]:
                yield "draw"
        elif type(event) in _DECIDED:
            drawn, self._open = self._open, []
            if _DECIDED[type(event)](game, event) != drawn:
                yield "decided"


def _dealt(game: Game, event: ev.Dealt) -> Iterator[str]:
    try:
        roles = lifecycle.drawn_roles(game, event.seed)
    except SheetError:
        roles = {}
    if event.roles != roles:
        yield "roles"
    if (event.throne, event.numbers) != lifecycle.drawn_orders(game, event.seed, event.roles):
        yield "orders"
    if event.random:
        yield "fixed"
