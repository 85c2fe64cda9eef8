"""Scenario files: read one, play it, and see whether all came as expected.

A scenario is a deal, what people type and when, and what must then be so. It is played through the
real parser, engine and texts, with a store in memory and a pretended clock.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from data.ledger import Ledger
from data.sentences import Rendered
from data.speech import Speech
from data.store import OutboxRow, Store
from data.toml import read_toml
from engine import calendar, view
from engine.commands import Deal, Preset, SignUp
from engine.game import Game
from engine.ruleset import Sheet, SheetError
from engine.sheetcheck import one_of, shape
from plugins.gamemaster.desk import Desk, Heard, Incoming, Settings

GROUP = "1"
DIRECTOR = "导演"
SEED = "00" * 32
"""What is not fixed follows from this."""

_LINE = re.compile(r"(\S+)\s+([私群密])\s*[:：][ 　]?(.*)", re.DOTALL)
_MENTION = re.compile(r"@(\w+)")
_CLOCK = re.compile(r"钟\s*[:：]\s*(.*)")
_SPAN = re.compile(r"\+(\d+)([smhd])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


class ScenarioError(SheetError):
    """A scenario can't be read or played; as a sheet's mistake it is said by :func:`said`."""


class Draw(msgspec.Struct, forbid_unknown_fields=True):
    """Draws that are fixed."""

    throne: list[int] | None = None
    numbers: list[int] | None = None
    cards: dict[int, int] | None = None
    random: list[int] = []


class Person(msgspec.Struct, forbid_unknown_fields=True):
    """Somebody without a seat. ``games``: finished games on record."""

    games: int = 0


class Act(msgspec.Struct, forbid_unknown_fields=True):
    """What is typed, and the facts that must then be so."""

    play: list[str]
    expect: dict[str, Any] | None = None


class Scenario(msgspec.Struct, forbid_unknown_fields=True):
    """A scenario file."""

    title: str
    clauses: list[str]
    ruleset: str
    start: datetime
    deal: dict[int, str]
    act: list[Act]
    sheet: dict[str, Any] = {}
    draw: Draw = msgspec.field(default_factory=Draw)
    people: dict[str, Person] = {}


def load(path: Path) -> Scenario:
    """Read a scenario file. Raises :class:`ScenarioError`."""
    try:
        plain = read_toml(path)
    except SheetError as mistake:
        raise _as_own(mistake) from None
    for mistake in shape(plain, Scenario):
        raise _as_own(mistake)
    return msgspec.convert(plain, Scenario, strict=False)


def _as_own(mistake: SheetError) -> ScenarioError:
    return ScenarioError(mistake.key, mistake.code, **mistake.values)


@dataclass
class Told:
    """Something that was said. ``to``: ``public``, ``seat:N``, ``channel:KEY``, ``directors``."""

    at: datetime
    to: str
    text: str


@dataclass
class Played:
    """An act that was played. ``lines``: what was typed, each with what it caused, in order."""

    facts: dict[str, Any]
    lines: list[tuple[str, list[Told]]]
    failures: list[str] = field(default_factory=list)

    @property
    def messages(self) -> list[Told]:
        """All that was said in this act, in order."""
        return [told for _, said in self.lines for told in said]


class _Store(Store):
    """A store in memory that has the finished games of [people] on record."""

    def __init__(self, people: Mapping[str, Person]) -> None:
        super().__init__("sqlite://")
        self._people = people

    def finished(self, account: str) -> int:
        person = self._people.get(account)
        return person.games if person is not None else 0


class _Faults(logging.Handler):
    """Keeps what the ledger logs of faults of the program."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.found.append(record.getMessage())


