"""Whole random games of M84: invariants at every stage, the log folds back, every faction wins."""

from __future__ import annotations

from collections import Counter

from engine.game import Game
from tests.engine import play, random_m84


def test_whole_games_hold_their_invariants_and_fold_back() -> None:
    winners: Counter[str | None] = Counter()
    for seed in range(150):
        table = None
        for table in random_m84.stages(seed, directed=0.1 if seed % 2 else 0.0):
            play.check(table.game)
        assert table is not None and table.game.phase == "over"
        winners[table.game.winner] += 1
        assert play.state(Game.fold(play.stored(table.log))) == play.state(table.game)
    assert {"wolves", "town", "piper", "lovers"} <= set(winners)


def test_the_same_seed_plays_the_same_game() -> None:
    first, second = ([*random_m84.stages(5)][-1].log for _ in range(2))
    assert first == second
