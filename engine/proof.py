"""Proof that chance was chance: each draw of a log against the seed that was committed to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
        # Who sat where at each deal → its seed.
        self._seeds: dict[tuple[str, ...], str] = {}

    def check(self, game: Game, event: ev.Event) -> Iterator[str]:
        """Yield what is wrong with an event that is about to be applied to ``game``.

        One of: roles, orders, fixed (draws were set by hand), reseeded (the same people in the same
        seats were dealt to before, by another seed), draw (another value), decided
        (what was decided is not what was drawn), no_draw (no such draw in this sheet).
        """
        if isinstance(event, ev.Dealt):
            self._open = []
            yield from _dealt(game, event)
            if self._seeds.setdefault(seated(game), event.seed) != event.seed:
                yield "reseeded"
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


def seated(game: Game) -> tuple[str, ...]:
    """Return the accounts that are to be dealt to, or have been, by their seats' order."""
    return tuple(signup.account for signup in game.signups)


def seed_before(log: Sequence[ev.Event], game: Game) -> str | None:
    """Return the seed of an earlier deal to the same people in the same seats (K-50).

    ``log``: the whole log of the game, what was undone too. ``None``: there was none.
    """
    for number, event in enumerate(log):
        if isinstance(event, ev.Dealt) and seated(Game.fold(log[:number])) == seated(game):
            return event.seed
    return None


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