class Rehearsal:
    """A scenario on its stage, from the deal on."""

    def __init__(self, scenario: Scenario, rulesets: Mapping[str, Sheet], speech: Speech) -> None:
        if scenario.ruleset not in rulesets:
            options = list(rulesets)
            raise ScenarioError("ruleset", "no_ruleset", value=scenario.ruleset, options=options)
        self.scenario = scenario
        self.now = scenario.start.astimezone(UTC)
        self._rulesets = rulesets
        self._store = _Store(scenario.people)
        self._store.migrate()
        self._ledger = Ledger(self._store, speech, rulesets, clock=lambda: self.now)
        self._desk = Desk(self._ledger, speech, Settings())
        self._said = 0
        self._typed = 0
        self._faults = _Faults()
        self._accounts = {str(seat) for seat in scenario.deal} | {DIRECTOR, *scenario.people}
        log = logging.getLogger("zhifatuan.ledger")
        log.addHandler(self._faults)
        propagate, log.propagate = log.propagate, False
        try:
            self._game_id = self._deal()
        finally:
            log.propagate = propagate
            log.removeHandler(self._faults)
        self.zone = calendar.zone(self.game.sheet.zone)
        self.before = self._new_messages()
        """What was said up to the first line: the opening, the sign-up, the deal."""

    def close(self) -> None:
        """Leave the stage."""
        self._store.close()

    @property
    def game(self) -> Game:
        """The game as it is now."""
        return self._ledger.game(self._game_id)

    def _deal(self) -> int:
        scenario = self.scenario
        roles = self._rulesets[scenario.ruleset].roles
        for seat, role in scenario.deal.items():
            if role not in roles:
                raise _as_own(one_of(f"deal.{seat}", role, roles))
        created = self._ledger.create(
            at=self.now,
            group=GROUP,
            sheet=scenario.ruleset,
            parameters=scenario.sheet,
            account=DIRECTOR,
            name=DIRECTOR,
        )
        if created.refused is not None:
            values = created.refused.values
            key, expected = values.get("key", ""), Rendered(values.get("expected", ""))
            raise ScenarioError(f"sheet.{key}", "refused_sheet", expected=expected)
        assert created.game_id is not None
        for seat in sorted(scenario.deal):
            sign_up = SignUp(at=self.now, account=str(seat), name=f"{seat}号")
            if self._ledger.act(created.game_id, sign_up).refused is not None:
                raise ScenarioError(
                    f"deal.{seat}",
                    "no_seat_left",
                    most=self._rulesets[scenario.ruleset].players_max,
                )
        draw = scenario.draw
        deal = Deal(
            at=self.now,
            seed=SEED,
            roles=dict(sorted(scenario.deal.items())),
            preset=Preset(draw.throne, draw.numbers, draw.cards, draw.random),
        )
        outcome = self._ledger.act(created.game_id, deal)
        if outcome.failed or outcome.refused is not None:
            raise ScenarioError("deal", "impossible_deal")
        self._ledger.commit()
        return created.game_id

    # --- playing --------------------------------------------------------------------------------

    def acts(self) -> Iterator[Played]:
        """Play act by act, and compare each with what it expects."""
        for number, act in enumerate(self.scenario.act):
            refused: list[int] = []
            lines: list[tuple[str, list[Told]]] = []
            for index, line in enumerate(act.play):
                where = f"act[{number}].play[{index}]"
                if self._play(line, where) == "refused":
                    refused.append(index + 1)
                lines.append((line, self._new_messages()))
            plain = msgspec.json.decode(msgspec.json.encode(view.facts(self.game, self.now)))
            played = Played(plain, lines)
            if act.expect is not None:
                wrong = differences(act.expect, plain, refused)
                played.failures = [f"act {number + 1}: {text}" for text in wrong]
            played.failures += [f"act {number + 1}: {text}" for text in self._faults.found]
            self._faults.found.clear()
            yield played

    def _play(self, line: str, where: str) -> Heard:
        log = logging.getLogger("zhifatuan.ledger")
        log.addHandler(self._faults)
        try:
            if match := _CLOCK.fullmatch(line):
                self._move_clock(match[1].strip(), where)
                return "done"
            match = _LINE.fullmatch(line)
            if match is None:
                raise ScenarioError(where, "line", written=line)
            if match[1] not in self._accounts:
                raise _as_own(one_of(where, match[1], sorted(self._accounts)))
            heard = self._type(match[1], match[2], match[3].replace("\\n", "\n"))
            self._ledger.commit()
            return heard
        finally:
            log.removeHandler(self._faults)

    def _type(self, who: str, place: str, text: str) -> Heard:
        self._typed += 1
        seat = self.game.seats.get(int(who)) if who.isdecimal() else None
        return self._desk.receive(
            Incoming(
                at=self.now,
                account=who if seat is None else seat.account,
                name=who if seat is None else seat.name,
                text=text,
                message_id=str(self._typed),
                group=GROUP if place == "群" else None,
                mentions={name: name for name in _MENTION.findall(text) if name in self._accounts},
                secret=place == "密",
            )
        )

    def _move_clock(self, text: str, where: str) -> None:
        if match := _SPAN.fullmatch(text):
            target = self.now + timedelta(**{_UNITS[match[2]]: int(match[1])})
        else:
            try:
                local = datetime.fromisoformat(text)
            except ValueError:
                raise ScenarioError(where, "clock", written=text) from None
            if local.tzinfo is None:
                local = local.replace(tzinfo=self.zone)
            target = local.astimezone(UTC)
        if target < self.now:
            raise ScenarioError(where, "past", written=text)
        while (due := self.game.next_alarm()) is not None and due <= target:
            self.now = max(due, self.now)
            if self._ledger.wake(self._game_id, self.now).failed:
                break
            self._ledger.commit()
        self.now = target

    # --- what was said --------------------------------------------------------------------------

    def _new_messages(self) -> list[Told]:
        rows = self._store.messages(self._said)
        if rows:
            self._said = rows[-1].id
        told: list[Told] = []
        last: OutboxRow | None = None
        reached: set[str] = set()
        for row in rows:
            if row.action not in ("text", "forward"):
                continue
            # What is said to a channel goes to each of its members.
            same = last is not None and (last.audience, last.text) == (row.audience, row.text)
            if not same or row.target.id in reached:
                reached = set()
                told.append(Told(row.created, self._audience(row.audience), row.text))
            reached.add(row.target.id)
            last = row
        return told

    def _audience(self, audience: str) -> str:
        kind, _, which = audience.partition(":")
        if kind == "group":
            return "public"
        if kind == "person":
            if which == DIRECTOR:
                return "directors"
            seat = self.game.seat_of(which)
            return f"seat:{seat.number}" if seat is not None else audience
        return audience


