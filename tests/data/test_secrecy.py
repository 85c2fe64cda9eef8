"""What a seat is told depends only on what it may know: pairs of games, text by text."""

from __future__ import annotations

import copy
from collections import Counter
from datetime import datetime
from typing import Any

from data.ledger import targets
from data.message import Target
from engine import events as ev
from engine.game import Game
from tests.data.table import SPEECH
from tests.engine import pairs

PAIRS = 2000

Told = dict[Target, list[tuple[Any, ...]]]


def told(before: Game, batches: list[list[ev.Event]]) -> Told:
    """What every account and group is told, with its time, of a game as it was before.

    The end publishes everything, and so must differ (M84-37): of it only the moment is kept.
    """
    game = copy.deepcopy(before)
    found: Told = {}
    for batch in batches:
        for event in batch:
            game.apply(event)
        at: datetime = batch[-1].at
        if game.phase == "over":
            for target in targets(game, ev.PUBLIC):
                found.setdefault(target, []).append((at, "over"))
            break
        for message in SPEECH.events(game, batch):
            said = (at, message.audience, message.text, message.action, message.arguments)
            said += (message.picture,)
            for target in targets(game, message.audience):
                found.setdefault(target, []).append(said)
    return found


def test_what_a_seat_is_told_depends_only_on_what_it_may_know() -> None:
    matters: Counter[str] = Counter()
    texts = 0
    for seed, pair in enumerate(pairs.pairs(PAIRS)):
        matters[pair.matter] += 1
        begun = [copy.deepcopy(table.game) for table in pair.tables]
        one, other = (told(begun[n], pairs.go_on(pair, n, seed)[1]) for n in (0, 1))
        places = targets(begun[0], ev.PUBLIC)
        for number in sorted(set(pairs.SEATS) - pair.parties):
            places += targets(begun[0], ev.seat_audience(number))
        for place in places:
            assert one.get(place) == other.get(place), (pair.matter, seed, place)
            texts += len(one.get(place, []))
    assert len(matters) == 9 and min(matters.values()) > PAIRS / 40, matters
    assert texts > 10 * PAIRS
