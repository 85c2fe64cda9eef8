"""What was played in a rehearsal, written down as a scenario file (see ``scenario.py``)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from engine import calendar
from engine import events as ev
from engine.game import Game
from engine.ruleset import Sheet

ALWAYS = ("phase", "day", "alive")
"""Facts that every act expects; others where the act has changed them."""

EXPECTED = (
    *("phase", "day", "alive", "out", "lost", "winner", "charmed", "lovers", "sheriff"),
    *("king", "kingmaker", "regime", "tally", "warnings", "cards", "accelerated", "last_words"),
)


@dataclass(frozen=True, slots=True)
class Line:
    """What somebody typed.

    ``who``: a seat, a person without one, or 导演. ``where``: 私, 群 or 密.
    """

    who: str
    where: str
    text: str
    refused: bool

    def __str__(self) -> str:
        return f"{self.who} {self.where}: {self.text.replace(chr(10), chr(92) + 'n')}"


@dataclass(slots=True)
class Act:
    """What was typed while the clock stood and the phase did not change.

    ``clock``: to when it was moved before, if it was. ``facts``: how things stood at the end.
    """

    clock: datetime | None = None
    lines: list[Line] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)


class Record:
    """The acts of one game, from its deal on."""

    def __init__(self) -> None:
        self.acts = [Act()]

    @property
    def is_empty(self) -> bool:
        """Whether nothing was typed and the clock not moved."""
        return all(act.clock is None and not act.lines for act in self.acts)

    def typed(self, line: Line) -> None:
        """Somebody typed something, and this has come of it."""
        self.acts[-1].lines.append(line)

    def moved(self, to: datetime, facts: dict[str, Any]) -> None:
        """The clock is moved; ``facts``: how things stood until then."""
        self.turned(facts)
        self.acts[-1].clock = to

    def turned(self, facts: dict[str, Any]) -> None:
        """What was typed has turned day into night, or night into day: an act ends."""
        self.acts[-1].facts = facts
        self.acts.append(Act())

    def scenario(
        self,
        title: str,
        base: Sheet,
        game: Game,
        log: Sequence[ev.Event],
        people: Sequence[str],
        facts: dict[str, Any],
    ) -> str:
        """The scenario file. ``facts``: how things stand now. ``people``: those without a seat."""
        self.acts[-1].facts = facts
        zone = calendar.zone(game.sheet.zone)
        dealt = next(event for event in log if isinstance(event, ev.Dealt))
        out = [
            f"title = {_toml(title)}",
            "clauses = []",
            f"ruleset = {_toml(game.sheet.key)}",
            f"start = {dealt.at.astimezone(zone).isoformat()}",
        ]
        out += _table("sheet", _parameters(base, game.sheet))
        out += _table("deal", dealt.roles)
        out += _table("draw", _draw(dealt, log))
        out += _table("people", {name: {"games": 0} for name in people})
        before: dict[str, Any] = {}
        for act in self.acts:
            if act.clock is None and not act.lines:
                continue
            out += _act(act, before, zone)
            before = act.facts
        return "\n".join(out) + "\n"


def _act(act: Act, before: Mapping[str, Any], zone: ZoneInfo) -> list[str]:
    play = [f"钟: {_moment(act.clock, zone)}"] if act.clock is not None else []
    refused = [n for n, line in enumerate(act.lines, len(play) + 1) if line.refused]
    play += [str(line) for line in act.lines]
    out = ["", "[[act]]", "play = [", *(f"    {_toml(line)}," for line in play), "]"]
    expect = {
        key: "none" if act.facts[key] is None else act.facts[key]
        for key in EXPECTED
        if key in ALWAYS or (act.facts[key] or None) != (before.get(key) or None)
    }
    out += ["", "[act.expect]", f"refused = {_toml(refused)}"]
    out += [f"{key} = {_toml(value)}" for key, value in expect.items()]
    return out


def _moment(at: datetime, zone: ZoneInfo) -> str:
    local = at.astimezone(zone)
    return local.strftime("%Y-%m-%d %H:%M:%S" if local.second else "%Y-%m-%d %H:%M")


def _parameters(base: Sheet, sheet: Sheet) -> dict[str, Any]:
    """What is set otherwise than the sheet says."""
    usual, plain = base.dump(), sheet.dump()
    found = {key: value for key, value in plain.items() if value != usual[key] and key != "roles"}
    for role, rule in plain["roles"].items():
        if rule["count"] != usual["roles"][role]["count"]:
            found[role] = rule["count"]
    return found


def _draw(dealt: ev.Dealt, log: Sequence[ev.Event]) -> dict[str, Any]:
    draw: dict[str, Any] = {}
    if dealt.throne:
        draw["throne"], draw["numbers"] = dealt.throne, dealt.numbers
    for event in log:
        if isinstance(event, ev.CardsDrawn):
            draw["cards"] = event.cards
    if drawn := _drawn(log):
        draw["random"] = drawn
    return draw


def _drawn(log: Sequence[ev.Event]) -> list[int]:
    """What each draw gave; one that was taken back gives the same again.

    Cards that are fixed are not drawn.
    """
    values: list[int] = []
    counts = [0]  # how many draws held after each event
    for event in log:
        count = counts[event.to if isinstance(event, ev.Rewound) else -1]
        if isinstance(event, ev.Drawn) and event.what != "card":
            values[count : count + 1] = [event.value]
            count += 1
        counts.append(count)
    return values


def _table(name: str, values: Mapping[Any, Any]) -> list[str]:
    if not values:
        return []
    return ["", f"[{name}]", *(f"{_key(key)} = {_toml(value)}" for key, value in values.items())]


def _key(key: Any) -> str:
    text = str(key)
    return text if text.isascii() and text.replace("_", "").isalnum() else _toml(text)


def _toml(value: Any) -> str:
    """A value as TOML has it: text, numbers, lists, and maps on one line."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(k)} = {_toml(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    # JSON's own form of text, of numbers, true and false is TOML's too.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
