"""What a seat observes depends only on what it may know: pairs of games, event by event.

Here also what it is answered when it asks all sorts of things; 2,000 pairs are compared text by
text in the tests of data.
"""

from __future__ import annotations

import copy
from collections import Counter
from datetime import datetime
from random import Random
from typing import Any

from engine import events as ev
from engine.game import Game
from tests.engine import pairs

PAIRS = 600


def observed(game: Game, number: int, batches: list[list[ev.Event]]) -> list[Any]:
    """What a seat of the game, as it was before, sees of what then came, with its time."""
    own = {ev.PUBLIC, ev.seat_audience(number)}
    own |= {
        ev.channel_audience(channel) for channel in game.channels if number in game.members(channel)
    }
    return [event for batch in batches for event in batch if event.audience in own]


def compare(pair: pairs.Pair, seed: int) -> None:
    """Play both tables of a pair on, and compare what everybody observes who is no party."""
    probing = [copy.deepcopy(table.game) for table in pair.tables]
    (one, first), (other, second) = (pairs.go_on(pair, which, seed) for which in (0, 1))
    for number in sorted(set(pairs.SEATS) - pair.parties):
        seen = observed(probing[0], number, first)
        assert seen == observed(probing[1], number, second), (pair.matter, number)
    at: datetime = probing[0].now
    for number in Random(seed).sample(sorted(set(pairs.SEATS) - pair.parties), 2):
        for before, after in ((probing[0], probing[1]), (one.game, other.game)):
            asked = [
                pairs.probes(game, number, Random(seed), max(at, game.now))
                for game in (before, after)
            ]
            assert asked[0] == asked[1], (pair.matter, number)


def test_what_a_seat_observes_depends_only_on_what_it_may_know() -> None:
    matters: Counter[str] = Counter()
    for seed, pair in enumerate(pairs.pairs(PAIRS)):
        matters[pair.matter] += 1
        compare(pair, seed)
    assert len(matters) == 9 and min(matters.values()) > PAIRS / 40, matters
