"""A table at which a game is played, and all that is said there is kept and looked at."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from data.message import Message
from data.rulesets import load_rulesets
from data.speech import Speech
from engine import commands as c
from engine import events as ev
from engine import view
from engine.game import Game
from engine.ruleset import Sheet

START = datetime(2026, 3, 2, 2, 0, tzinfo=UTC)  # a Monday, 10:00 in Shanghai
SHEETS = load_rulesets()
SHEET = SHEETS["kingmaker"]
ROLES = ["kingmaker", "killer", "killer", "civilian", "civilian", "civilian", "civilian"]
NAMES = ["甲", "乙", "丙", "丁", "戊", "己", "庚"]
SPEECH = Speech()
_OF_A_PERSON = (ev.DirectorAdded, ev.DirectorLeft, ev.Watching, ev.WatchingEnded)


class Table:
    """A game that is played here, and all that was said."""

    def __init__(
        self,
        roles: Iterable[str] = ROLES,
        names: Iterable[str] = NAMES,
        numbers: list[int] | None = None,
        *,
        sheet: Sheet = SHEET,
        start: datetime = START,
        random: Iterable[int] = (),
        **parameters: Any,
    ) -> None:
        self.game = Game()
        self.at = start
        self.events: list[ev.Event] = []
        self.said: list[Message] = []
        self.last: list[ev.Event] = []
        rules = sheet.with_parameters(parameters)
        self.do(c.CreateGame, game=7, group="900", sheet=rules.dump(), account="d", name="导")
        for number, name in enumerate(names, 1):
            self.do(c.SignUp, account=f"a{number}", name=name)
        roles = list(roles)
        throne = list(range(len(roles), 0, -1))
        preset = c.Preset(throne=throne, numbers=numbers, random=list(random))
        self.do(c.Deal, seed="5eed", roles=dict(enumerate(roles, 1)), preset=preset)

    def do(self, kind: type[c.Command], **values: Any) -> dict[str, str]:
        """Let the game handle a command; return the texts that it caused, by audience."""
        return self.handle(kind(at=self.at, **values))

    def handle(self, command: c.Command) -> dict[str, str]:
        self.last = self.game.handle(command)
        self.events += self.last
        messages = SPEECH.events(self.game, self.last)
        self.said += messages
        texts = {m.audience: m.text for m in messages if m.action == "text"}
        assert len(texts) == sum(message.action == "text" for message in messages)
        self.keeps_secrets(texts)
        return texts

    def keeps_secrets(self, texts: dict[str, str]) -> None:
        """Each text follows from the events that its audience may know of, and from no other."""
        reported = (ev.Reminded, ev.Reported)
        allowed = {event.audience for event in self.last if not isinstance(event, ev.Hidden)}
        for event in self.last:
            if isinstance(event, ev.Reminded):
                allowed |= {
                    ev.seat_audience(who) if isinstance(who, int) else ev.channel_audience(who)
                    for who, _ in event.owed
                }
                allowed |= {ev.PUBLIC for _, what in event.owed if what == "order"}
            if isinstance(event, ev.Reported):
                allowed.add(ev.DIRECTORS)
                if event.what != "dead":
                    allowed.add(ev.seat_audience(event.seat))
            if isinstance(event, _OF_A_PERSON):
                allowed.add(f"person:{event.account}")
            if isinstance(event, (ev.OutAnnounced, ev.Replaced)):
                # Who leaves a seat, or the game, is asked to leave its room.
                seat = self.game.seats[event.seat]
                allowed |= {f"person:{account}" for account in (seat.account, *seat.former)}
            if isinstance(event, ev.Reinstated):
                allowed.add(ev.seat_audience(event.seat))
            if isinstance(event, ev.CharmedAnnounced):
                allowed |= {ev.seat_audience(number) for number in event.seats}
        if self.game.sheet.spectators_see == "all":
            texts = {key: text for key, text in texts.items() if key != ev.SPECTATORS}
        assert set(texts) <= allowed
        for audience, text in texts.items():
            known = [
                event
                for event in self.last
                if event.audience in (audience, ev.PUBLIC) or isinstance(event, reported)
            ]
            again = SPEECH.events(self.game, known)
            assert text == next(message.text for message in again if message.audience == audience)

    def reply(self, kind: type[c.Command], **values: Any) -> str:
        command = kind(at=self.at, **values)
        self.handle(command)
        return SPEECH.reply(self.game, command, self.last)

    def refusal(self, kind: type[c.Command], **values: Any) -> str:
        command = kind(at=self.at, **values)
        with pytest.raises(c.Refused) as refused:
            self.game.handle(command)
        return SPEECH.refusal(refused.value.code, refused.value.values, self.game, command)

    def until(self, kind: str, late: int = 0) -> dict[str, str]:
        """Let the clock run until a deadline of this kind is settled; return its texts."""
        due = dict((k, d) for d, k in self.game.deadlines())[kind]
        texts: dict[str, str] = {}
        while (alarm := self.game.next_alarm()) is not None and alarm <= due:
            self.at = alarm
            texts = self.handle(c.Tick(at=alarm, late=late))
            if self.game.due.get(kind) != due:
                break
        return texts

    def before(self, kind: str, minutes: int) -> None:
        """Let the clock run until so many minutes before a deadline of this kind."""
        at = dict((k, d) for d, k in self.game.deadlines())[kind] - timedelta(minutes=minutes)
        while (alarm := self.game.next_alarm()) is not None and alarm <= at:
            self.handle(c.Tick(at=alarm))
        self.at = at

    def post(self, times: int = 2) -> None:
        for number in self.game.living():
            for _ in range(times):
                self.do(c.Post, seat=number, text="水")

    @property
    def public(self) -> dict[str, Any]:
        return view.public_view(self.game)

    def card(self, seat: int) -> str:
        return SPEECH.role_card(view.seat_view(self.game, seat), self.public)
