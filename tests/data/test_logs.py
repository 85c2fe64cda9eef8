"""Whole games as they were written in their day: this engine must still make the same of them.

``tests/logs/NAME.jsonl`` is what ``python -m data log GAME`` prints, ``NAME.facts.json`` what
``python -m data facts GAME`` prints; both are kept as they were recorded.
"""

import json
from pathlib import Path

import msgspec
import pytest

from data import codec
from engine.game import Game

LOGS = sorted((Path(__file__).parents[1] / "logs").glob("*.jsonl"))


class Line(msgspec.Struct):
    """A line of a log."""

    seq: int
    version: int
    event: msgspec.Raw


@pytest.mark.parametrize("path", LOGS, ids=[path.stem for path in LOGS])
def test_a_recorded_game_folds_to_its_facts(path: Path) -> None:
    lines = msgspec.json.Decoder(Line).decode_lines(path.read_bytes())
    assert [line.seq for line in lines] == list(range(1, len(lines) + 1))
    game = Game.fold(codec.decode(line.version, bytes(line.event).decode()) for line in lines)
    assert game.phase == "over", "a log of a whole game"
    expected = json.loads(path.with_suffix(".facts.json").read_text(encoding="utf-8"))
    found = json.loads(codec.facts(game))
    # A fact that came to be known later is no difference.
    assert {key: found.get(key) for key in expected} == expected
