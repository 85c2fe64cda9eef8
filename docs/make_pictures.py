"""Make the pictures in docs/pictures anew: ``python -m docs.make_pictures``, from the repository.

They are drawn from games that are rehearsed: scenario files, whose players get names here.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from data.pictures import Picture
from data.pictures.drawing import png
from data.rulesets import load_rulesets
from data.speech import Speech
from engine import view
from plugins.rehearsal.scenario import Rehearsal, load

ROOT = Path(__file__).parents[1]
SCENARIOS, PICTURES = ROOT / "tests" / "scenarios", ROOT / "docs" / "pictures"

NAMES = (
    *("小满", "老王", "🐼熊猫侠", "Alex", "夜雨声烦", "阿喵🐱", "路人甲", "云中鹤", "小笼包"),
    *("Zoë", "一颗柠檬糖", "南山"),
)

EXAMPLES = {
    "board-day": ("m84/full_piper_by_villagers.toml", 2, "status"),
    "board-king": ("kingmaker/k17_constitution.toml", 3, "status"),
    "tally": ("m84/m84_16_forms.toml", 2, "tally"),
    "card": ("kingmaker/full_town_wins.toml", 1, "card"),
    "disclosure": ("m84/full_lovers.toml", None, "status"),
}
"""Picture → which scenario, how many of its acts are played (None: all), what is shown."""


def made(scenario: str, acts: int | None, what: str) -> Picture:
    """Play a scenario up to an act, and return what is shown of the game then."""
    speech = Speech()
    stage = Rehearsal(load(SCENARIOS / scenario), load_rulesets(), speech)
    try:
        for _ in islice(stage.acts(), acts):
            pass
        for seat, name in zip(stage.game.seats.values(), NAMES, strict=False):
            seat.name = name
        public = view.public_view(stage.game)
        if what == "card":
            return speech.card_picture(view.seat_view(stage.game, 1), public)
        picture = speech.picture(what, public)
        assert picture is not None, f"nothing is shown of {scenario} after act {acts}"
        return picture
    finally:
        stage.close()


def main() -> None:
    """Draw every example."""
    PICTURES.mkdir(exist_ok=True)
    for name, example in EXAMPLES.items():
        (PICTURES / f"{name}.png").write_bytes(png(made(*example)))


if __name__ == "__main__":
    main()