# --- expectations --------------------------------------------------------------------------------


def differences(
    expected: Mapping[str, Any], facts: Mapping[str, Any], refused: list[int]
) -> list[str]:
    """What is not as expected, a line each. ``facts`` as JSON gives them (keys are text)."""
    wrong: list[str] = []
    wanted = expected.get("refused", [])
    if wanted != refused:
        wrong.append(f"refused: expected {wanted}, but it is {refused}")
    for key, value in expected.items():
        if key == "refused":
            continue
        if key in ("told", "not_told"):
            wrong += _told(key, value, facts["told"])
        elif key not in facts:
            wrong.append(f"{key}: there is no such fact")
        else:
            wrong += _different(key, value, facts[key])
    return wrong


def _told(key: str, expected: Mapping[str, Any], told: Mapping[str, Any]) -> Iterator[str]:
    for seat, notices in expected.items():
        for notice in notices:
            if (notice in told.get(str(seat), [])) is not (key == "told"):
                yield f"{key}.{seat}: {notice}"


def _different(where: str, expected: Any, found: Any) -> list[str]:
    if isinstance(expected, dict) and isinstance(found, dict):
        return [
            text
            for key, value in expected.items()
            for text in _different(f"{where}.{key}", value, found.get(str(key)))
        ]
    if isinstance(expected, datetime):
        expected = expected.isoformat()
    if expected == "none":
        expected = None
    return [] if expected == found else [f"{where}: expected {expected!r}, but it is {found!r}"]
